//! Compilers of machine code, the tools that look at object files, debuggers and tracers.

use super::invocation::{Invocation, Outcome};
use super::languages_checks::asks_or;
use super::local::{DELETES, EXECUTES, NONE, OBEYS, PROJECT, READS, SYSTEM, WRITES};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::unclear::Why;

/// Beginnings of options that make a C compiler run something else.
const RUNS: &[&str] = &[
    "-fplugin",
    "-wrapper",
    "-B",
    "-specs",
    "--specs",
    "@",
    "-fpass-plugin",
    "-load",
    "-Xclang",
    "-fuse-ld=/",
    "--config",
    "-no-canonical-prefixes=",
    "-plugin",
    "--plugin",
    "-Wl,-plugin",
    "-Wl,--plugin",
    "--ld-path",
];

/// Options that only ask.
const ASKS: &[&str] = &[
    "--version",
    "-v",
    "-dumpversion",
    "-dumpmachine",
    "-dumpfullversion",
    "-dumpspecs",
    "--help",
    "-###",
    "-V",
    "--target-help",
    "--verbose",
];

/// Programs that take the options of gcc.
const LIKE_GCC: &[&str] = &["gcc", "g++", "cc", "c++", "clang", "clang++"];

/// Beginnings of options that only say how to read the source.
const ABOUT_SOURCE: &[&str] = &[
    "-std=",
    "-D",
    "-U",
    "-I",
    "-O",
    "-march=",
    "-mtune=",
    "-fno-",
    "-fdiagnostics-color",
    "-fmax-errors=",
    "-ferror-limit=",
];

/// The same, spelled out.
const ABOUT_SOURCE_TOO: &[&str] = &[
    "-fsyntax-only",
    "-E",
    "-M",
    "-MM",
    "-P",
    "-C",
    "-CC",
    "-dM",
    "-dD",
    "-dI",
    "-dN",
    "-H",
    "-v",
    "-w",
    "-ansi",
    "-pedantic",
    "-pedantic-errors",
    "-g",
    "-m32",
    "-m64",
    "-nostdinc",
    "-nostdinc++",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpermissive",
    "-funsigned-char",
    "-fsigned-char",
    "-ffreestanding",
    "-fopenmp",
    "-pthread",
];

/// Whether a compiler is only asked to check, preprocess or explain. Whatever could name a file to write is not known here.
fn only_looks<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) -> bool {
    let name = invocation.program;
    let family = name.split_once("-1").map_or(name, |(family, _)| family);
    if !LIKE_GCC.contains(&family) {
        return false;
    }
    let mut asked = false;
    let mut files = Vec::new();
    let mut words = invocation.words.iter().copied();
    while let Some(word) = words.next() {
        let text = word.prefix();
        if matches!(
            text,
            "-I" | "-D" | "-U" | "-isystem" | "-iquote" | "-idirafter" | "-x" | "-include" | "-imacros"
        ) && word.literal
        {
            let Some(value) = words.next().filter(|value| !value.many) else { return false };
            if matches!(text, "-include" | "-imacros") {
                files.push(value);
            }
            continue;
        }
        if word.known() == Some("-o") {
            if !words.next().is_some_and(|to| matches!(to.known(), Some("-" | "/dev/null" | "/dev/stdout"))) {
                return false;
            }
            continue;
        }
        asked |= matches!(text, "-fsyntax-only" | "-E" | "-M" | "-MM");
        let warns = text.starts_with("-W") && !text.contains(',');
        let known = ABOUT_SOURCE_TOO.contains(&text)
            || ABOUT_SOURCE.iter().any(|start| text.starts_with(start))
            || warns;
        if text.starts_with('-') && text != "-" {
            if !known || !word.literal {
                return false;
            }
        } else if text.starts_with('@') || text.is_empty() || word.may_dash {
            return false;
        } else {
            files.push(word);
        }
    }
    if !asked {
        return false;
    }
    for file in files {
        out.reads(file);
    }
    true
}

fn c_compiler<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let asks =
        |text: &str| ASKS.contains(&text) || text.starts_with("-print-") || text.starts_with("--print-");
    if !invocation.words.is_empty() && invocation.words.iter().all(|word| word.known().is_some_and(asks)) {
        return out.add(READS);
    }
    if only_looks(invocation, out) {
        return;
    }
    out.add(WRITES);
    outputs(invocation, out, &["-o", "--output", "-MF"]);
    if invocation.words.iter().any(|word| RUNS.iter().any(|start| word.prefix().starts_with(start))) {
        out.executes();
    }
}

/// The files and folders that these options say are written: `-o x`, `-ox`, `--out-dir=x`.
pub(super) fn outputs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>, options: &[&str]) {
    let mut words = invocation.words.iter().copied();
    while let Some(word) = words.next() {
        let text = word.prefix();
        if word.known().is_some_and(|word| options.contains(&word)) {
            if let Some(file) = words.next() {
                out.writes(file);
            }
        } else if let Some(name) = options.iter().find(|name| is_glued(text, name)) {
            let value = text.get(name.len()..).unwrap_or_default();
            out.writes(word.after(text.len() - value.trim_start_matches('=').len()));
        }
    }
}

/// Whether the value stands in the same word, after the letter or after a `=`.
fn is_glued(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name).unwrap_or_default();
    rest.starts_with('=') || (name.len() == 2 && !rest.is_empty())
}

/// Options for the virtual machine itself can load agents; argument files can hold any option.
/// `@FILE` stands for the options in that file.
fn options_from_files<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for word in invocation.words.iter().filter(|word| word.prefix().starts_with('@')) {
        out.doubt(Why::UnknownOption, word.text, word.span);
    }
}

fn passes_to_jvm(invocation: &Invocation<'_, '_>) -> bool {
    invocation.words.iter().any(|word| {
        ["-J", "@", "-processor", "--processor", "-Xplugin"]
            .iter()
            .any(|start| word.prefix().starts_with(start))
    })
}

pub(super) const TABLE: &[Spec] = &[
    Spec::new(
        "gcc g++ cc c++ clang clang++ gcc-11 gcc-12 gcc-13 gcc-14 g++-11 g++-12 g++-13 g++-14 clang-14 clang-15 clang-16 clang-17 clang-18 \
         clang-19 cpp gfortran gnat gdc ldc2 dmd tcc icc icx icpx nvcc emcc em++ ld lld ld.lld gold mold as nasm yasm c99 c89 swiftc",
        NONE,
    )
    .style(Style::Raw)
    .check(c_compiler)
    .examples(&[
        ("gcc --version", "reads"),
        ("clang -print-resource-dir", "reads"),
        ("ld --verbose", "reads"),
        ("gcc -fsyntax-only -Wall -Iinclude x.c", "reads"),
        ("clang -E -dM - -o -", "reads"),
        ("gcc -E -include ~/.ssh/id_rsa x.c", "reads secrets"),
        ("gcc -MM x.c", "reads"),
        ("gcc -E x.c -o y", "writes"),
        ("gcc -E -MD x.c", "writes"),
        ("gcc -D -E x.c", "writes"),
        ("gcc -fsyntax-only -Wp,-MD,x x.c", "writes"),
        ("gcc -fsyntax-only -fplugin=./evil.so x.c", "writes executes"),
        ("cpp -E a b", "writes"),
        ("gcc -O2 -o a a.c", "writes"),
        ("gcc -fplugin=./evil.so a.c", "writes executes"),
        ("gcc -wrapper sh,-c a.c", "writes executes"),
        ("gcc @args", "writes executes"),
        ("ld -o a a.o", "writes"),
    ]),
    Spec::new("javac kotlinc scalac groovyc ocamlc ocamlopt ocamlfind fpc gnatmake valac csc mcs fsc d8 r8 aapt aapt2 dex2jar jlink jpackage jmod", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            asks_or(invocation, out, WRITES);
            outputs(invocation, out, &["-d", "-o", "-s", "--output", "--dest"]);
            if passes_to_jvm(invocation) {
                out.executes();
            }
        })
        .examples(&[("javac -processorpath x -processor y A.java", "writes executes"), ("javac -version", "reads"), ("javac Main.java", "writes"), ("javac", "writes")]),
    Spec::new("ccache sccache distcc icecc gomacc", READS)
        .style(Style::Stops)
        .options("-spvx -k= -Ccz!deletes -MFo=!writes -hV!help --show-stats --print-stats --show-config --show-log-stats --get-config= --verbose --stats-format= --start-server!system --stop-server!kills --zero-stats!writes --clear!deletes --cleanup!deletes --set-config=!writes")
        .operands(Operands::Command(0))
        .examples(&[("ccache -s", "reads"), ("ccache -C", "reads deletes"), ("sccache --stop-server", "reads kills")]),
    Spec::new("ghc", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            asks_or(invocation, out, WRITES.and(PROJECT));
            let runs = |start: &str| ["-e", "-F", "-pgm", "-fplugin", "--interactive", "@"].iter().any(|given| start.starts_with(given));
            if invocation.words.iter().any(|word| runs(word.prefix())) {
                out.executes();
            }
        })
        .examples(&[("ghc --version", "reads"), ("ghc Main.hs", "writes project-code"), ("ghc -e 'main' a.hs", "writes project-code executes")]),
    Spec::new("jdeps", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            out.add(if passes_to_jvm(invocation) { EXECUTES } else { READS });
            let writes = |start: &str| start.starts_with('@') || start.contains("output") || start.contains("generate");
            if invocation.words.iter().any(|word| !word.literal || writes(word.prefix())) {
                out.add(WRITES);
            }
        })
        .examples(&[("jdeps -s a.jar", "reads"), ("jdeps --generate-module-info out a.jar", "reads writes"), ("jdeps -dotoutput out a.jar", "reads writes")]),
    Spec::new("javap jps jstat jinfo jcmd jmap jconsole", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            let shows = matches!(invocation.program, "javap" | "jps" | "jstat");
            out.add(if shows && !passes_to_jvm(invocation) { READS } else { EXECUTES });
        })
        .examples(&[("javap -c Main", "reads"), ("javap -J-javaagent:x.jar Main", "executes"), ("jcmd 1 VM.exit", "executes")]),
    Spec::new("nm gnm llvm-nm", READS)
        .options("-aAoBCDgjlnpPrsSuvVXW -tfTFe= --debug-syms --print-file-name --demangle=? --no-demangle --dynamic --defined-only --extern-only --format= \
                  --line-numbers --numeric-sort --no-sort --portability --print-armap --print-size --reverse-sort --size-sort --special-syms --synthetic \
                  --radix= --target= --undefined-only --with-symbol-versions --quiet --plugin=exec")
        .operands(Operands::Read)
        .check(options_from_files)
        .examples(&[("nm -C a.o", "reads"), ("nm @args", "reads unknown"), ("nm --plugin x.so a.o", "reads executes")]),
    Spec::new("objdump gobjdump llvm-objdump", READS)
        .options("-adDfFghHilpPrRsStTVwxzCGKLeEkU -bjmM= -W=? --archive-headers --all-headers --private-headers --disassemble=? --disassemble-all --disassembler-options= \
                  --source=? --full-contents --syms --dynamic-syms --reloc --dynamic-reloc --section-headers --headers --file-headers --line-numbers \
                  --demangle=? --no-show-raw-insn --show-raw-insn --start-address= --stop-address= --section= --architecture= --target= --wide --info --dwarf=? \
                  --prefix= --prefix-strip= --macho --no-addresses --visualize-jumps=? --inlines --no-leading-addr --private-header --exports-trie --bind --rebase")
        .operands(Operands::Read)
        .check(options_from_files)
        .examples(&[("objdump -d a.o", "reads"), ("objdump @args", "reads unknown"), ("objdump --plugin x a.o", "reads unknown")]),
    Spec::new("readelf greadelf llvm-readelf eu-readelf", READS)
        .options("-ahlSgtesndruAcDILWVC -wpxRzPUX=? --all --file-header --program-headers --segments --section-headers --sections --section-groups --section-details \
                  --headers --syms --symbols --dyn-syms --notes --relocs --unwind --dynamic --version-info --arch-specific --archive-index --use-dynamic \
                  --hex-dump= --string-dump= --relocated-dump= --decompress --debug-dump=? --wide --histogram --demangle=? --silent-truncation --lint --enable-checks")
        .operands(Operands::Read)
        .check(options_from_files)
        .examples(&[("readelf -h a.out", "reads"), ("readelf --whatever a", "reads unknown")]),
    Spec::new("size gsize addr2line eu-addr2line c++filt cxxfilt llvm-symbolizer llvm-size", READS)
        .options("-ABdoxtGfCpisaL -nebjwvDr= --common --totals --radix= --target= --format= --exe= --functions --demangle=? --pretty-print --inlines --basenames --addresses --section= --obj= --no-params --strip-underscore")
        .operands(Operands::Text)
        .check(options_from_files)
        .examples(&[("size a.out", "reads"), ("addr2line -e a.out 0x1", "reads"), ("size --plugin x", "reads unknown")]),
    Spec::new("dwarfdump llvm-dwarfdump", READS)
        .options("-avui -nrj= -o=write --all --debug-info=? --debug-line=? --debug-abbrev=? --name= --find= --lookup= --show-children --show-parents --statistics --verify --uuid --out-file=write")
        .operands(Operands::Read)
        .examples(&[("dwarfdump --uuid a.out", "reads"), ("llvm-dwarfdump -o x a.out", "reads writes")]),
    Spec::new("strip gstrip llvm-strip objcopy llvm-objcopy ranlib elfedit patchelf chrpath install_name_tool dsymutil", WRITES)
        .style(Style::Raw)
        .check(|invocation, out| asks_or(invocation, out, WRITES))
        .examples(&[("strip a.out", "writes"), ("patchelf --set-rpath x a", "writes")]),
    Spec::new("rr cgdb pwndbg radare2 r2 gdbserver lldb-server", EXECUTES)
        .style(Style::Stops)
        .options("-xe=?!executes -cpsoOSQbqnkKW=? -v!help --batch --args --pid= --core= --command=exec --eval-command=exec --ex=exec --nx --quiet --*")
        .operands(Operands::Code)
        .examples(&[("rr --version", "reads"), ("rr -p 1", "executes"), ("cgdb --args ls", "executes")]),
    Spec::new("ltrace", READS)
        .style(Style::Stops)
        .options("-bcCfiLrStT -hV!help -aADelnswx= -F=read!executes -u=!privilege -o=write -p=!system --output=write --demangle --indent= --library=")
        .operands(Operands::Command(0))
        .examples(&[("ltrace -c ls", "reads"), ("ltrace -o out ls", "reads writes"), ("ltrace -F conf ls", "reads executes")]),
    Spec::new("strace", READS)
        .style(Style::Stops)
        .options("-AcCdfFiknNqrtTvwxyYzZDL -eaIbsSXPOUl= -u=!privilege -E=!executes -o=write -p=!system -hV!help --trace= --signal= --status= --string-limit= --summary --summary-only \
                  --follow-forks --output=write --output-separately!writes --attach=!system --env=!executes --user=!privilege --no-abbrev --decode-fds=? \
                  --timestamps=? --relative-timestamps=? --absolute-timestamps=? --syscall-times=? --stack-traces=? --quiet=?")
        .operands(Operands::Command(0))
        .check(|invocation, out| {
            // An output that begins with `|` or `!` is a command.
            if invocation.value(&["o", "--output"]).is_some_and(|file| !file.literal || file.text.starts_with(['|', '!'])) {
                out.executes();
            }
        })
        .examples(&[("strace -f ls", "reads"), ("strace -o '|sh' ls", "reads writes executes"), ("strace -o out ls", "reads writes"), ("strace -p 1", "reads system")]),
    Spec::new("valgrind", READS.and(OBEYS))
        .style(Style::Stops)
        .options("-qvdh --tool=!writes --leak-check= --track-origins= --show-leak-kinds= --error-exitcode= --num-callers= --trace-children= --suppressions=read --gen-suppressions= \
                  --log-file=write --xml= --xml-file=write --quiet --verbose --child-silent-after-fork= --track-fds= --time-stamp= --undef-value-errors= --vgdb=")
        .operands(Operands::Command(0))
        .examples(&[("valgrind ls", "reads obeys-project"), ("valgrind --tool=callgrind ls", "reads writes obeys-project"), ("valgrind --log-file=x ls", "reads writes obeys-project")]),
    Spec::new("perf", READS)
        .style(Style::Stops)
        .options("-v!help")
        .verbs(&[
            Spec::new("stat trace", READS).style(Style::Stops).operands(Operands::Command(0))
                .options("-aAbcdDgivNnqTBS -p=!system -ertCIMxj= -o=write --event= --pid=!system --tid= --repeat= --detailed --no-big-num --output=write --summary --all-cpus --interval-print= --metrics= --json-output"),
            Spec::new("record mem c2c lock kmem sched timechart bench", WRITES).style(Style::Stops).operands(Operands::Command(0))
                .options("-abdgivnNqsTWR -p=!system -ectCFmjr= -o=write --call-graph= --event= --freq= --output=write --pid=!system --all-cpus --*"),
            Spec::new("report annotate diff list evlist buildid-list version help top", READS).options("-nvgkDUTMfFhqsiSdcGxpt=? --stdio --tui --sort= --input=read --no-children --children --percent-limit= --header --show-total-period --call-graph=? --demangle --objdump=exec --addr2line=exec --fields=").operands(Operands::Text),
            Spec::new("script", EXECUTES).options("-sgiFDfp=? --*").operands(Operands::Text),
            Spec::new("probe config", SYSTEM).options("-adlfFLkxvV=? --*").operands(Operands::Text),
            Spec::new("archive inject data buildid-cache", WRITES).options("-io=? --*").operands(Operands::Text),
        ])
        .examples(&[("perf stat ls", "reads"), ("perf record -g ./a", "writes"), ("perf report --stdio", "reads"), ("perf script -s x.py", "executes")]),
    Spec::new("clang-format", READS)
        .options("-i!writes -n --style= --fallback-style= --dry-run --Werror --assume-filename= --cursor= --dump-config --ferror-limit= --files=read --length= --lines= --offset= --sort-includes --verbose")
        .operands(Operands::Read)
        .examples(&[("clang-format a.c", "reads"), ("clang-format -i a.c", "reads writes"), ("clang-format --dry-run --Werror a.c", "reads")]),
    Spec::new("clang-tidy cppcheck cpplint scan-build iwyu include-what-you-use clangd bear compiledb infer", PROJECT)
        .style(Style::Stops)
        .options("-p= -jDIiqvf=? --fix!writes --fix-errors!writes --export-fixes=write --load=exec --config-file= --checks= --enable= --addon=exec --output-file=write --*")
        .operands(Operands::Text)
        .examples(&[("clang-tidy a.c", "project-code"), ("clang-tidy --fix a.c", "project-code writes"), ("cppcheck src", "project-code")]),
    Spec::new("git-clang-format", WRITES).style(Style::Raw).examples(&[("git-clang-format", "writes")]),
    Spec::new("gcov gcovr lcov genhtml llvm-cov llvm-profdata gprof", WRITES)
        .style(Style::Raw)
        .check(|invocation, out| asks_or(invocation, out, WRITES))
        .examples(&[("lcov --capture", "writes")]),
    Spec::new("protoc", WRITES)
        .style(Style::Raw)
        .check(|invocation, out| {
            asks_or(invocation, out, WRITES.and(PROJECT));
        })
        .examples(&[("protoc --go_out=. a.proto", "writes project-code")]),
    Spec::new("xcrun", NONE)
        .style(Style::Stops)
        .options("-vlnfr -k!deletes --sdk= --toolchain= --find --log --no-cache --kill-cache!deletes --run --show-sdk-path --show-sdk-version --show-sdk-build-version --show-sdk-platform-path --show-sdk-platform-version --show-toolchain-path")
        .operands(Operands::Text)
        .check(|invocation, out| {
            let only_finds = invocation.has(&["f", "--find"]) || invocation.operands.is_empty();
            if only_finds { out.add(READS) } else { super::local::runs_operands(invocation, out) }
        })
        .examples(&[("xcrun --find swiftc", "reads"), ("xcrun --show-sdk-path", "reads"), ("xcrun simctl list", ""), ("xcrun swift build", ""), ("xcrun -k", "reads deletes")]),
    Spec::new("xcodebuild", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            let shows = ["-version", "-showsdks", "-help", "-usage"];
            let asks = invocation.words.first().and_then(Argument::known).is_some_and(|first| shows.contains(&first));
            let project = invocation.words.len() > 1;
            match (asks, project) {
                (true, false) => out.add(READS),
                (true, true) | (false, _) => out.add(PROJECT),
            }
            if invocation.words.iter().any(|word| word.known() == Some("clean")) {
                out.add(DELETES);
            }
            if invocation.words.iter().any(|word| word.known() == Some("-runFirstLaunch") || word.known() == Some("-downloadPlatform")) {
                out.add(SYSTEM);
            }
        })
        .examples(&[("xcodebuild -version", "reads"), ("xcodebuild -scheme App test", "project-code"), ("xcodebuild clean build", "project-code deletes")]),
];
