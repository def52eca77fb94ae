//! Programs that only macOS has.

use super::macos_checks as check;
use super::shapes::shows_variables;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const READS: Effects = Effects::READS;
pub(super) const WRITES: Effects = Effects::WRITES;
pub(super) const SYSTEM: Effects = Effects::SYSTEM;
pub(super) const SECRETS: Effects = Effects::SECRETS;
const ERASES: Effects = Effects::SYSTEM.and(Effects::DELETES);

const SECURITY: &[Spec] = &[
    Spec::new("help error list-smartcards translocate-status-check translocate-original-path \
        requirement-evaluate show-keychain-info", READS)
        .options("-v")
        .operands(Operands::Text),
    Spec::new("find-certificate", READS).options("-aZm -p -ce=").operands(Operands::Text),
    Spec::new("find-identity", READS).options("-v -psK=").operands(Operands::Text),
    Spec::new("get-identity-preference verify-cert", READS).options("-qLlKN -cpsrnekdPCRt=").operands(Operands::Text),
    Spec::new("find-generic-password find-internet-password find-key", READS).options("-wg!secrets -acCDGjlsdprPtL=").operands(Operands::Text),
    Spec::new("dump-keychain", SECRETS).options("-irad").operands(Operands::Text),
    // Which stores there are is the first thing a search for credentials asks.
    Spec::new("list-keychains default-keychain login-keychain", SECRETS)
        .options("-s!system -d=")
        .operands(Operands::Effect(SYSTEM)),
    Spec::new("dump-trust-settings", READS).options("-sd"),
    Spec::new("cms", Effects::UNKNOWN).options("-DSEC -ionuh=").operands(Operands::Text),
    Spec::new("export", SECRETS.and(WRITES)).options("-tfkPowpd=").operands(Operands::Text),
    Spec::new("trust-settings-export", WRITES).options("-sd").operands(Operands::Write),
    Spec::new("delete-* remove-trusted-cert", ERASES).options("-acCDGjlstZrdpP=").operands(Operands::Text),
    Spec::new("create-* unlock-keychain lock-keychain set-* add-* import authorizationdb authorize \
        execute-with-privileges install-mds user-trust-settings-enable trust-settings-import smartcards \
        leaks add-trusted-cert key-from-public translocate-create translocate-policy-check system-keychain-info crl download-cert", SYSTEM)
        .options("-swpualuUATdkfPDCGjlrteocxinm=")
        .operands(Operands::Text),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("sw_vers", READS)
        .style(Style::SingleDash)
        .options("-productName -productVersion -buildVersion -productVersionExtra")
        .examples(&[("sw_vers -productVersion", "reads"), ("sw_vers -foo", "reads unknown")]),
    Spec::new("vm_stat", READS).options("-c=").operands(Operands::Text).examples(&[("vm_stat", "reads"), ("vm_stat --foo", "reads unknown")]),
    Spec::new("system_profiler", READS)
        .style(Style::SingleDash)
        .options("-xml -json -listDataTypes -detailLevel= -timeout= -usage")
        .operands(Operands::Text)
        .examples(&[("system_profiler -json SPHardwareDataType", "reads"), ("system_profiler -foo", "reads unknown")]),
    Spec::new("ioreg kextstat", READS)
        .options("-abfilrtxS -cdknpw= -k=")
        .operands(Operands::Text)
        .examples(&[("ioreg -l -w 0", "reads"), ("ioreg --foo", "reads unknown")]),
    Spec::new("networksetup", SYSTEM)
        .style(Style::Raw)
        .check(check::networksetup)
        .examples(&[
            ("networksetup -listallhardwareports", "reads"),
            ("networksetup -getdnsservers Wi-Fi", "reads"),
            ("networksetup -isBondSupported en0", "reads"),
            ("networksetup -printcommands", "reads"),
            ("networksetup -setairportpower en0 on", "system"),
            ("networksetup -detectnewhardware", "system"),
            ("networksetup", "system"),
        ]),
    Spec::new("tmutil", SYSTEM)
        .options("-X -amtblvdp")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("help version destinationinfo isexcluded latestbackup listbackups listlocalsnapshotdates \
                listlocalsnapshots machinedirectory uniquesize compare calculatedrift currentphase status", READS)
                .options("-amtdXsguveplnEUQ -D= -I=")
                .operands(Operands::Text),
            Spec::new("delete deleteinprogress deletelocalsnapshots thinlocalsnapshots", ERASES).options("-dtp=").operands(Operands::Text),
            Spec::new("restore", SYSTEM.and(WRITES)).options("-v").operands(Operands::Text),
            Spec::new("disable enable startbackup stopbackup setdestination removedestination addexclusion \
                removeexclusion associatedisk inheritbackup localsnapshot setquota verifychecksums snapshot \
                disablelocal enablelocal", SYSTEM)
                .options("-abprdvn --auto --block --rotation --destination=")
                .operands(Operands::Text),
        ])
        .examples(&[
            ("tmutil listbackups -m -t", "reads"),
            ("tmutil startbackup -b", "system"),
            ("tmutil delete -d /Volumes/Backup -t x", "system deletes"),
            ("tmutil restore -v a b", "system writes"),
            ("tmutil", "system"),
        ]),
    Spec::new("diskutil", SYSTEM)
        .verbs(&[
            Spec::new("list info information activity listFilesystems listfilesystems listClients", READS)
                .style(Style::SingleDash)
                .options("-plist -all")
                .operands(Operands::Text),
            Spec::new("eraseDisk eraseVolume reformat eraseOptical zeroDisk randomDisk secureErase partitionDisk \
                resizeVolume addPartition splitPartition mergePartitions deletePartition", ERASES)
                .operands(Operands::Text),
            Spec::new("mount mountDisk unmount umount unmountDisk umountDisk eject verifyVolume repairVolume \
                verifyDisk repairDisk rename renameVolume enableJournal disableJournal enableOwnership \
                disableOwnership \
                moveJournal resetUserPermissions image reloadPlist", SYSTEM)
                .operands(Operands::Text),
            Spec::new("apfs ap", SYSTEM)
                .verbs(&[
                    Spec::new("listUsers listCryptoUsers listSnapshots listVolumeGroups", READS).style(Style::SingleDash).options("-plist").operands(Operands::Text),
                    Spec::new("deleteContainer deleteVolume deleteSnapshot deleteVolumeGroup eraseVolume", ERASES).operands(Operands::Text),
                    Spec::new("create createContainer addVolume resizeContainer encryptVolume decryptVolume unlockVolume \
                        lockVolume changeVolumeRole setPassphraseHint convert mount defragment updatePreboot", SYSTEM)
                        .operands(Operands::Text),
                ]),
            Spec::new("appleRAID ar coreStorage cs", SYSTEM)
                .operands(Operands::Text),
        ])
        .examples(&[
            ("diskutil list -plist", "reads"),
            ("diskutil info --all", "reads"),
            ("diskutil apfs listSnapshots disk1", "reads"),
            ("diskutil eject disk1", "system"),
            ("diskutil eraseDisk APFS a disk1", "system deletes"),
            ("diskutil", "system"),
        ]),
    Spec::new("hdiutil", SYSTEM)
        .verbs(&[
            Spec::new("verify imageinfo plugins pmap info checksum fsid help isencrypted udifderez", READS)
                .style(Style::SingleDash)
                .options("-verbose -quiet -debug -plist -format -checksum -type= -simple -options= -standard -complete \
                    -diagnostic -stdinpass -xml")
                .operands(Operands::Text),
            Spec::new("create convert makehybrid resize compact segment internet-enable unflatten flatten chpass \
                udifrez burn erasekeys", SYSTEM.and(WRITES))
                .style(Style::Raw)
                .operands(Operands::Text),
            Spec::new("attach mount detach unmount eject mountvol", SYSTEM).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("hdiutil imageinfo -plist a.dmg", "reads"),
            ("hdiutil attach a.dmg", "system"),
            ("hdiutil create -size 1m a.dmg", "system writes"),
            ("hdiutil imageinfo -shadow x a.dmg", "reads unknown"),
        ]),
    Spec::new("security", Effects::EXECUTES)
        .options("-qvl -h!help -i!executes -p=")
        .verbs(SECURITY)
        .examples(&[
            ("security find-identity -v -p codesigning", "reads"),
            ("security find-certificate -a -p", "reads"),
            ("security find-generic-password -s svc", "reads"),
            ("security find-generic-password -s svc -w", "reads secrets"),
            ("security find-generic-password -ws svc", "reads secrets"),
            ("security dump-keychain -d login.keychain", "secrets"),
            ("security delete-generic-password -s a", "system deletes"),
            ("security add-generic-password -s a -w b", "system"),
            ("security list-keychains -s a", "secrets system"),
            ("security export -k a", "secrets writes"),
            ("security import a.p12", "system"),
            ("security", "executes"),
        ]),
    Spec::new("profiles", SYSTEM)
        .verbs(&[
            Spec::new("status list show validate version help", READS)
                .style(Style::SingleDash)
                .options("-type= -user= -all -output=write -path=read -identifier= -verbose -cached -o=write")
                .operands(Operands::Text),
            Spec::new("install remove sync renew", SYSTEM).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[("profiles list -type configuration", "reads"), ("profiles remove -all", "system"), ("profiles show -output x", "reads writes"), ("profiles", "system")]),
    Spec::new("launchctl", SYSTEM)
        .verbs(&[
            Spec::new("list print print-cache print-disabled blame dumpstate managerpid manageruid managername variant \
                version help error hostinfo procinfo resolveport plist dumpjpcategory print-token", READS)
                .options("-x")
                .operands(Operands::Text),
            Spec::new("getenv", READS).operands(Operands::Text).check(shows_variables),
            Spec::new("limit", READS).operands(Operands::Text).check(check::launch_limit),
            Spec::new("submit asuser bsexec runstats attach debug spawn", Effects::EXECUTES.and(SYSTEM)).style(Style::Raw).operands(Operands::Text),
            Spec::new("stop kill remove bootout unload", SYSTEM.and(Effects::KILLS)).style(Style::Raw).operands(Operands::Text),
            Spec::new("bootstrap load start kickstart enable disable setenv unsetenv config reboot userswitch log \
                uncache shutdown singleuser examine umask bstree bslist export", SYSTEM)
                .style(Style::Raw)
                .operands(Operands::Text),
        ])
        .examples(&[
            ("launchctl list", "reads"),
            ("launchctl print system", "reads"),
            ("launchctl getenv PATH", "reads"),
            ("launchctl getenv API_TOKEN", "reads secrets"),
            ("launchctl limit", "reads"),
            ("launchctl limit maxfiles 1 1", "reads system"),
            ("launchctl load a.plist", "system"),
            ("launchctl bootout gui/501/a", "system kills"),
            ("launchctl submit -l a -- b", "executes system"),
            ("launchctl", "system"),
        ]),
    Spec::new("defaults", SYSTEM)
        .style(Style::Raw)
        .check(check::defaults)
        .examples(&[
            ("defaults read com.apple.dock", "reads"),
            ("defaults -currentHost read", "reads"),
            ("defaults domains", "reads"),
            ("defaults find key", "reads"),
            ("defaults write com.apple.dock a b", "system writes"),
            ("defaults delete com.apple.dock", "system deletes"),
            ("defaults export a -", "reads"),
            ("defaults export a f", "writes"),
        ]),
    Spec::new("scutil", SYSTEM)
        .style(Style::Raw)
        .check(check::scutil)
        .examples(&[
            ("scutil --dns", "reads"),
            ("scutil --get LocalHostName", "reads"),
            ("scutil -r -W example.com", "reads"),
            ("scutil --nc start a", "system"),
            ("scutil --set HostName a", "system"),
            ("scutil", "system"),
        ]),
    Spec::new("sips", READS)
        .style(Style::SingleDash)
        .options(
            "-g= -getProperty= -getproperty= -x=write -h!help -help!help -H!help -v!help -formats -1 -verify \
                -V \
             -s=!writes -setProperty=!writes -d=!writes -deleteProperty=!writes -X=!writes \
             -extractTag=!writes -extractProfile=write \
             -e=!writes -embedProfile=!writes -E=!writes -embedProfileIfNone=!writes -m=!writes \
             -matchTo=!writes -matchToWithIntent=!writes \
             -deleteColorManagementProperties!writes -r=!writes -rotate=!writes -f=!writes -flip=!writes \
             -c=!writes -cropToHeightWidth=!writes \
             -p=!writes -padToHeightWidth=!writes -z=!writes -resampleHeightWidth=!writes -Z=!writes \
             -resampleHeightWidthMax=!writes \
             -resampleWidth=!writes -resampleHeight=!writes -i!writes -addIcon!writes -o=write -out=write \
             -j=!executes -js=!executes \
             -optimizeColorForSharing!writes -padColor=!writes -cropOffset=!writes -repair!writes \
             -deleteTag=!writes -copyTag=!writes -loadTag=!writes",
        )
        .operands(Operands::Read)
        .examples(&[
            ("sips -g pixelWidth a.png", "reads"),
            ("sips --getProperty pixelHeight a.png", "reads"),
            ("sips -Z 500 a.png", "reads writes"),
            ("sips -s format jpeg -o b.jpg a.png", "reads writes"),
            ("sips -j x.js", "reads executes"),
        ]),
    Spec::new("codesign", READS)
        .options(
            "-dhvf -aiorRP= -D=read -s=!writes --display --verify --hosting --verbose=? --deep --strict=? \
                --all-architectures --architecture= \
             --bundle-version= --check-notarization --test-requirement= --requirements= --entitlements= \
             --xml --der --file-list= \
             --extract-certificates=?!writes --sign=!writes --remove-signature!writes --force --timestamp=? \
             --options= --identifier= \
             --keychain= --preserve-metadata=? --generate-entitlement-der --dryrun --detached=write \
             --ignore-resources --no-strict \
             --continue --prefix= --pagesize= --signature-size= --runtime-version= --validate-constraint=read",
        )
        .operands(Operands::Read)
        .check(check::codesign)
        .examples(&[
            ("codesign -dvv /path/app", "reads"),
            ("codesign --verify --deep --strict app", "reads"),
            ("codesign -h 1234", "reads"),
            ("codesign -d --entitlements - app", "reads"),
            ("codesign -d --entitlements x app", "reads writes"),
            ("codesign --sign me app", "reads writes"),
            ("codesign -fs - app", "reads writes"),
            ("codesign --remove-signature app", "reads writes"),
        ]),
    Spec::new("spctl", READS)
        .options(
            "-av -t= --assess --verbose=? --type= --status --disable-status --test-devid-status --list --raw \
                --context= --ignore-cache --no-cache --continue \
             --requirement --anchor --hash --path --rule --label= --priority= --add!system --remove!system \
             --enable!system --disable!system \
             --master-enable!system --master-disable!system --global-enable!system --global-disable!system \
             --enable-devid!system \
             --disable-devid!system --reset-default!system",
        )
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("kext-consent", SYSTEM).operands(Operands::Text).verbs(&[Spec::new("status list", READS)]),
            Spec::new("developer-mode", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[
            ("spctl --assess --verbose app", "reads"),
            ("spctl --status", "reads"),
            ("spctl kext-consent status", "reads"),
            ("spctl --global-disable", "reads system"),
            ("spctl --add --label a app", "reads system"),
        ]),
    Spec::new("xattr", READS)
        .options("-lrsvxhp -wdc!writes")
        .operands(Operands::Text)
        .examples(&[
            ("xattr -l f", "reads"),
            ("xattr -p a f", "reads"),
            ("xattr -w a b f", "reads writes"),
            ("xattr -cr d", "reads writes"),
            ("xattr -rd a f", "reads writes"),
        ]),
    Spec::new("pkgutil", READS)
        .options(
            "-v -h!help --pkgs=? --packages --pkgs-plist --files --pkg-info --pkg-info-plist --export-plist \
                --pkg-groups --groups --groups-plist --group-pkgs --file-info \
             --file-info-plist --payload-files --check-signature --only-files --only-dirs --regexp --volume= \
             --verify --lsbom --force \
             --forget!system --learn!system --edit-pkg=!system --expand!writes --expand-full!writes \
             --flatten!writes --flatten-full!writes --bom!writes --repair!system --unlink!deletes",
        )
        .operands(Operands::Text)
        .examples(&[("pkgutil --pkgs", "reads"), ("pkgutil --files a", "reads"), ("pkgutil --forget a", "reads system"), ("pkgutil --expand a b", "reads writes")]),
    Spec::new("sample", READS)
        .style(Style::SingleDash)
        .options("-wait -mayDie -fullPaths -e -subst= -file=write -f=write")
        .operands(Operands::Text)
        .check(check::sampled)
        .examples(&[("sample Safari 10 1", "reads writes"), ("sample 1 -file /dev/null", "reads"), ("sample -file x 1", "reads writes")]),
    Spec::new("textutil", READS)
        .style(Style::SingleDash)
        .options("-info -stdout -convert= -cat= -format= -encoding= -inputencoding= -font= -fontsize= -title= \
            -author= -subject= -keywords= -comment= -noload -nostore -strip -timeout= -baseurl= \
            -textsizemultiplier= -excludedelements= -prefixspaces= -extension= -output=write -help!help")
        .operands(Operands::Read)
        .check(check::textutil)
        .examples(&[
            ("textutil -info a.rtf", "reads"),
            ("textutil -cat html -stdout a.rtf", "reads"),
            ("textutil -convert html a.rtf", "reads writes"),
            ("textutil -convert txt -output b a.rtf", "reads writes"),
        ]),
    Spec::new("caffeinate", READS)
        .style(Style::Stops)
        .options("-disum -tw=")
        .operands(Operands::Command(0))
        .examples(&[("caffeinate -disu -t 60", "reads"), ("caffeinate -x", "reads unknown")]),
    Spec::new("lipo", READS)
        .style(Style::SingleDash)
        .options("-info -detailed_info -archs -verify_arch= -arch= -output=write -o=write -create!writes \
            -extract=!writes -extract_family=!writes -remove=!writes -replace=!writes -thin=!writes \
            -segalign=")
        .operands(Operands::Read)
        .examples(&[("lipo -info a", "reads"), ("lipo -thin arm64 a -output b", "reads writes")]),
    Spec::new("otool dyld_info pagestuff", READS)
        .style(Style::SingleDash)
        .options("-a -f -h -l -L -D -t -T -M -r -S -I -H -G -C -P -d -s= -p= -v -V -X -m -x -q -Q -j -o -c -R -tV \
            -tv -hv -arch= -platform -segments -dependents -exports -imports -fixups -inits -objc -all_dir \
            -all_sections")
        .operands(Operands::Read)
        .examples(&[("otool -L a", "reads"), ("otool --foo a", "reads unknown")]),
    Spec::new("atos leaks heap vmmap malloc_history stringdups symbols", READS)
        .style(Style::SingleDash)
        .options(
            "-o= -arch= -l= -s= -p= -fullPath -d= -i -f=read -printHeader -list -nocontext -nostacks \
                -exclude= -v -w -summary -wide -resident -pages -addresses= \
             -callTree -allBySize -sortBySize -guessNonObjects -noContent -quiet -noHeaders -noSources \
             -noTextInSOD -noDemangling -uuid= -uuids -dsym= -lookup= \
             -fullSourcePath -saveSignature!writes -symbolsPackageDir=!writes -outputGraph=write \
             -atExit!executes",
        )
        .operands(Operands::Text)
        .examples(&[
            ("symbols -noHeaders /usr/bin/ls", "reads"),
            ("atos -o a -l 0x1 0x2", "reads"),
            ("symbols -saveSignature x a", "reads writes"),
            ("leaks -atExit -- a", "reads executes"),
        ]),
    Spec::new("spindump sysdiagnose tailspin stackshot ktrace instruments xctrace footprint", WRITES.and(SYSTEM))
        .style(Style::Raw)
        .examples(&[("spindump 1", "writes system")]),
    Spec::new("nettop fs_usage sc_usage latency", READS)
        .options("-PnxcdrhTewb -tmlpLsJjkfSER=")
        .operands(Operands::Text)
        .examples(&[("nettop -l 1", "reads"), ("nettop --foo", "reads unknown")]),
    Spec::new("powermetrics", READS)
        .options("-aAhlr -insbfw= -ou=write --samplers= --show-all --sample-rate= --sample-count= \
            --output-file=write --format= --hide-cpu-duty-cycle")
        .examples(&[("powermetrics -n 1 --samplers smc", "reads"), ("powermetrics -o x", "reads writes")]),
    Spec::new("open", Effects::EXECUTES)
        .options("-eftFWRnghj -absiou= --args --env= --stdin=read --stdout=write --stderr=write --background \
            --fresh --hide --new --wait-apps --reveal --url=")
        .operands(Operands::Text)
        .check(check::open)
        .examples(&[("open -R f", "reads"), ("open .", "executes"), ("open -a TextEdit f", "executes"), ("open -Ra x f", "executes")]),
    Spec::new("plutil", READS)
        .style(Style::Raw)
        .check(check::plutil)
        .examples(&[
            ("plutil a.plist", "reads"),
            ("plutil -p a.plist", "reads"),
            ("plutil -lint a.plist", "reads"),
            ("plutil -convert json -o - a.plist", "reads"),
            ("plutil -convert json a.plist", "reads writes"),
            ("plutil -extract key raw a.plist", "reads writes"),
            ("plutil -extract key raw -o - a.plist", "reads"),
            ("plutil -remove key a.plist", "reads writes"),
        ]),
    Spec::new("PlistBuddy", READS)
        .options("-xhl -c=")
        .operands(Operands::Text)
        .check(check::plist_buddy)
        .examples(&[
            ("PlistBuddy -c 'Print :CFBundleVersion' a.plist", "reads"),
            ("PlistBuddy -c 'Set :a b' a.plist", "reads writes"),
            ("PlistBuddy a.plist", "reads writes"),
        ]),
    Spec::new("mdls mdfind GetFileInfo", READS)
        .style(Style::SingleDash)
        .options("-name= -nullMarker= -raw -r -plist -live -count -onlyin= -0 -literal -interpret -s= -attr= -a \
            -c -d -m -t -P -mdfp")
        .operands(Operands::Text)
        .check(check::metadata_saved)
        .examples(&[("mdfind -name a", "reads"), ("mdls -name kMDItemKind f", "reads"), ("mdls -plist x f", "reads writes")]),
    Spec::new("mdimport", SYSTEM)
        .style(Style::Raw)
        .check(check::mdimport)
        .examples(&[("mdimport -t -d1 f", "reads"), ("mdimport -A", "reads"), ("mdimport -i f", "system"), ("mdimport f", "system"), ("mdimport -t -o x f", "reads writes")]),
    Spec::new("mdutil", SYSTEM)
        .options("-asvpEPdXrLt -i=")
        .operands(Operands::Text)
        .check(check::mdutil)
        .examples(&[("mdutil -s /", "reads"), ("mdutil -E /", "system"), ("mdutil -i off /", "system"), ("mdutil -sE /", "system")]),
    Spec::new("qlmanage", READS)
        .options("-ptmxi -h!help -r!system -g=!executes -o=write -cdsfFz=")
        .operands(Operands::Text)
        .examples(&[
            ("qlmanage -m", "reads"),
            ("qlmanage -p -x f.pdf", "reads"),
            ("qlmanage -t -o out f.pdf", "reads writes"),
            ("qlmanage -r", "reads system"),
            ("qlmanage -g x f", "reads executes"),
        ]),
    Spec::new("say", READS)
        .options("-iq -vrad= -f=read -o=write -n=!network-write!sends-data --voice= --rate= --input-file=read \
            --output-file=write --audio-device= --progress --quality= --interactive=? --file-format= \
            --data-format= --channels= --bit-rate= --network-send=!network-write!sends-data")
        .operands(Operands::Text)
        .examples(&[("say hello", "reads"), ("say -o a.aiff hi", "reads writes")]),
    Spec::new("afplay afinfo", READS)
        .options("-dhxbri -vtq=")
        .operands(Operands::Read)
        .examples(&[("afinfo a.wav", "reads"), ("afplay --foo", "reads unknown")]),
    Spec::new("dscl", SYSTEM)
        .style(Style::Raw)
        .check(check::dscl)
        .examples(&[
            ("dscl . -list /Users", "reads"),
            ("dscl -plist . read /Users/a", "reads"),
            ("dscl . -search /Users name a", "reads"),
            ("dscl . -create /Users/a", "system permissions"),
            ("dscl . delete /Users/a", "system permissions"),
            ("dscl . -read /Users/a ShadowHashData", "reads secrets"),
            ("dscl", "system permissions"),
        ]),
    Spec::new("dseditgroup dsenableroot sysadminctl dsconfigad dsconfigldap pwpolicy fdesetup kickstart odutil \
        dsimport dsexport createhomedir", SYSTEM.and(Effects::PERMISSIONS))
        .style(Style::Raw)
        .verbs(&[Spec::new("status list isactive haspersonalrecoverykey hasinstitutionalrecoverykey", READS)])
        .operands(Operands::Text)
        .examples(&[("fdesetup status", "reads"), ("dsenableroot", "system permissions"), ("dseditgroup -o edit -a a admin", "system permissions")]),
    Spec::new("dscacheutil", SYSTEM)
        .style(Style::Raw)
        .check(check::dscacheutil)
        .examples(&[("dscacheutil -q host -a name example.com", "reads"), ("dscacheutil -flushcache", "system")]),
    Spec::new("dsmemberutil", READS)
        .verbs(&[
            Spec::new("checkmembership getid getuuid getsid statistics help", READS).options("-h -UuGgSsXx=").operands(Operands::Text),
            Spec::new("flushcache dumpstate", SYSTEM),
        ])
        .examples(&[("dsmemberutil checkmembership -U a -G b", "reads"), ("dsmemberutil flushcache", "system")]),
    Spec::new("softwareupdate", SYSTEM)
        .options("-liadrh= --list --install --all --download --history --schedule= --background --install-rosetta \
            --agree-to-license --fetch-full-installer --list-full-installers --restart --recommended \
            --no-scan")
        .operands(Operands::Text)
        .check(check::softwareupdate)
        .examples(&[("softwareupdate --list", "network-read"), ("softwareupdate -i -a", "system unknown"), ("softwareupdate --install-rosetta", "system")]),
    Spec::new("pmset", SYSTEM)
        .style(Style::Raw)
        .check(check::pmset)
        .examples(&[("pmset -g batt", "reads"), ("pmset -g", "reads"), ("pmset -a sleep 0", "system"), ("pmset sleepnow", "system")]),
    Spec::new("nvram", READS)
        .options("-xp -f=!system -d=!system -c!system")
        .operands(Operands::Text)
        .check(check::assigned)
        .examples(&[("nvram -p", "reads"), ("nvram boot-args", "reads"), ("nvram boot-args=x", "reads system"), ("nvram -c", "reads system")]),
    Spec::new("csrutil", SYSTEM)
        .verbs(&[
            Spec::new("status", READS),
            Spec::new("authenticated-root", SYSTEM).verbs(&[Spec::new("status", READS), Spec::new("enable disable", SYSTEM)]),
            Spec::new("enable disable clear netboot report toggle", SYSTEM).options("--without= --no-internal").operands(Operands::Text),
        ])
        .examples(&[("csrutil status", "reads"), ("csrutil disable", "system")]),
    Spec::new("binhex macbinary applesingle", WRITES)
        .options("-hV!help -vqfnc -Co= --pipe --to-stdout --from-stdin --verbose --output=write --rename= \
            --preserve --no-preserve")
        .verbs(&[
            Spec::new("probe", READS).options("-v --verbose").operands(Operands::Read),
            Spec::new("encode decode", READS).options("-cvqf -Co=write --pipe --to-stdout --output=write").operands(Operands::Read).check(check::forks),
        ])
        .examples(&[
            ("binhex probe a.hqx", "reads"),
            ("binhex decode -c a.hqx", "reads"),
            ("applesingle decode --pipe a", "reads"),
            ("macbinary encode a", "reads writes"),
            ("binhex decode -o b a.hqx", "reads writes"),
            ("binhex -h", "reads"),
        ]),
    Spec::new("compression_tool", READS)
        .style(Style::SingleDash)
        .options("-encode -decode -a= -A= -b= -t= -i=read -v -o=write -h!help")
        .examples(&[("compression_tool -encode -i a", "reads"), ("compression_tool -decode -i a -o b", "reads writes")]),
    Spec::new("log", SYSTEM)
        .verbs(&[
            Spec::new("show stream stats", READS)
                .options("--predicate= --last= --start= --end= --style= --color= --info --debug --no-info --no-debug \
                    --signpost --no-signpost --source --no-backtrace --backtrace --loss --no-loss \
                    --mach-continuous-time --no-pager --process= --level= --type= --timeout= --user= --timezone= \
                    --boot= --archive=read --overview --per-book --per-file --sender= --count= --sort= --system \
                    --pattern= --ignore-dropped")
                .operands(Operands::Text),
            Spec::new("help", READS).operands(Operands::Text),
            Spec::new("collect", WRITES).options("--output=write --last= --start= --size= --predicate=").operands(Operands::Text),
            Spec::new("erase", ERASES).options("--all --ttl"),
            Spec::new("config", SYSTEM).options("--mode= --subsystem= --category= --status --reset --process=").operands(Operands::Text),
        ])
        .examples(&[("log show --last 1h --predicate x", "reads"), ("log stream", "reads"), ("log erase --all", "system deletes"), ("log collect", "writes")]),
    // What a person copied may be a password.
    Spec::new("pbpaste", READS.and(Effects::SECRETS)).style(Style::SingleDash).options("-Prefer= -pboard=").examples(&[("pbpaste", "reads secrets"), ("pbpaste -foo", "reads secrets unknown")]),
    Spec::new("pbcopy", SYSTEM).style(Style::SingleDash).options("-Prefer= -pboard=").examples(&[("pbcopy", "system")]),
    Spec::new("osacompile osadecompile", WRITES)
        .options("-xs -eldotaciru= -o=write")
        .operands(Operands::Text)
        .examples(&[("osacompile -o a.scpt b", "writes")]),
    Spec::new("automator", Effects::EXECUTES).style(Style::Raw).examples(&[("automator a.workflow", "executes")]),
    Spec::new("shortcuts", Effects::EXECUTES)
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("list", READS).options("-f= --folders --folder-name= --show-identifiers"),
            Spec::new("help", READS).operands(Operands::Text),
            Spec::new("run view sign", Effects::EXECUTES).options("-io= --input-path= --output-path= --mode= --output-type=").operands(Operands::Text),
        ])
        .examples(&[("shortcuts list", "reads"), ("shortcuts run a", "executes")]),
    Spec::new("simctl", SYSTEM)
        .options("-h!help --set= --profiles=")
        .verbs(&[
            Spec::new("list help listapps appinfo get_app_container", READS)
                .options("-jve --json --verbose")
                .operands(Operands::Text),
            Spec::new("getenv", READS.and(Effects::SECRETS)).operands(Operands::Text),
            Spec::new("spawn launch openurl", Effects::EXECUTES).style(Style::Raw).operands(Operands::Text),
            Spec::new("erase delete uninstall", SYSTEM.and(Effects::DELETES)).style(Style::Raw).operands(Operands::Text),
            Spec::new("shutdown terminate", Effects::KILLS).style(Style::Raw).operands(Operands::Text),
            Spec::new("io diagnose", Effects::WRITES).style(Style::Raw).operands(Operands::Text),
        ])
        .operands(Operands::Text)
        .examples(&[
            ("simctl list devices available -j", "reads"),
            ("simctl boot x", "system"),
            ("simctl erase all", "system deletes"),
            ("simctl spawn booted ls", "executes"),
        ]),
    Spec::new("xcode-select", READS)
        .options("-pv -s=!system -r!system --print-path --install!system --switch=!system --reset!system")
        .examples(&[("xcode-select -p", "reads"), ("xcode-select --install", "reads system"), ("xcode-select -s x", "reads system")]),
    Spec::new("SetFile", WRITES).options("-P -adctm=").operands(Operands::Write).examples(&[("SetFile -m x f", "writes")]),
    Spec::new("ditto", READS.and(WRITES))
        .style(Style::Raw)
        .examples(&[("ditto a b", "reads writes"), ("ditto -c -k a b.zip", "reads writes")]),
    Spec::new("chflags", Effects::PERMISSIONS).options("-RHLPfhvx").operands(Operands::Text).examples(&[("chflags hidden f", "permissions")]),
    Spec::new("airport", READS).options("-IsL -z!system -c=?!system -P= --getinfo --scan --psk= --channel=?!system --disassociate!system").examples(&[("airport -I", "reads"), ("airport -z", "reads system")]),
    Spec::new("ipconfig", READS)
        .verbs(&[
            Spec::new("getifaddr ifcount getoption getpacket getv6packet getsummary getra waitall", READS).operands(Operands::Text),
            Spec::new("set setverbose", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[("ipconfig getifaddr en0", "reads"), ("ipconfig set en0 DHCP", "system")]),
    Spec::new("scselect", READS).options("-n").operands(Operands::Effect(SYSTEM)).examples(&[("scselect", "reads"), ("scselect Home", "reads system")]),
    Spec::new("dns-sd", Effects::NETWORK_READ)
        .options("-EFBLQqZGVtX -RPA!network-write")
        .operands(Operands::Text)
        .check(super::remote::carries_nothing)
        .examples(&[("dns-sd -B _http._tcp", "network-read"), ("dns-sd -R a b c 80", "network-read network-write")]),
    Spec::new("screencapture", WRITES.and(SYSTEM)).style(Style::Raw).examples(&[("screencapture a.png", "writes system")]),
    Spec::new("purge hidutil kextload kextunload kmutil bless asr systemsetup tccutil installer \
        DevToolsSecurity trimforce jamf AssetCacheManagerUtil", SYSTEM)
        .style(Style::Raw)
        .examples(&[("purge", "system"), ("installer -pkg a -target /", "system"), ("tccutil reset All", "system")]),
];
