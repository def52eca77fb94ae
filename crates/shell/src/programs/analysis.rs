//! Programs that look at code, data and what was built: checkers, tables, debuggers that only tell, tools of devices.
//!
//! What writes, uploads or runs something else is not listed, and so not known.

use super::analysis_checks as check;
use super::local::{FETCHES, NONE, PROJECT, READS, WRITES, stays, verb};
use super::shapes::group;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const fn reads(names: &'static str, options: &'static str) -> Spec {
    Spec::new(names, READS).options(options).operands(Operands::Read)
}

const CSV: &str = "-n -d= -o=write --no-headers --delimiter= --output=write";

const TABLES: &[Spec] = &[
    reads(
        "headers count sample slice table flatten",
        "-jrislHu=? --just-names --intersect --start= --end= --len= --index= --width= --pad= --condense= --seed= --separator=",
    ),
    reads("stats", "-sj= --select= --everything --mode --cardinality --median --nulls --jobs="),
    reads("frequency", "-slj= -a --select= --limit= --asc --no-nulls --jobs="),
    Spec::new("select search", READS)
        .options("-sivj=? --select= --ignore-case --invert-match --random")
        .operands(Operands::TextThenRead),
];

pub(super) const CODE: &[Spec] = &[
    Spec::new("ast-grep", NONE)
        .style(Style::Raw)
        .check(check::search)
        .examples(&[
            ("ast-grep run -p 'a($X)' -l ts src", "project-code reads"),
            ("ast-grep -p 'a($X)' src", "project-code reads"),
            ("ast-grep scan -c sgconfig.yml", "project-code reads"),
            ("ast-grep --version", "reads"),
            ("ast-grep run -p a -r b -U", "project-code unknown"),
            ("ast-grep -p a -r b --update-all", "project-code unknown"),
            ("ast-grep -i -p a -r b", "project-code unknown"),
            ("ast-grep new -y rule", "project-code reads unknown"),
        ]),
    // The same name belongs to a program that runs a command under another group; it knows no pattern.
    Spec::new("sg", NONE)
        .style(Style::Raw)
        .check(check::search_or_group)
        .examples(&[
            ("sg -p 'a($X)' src", "project-code reads"),
            ("sg run --pattern a --lang ts", "project-code"),
            ("sg docker 'rm x'", "privilege executes"),
            ("sg docker -c 'rm x'", "privilege executes"),
            ("sg -p a -U", "project-code unknown"),
            ("sg docker", "privilege executes"),
        ]),
    Spec::new("pkg-config pkgconf", READS)
        .options(
            "--libs --cflags --cflags-only-I --cflags-only-other --libs-only-l --libs-only-L --libs-only-other --modversion --exists --atleast-version= --exact-version= --max-version= \
             --atleast-pkgconfig-version= --list-all --list-package-names --variable= --print-variables --print-provides --print-requires --print-requires-private --print-errors --short-errors \
             --silence-errors --errors-to-stdout --static --shared --keep-system-libs --keep-system-cflags --uninstalled --path --validate --debug --define-variable=",
        )
        .operands(Operands::Read)
        .examples(&[("pkg-config --cflags --libs openssl", "reads"), ("pkg-config --log-file=x openssl", "reads unknown")]),
    Spec::new("benchstat", READS)
        .style(Style::SingleDash)
        .options("-alpha= -col= -confidence= -filter= -format= -ignore= -row= -table= -unit= -delta-test= -geomean -html -csv -sort= -split=")
        .operands(Operands::Read)
        .check(check::labelled)
        .examples(&[("benchstat old.txt new.txt", "reads"), ("benchstat a=x.txt", "reads unknown"), ("benchstat -frob a", "reads unknown")]),
    Spec::new("xsv qsv", Effects::UNKNOWN)
        .options(CSV)
        .verbs(TABLES)
        .examples(&[("xsv headers a.csv", "reads"), ("xsv select a,b data.csv", "reads"), ("xsv slice -o out.csv a.csv", "reads writes"), ("xsv stats a.csv --everything", "reads"), ("qsv fetch url a.csv", "unknown"), ("xsv split out a.csv", "unknown")]),
    Spec::new("ctags universal-ctags uctags", PROJECT.and(WRITES))
        .options("-Raenux -f=write -o=write -hL=read --c-kinds= --c++-kinds= --java-kinds= --python-kinds= --go-kinds= --rust-kinds= --javascript-kinds= --typescript-kinds= --recurse=? --append=? --languages= --exclude= --fields= --extras= --extra= --sort= --output-format= --tag-relative=? --totals=? --list-languages --list-kinds=? --links=? --quiet=?")
        .operands(Operands::Read)
        .check(|invocation, out| stays(invocation, out, &["f", "o"]))
        .examples(&[("ctags -R src", "project-code writes reads"), ("ctags -x --c-kinds=f a.c", "project-code writes reads"), ("ctags --options=x src", "project-code writes reads unknown"), ("ctags -R -f /tmp/tags .", "project-code writes reads executes")]),
    Spec::new("kubeconform", READS.and(FETCHES))
        .style(Style::SingleDash)
        .options("-debug -exit-on-error -h!help -ignore-filename-pattern= -ignore-missing-schemas -kubernetes-version= -n= -output= -reject= -skip= -strict -summary -v!help -verbose -schema-location= -cache=write")
        .operands(Operands::Read)
        .check(check::schemas)
        .examples(&[
            ("kubeconform -strict -summary k8s", "reads network-read"),
            ("kubeconform -schema-location default k8s", "reads network-read"),
            ("kubeconform -schema-location http://10.0.0.1/x k8s", "reads network-read unknown"),
            ("kubeconform -insecure-skip-tls-verify k8s", "reads network-read unknown"),
        ]),
    Spec::new("kubeval", READS.and(FETCHES))
        .options("-do= -v= -h!help --directories= --output= --kubernetes-version= --strict --exit-on-error --ignore-missing-schemas --ignored-filename-patterns= --ignored-path-patterns= --skip-kinds= --reject-kinds= --force-color --quiet --openshift")
        .operands(Operands::Read)
        .examples(&[("kubeval --strict k8s/a.yaml", "reads network-read"), ("kubeval --insecure-skip-tls-verify a", "reads network-read unknown")]),
    Spec::new("tfsec", PROJECT)
        .options("-sv -fme= -O=write -h!help --format= --out=write --minimum-severity= --exclude= --soft-fail --no-color --no-colour --concise-output --include-passed --include-ignored --tfvars-file=read --exclude-path= --exclude-downloaded-modules --force-all-dirs --verbose --no-module-downloads --run-statistics")
        .operands(Operands::Read)
        .examples(&[("tfsec . --soft-fail", "project-code reads"), ("tfsec --custom-check-url http://x .", "project-code reads network-read network-write unknown")]),
    Spec::new("checkov", PROJECT)
        .options("-sl -df=read -oc= -h!help -v!help --directory=read --file=read --framework= --check= --skip-check= --skip-path= --skip-framework= --quiet --compact --soft-fail --list --output= --output-file-path=write --external-checks-dir=exec --no-fail-on-crash")
        .examples(&[("checkov -d infra --quiet", "project-code reads"), ("checkov -d . --bc-api-key x", "project-code reads unknown"), ("checkov --external-checks-git http://x", "project-code unknown")]),
    Spec::new("gitleaks", Effects::UNKNOWN)
        .options("-v -sbc=read -r=write -fl= -h!help --source=read --config=read --baseline-path=read --report-path=write --report-format= --redact=? --no-git --no-banner --no-color --exit-code= --log-level= --verbose --max-target-megabytes= --staged --follow-symlinks")
        .verbs(&[reads("detect protect dir directory git", "").check(check::shows_findings), verb("version", READS, "")])
        .examples(&[
            ("gitleaks detect --no-banner", "reads"),
            ("gitleaks detect -v --redact", "reads"),
            ("gitleaks detect -v", "reads secrets"),
            ("gitleaks detect -r out.json", "reads writes secrets"),
            ("gitleaks detect --log-opts=--output=x", "reads unknown"),
            ("gitleaks frob", "unknown"),
        ]),
    Spec::new("swift-format", Effects::UNKNOWN)
        .verbs(&[reads("lint", "-rsp --recursive --strict --parallel --configuration=read --color-diagnostics --no-color-diagnostics"), verb("dump-configuration", READS, "")])
        .examples(&[("swift-format lint -r Sources", "reads"), ("swift-format format -i a.swift", "unknown"), ("swift-format lint -i a", "reads unknown")]),
    Spec::new("xcbeautify", READS)
        .options("-q -h!help --quiet --quieter --is-ci --disable-colored-output --disable-logging --renderer= --preserve-unbeautified --report=!writes --report-path=write")
        .examples(&[("xcbeautify --quiet", "reads"), ("xcbeautify --report junit", "reads writes"), ("xcbeautify x", "reads unknown")]),
    reads("dtc", "-qsf -IOVbRSpaHWE= -i=read -o=write -h!help -v!help -@A --quiet --sort --force --in-format= --out-format= --out=write --include=read --symbols --auto-alias")
        .examples(&[("dtc -I dtb -O dts a.dtb", "reads"), ("dtc -o b.dtb a.dts", "reads writes"), ("dtc -d dep a.dts", "reads unknown")]),
    Spec::new("run-clang-tidy run-clang-tidy.py", PROJECT)
        .style(Style::SingleDash)
        .options("-p= -j= -checks= -header-filter= -quiet -use-color -config-file=read -warnings-as-errors=")
        .operands(Operands::Text)
        .check(|invocation, out| stays(invocation, out, &["p", "config-file"]))
        .examples(&[("run-clang-tidy -p build -j 4 src/a.cc", "project-code"), ("run-clang-tidy -fix", "project-code unknown"), ("run-clang-tidy -clang-tidy-binary x", "project-code unknown"), ("run-clang-tidy -p /tmp/x", "project-code executes")]),
];

pub(super) const DATA: &[Spec] = &[
    Spec::new("dbt", Effects::UNKNOWN)
        .options("-qh --quiet --no-version-check --no-use-colors --use-colors --log-level= --log-format= --profiles-dir= --project-dir= --target= --profile= --threads= --vars= --debug --partial-parse --no-partial-parse")
        .verbs(&[verb("ls list compile parse", PROJECT.and(FETCHES), "-sm= --select= --models= --exclude= --selector= --output= --output-keys= --resource-type= --resource-types= --defer --state=read --full-refresh --inline=!executes --no-introspect")])
        .check(|invocation, out| stays(invocation, out, &["--profiles-dir", "--project-dir"]))
        .examples(&[("dbt ls -s staging", "project-code network-read"), ("dbt compile --target dev", "project-code network-read"), ("dbt run", "unknown"), ("dbt parse --project-dir /tmp/x", "project-code network-read executes")]),
    Spec::new("sqlx", Effects::UNKNOWN)
        .verbs(&[group("migrate mig", &[verb("info", PROJECT.and(FETCHES), "-D= --source=read --database-url= --ignore-missing --connect-timeout=")])])
        .examples(&[("sqlx migrate info", "project-code network-read"), ("sqlx migrate run", "unknown"), ("sqlx database drop", "unknown")]),
    Spec::new("alembic", PROJECT)
        .options("-h!help -cnx= --config= --name= --raiseerr --version!help")
        .verbs(&[
            verb("history current heads branches show check list_templates", PROJECT.and(FETCHES), "-vir=? --verbose --indicate-current --rev-range= --resolve-dependencies --check-heads"),
            verb("revision merge", PROJECT.and(WRITES), "-mr= --message= --autogenerate --sql --head= --splice --branch-label= --version-path=write --rev-id= --depends-on="),
            Spec::new("upgrade downgrade", PROJECT).options("--sql --tag=").operands(Operands::Text).check(check::only_prints),
            verb("stamp ensure_version", PROJECT.and(Effects::NETWORK_WRITE), "--sql --tag= --purge"),
            verb("edit", Effects::EXECUTES, ""),
            verb("init", PROJECT.and(WRITES), "-t= --template= --package"),
        ])
        .check(|invocation, out| stays(invocation, out, &["c", "--config"]))
        .examples(&[
            ("alembic revision --autogenerate -m 'a b'", "project-code writes"),
            ("alembic upgrade head --sql", "project-code"),
            ("alembic upgrade head", "project-code network-write"),
            ("alembic current", "project-code network-read"),
            ("alembic downgrade base", "project-code network-write"),
            ("alembic -c /tmp/x.ini current", "project-code network-read executes"),
        ]),
];

pub(super) const DEVICES: &[Spec] = &[
    Spec::new("adb", Effects::UNKNOWN)
        .style(Style::Stops)
        .options("-de -st= -h!help")
        .verbs(&[
            verb("devices", READS.and(FETCHES), "-l"),
            verb("get-state get-serialno get-devpath version help features", READS.and(FETCHES), ""),
            verb("logcat", READS.and(FETCHES), "-dDs -vtTbem= --pid= --regex= --format= --buffer= --uid="),
            Spec::new("shell exec-out", NONE).style(Style::Raw).operands(Operands::Text).check(check::on_device),
        ])
        .examples(&[
            ("adb devices -l", "reads network-read"),
            ("adb -s emulator-5554 logcat -d -t 100", "reads network-read"),
            ("adb logcat -c", "reads network-read unknown"),
            ("adb shell getprop ro.build.version.sdk", "reads network-read"),
            ("adb shell dumpsys meminfo com.example.app", "reads network-read"),
            ("adb shell pidof com.example.app", "reads network-read"),
            ("adb exec-out screencap -p", "reads network-read"),
            ("adb shell dumpsys battery set level 5", "unknown"),
            ("adb shell 'getprop; rm -rf /sdcard'", "unknown"),
            ("adb shell getprop ';' reboot", "unknown"),
            ("adb shell rm x", "unknown"),
            ("adb install a.apk", "unknown"),
            ("adb -H host shell getprop", "unknown"),
        ]),
    Spec::new("idf.py", PROJECT.and(WRITES))
        .options("-B=write -CDG= -v --build-dir=write --project-dir= --define-cache-entry= --verbose --ccache --no-ccache --preview --no-hints --generator=")
        .operands(Operands::Text)
        .check(check::firmware)
        .examples(&[
            ("idf.py build", "project-code writes"),
            ("idf.py -B out size size-components", "project-code writes"),
            ("idf.py build flash", "project-code writes unknown"),
            ("idf.py -C /tmp/x build", "project-code writes executes"),
            ("idf.py -p /dev/ttyUSB0 erase-flash", "project-code writes unknown"),
        ]),
    Spec::new("pio platformio", Effects::UNKNOWN)
        .verbs(&[
            Spec::new("run", PROJECT.and(WRITES)).options("-vs -edjtc= --environment= --project-dir= --target= --jobs= --verbose --silent --list-targets --disable-auto-clean --project-conf=").check(check::firmware),
            verb("check", PROJECT, "-e= -vs --environment= --severity= --fail-on-defect= --skip-packages --json-output"),
        ])
        .examples(&[
            ("pio run -e esp32dev", "project-code writes"),
            ("pio run -t size", "project-code writes"),
            ("pio run -e x -t upload", "project-code writes unknown"),
            ("pio run --target=uploadfs", "project-code writes unknown"),
            ("pio run -d /tmp/x", "project-code writes executes"),
            ("pio device monitor", "unknown"),
        ]),
    Spec::new("west", Effects::UNKNOWN)
        .options("-vh")
        .verbs(&[
            Spec::new("build", PROJECT.and(WRITES)).options("-cfn -bstT= -d=write -p=? -S= --board= --build-dir=write --source-dir= --target= --pristine=? --cmake --cmake-only --shield= --snippet= --sysbuild --no-sysbuild --test-item= --dry-run").operands(Operands::Text).check(check::firmware),
            verb("topdir list boards help", PROJECT, "-nfa=? --name= --format= --all"),
        ])
        .examples(&[
            ("west build -b nrf52840dk app", "project-code writes"),
            ("west build -t flash", "project-code writes unknown"),
            ("west build -t rom_report", "project-code writes"),
            ("west build /tmp/x", "project-code writes executes"),
            ("west flash", "unknown"),
        ]),
];

pub(super) const RUNNERS: &[Spec] = &[
    Spec::new("hyperfine", NONE)
        .options(
            "-Ni -h!help -V!help -wrmMuscp= -S=exec -LPD=!executes -n= --warmup= --runs= --min-runs= --max-runs= --time-unit= --style= --sort= --ignore-failure=? --show-output --output= --input=read --command-name= \
             --export-json=write --export-csv=write --export-markdown=write --export-asciidoc=write --export-orgmode=write --prepare= --setup= --cleanup= --conclude= --shell=exec \
             --parameter-scan=!executes --parameter-step-size=!executes --parameter-list=!executes --reference=",
        )
        .operands(Operands::Text)
        .check(check::timed)
        .examples(&[
            ("hyperfine 'ls'", ""),
            ("hyperfine --version", "reads"),
            ("hyperfine -w 3 --export-json b.json 'cargo build' ./x", "writes"),
            ("hyperfine \"$X\"", "unknown"),
            ("hyperfine -L n 1,2 'echo {n}'", "executes"),
            ("hyperfine --shell ./x ls", "executes"),
            ("hyperfine", "executes"),
        ]),
    Spec::new("gdb lldb", NONE)
        .style(Style::Raw)
        .check(check::debugger)
        .examples(&[
            ("gdb --version", "reads"),
            ("gdb -p 1", "executes"),
            ("gdb --args ls", "executes"),
            ("gdb -batch -ex run -ex bt --args ./x 1", "project-code"),
            ("gdb -batch -ex 'thread apply all bt' ./x core", "project-code"),
            ("gdb -batch -ex 'shell rm x' ./x", "executes"),
            ("gdb -batch -ex 'run > out' ./x", "executes"),
            ("gdb -batch -ex 'call system(1)' ./x", "executes"),
            ("gdb -batch -x s.gdb ./x", "executes"),
            ("gdb -batch -p 12 -ex bt", "executes"),
            ("gdb -ex bt ./x", "executes"),
            ("lldb -b -o run -o bt -- ./x 1", "project-code"),
            ("lldb -b -o 'script 1' -- ./x", "executes"),
            ("lldb -b -o 'platform shell rm x' ./x", "executes"),
            ("lldb -b -s s.lldb ./x", "executes"),
        ]),
    Spec::new("ldd", NONE)
        // The loader of the file itself is run.
        .options("-druv --data-relocs --function-relocs --unused --verbose")
        .operands(Operands::Text)
        .check(check::loads)
        .examples(&[("ldd --version", "reads"), ("ldd target/release/x", "reads project-code"), ("ldd /tmp/a.out", "executes"), ("ldd ../a.out", "executes")]),
    Spec::new("py-spy", Effects::UNKNOWN)
        .verbs(&[verb("dump", PROJECT, "-p= -jns --pid= --json --native --nonblocking --subprocesses --full-filenames")])
        .examples(&[("py-spy dump --pid 12", "project-code"), ("py-spy dump -l -p 12", "project-code unknown"), ("py-spy record -o x -- python a.py", "unknown")]),
    Spec::new("jstack", PROJECT)
        .options("-le -h!help")
        .operands(Operands::Text)
        .check(check::own_process)
        .examples(&[("jstack -l 1234", "project-code"), ("jstack host:9", "project-code executes"), ("jstack -J-javaagent:x 1", "project-code unknown")]),
    Spec::new("mockgen", PROJECT)
        .style(Style::SingleDash)
        .options("-source=read -destination=write -package= -mock_names= -self_package= -imports= -aux_files= -build_constraint= -typed -write_package_comment -write_source_comment -write_generate_directive -copyright_file=read -exclude_interfaces= -version!help")
        .operands(Operands::Text)
        .check(|invocation, out| stays(invocation, out, &["source"]))
        .examples(&[("mockgen -source=a.go -destination=mocks/a.go", "project-code reads writes"), ("mockgen -exec_only ./x", "project-code unknown"), ("mockgen -source=/tmp/a.go", "project-code reads executes")]),
    Spec::new("torchrun", NONE)
        .style(Style::Stops)
        .options("-h!help --nproc_per_node= --nproc-per-node= --nnodes= --node_rank= --node-rank= --master_port= --master-port= --standalone --max_restarts= --max-restarts=")
        .operands(Operands::Text)
        .check(super::local::interpreter)
        .examples(&[("torchrun --standalone --nproc_per_node=2 train.py --lr 1", "project-code"), ("torchrun /tmp/x.py", "executes"), ("torchrun --no-python ./x", "unknown project-code"), ("torchrun --rdzv_endpoint=evil:1 a.py", "unknown project-code")]),
    Spec::new("latexmk", PROJECT.and(WRITES))
        .style(Style::SingleDash)
        .options(
            "-pdf -pdfdvi -pdfps -xelatex -pdfxe -lualatex -pdflua -dvi -ps -silent -quiet -f -g -gg -cd -h!help -v!help -interaction= -halt-on-error -file-line-error -synctex= -outdir=write -output-directory=write \
             -auxdir=write -aux-directory=write -jobname= -bibtex -nobibtex -time -verbose -diagnostics -recorder -view= -no-shell-escape -c!deletes -C!deletes -CA!deletes",
        )
        .operands(Operands::Read)
        .check(super::local::operands_stay)
        .examples(&[
            ("latexmk -pdf -interaction=nonstopmode main.tex", "project-code writes reads"),
            ("latexmk -pdf -shell-escape main.tex", "project-code writes reads unknown"),
            ("latexmk -e 'system(1)' main.tex", "project-code writes reads unknown"),
            ("latexmk -pdflatex='sh x' main.tex", "project-code writes reads unknown"),
            ("latexmk -pdf /tmp/x.tex", "project-code writes reads executes"),
        ]),
    Spec::new("autoreconf", PROJECT.and(WRITES))
        .options("-fivsmd -WIB= -h!help -V!help --force --install --verbose --symlink --make --no-recursive --include= --warnings= --prepend-include= --debug")
        .operands(Operands::Text)
        .check(|invocation, out| {
            super::local::operands_stay(invocation, out);
            stays(invocation, out, &["I", "B", "--include", "--prepend-include"]);
        })
        .examples(&[("autoreconf -fi", "project-code writes"), ("autoreconf -i /tmp/x", "project-code writes executes"), ("autoreconf --frob", "project-code writes unknown")]),
    Spec::new("act", NONE)
        .options("-nlg -jW= -e=read -h!help --dryrun --list --graph --job= --workflows= --eventpath=read --verbose --version!help")
        .operands(Operands::Text)
        .check(check::rehearses)
        .examples(&[("act -n", "project-code"), ("act -l", "project-code"), ("act push", "unknown"), ("act -n --secret A=b", "project-code unknown")]),
];
