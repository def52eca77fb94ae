//! The go command and the tools around it.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, PROJECT, READS, WRITES, is_local, operands_stay,
    stays, verb,
};
use super::table::{Operands, Spec, Style};

/// A flag of a go build that takes a value of its own, for `go run`, whose own flags end at the package.
const VALUED: &[&str] = &[
    "-C",
    "-p",
    "-covermode",
    "-coverpkg",
    "-asmflags",
    "-buildmode",
    "-compiler",
    "-gccgoflags",
    "-gcflags",
    "-installsuffix",
    "-ldflags",
    "-mod",
    "-modfile",
    "-overlay",
    "-pgo",
    "-pkgdir",
    "-tags",
    "-exec",
    "-toolexec",
];

fn run<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = invocation.words.iter().skip_while(|word| word.known() != Some("run")).skip(1);
    while let Some(word) = words.next() {
        let text = word.prefix();
        let flag = text.strip_prefix("--").map_or(text, |_| text.get(1..).unwrap_or_default());
        let (name, attached) = flag.split_once('=').map_or((flag, false), |(name, _)| (name, true));
        if !text.starts_with('-') {
            return package(*word, out);
        }
        let value_local = if attached || !VALUED.contains(&name) {
            true
        } else {
            words.next().copied().is_some_and(is_local)
        };
        match name {
            "-exec" | "-toolexec" => out.executes(),
            "-C" | "-overlay" | "-modfile" if attached || !value_local => out.executes(),
            "-h" | "-help" => return out.help = true,
            _ => {}
        }
    }
    out.add(PROJECT);
}

/// What `go run` or `go install` is asked to build.
fn package<'a>(word: crate::argument::Argument<'a>, out: &mut Outcome<'a>) {
    match word.known() {
        Some(text) if text.contains('@') => out.add(NAMED.and(EXECUTES)),
        Some(_) if is_local(word) => out.add(PROJECT),
        Some(_) | None => out.executes(),
    }
}

fn install(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let named = invocation.operands.iter().any(|word| word.known().is_none_or(|text| text.contains('@')));
    out.add(if named { NAMED } else { PROJECT.and(WRITES) });
}

/// Arguments after `-args` belong to the test program, a help option among them too.
fn test<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.words.iter().any(|word| matches!(word.known(), Some("-args" | "--args"))) {
        out.help = false;
        out.add(PROJECT);
    }
    builds(invocation, out);
}

fn builds<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays(invocation, out, &["C", "overlay", "modfile"]);
    if !out.help
        && invocation
            .operands
            .iter()
            .any(|word| word.prefix().starts_with(['/', '~']) || word.prefix().starts_with(".."))
    {
        out.executes();
    }
}

macro_rules! build_flags {
    ($more:literal) => {
        concat!(
            "-C=dir -a=? -n=? -p= -race=? -msan=? -asan=? -cover=? -covermode= -coverpkg= -v=? -work=? -x=? -asmflags= -buildmode= -buildvcs=? \
             -compiler= -gccgoflags= -gcflags= -installsuffix= -json=? -ldflags= -linkshared=? -mod= -modcacherw=? -modfile= -overlay= -pgo= -pkgdir= \
             -tags= -trimpath=? -toolexec=exec -debug-actiongraph=write -debug-trace=write ",
            $more
        )
    };
}

const MOD: &[Spec] = &[
    verb("download", DECLARED, "-x=? -json=? -reuse=").style(Style::SingleDash),
    verb("tidy", DECLARED.and(WRITES), "-e=? -v=? -x=? -diff=? -go= -compat=").style(Style::SingleDash),
    verb("verify graph why", PROJECT, "-m=? -vendor=? -go= -x=?").style(Style::SingleDash),
    verb("vendor", DECLARED.and(WRITES), "-e=? -v=? -o=write").style(Style::SingleDash),
    verb("init", WRITES, "").style(Style::SingleDash),
    Spec::new("edit", WRITES)
        .style(Style::SingleDash)
        .options("-fmt=? -print=? -json=? -module= -go= -toolchain= -require= -droprequire= -exclude= -dropexclude= -replace= -dropreplace= -retract= -dropretract= -godebug= -dropgodebug= -tool= -droptool= -ignore= -dropignore=")
        .operands(Operands::Text)
        .check(|invocation, out| {
            if invocation.has(&["print", "json"]) && invocation.operands.is_empty() && !out.help {
                out.effects = out.effects.without(WRITES).and(READS);
            }
        }),
];

const GO: &[Spec] = &[
    Spec::new("build", PROJECT).style(Style::SingleDash).options(build_flags!("-o=write")).operands(Operands::Text).check(builds),
    Spec::new("vet", PROJECT)
        .style(Style::SingleDash)
        .options(build_flags!("-vettool=exec -fix=?!writes -diff=? -c= -printf=? -shadow=? -all=? -composites=? -copylocks=? -unusedresult=? -atomic=? -loopclosure=? -nilfunc=? -unreachable=? -structtag=? -tests=? -lostcancel=?"))
        .operands(Operands::Text)
        .check(builds),
    Spec::new("test", PROJECT)
        .style(Style::SingleDash)
        .options(build_flags!(
            "-args=? -c=? -i=? -exec=exec -o=write -bench= -benchmem=? -benchtime= -blockprofile=write -blockprofilerate= -count= -coverprofile=write -cpu= -cpuprofile=write \
             -failfast=? -fullpath=? -fuzz= -fuzztime= -fuzzminimizetime= -list= -memprofile=write -memprofilerate= -mutexprofile=write -mutexprofilefraction= -outputdir=write \
             -artifacts=?!writes -parallel= -run= -short=? -shuffle= -skip= -timeout= -trace=write -vet= -update=?!writes -golden=? -integration=? -e2e=? -test.v=? -test.run= -test.timeout= -test.count="
        ))
        .operands(Operands::Text)
        .check(test),
    Spec::new("run", NONE).style(Style::Raw).check(run),
    Spec::new("generate", PROJECT.and(WRITES)).style(Style::SingleDash).options(build_flags!("-run= -skip=")).operands(Operands::Text).check(builds),
    Spec::new("list", PROJECT)
        .style(Style::SingleDash)
        .options(build_flags!("-f= -m=? -u=? -versions=? -deps=? -test=? -e=? -find=? -export=? -compiled=? -retracted=? -reuse= -exec=exec"))
        .operands(Operands::Text)
        .check(builds),
    Spec::new("install", NONE).style(Style::SingleDash).options(build_flags!("-exec=exec")).operands(Operands::Text).check(install),
    Spec::new("get", NONE).style(Style::SingleDash).options(build_flags!("-d=? -t=? -u=? -tool=? -insecure=? -fix=? -f=?")).operands(Operands::Text).check(super::local::installs),
    Spec::new("fmt fix", WRITES).style(Style::SingleDash).options(build_flags!("-diff=? -fixtool=exec -r= -go=")).operands(Operands::Text),
    Spec::new("clean", DELETES)
        .style(Style::SingleDash)
        .options(build_flags!("-i=? -r=? -cache=? -testcache=? -modcache=? -fuzzcache=?"))
        .operands(Operands::Text),
    Spec::new("env", READS).style(Style::SingleDash).options("-json=? -changed=? -w=?!writes -u=?!writes").operands(Operands::Text),
    Spec::new("version", READS).style(Style::SingleDash).options("-m=? -v=? -json=?").operands(Operands::Read),
    Spec::new("doc", READS).style(Style::SingleDash).options("-all=? -c=? -cmd=? -short=? -src=? -u=? -C=dir -http=?!network-write -ex=?").operands(Operands::Text),
    verb("help", READS, ""),
    verb("bug", EXECUTES, ""),
    Spec::new("mod", READS).style(Style::SingleDash).options("-C=dir -modcacherw=? -mod= -modfile=").verbs(MOD),
    Spec::new("work", NONE).style(Style::SingleDash).options("-C=dir").verbs(&[
        verb("init use sync vendor", WRITES, "-r=? -e=? -v=? -o=write").style(Style::SingleDash).check(operands_stay),
        verb("edit", WRITES, "-fmt=? -print=? -json=? -go= -use= -dropuse= -replace= -dropreplace= -toolchain= -godebug=").style(Style::SingleDash),
    ]),
    Spec::new("telemetry", READS).operands(Operands::Effect(WRITES)),
    Spec::new("tool", READS).style(Style::SingleDash).options("-n=? -modfile=").verbs(&[
        Spec::new("cover", READS).style(Style::SingleDash).options("-func=read -html=!writes -mode= -o=write -var=").operands(Operands::Read),
        Spec::new("nm objdump addr2line buildid", READS).style(Style::SingleDash).options("-n=? -size=? -sort= -type=? -S=? -s= -gnu=? -w=?!writes").operands(Operands::Read),
        Spec::new("dist", READS).style(Style::SingleDash).options("-json=? -v=? -broken=?").verbs(&[verb("list version env", READS, ""), verb("*", PROJECT, "")]),
        Spec::new("pprof trace", READS)
            .style(Style::SingleDash)
            .options("-http=!network-write -top=? -text=? -list= -peek= -cum=? -nodecount= -pprof= -d= -tree=? -traces=? -raw=? -flat=? -lines=? -focus= -ignore= -show= -hide= -unit= -sample_index= \
                      -alloc_space=? -alloc_objects=? -inuse_space=? -inuse_objects=? -base= -diff_base= -svg=?!writes -png=?!writes -pdf=?!writes -web=?!executes -weblist= -proto=?!writes -output=write -tools=exec -seconds= -symbolize= -noinlines=?")
            .operands(Operands::Text)
            .check(|invocation, out| {
                if invocation.operands.iter().any(|word| word.known().is_none_or(|text| text.contains("://"))) {
                    out.add(FETCHES.and(crate::effects::Effects::NETWORK_WRITE));
                }
                let asked = |name: &str| {
                    invocation.options.iter().any(|seen| {
                        seen.name == name && seen.value.is_none_or(|value| !matches!(value.known(), Some("false" | "0" | "f" | "F" | "FALSE" | "False")))
                    })
                };
                let answers = ["top", "text", "list", "peek", "tree", "traces", "raw", "svg", "png", "pdf", "web", "weblist", "proto", "http"];
                // It asks for commands otherwise, which can write files and start programs.
                if invocation.words.iter().any(|word| word.known() == Some("pprof")) && !answers.into_iter().any(asked) && !out.help {
                    out.executes();
                }
                // Without these the viewer of traces is a web server.
                if invocation.words.iter().any(|word| word.known() == Some("trace")) && !invocation.has(&["pprof", "d"]) {
                    out.add(crate::effects::Effects::NETWORK_WRITE);
                }
            }),
        Spec::new("compile link asm cgo pack fix", WRITES).style(Style::Raw).operands(Operands::Text),
        Spec::new("*", PROJECT).style(Style::Raw).operands(Operands::Text),
    ]),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("go", READS).style(Style::SingleDash).options("-C=dir").verbs(GO).examples(&[
        ("go version", "reads"),
        ("go env GOMODCACHE", "reads"),
        ("go env -w GOFLAGS=-mod=mod", "reads writes"),
        ("go doc -all github.com/x/y Status", "reads"),
        ("go help build", "reads"),
        ("go build ./...", "project-code"),
        ("go build -o /tmp/x ./cmd/x", "project-code writes"),
        ("go build -ldflags '-s -w' -o bin/a ./cmd/a", "project-code writes"),
        ("go build -o /dev/null ./cmd/x", "project-code"),
        ("go build -toolexec ./evil ./...", "project-code executes"),
        ("go test -race -count=1 ./... -run X -v", "project-code"),
        ("go test -tags integration -c -o /dev/null ./x", "project-code"),
        ("go test --tags=integration ./x -timeout 5m", "project-code"),
        ("go test ./... -args -help", "project-code"),
        ("go test -exec evil ./...", "project-code executes"),
        ("go test -h", "unknown project-code"),
        ("go vet ./...", "project-code"),
        ("go vet -C /tmp/evil ./...", "project-code executes"),
        ("go run ./cmd/x hooks --help", "project-code"),
        ("go run /tmp/x.go", "executes"),
        ("go run -exec env ./x", "executes project-code"),
        ("go run x.com/y@latest", "installs-named executes"),
        ("go run -tags dev ./x", "project-code"),
        ("go list -m all", "project-code"),
        ("go get example.com/x", "installs-named"),
        ("go install example.com/x@latest", "installs-named"),
        ("go install ./...", "project-code writes"),
        ("go mod tidy", "installs-declared writes"),
        ("go mod download", "installs-declared"),
        ("go mod graph", "project-code"),
        ("go mod edit -json", "reads"),
        ("go mod edit -require x@v1", "writes"),
        ("go fmt ./...", "writes"),
        ("go generate ./...", "project-code writes"),
        ("go clean -testcache", "deletes"),
        ("go tool cover -func=c.out", "reads"),
        ("go tool trace -pprof=net /tmp/trace.out", "reads"),
        ("go tool pprof -top cpu.prof", "reads"),
        ("go tool pprof -top=false cpu.prof", "reads executes"),
        ("go tool pprof cpu.prof", "reads executes"),
        ("go tool stringer", "project-code"),
        ("go tool trace t.out", "reads network-write"),
    ]),
    Spec::new("gofmt gofumpt goimports", READS)
        .style(Style::SingleDash)
        .options("-d=? -l=? -s=? -e=? -w=?!writes -r= -local= -v=? -format-only=? -srcdir= -extra=? -lang= -modpath= -cpuprofile=write -memprofile=write")
        .operands(Operands::Read)
        .examples(&[("gofmt -l .", "reads"), ("gofmt -d a.go", "reads"), ("gofmt -w a.go", "reads writes")]),
    Spec::new("golangci-lint", READS)
        .options("-v -h!help --color= --verbose --debug --cpu-profile-path=write --mem-profile-path=write --trace-path=write")
        .verbs(&[
            verb(
                "run",
                PROJECT,
                "-c= -EDpjen= --config= --no-config --fix=?!writes --enable= --disable= --enable-only= --enable-all --disable-all --default= --fast --fast-only --presets= --timeout= --new=? \
                 --new-from-rev= --new-from-patch= --new-from-merge-base= --whole-files --out-format= --print-issued-lines=? --print-linter-name=? --uniq-by-line --sort-results --sort-order= \
                 --path-prefix= --path-mode= --max-issues-per-linter= --max-same-issues= --issues-exit-code= --tests=? --build-tags= --modules-download-mode= --exclude= --exclude-use-default=? \
                 --skip-dirs= --skip-files= --show-stats --concurrency= --allow-parallel-runners --allow-serial-runners --go= --relative-path-mode= \
                 --output.text.path=write --output.json.path=write --output.sarif.path=write --output.tab.path=write --output.html.path=write --output.checkstyle.path=write \
                 --output.junit-xml.path=write --output.text.colors=? --output.text.print-linter-name=? --output.text.print-issued-lines=?",
            )
            .operands(Operands::Read)
            .check(|invocation, out| stays(invocation, out, &["c", "--config"])),
            verb("fmt", PROJECT.and(WRITES), "-d -E= -c= --diff --enable= --config= --stdin --diff-colored --no-config"),
            verb("linters formatters", PROJECT, "-cED= --config= --no-config --json --fast --presets= --enable-only= --enable= --disable= --default="),
            verb("config", PROJECT, "-c= --config= --json"),
            verb("version help completion", READS, "--format= --json --short --debug"),
            Spec::new("cache", READS).verbs(&[verb("status", READS, ""), verb("clean", DELETES, "")]),
            verb("migrate", WRITES, "-c= --config= --format= --skip-validation"),
            verb("custom", PROJECT.and(WRITES), "--*"),
        ])
        .examples(&[
            ("golangci-lint version --format json", "reads"),
            ("golangci-lint run --new=false --enable-only=staticcheck -v ./...", "reads project-code"),
            ("golangci-lint run --fix", "project-code writes"),
            ("golangci-lint run -c /tmp/x.yml", "project-code executes"),
            ("golangci-lint cache clean", "deletes"),
            ("golangci-lint linters", "project-code"),
            ("golangci-lint help linters", "reads"),
        ]),
    Spec::new("staticcheck govulncheck errcheck gosec revive ineffassign gocyclo deadcode nilaway gotestsum ginkgo gomodifytags go-critic gocritic misspell gotests mockery stringer wire sqlc templ air", PROJECT)
        .style(Style::SingleDash)
        .options("-f= -checks= -tags= -go= -tests=? -fail= -explain= -matrix=? -show-ignored=? -debug.version=?!help -list-checks=? -json=? -format= -mode= -show= -scan= -C=dir -db= -version!help -V=? -v=? -r=? -p=? -race=? -cover=? -focus= -skip= -over= -avg=? -top= -test=? -config= -conf= -out=write -o=write -w=?!writes -fmt= -quiet=? -severity= -confidence= -exclude= -exclude-dir= -junitfile=write -packages= -rerun-fails=?")
        .operands(Operands::Text)
        .examples(&[("staticcheck --version", "reads"), ("staticcheck ./...", "project-code"), ("govulncheck ./...", "project-code"), ("gotestsum --format short ./...", "project-code")]),
    Spec::new("dlv", EXECUTES).style(Style::Raw).examples(&[("dlv debug", "executes")]),
    Spec::new("buf", PROJECT)
        .options("-h!help --timeout= --debug --log-format=")
        .verbs(&[
            verb("lint breaking build ls-files ls-breaking-rules ls-lint-rules convert curl stats dep config mod", PROJECT, "-o=write --against= --config= --error-format= --path= --format= --*"),
            verb("generate", PROJECT.and(WRITES), "-o=write --template= --path= --include-imports --*"),
            verb("format", PROJECT, "-d -w!writes -o=write --diff --write!writes --exit-code --path="),
            verb("push", super::local::PUBLISHES, "--*"),
            verb("registry beta plugin alpha", super::local::REMOTE, "--*"),
            verb("export", WRITES, "-o=write --*"),
        ])
        .examples(&[("buf --version", "reads"), ("buf lint", "project-code"), ("buf generate", "project-code writes"), ("buf push", "publishes")]),
];
