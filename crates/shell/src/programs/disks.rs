//! Disks, file systems and what lies between.

use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const SYSTEM: Effects = Effects::SYSTEM;
const ERASES: Effects = Effects::SYSTEM.and(Effects::DELETES);

pub(super) const TABLE: &[Spec] = &[
    Spec::new("mount", SYSTEM)
        .options("-aBcfFhilMnrRsTvwV -tLULOopN= --all --bind --rbind --move --make-private --make-shared \
            --options= --types= --read-only --verbose --fake --source= --target=")
        .operands(Operands::Text)
        .check(mount)
        .examples(&[("mount", "reads"), ("mount -l -t ext4", "reads"), ("mount /dev/sda1 /mnt", "system"), ("mount -a", "system")]),
    Spec::new("umount fusermount fusermount3 pmount pumount mount.nfs mount.cifs sshfs mount.fuse", SYSTEM)
        .options("-aAdfilnqRrtOvuzo= --lazy --force --all --recursive")
        .operands(Operands::Text)
        .examples(&[("umount /mnt", "system"), ("sshfs h:/ /mnt", "system")]),
    Spec::new("swapon", SYSTEM)
        .options("-asvheifp= --summary --show=? --noheadings --raw --bytes --all --verbose")
        .operands(Operands::Text)
        .check(swapon)
        .examples(&[("swapon --show", "reads"), ("swapon -s", "reads"), ("swapon /swap", "system"), ("swapon -a", "system")]),
    Spec::new("swapoff mkswap swaplabel", SYSTEM).options("-avLUfp=").operands(Operands::Text).examples(&[("swapoff -a", "system"), ("mkswap /swap", "system")]),
    Spec::new("fdisk sfdisk gdisk sgdisk cfdisk parted gparted", ERASES)
        .options("-lsxdJVTFpvin -bcCLtouH= --list --list-free --json --dump --show-size --script --version \
            --list-types --verify --print --info=")
        .operands(Operands::Text)
        .check(partitions)
        .examples(&[
            ("fdisk -l", "reads"),
            ("sfdisk -l /dev/sda", "reads"),
            ("sfdisk --dump /dev/sda", "reads"),
            ("parted -l", "reads"),
            ("fdisk /dev/sda", "system deletes"),
            ("sgdisk -Z /dev/sda", "system deletes unknown"),
            ("parted /dev/sda print", "system deletes"),
        ]),
    Spec::new(
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.bfs mkfs.jfs \
         mkfs.reiserfs mkfs.udf mkfs.erofs mkfs.nilfs2 mke2fs mkntfs mkdosfs mkexfatfs newfs newfs_apfs \
         newfs_hfs newfs_msdos mkreiserfs mkzftree \
         wipefs blkdiscard badblocks nwipe scrub sfill sswap",
        ERASES,
    )
    .options("-tLUFfqnbmNEOaosicjvJzTCxX= --label= --force --type= --all --*")
    .operands(Operands::Text)
    .examples(&[("mkfs.ext4 /dev/sda", "system deletes"), ("wipefs -a /dev/sda", "system deletes"), ("mkfs -t ext4 /dev/sda", "system deletes")]),
    Spec::new("fsck fsck.ext4 fsck.ext3 fsck.ext2 fsck.xfs fsck.vfat fsck.btrfs e2fsck xfs_repair ntfsfix \
        dosfsck resize2fs tune2fs xfs_growfs xfs_admin debugfs e2label fatlabel partprobe partx kpartx \
        growpart fstrim sdparm losetup zramctl blockdev", SYSTEM)
        .options("-yfpnNAaTVvlLcdPrjkIitmbCsoDeMU= --list --all --json --show --find --detach= --getsize64 \
            --getss --getro --report --verbose --output=")
        .operands(Operands::Text)
        .check(device_state)
        .examples(&[
            ("losetup -a", "reads"),
            ("losetup --list", "reads"),
            ("losetup", "reads"),
            ("losetup -d /dev/loop0", "system"),
            ("blockdev --getsize64 /dev/sda", "reads"),
            ("fsck -y /dev/sda1", "system"),
        ]),
    Spec::new("hdparm nvme", SYSTEM)
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(drive)
        .examples(&[
            ("hdparm -I /dev/sda", "reads"),
            ("hdparm -tT /dev/sda", "reads"),
            ("hdparm --security-erase x /dev/sda", "system"),
            ("hdparm -I -y /dev/sda", "system"),
            ("nvme list -o json", "reads"),
            ("nvme smart-log /dev/nvme0", "reads"),
            ("nvme format /dev/nvme0n1", "system"),
        ]),
    Spec::new("dumpe2fs xfs_info filefrag", READS)
        .options("-hfxbvse")
        .operands(Operands::Text)
        .examples(&[("dumpe2fs -h /dev/sda1", "reads"), ("xfs_info /", "reads"), ("filefrag --foo x", "reads unknown")]),
    Spec::new("smartctl", READS)
        .options("-aAHicxj -hV!help -ldTrnP= -tXsSo=!system --all --xall --info --health --attributes \
            --capabilities --scan --scan-open --json=? --log= --device= --test=!system --smart=!system")
        .operands(Operands::Text)
        .examples(&[("smartctl -a /dev/sda", "reads"), ("smartctl -t short /dev/sda", "reads system")]),
    Spec::new("cryptsetup dmsetup integritysetup veritysetup", SYSTEM)
        .options("-yvqr -dsc= --key-file=read!secrets --type= --tree --force --batch-mode")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("status isLuks luksDump ls info table deps targets", READS)
                .options("-v --tree --dump-master-key!secrets --dump-volume-key!secrets --showkeys!secrets --type= \
                    --dump-json-metadata")
                .operands(Operands::Text),
            Spec::new("luksFormat luksErase erase remove remove_all luksKillSlot luksRemoveKey reencrypt wipe_table \
                clear", ERASES).options("--*").operands(Operands::Text),
        ])
        .examples(&[
            ("cryptsetup status x", "reads"),
            ("cryptsetup luksFormat /dev/sda", "system deletes"),
            ("cryptsetup luksDump --dump-master-key x", "reads secrets"),
            ("cryptsetup open a b", "system"),
        ]),
    Spec::new("veracrypt clevis tpm2_unseal", SYSTEM.and(Effects::SECRETS))
        .style(Style::Raw)
        .examples(&[("veracrypt a.hc /mnt", "system secrets")]),
    Spec::new("lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan lvmdiskscan lvmconfig", READS)
        .options(
            "-acPvdhmCsqb -oOS= --all --options= --noheadings --units= --nosuffix --separator= --sort= \
                --select= --reportformat= --columns --colon --maps --segments --unbuffered \
             --verbose --unquoted --aligned --short",
        )
        .operands(Operands::Text)
        .check(scans_activate)
        .examples(&[("lvs -o +devices", "reads"), ("vgdisplay x", "reads"), ("pvscan --cache", "reads unknown"), ("lvs --config x", "reads unknown")]),
    Spec::new("lvm lvmdump lvcreate lvextend lvresize lvreduce lvchange lvconvert lvrename vgcreate vgextend \
        vgreduce vgrename vgchange vgimport vgexport vgcfgbackup vgcfgrestore vgmerge vgsplit vgck \
        pvcreate pvresize pvmove pvchange pvck", SYSTEM)
        .options("-nLlrsyfaiTVtv= --* --name= --size= --extents= --resizefs --yes --force")
        .operands(Operands::Text)
        .examples(&[("lvcreate -n a -L 1G vg", "system"), ("lvm lvdisplay a", "system")]),
    Spec::new("lvremove vgremove pvremove", ERASES).options("-fyvt --*").operands(Operands::Text).examples(&[("lvremove -f vg/a", "system deletes")]),
    Spec::new("mdadm", SYSTEM)
        .options("-DEQsvbX --detail --examine --query --scan --verbose --brief --export --monitor --create= \
            --stop --zero-superblock!deletes --manage --add= --fail= --remove= --assemble --level= \
            --raid-devices=")
        .operands(Operands::Text)
        .check(raid)
        .examples(&[("mdadm --detail /dev/md0", "reads"), ("mdadm --detail --scan", "reads"), ("mdadm --stop /dev/md0", "system"), ("mdadm --zero-superblock /dev/sda", "system deletes")]),
    Spec::new("zfs zpool", SYSTEM)
        .options("-V!help")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("list get status iostat history diff userspace groupspace projectspace holds version events help", READS)
                .options("-FHprvxPLgDiljy -dtToSs= --json")
                .operands(Operands::Text),
            Spec::new("destroy labelclear", ERASES).options("-rRfndpv").operands(Operands::Text),
            Spec::new("rollback", SYSTEM.and(Effects::DISCARDS)).options("-rRf").operands(Operands::Text),
            Spec::new("send", READS).options("-DLPRbcehnpvwst -iI=").operands(Operands::Text),
            Spec::new("create set inherit snapshot snap clone promote rename mount unmount share unshare receive recv \
                upgrade allow unallow hold release bookmark load-key unload-key change-key program \
                add attach detach replace remove offline online clear import export scrub resilver trim initialize reguid split reopen sync checkpoint wait", SYSTEM)
                .options("-oOsVfnpdDRbrkNFlaetuwmg=")
                .operands(Operands::Text),
        ])
        .examples(&[
            ("zpool status -v", "reads"),
            ("zfs list -t snapshot", "reads"),
            ("zfs destroy -r tank/a", "system deletes"),
            ("zpool destroy tank", "system deletes"),
            ("zfs rollback a@b", "system discards"),
            ("zfs create a", "system"),
        ]),
    Spec::new("btrfs bcachefs", SYSTEM)
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("subvolume sub", SYSTEM).verbs(&[
                Spec::new("list show get-default find-new", READS).options("-apcgoustdrqQR --sort=").operands(Operands::Text),
                Spec::new("delete", ERASES).options("-cCviR --subvolid=").operands(Operands::Text),
                Spec::new("create snapshot set-default sync", SYSTEM).options("-ri=").operands(Operands::Text),
            ]),
            Spec::new("filesystem fi", SYSTEM).verbs(&[
                Spec::new("df show usage du", READS).options("-hHbkmgtsTd --raw --human-readable").operands(Operands::Text),
                Spec::new("resize label sync defragment mkswapfile", SYSTEM).operands(Operands::Text),
            ]),
            Spec::new("device dev", SYSTEM).verbs(&[
                Spec::new("stats usage", READS).options("-cbz!system -hT").operands(Operands::Text),
                Spec::new("add delete remove scan ready replace", SYSTEM).operands(Operands::Text),
            ]),
            Spec::new("scrub balance quota qgroup", SYSTEM).operands(Operands::Text).verbs(&[Spec::new("status show", READS).operands(Operands::Text)]),
            Spec::new("inspect-internal", READS).operands(Operands::Text),
            Spec::new("version help", READS),
        ])
        .examples(&[
            ("btrfs subvolume list /", "reads"),
            ("btrfs subvolume delete x", "system deletes"),
            ("btrfs fi df /", "reads"),
            ("btrfs scrub start /", "system"),
        ]),
];

fn shows(out: &mut Outcome<'_>, only: bool) {
    if only {
        out.effects = out.effects.without(ERASES).and(Effects::READS);
    }
}

fn mount<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let listing = invocation.options.iter().all(|seen| matches!(seen.name, "l" | "t" | "v"));
    shows(out, listing && invocation.operands.is_empty() && !out.help);
}

fn swapon<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let listing = invocation.words.iter().all(|word| {
        word.known().is_some_and(|text| {
            matches!(text, "-s" | "--summary" | "--noheadings" | "--raw" | "--bytes")
                || text.starts_with("--show")
        })
    });
    shows(out, listing && !invocation.words.is_empty());
}

fn partitions<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let asks: &[&str] = match invocation.program {
        "fdisk" => &["l", "s", "x", "o", "--list", "b", "u"],
        "sfdisk" => &[
            "l",
            "d",
            "J",
            "F",
            "T",
            "s",
            "--list",
            "--dump",
            "--json",
            "--list-free",
            "--show-size",
            "--list-types",
            "V",
            "--verify",
        ],
        "parted" => &["l", "s", "--list", "--script"],
        "sgdisk" | "gdisk" => &["p", "v", "i", "--print", "--verify", "--info", "l"],
        _ => &[],
    };
    let listed = invocation.has(&[
        "l",
        "d",
        "J",
        "F",
        "T",
        "p",
        "v",
        "i",
        "--list",
        "--dump",
        "--json",
        "--list-free",
        "--list-types",
        "--print",
        "--verify",
        "--info",
    ]);
    let only = invocation.options.iter().all(|seen| asks.contains(&seen.name));
    let parted_command = invocation.program == "parted" && !invocation.operands.is_empty();
    shows(out, listed && only && !parted_command);
}

/// Of the tools for devices, the few forms that only look.
fn device_state<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let first = invocation.words.first().and_then(crate::argument::Argument::known);
    let only = match (invocation.program, first) {
        ("losetup" | "zramctl", None) => invocation.words.is_empty(),
        ("losetup" | "zramctl", Some("-a" | "-l" | "--all" | "--list")) => invocation.words.len() == 1,
        ("blockdev", Some("--getsize64" | "--getss" | "--getro" | "--report")) => invocation.words.len() <= 2,
        ("tune2fs", Some("-l")) => invocation.words.len() == 2,
        _ => false,
    };
    shows(out, only);
}

/// What can be asked of a drive.
fn drive<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let known = || invocation.words.iter().map(|word| word.known().unwrap_or("-"));
    let device = |text: &str| text.starts_with("/dev/");
    let only = match (invocation.program, known().next()) {
        ("hdparm", Some(_)) => known().all(|text| {
            device(text) || matches!(text, "-I" | "-i" | "-g" | "-C" | "-H" | "-t" | "-T" | "-tT" | "-Tt")
        }),
        (
            "nvme",
            Some(
                "list" | "list-subsys" | "list-ns" | "list-ctrl" | "id-ctrl" | "id-ns" | "smart-log"
                | "error-log" | "fw-log" | "show-regs" | "version" | "help",
            ),
        ) => known().skip(1).all(|text| {
            device(text)
                || text.bytes().all(|byte| byte.is_ascii_digit())
                || matches!(
                    text,
                    "-o" | "json" | "normal" | "-v" | "-H" | "-n" | "--verbose" | "--human-readable"
                )
                || text.starts_with("--output-format=")
        }),
        (_, _) => false,
    };
    shows(out, only);
}

fn scans_activate<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if matches!(invocation.program, "pvscan" | "vgscan") && invocation.has(&["a"]) {
        out.add(Effects::SYSTEM);
    }
}

fn raid<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let asks = [
        "D",
        "E",
        "Q",
        "s",
        "v",
        "b",
        "X",
        "--detail",
        "--examine",
        "--query",
        "--scan",
        "--verbose",
        "--brief",
        "--export",
    ];
    let only = invocation.options.iter().all(|seen| asks.contains(&seen.name));
    shows(out, only && invocation.has(&["D", "E", "Q", "X", "--detail", "--examine", "--query"]));
}
