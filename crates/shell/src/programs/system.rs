//! Programs about the running machine: processes, kernel, hardware, users.

use super::system_checks::{
    alternatives, assigns, environment_shown, hardware_control, hypervisor_is_here, kill, prints_cache,
    saved_statistics, shadow,
};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const WRITES: Effects = Effects::WRITES;

const SYSTEM: Effects = Effects::SYSTEM;

const KILLS: Effects = Effects::KILLS;

const TOP_OPTIONS: &str = "-bcHiSstCMa1xAPFVkqR -h!help -dnopuUEewlOsNrjgIWGyf= --delay= --sort-key= --tree --no-color \
    --user= --batch --iter= --only --json";

pub(super) const TABLE: &[Spec] = &[
    Spec::new("which gwhich", Effects::READS)
        .options("-as --all --silent")
        .operands(Operands::Text)
        .examples(&[("which -a git", "reads"), ("which --foo git", "reads unknown")]),
    Spec::new("whereis", Effects::READS)
        .options("-bmsugl -BMSf=")
        .operands(Operands::Text)
        .examples(&[("whereis git", "reads"), ("whereis --foo git", "reads unknown")]),
    Spec::new("uuidgen uuid mcookie", Effects::READS)
        .options("-rtmxv -nNf= -h!help --random --time --md5 --sha1 --namespace= --name= --hex")
        .examples(&[("uuidgen", "reads"), ("uuidgen --foo", "reads unknown")]),
    Spec::new("getopt", Effects::READS)
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("getopt -o ab: -- -a", "reads")]),
    Spec::new("ps", READS)
        .options(
            "-AadefFHjlMLmNPcTrvwWxyXSkZ -E!secrets -CGgpqstuUoOn= --deselect --Group= --group= --pid= \
                --ppid= --quick-pid= --sid= \
             --tty= --user= --User= --forest --format= --context --headers --no-headers --no-heading --cols= \
             --columns= --width= \
             --rows= --lines= --sort= --cumulative --info --signames",
        )
        .operands(Operands::Text)
        .check(environment_shown)
        .examples(&[
            ("ps aux", "reads"),
            ("ps -eo pid,cmd --sort=-rss", "reads"),
            ("ps -ef", "reads"),
            ("ps auxe", "reads secrets"),
            ("ps --foo", "reads unknown"),
        ]),
    // It makes a folder for its settings where there is none.
    Spec::new("top", READS.and(WRITES))
        .options(TOP_OPTIONS)
        .operands(Operands::Text)
        .examples(&[("top -bn1", "reads writes"), ("top -h", "reads"), ("top --foo", "reads writes unknown")]),
    Spec::new("htop btop bpytop iotop iftop nvtop slabtop nethogs", READS)
        .options(TOP_OPTIONS)
        .operands(Operands::Text)
        .examples(&[("htop -d 1", "reads"), ("htop --foo", "reads unknown")]),
    Spec::new("glances atop nmon powertop dstat turbostat gotop", READS)
        .options("-hV!help")
        .examples(&[("glances", "reads"), ("glances -w", "reads unknown")]),
    Spec::new("pgrep", READS)
        .style(Style::Gnu)
        .options(
            "-lavwcfinoxLAqS -hV!help -dgGOPstuUFrMN= --delimiter= --list-name --list-full --inverse \
                --lightweight --count --full --pgroup= --group= \
             --ignore-case --newest --oldest --older= --parent= --session= --terminal= --euid= --uid= --exact \
             --pidfile=read --logpidfile --runstates= --ignore-ancestors --cgroup= --ns= --nslist= --signal= \
             --quiet --env= --help!help --version!help",
        )
        .operands(Operands::Text)
        .examples(&[("pgrep -lf 'a|b'", "reads"), ("pgrep --foo x", "reads unknown")]),
    Spec::new("pidof pwdx pidwait", READS)
        .options("-scxqzthVw -omS= --single-shot --check-root --omit-pid= --separator=")
        .operands(Operands::Text)
        .examples(&[("pidof -s sshd", "reads"), ("pidof --foo x", "reads unknown")]),
    Spec::new("pmap", READS)
        .options("-xXdqcpV -A= --extended --device --quiet --show-path")
        .operands(Operands::Text)
        .examples(&[("pmap -x 1", "reads"), ("pmap -n", "reads unknown")]),
    Spec::new("pidstat", READS)
        .options("-dHhIlRrsUuvwtV -CGpT= -e!executes --human --dec=")
        .operands(Operands::Text)
        .examples(&[("pidstat -u 1 5", "reads"), ("pidstat -e ls", "reads executes")]),
    Spec::new("pstree procs", READS)
        .options(
            "-aAcghGlnpsStTuUVZ -CHN= --arguments --ascii --compact-not --color= --show-pgids --vt100 \
                --highlight-all --long \
             --highlight-pid= --numeric-sort --ns-sort= --show-pids --show-parents --ns-changes \
             --thread-names --hide-threads --uid-changes \
             --unicode --security-context --tree",
        )
        .operands(Operands::Text)
        .examples(&[("pstree -p", "reads"), ("pstree --foo", "reads unknown")]),
    Spec::new("lsof", READS)
        .options("-abClnNORPtUvVXhEMwQf -D=!writes -Acdekmpu= -iFgKLoTrsSxzZ=?")
        .operands(Operands::Text)
        .examples(&[("lsof -nP -i :3000", "reads"), ("lsof +D dir", "reads"), ("lsof -D b", "reads writes")]),
    Spec::new("fuser", READS)
        .options("-aIcfmMsuvVl46 -k!kills -iw -n= --all --inode --mount --ismountpoint --silent --user --verbose \
            --list-signals --ipv4 --ipv6 --namespace= --kill!kills --interactive --writeonly")
        .operands(Operands::Text)
        .examples(&[("fuser -v 80/tcp", "reads"), ("fuser -k 80/tcp", "reads kills"), ("fuser -vk file", "reads kills")]),
    Spec::new("lastlog lastlog2", READS)
        .options("-btu= -hV!help -d=read -CS!system -ir=!system --before= --time= --user= --clear!system --set!system --import=!system --rename=!system")
        .examples(&[("lastlog -u root", "reads"), ("lastlog2 -C -u root", "reads system"), ("lastlog2 -i old.db", "reads system")]),
    Spec::new("vmstat iostat mpstat sar free w last lastb tload numastat", READS)
        .options(
            "-abBcdDfhHiklmMnNpPqrRsStTuUvVwWxyzAFgeIjC -# -o= --active --forks --slabs --one-header --stats \
                --disk --disk-sum --partition= --unit= --wide \
             --timestamp --no-first --bytes --kilo --mega --giga --tera --kibi --mebi --gibi --human --si \
             --lohi --total --committed --line \
             --seconds= --count= --pretty --since= --no-header --short --from --ip-addr --no-current \
             --hostlast --dns --file=read --fulltimes \
             --ip --limit= --nohostname --until= --present= --fullnames --system --time-format= --dec= --pid \
             --terse",
        )
        .operands(Operands::Text)
        .check(saved_statistics)
        .examples(&[
            ("free -h", "reads"),
            ("vmstat 1 5", "reads"),
            ("last -5", "reads"),
            ("sar -o x 1 5", "reads writes"),
            ("lastlog -C -u x", "reads system"),
        ]),
    Spec::new("dmesg", READS)
        .style(Style::Gnu)
        .options(
            "-HJkPprSuwWxdeTta -hV!help -L=? -CcDE!system -n=!system -F=read -fls= -K=read --clear!system \
                --read-clear!system --console-off!system --console-on!system \
             --console-level=!system --file=read --kmsg-file=read --facility= --human --json --kernel \
             --color=? --level= --nopager --force-prefix --raw \
             --noescape --syslog --buffer-size= --userspace --follow --follow-new --decode --show-delta \
             --reltime \
             --ctime --notime --time-format= --since= --until= --help!help --version!help",
        )
        .examples(&[
            ("dmesg -T --level=err,warn", "reads"),
            ("dmesg -TcH", "reads system"),
            ("dmesg --clear", "reads system"),
            ("dmesg --cl", "reads system"),
            ("dmesg -n 1", "reads system"),
        ]),
    Spec::new("lscpu lsmem lsns lslocks lslogins lsipc lsirq lsfd", READS)
        .options(
            "-abBcJxyrnPpGeLsguzZmlfRtTwQMqSdHiFk -C=? -osIVWpNDE= --all --online --offline --bytes \
                --caches=? --json --extended=? --parse=? --sysroot= --hex \
             --physical --output-all --output= --raw --noheadings --task= --type= --notruncate --pairs \
             --summary=? --split= --list --persistent --inaccessible",
        )
        .operands(Operands::Text)
        .examples(&[("lscpu --json", "reads"), ("lscpu --foo", "reads unknown")]),
    Spec::new("lsblk findmnt", READS)
        .options(
            "-ADJMOPSTabdfilmnprstyzCRUNFkuvcegLhHV -EIwxo= --noempty --discard --dedup= --include= --json \
                --merge --output-all --pairs --scsi \
             --tree=? --all --bytes --nodeps --exclude= --fs --ascii --list --perms --noheadings --output= \
             --paths --raw \
             --inverse --topology --width= --sort= --shell --zoned --sysroot= \
             --fstab --mtab --kernel --poll=? --timeout= --df --direction= --evaluate --tab-file=read \
             --first-only \
             --invert --task= --options= --pseudo --shadowed --submounts --real --source= --target= \
             --mountpoint= --types= \
             --uniq --notruncate --nofsroot --verify --verbose --vfs-all --nocanonicalize --canonicalize",
        )
        .operands(Operands::Text)
        .examples(&[("lsblk -f", "reads"), ("findmnt -t ext4 /", "reads"), ("lsblk --foo", "reads unknown")]),
    Spec::new("blkid", READS)
        .options(
            "-kilpdDV -h!help -g!system -cw=write -sotnuLUOSH= --output= --match-tag= --match-token= \
                --label= --uuid= --probe --info --list-one \
             --list-filesystems --cache-file=write --garbage-collect!system --no-encoding --offset= --size= \
             --usages= --match-types=",
        )
        .operands(Operands::Text)
        .examples(&[("blkid /dev/sda1", "reads"), ("blkid -g", "reads system"), ("blkid -w x", "reads writes")]),
    Spec::new("lshw", READS)
        .style(Style::SingleDash)
        .options("-short -businfo -json -xml -html -sanitize -numeric -quiet -notime -class= -C= -c= -disable= \
            -enable= -dump=write -X!executes -version!help")
        .examples(&[("lshw -short -class disk", "reads"), ("lshw -dump x", "reads writes")]),
    Spec::new("lsusb lspci lsmod lsscsi dmidecode biosdecode hwinfo inxi sensors acpi upower lsattr modinfo \
        lsinitramfs lsinitrd nvidia-smi rocm-smi glxinfo clinfo xdpyinfo", READS)
        .options(
            "-aAbBcCdDeEfFgGhHijJklLmMnNoOpPqrRsStTuvVwWxyzZ1I --json --short --xml --type= --string= \
                --handle= --quiet --verbose --numeric \
             --tree --enumerate --dump --show-info= --query-gpu= --query-compute-apps= --format= --list-gpus \
             --query --id= --loop= --display= --field= \
             --basedir= --filter= --no-io --disk --cpu --memory --network --bios",
        )
        .operands(Operands::Text)
        .check(hardware_control)
        .examples(&[
            ("lspci -nnk", "reads"),
            ("lsmod", "reads"),
            ("nvidia-smi --query-gpu=name --format=csv", "reads"),
            ("nvidia-smi -pl 100", "reads system"),
            ("sensors -s", "reads system"),
            ("dmidecode --dump-bin x", "reads unknown"),
        ]),
    Spec::new("kill", KILLS)
        .style(Style::Raw)
        .check(kill)
        .examples(&[
            ("kill -l", "reads"),
            ("kill -0 123", "reads"),
            ("kill -9 123", "kills"),
            ("kill -s TERM 123", "kills"),
            ("kill %1", "kills"),
        ]),
    Spec::new("killall pkill xkill skill snice killall5 tkill slay", KILLS)
        .options("-egIqrvwfinoxcl0123456789ABCDEFGHKLMNOPQRSTUVWXYZ -usytFd= --signal= --user= --exact \
            --ignore-case --interactive --quiet --regexp --wait --full --newest --oldest --verbose --list")
        .operands(Operands::Text)
        .examples(&[("pkill -f server", "kills"), ("killall -9 node", "kills"), ("pkill --foo x", "kills unknown")]),
    Spec::new("renice", SYSTEM)
        .options("-npgucIdbfr=")
        .operands(Operands::Text)
        .examples(&[("renice -n 5 -p 1", "system")]),
    // They change a process, or start the program that stands behind their options.
    Spec::new("prlimit schedtool cpulimit choom", SYSTEM.and(Effects::EXECUTES))
        .options("-npgucIdbfr=")
        .operands(Operands::Text)
        .examples(&[("choom -n 5 x", "system executes"), ("prlimit -p 1", "system executes")]),
    Spec::new("sysctl", READS)
        .options(
            "-aAbdeNnqXoxhViTl -wpf!system -r= --all --deprecated --binary --ignore --names --values \
                --pattern= --quiet --write!system --load=?!system --system!system \
             --dry-run",
        )
        .operands(Operands::Text)
        .check(assigns)
        .examples(&[
            ("sysctl -n kernel.hostname", "reads"),
            ("sysctl -a", "reads"),
            ("sysctl -w a=b", "reads system"),
            ("sysctl a=b", "reads system"),
            ("sysctl --system", "reads system"),
        ]),
    Spec::new("modprobe insmod rmmod depmod kexec dkms mkinitramfs update-initramfs dracut mkinitcpio \
        grub-install update-grub grub-mkconfig grub2-mkconfig efibootmgr kmod", SYSTEM)
        .options("-arvfnqDcVhRubokPg= --dry-run --remove --verbose --show-depends --config= --*")
        .operands(Operands::Text)
        .examples(&[("modprobe x", "system"), ("modprobe --dry-run x", "system"), ("rmmod x", "system")]),
    Spec::new("udevadm", SYSTEM)
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("info monitor", READS)
                .options("-apxrekhupsV -qnPdtwS= --query= --path= --name= --attribute-walk --export --export-db --root \
                    --kernel --udev --property --tree --subsystem-match=")
                .operands(Operands::Text),
            Spec::new("settle", READS).options("-tE= --timeout= --exit-if-exists="),
            Spec::new("verify cat", READS).operands(Operands::Text),
        ])
        .examples(&[("udevadm info -a -n /dev/sda", "reads"), ("udevadm trigger", "system")]),
    Spec::new("ipcs", READS)
        .options("-mqsatpclubhVMQSTyZoG -i= --id= --shmems --queues --semaphores --all --time --pid --creator \
            --limits --summary --human --bytes")
        .examples(&[("ipcs -a", "reads"), ("ipcs --foo", "reads unknown")]),
    Spec::new("ipcrm ipcmk", SYSTEM)
        .options("-mMqQsS= -a=? --shmem-id= --shmem-key= --queue-id= --queue-key= --semaphore-id= \
            --semaphore-key= --all=?")
        .operands(Operands::Text)
        .examples(&[("ipcrm --all", "system"), ("ipcrm -m 1", "system")]),
    Spec::new("getconf locale", READS)
        .options("-acmkv --all-locales --charmaps --category-name --keyword-name --verbose")
        .operands(Operands::Text)
        .examples(&[("getconf PAGE_SIZE", "reads"), ("locale", "reads"), ("locale --foo", "reads unknown")]),
    Spec::new("localedef locale-gen update-locale ldconfig ldconfig.real", SYSTEM)
        .options("-fiAcvnNXrp= --list-archive --verbose --print-cache")
        .operands(Operands::Text)
        .check(prints_cache)
        .examples(&[("ldconfig -p", "reads"), ("ldconfig", "system"), ("locale-gen x", "system")]),
    Spec::new("update-alternatives alternatives", SYSTEM)
        .options("--verbose --quiet --admindir= --altdir= --skip-auto")
        .operands(Operands::Text)
        .style(Style::Raw)
        .check(alternatives)
        .examples(&[
            ("update-alternatives --list python", "reads"),
            ("update-alternatives --display java", "reads"),
            ("update-alternatives --set java x", "system"),
        ]),
    Spec::new("getent", READS)
        .options("-iA -s= --service= --no-idn --no-addrconfig")
        .operands(Operands::Text)
        .check(shadow)
        .examples(&[("getent passwd root", "reads"), ("getent hosts a.com", "reads"), ("getent shadow", "reads secrets")]),
    Spec::new("getfacl getcap", READS)
        .options("-acedEsRLPtpnhvr --access --default --omit-header --all-effective --no-effective --skip-base \
            --recursive --logical --physical --tabular --numeric --absolute-names")
        .operands(Operands::Read)
        .examples(&[("getfacl -R d", "reads"), ("getcap /bin/ping", "reads"), ("getfacl --foo x", "reads unknown")]),
    Spec::new("getfattr", READS)
        .options("-dhLPR -nme= --dump --name= --match= --only-values --encoding= --no-dereference \
            --absolute-names --recursive --logical --physical")
        .operands(Operands::Read)
        .examples(&[("getfattr -d f", "reads"), ("getfattr --foo f", "reads unknown")]),
    Spec::new("chattr", Effects::PERMISSIONS)
        .style(Style::Raw)
        .examples(&[("chattr +i f", "permissions"), ("chattr -i f", "permissions")]),
    Spec::new("setfacl setcap setfattr chacl", Effects::PERMISSIONS)
        .options("-bkndRLPhvqrf -mxMXsn= --modify= --remove= --remove-all --recursive --restore=")
        .operands(Operands::Text)
        .examples(&[("setfacl -m u:a:rw f", "permissions"), ("setcap cap_net_raw+ep f", "permissions")]),
    Spec::new("chcon restorecon setsebool semanage semodule setenforce apparmor_parser aa-enforce aa-complain \
        aa-disable auditctl augenrules fixfiles", SYSTEM.and(Effects::PERMISSIONS))
        .options("-RvFnturlPadkiDsweb= --*")
        .operands(Operands::Text)
        .examples(&[("setenforce 0", "system permissions"), ("restorecon -Rv d", "system permissions")]),
    Spec::new("getenforce sestatus aa-status apparmor_status getsebool seinfo sesearch matchpathcon ausearch \
        aureport selinuxenabled aa-enabled", READS)
        .options("-abvAimktspuUghcCflexrSTn --json --verbose --interpret --start= --end= --message= --summary \
            --failed --success")
        .operands(Operands::Text)
        .examples(&[("sestatus -v", "reads"), ("ausearch --foo", "reads unknown")]),
    Spec::new("virsh", SYSTEM)
        .options("-rq -cd= --connect= --readonly --quiet")
        .operands(Operands::Text)
        .check(hypervisor_is_here)
        .verbs(&[
            Spec::new("list dominfo domstate domblklist domiflist nodeinfo version capabilities net-list net-info \
                pool-list pool-info vol-list vol-info snapshot-list domstats dommemstat vcpuinfo hostname uri", READS)
                .options("--*")
                .operands(Operands::Text),
            Spec::new("dumpxml net-dumpxml pool-dumpxml", READS).options("--inactive --security-info!secrets").operands(Operands::Text),
            Spec::new("undefine vol-delete pool-delete snapshot-delete vol-wipe", SYSTEM.and(Effects::DELETES)).options("--*").operands(Operands::Text),
            Spec::new("destroy shutdown reset", SYSTEM.and(KILLS)).options("--*").operands(Operands::Text),
        ])
        .examples(&[
            ("virsh list --all", "reads"),
            ("virsh -c qemu:///system list", "reads"),
            ("virsh -c 'qemu+ext:///system?command=./x' list", "reads executes"),
            ("virsh undefine vm --remove-all-storage", "system deletes"),
            ("virsh destroy vm", "system kills"),
            ("virsh start vm", "system"),
        ]),
    Spec::new("VBoxManage vboxmanage", SYSTEM)
        .options("-lsq --nologo --delete --delete-all")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("list showvminfo showmediuminfo getextradata metrics", READS)
                .options("-ls --long --sorted --details --machinereadable --log=")
                .operands(Operands::Text),
        ])
        .examples(&[("VBoxManage list vms", "reads"), ("VBoxManage unregistervm x --delete", "system")]),
    Spec::new("qemu-img", SYSTEM.and(Effects::WRITES))
        .options("-f= -q --output= --force-share")
        .operands(Operands::Text)
        .verbs(&[Spec::new("info check map measure compare", READS).options("-UqspT -r!writes -fFo= --output= --backing-chain --force-share").operands(Operands::Read)])
        .examples(&[("qemu-img info a.qcow2", "reads"), ("qemu-img resize a 10G", "system writes")]),
    Spec::new("pct qm lxc incus multipass limactl colima", SYSTEM.and(Effects::EXECUTES))
        .operands(Operands::Text)
        .verbs(&[Spec::new("list info status version", READS).options("--format= --json").operands(Operands::Text)])
        .examples(&[("lxc list", "reads"), ("lxc exec c ls", "system executes"), ("qm start 100", "system executes")]),
    Spec::new("lxc-start lxc-stop lxc-attach qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-kvm \
        systemd-nspawn firecracker", SYSTEM.and(Effects::EXECUTES))
        .style(Style::Raw)
        .examples(&[("qemu-system-x86_64 -m 1G a.img", "system executes")]),
];
