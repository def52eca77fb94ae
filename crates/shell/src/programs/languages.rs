//! Interpreters and the tool of each language: whether they run code that is given to them, code of
//! the project, or only answer a question.

use super::languages_checks as check;
use super::languages_checks::ASKS;
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, PROJECT, PUBLISHES, READS, SECRETS, WRITES,
    first_task, installs, interpreter, script, stays, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;

pub(super) const TABLE: &[Spec] = &[
    Spec::new(
        "python python2 python2.7 python3 python3.6 python3.7 python3.8 python3.9 python3.10 python3.11 python3.12 \
         python3.13 python3.14 python3.15 pypy pypy3",
        NONE,
    )
    .style(Style::Stops)
    .options("-bBdEIOPqRsStuvx -c=?!executes -m=? -i!executes -h?V!help -WXQ= --check-hash-based-pycs=")
    .check(check::python)
    .examples(&[
        ("python --version", "reads"),
        ("python3 -V", "reads"),
        ("python3 -c 'print(1)'", "executes"),
        ("python3 -Bc 'print(1)' --help", "executes"),
        ("python3 -cprint", "executes"),
        ("python3 script.py --help", "project-code"),
        ("python3 /tmp/script.py", "executes"),
        ("python3 ../x.py", "executes"),
        ("python3", "executes"),
        ("python3 -", "executes"),
        ("python3 -m pytest -x tests", "project-code"),
        ("python3 -m unittest discover", "project-code"),
        ("python3 -m debugpy --listen 5678 a.py", "project-code"),
        ("python3 -m debugpy --listen 127.0.0.1:5678 a.py", "project-code"),
        ("python3 -m debugpy --listen 0.0.0.0:5678 a.py", "project-code network-write"),
        ("python3 setup.py sdist upload", "project-code publishes"),
        ("python3 setup.py sdist", "project-code"),
        ("python3 a.py upload", "project-code"),
        ("python3 -m pip list", "project-code"),
        ("python3 -mpip list", "project-code"),
        ("python3 -I -m pip list", ""),
        ("python3 -m json.tool a.json", "reads project-code"),
        ("python3 -m json.tool", "reads project-code"),
        ("python3 -I -m json.tool a.json", "reads"),
        ("python3 -P -m json.tool", "reads"),
        ("python3 -Im json.tool --indent 2 a.json b.json", "reads writes"),
        ("python3 -m json.tool --help", "reads project-code"),
        ("python3 -m site", "reads project-code"),
        ("python3 -m venv .venv", "writes project-code"),
        ("python3 -m http.server 8000", "network-write project-code"),
        ("python3 -m http.server --bind 127.0.0.1", "project-code"),
        ("python3 -m py_compile a.py", "reads writes project-code"),
        ("python3 -m antigravity", "executes"),
        ("python3 -m timeit -n1 \"x()\"", "executes project-code"),
        ("python3 -m pdb -c '!x()' a.py", "executes project-code"),
        ("python3 -m cProfile -o out a.py", "writes project-code"),
        ("python3 -m cProfile /tmp/a.py", "executes project-code"),
        ("python3 -m cProfile -m http.server", "project-code"),
        ("python3 -m unittest /tmp/x.py", "executes project-code"),
        ("python3 -m zipfile -l a.zip", "reads project-code"),
        ("python3 -m tarfile -e a.tar /tmp", "reads writes project-code"),
        ("python3 -m awscli s3 ls", "project-code"),
        ("python3 -W ignore -m json.tool a.json", "executes"),
        ("python --version-info", "unknown executes"),
    ]),
    Spec::new("ipython ipython3 bpython ptpython jupyter-console", EXECUTES)
        .style(Style::Stops)
        .options("-c=exec -im= --*")
        .operands(Operands::Code)
        .examples(&[("ipython -c 'print(1)'", "executes")]),
    Spec::new("node nodejs", NONE)
        .style(Style::Stops)
        .options(
            "-c -ep=exec -r=!steers -C= -i!executes -hv!help --eval=exec --print=exec --check --interactive!executes --require=!steers --import=!steers --loader=!steers \
             --experimental-loader=!steers --input-type= --conditions= --env-file=read!steers --env-file-if-exists=read!steers --test --test-name-pattern= \
             --test-skip-pattern= --test-reporter= --test-reporter-destination=write --test-concurrency= --test-timeout= --watch --watch-path= --run= \
             --stack-trace-limit= --max-old-space-size= --max-semi-space-size= --unhandled-rejections= --title= --icu-data-dir= --dns-result-order= \
             --inspect=?!network-write --inspect-brk=?!network-write --inspect-wait=?!network-write --cpu-prof!writes --heap-prof!writes \
             --cpu-prof-dir=write --heap-prof-dir=write --diagnostic-dir=write --redirect-warnings=write --openssl-config=exec \
             --experimental-config-file=exec --build-snapshot!writes --experimental-sea-config=exec --secure-heap= --v8-options!help --*",
        )
        .check(check::node)
        .examples(&[
            ("node -v", "reads"),
            ("node --version", "reads"),
            ("node --check a.js", "reads"),
            ("node -e 'console.log(1)'", "executes"),
            ("node --input-type=module -e 'x'", "executes"),
            ("node -pe '1'", "executes"),
            ("node -p 'require(\"./package.json\").version'", "executes"),
            ("node script.js --help", "project-code"),
            ("node --import tsx src/a.ts", "project-code"),
            ("node -r /tmp/evil.js a.js", "executes"),
            ("node --check -r ./x.js a.js", "project-code"),
            ("node --test", "project-code"),
            ("node /tmp/x.js", "executes"),
            ("node", "executes"),
        ]),
    Spec::new("tsx ts-node ts-node-esm esno esmo swc-node babel-node", NONE)
        .style(Style::Stops)
        .options("-ep=exec -r= -P= -O= -C= -T -hv!help --eval=exec --print=exec --require= --import= --tsconfig= --project= --esm --transpile-only \
                  --swc --files --watch --test --env-file=read --no-cache --conditions= --input-type= --*")
        .check(check::node)
        .examples(&[("tsx --version", "reads"), ("tsx -e '1'", "executes"), ("tsx src/a.ts --help", "project-code"), ("tsx /tmp/a.ts", "executes")]),
    Spec::new("nodemon ts-node-dev", NONE)
        .style(Style::Stops)
        .options("-qVL -x=exec -w= -e= -i= -d= -hv!help --exec=exec --watch= --ext= --ignore= --delay= --*")
        .check(interpreter)
        .examples(&[("nodemon server.js", "project-code"), ("nodemon --exec 'sh x'", "executes")]),
    Spec::new("deno", NONE)
        .style(Style::Stops)
        .options("-ALqWRENSF -hV!help -c= --config= --log-level= --quiet --unstable --no-config --import-map= --lock=? --no-lock --allow-all --*")
        .verbs(DENO)
        .operands(Operands::Text)
        .check(|invocation, out| {
            if invocation.chain.len() == 1 {
                interpreter(invocation, out);
            }
        })
        .examples(&[
            ("deno --version", "reads"),
            ("deno run -A main.ts --help", "project-code"),
            ("deno run https://example.com/x.ts", "executes"),
            ("deno eval '1'", "executes"),
            ("deno task build", "project-code"),
            ("deno test", "project-code"),
            ("deno fmt --check", "reads"),
            ("deno fmt", "reads writes"),
            ("deno info", "reads network-read"),
            ("deno publish", "publishes"),
            ("deno main.ts", "project-code"),
            ("deno", "executes"),
            ("deno install", "installs-declared"),
            ("deno add npm:chalk", "installs-named"),
        ]),
    Spec::new("ruby jruby truffleruby", NONE)
        .style(Style::Stops)
        .options(
            "-acdlnpsSUvwyL0123456789 -e=exec -C=dir -EFIKr= -ixWTX=? -h!help --yjit --jit --enable= --disable= --encoding= --external-encoding= \
             --internal-encoding= --debug --verbose --copyright!help --yydebug --dump= --parser= --disable-gems --backtrace-limit=",
        )
        .check(check::ruby)
        .examples(&[
            ("ruby -v", "reads"),
            ("ruby --version", "reads"),
            ("ruby -c a.rb", "reads"),
            ("ruby -ryaml -e 'puts 1'", "executes"),
            ("ruby -v -e 'puts 1'", "executes"),
            ("ruby -rsocket -e'exit'", "executes"),
            ("ruby script.rb", "project-code"),
            ("ruby -v script.rb", "project-code"),
            ("ruby /tmp/x.rb", "executes"),
            ("ruby -C /tmp x.rb", "executes"),
            ("ruby", "executes"),
        ]),
    Spec::new("irb pry", EXECUTES).style(Style::Stops).options("-r= -v!help --*").operands(Operands::Text).examples(&[("irb", "executes"), ("irb --version", "reads")]),
    Spec::new("perl", NONE)
        .style(Style::Stops)
        // -c is no mere check: BEGIN blocks and `use` run.
        .options("-acflnpsStTuUwWX0123456789g -eE=exec -MmI= -iFxCD=? -hv!help -V=?!help")
        .check(|invocation, out| {
            if invocation.has(&["i"]) {
                out.add(WRITES);
            }
            stays(invocation, out, &["I"]);
            if invocation.has(&["M", "m", "I", "d", "D"]) {
                // `-V` loads the modules that are named beside it.
                out.help = false;
            }
            interpreter(invocation, out);
        })
        .examples(&[
            ("perl -v", "reads"),
            ("perl -I. -MEvil -V", "executes"),
            ("perl -ne 'print'", "executes"),
            ("perl -lane 'print' x", "executes"),
            ("perl -0pi -e 's/a/b/' x", "executes writes"),
            ("perl -pi.bak -e 's/a/b/' x", "executes writes"),
            ("perl -MIO -e '1'", "executes"),
            ("perl -c a.pl", "project-code"),
            ("perl script.pl --version", "project-code"),
        ]),
    Spec::new("php php7 php8 php8.0 php8.1 php8.2 php8.3 php8.4", NONE)
        .style(Style::Stops)
        .options("-ilmswnqC -a!executes -rBERFz=exec -f= -d=exec -c=exec -S=!network-write -t=dir -hv!help --ini --ri= --rf= --rc= --re= --rz= --run=exec")
        .check(check::php)
        .examples(&[
            ("php -v", "reads"),
            ("php -l a.php", "reads"),
            ("php -m", "reads"),
            ("php -i", "reads secrets"),
            ("php -r 'echo 1;'", "executes"),
            ("php -d auto_prepend_file=/tmp/x -l a.php", "executes"),
            ("php artisan migrate", "project-code"),
            ("php -S localhost:8000", "network-write project-code"),
            ("php -f /tmp/x.php", "executes"),
        ]),
    Spec::new("lua lua5.1 lua5.2 lua5.3 lua5.4 lua51 lua54 luajit luau texlua", NONE)
        .style(Style::Stops)
        .options("-vEWp -i!executes -ejb=exec -l=")
        .check(check::ruby)
        .examples(&[("lua -v", "reads"), ("lua -e 'x()'", "executes"), ("lua a.lua", "project-code"), ("lua", "executes")]),
    Spec::new("julia", NONE)
        .style(Style::Stops)
        .options("-q -eEL=exec -JtpOgi=? -C= -vh!help --eval=exec --print=exec --load=exec --project=? --threads= --startup-file= --history-file= --color= --*")
        .check(interpreter)
        .examples(&[("julia -v", "reads"), ("julia -e '1'", "executes"), ("julia --project=. a.jl", "project-code")]),
    Spec::new("R", NONE)
        .options("-q -e=exec -f= -g= --file= --vanilla --slave --quiet --silent --no-save --no-restore --no-environ --no-site-file --no-init-file --save --restore --args")
        .verbs(&[
            Spec::new("CMD", READS).style(Style::Stops).verbs(&[
                verb("INSTALL", NAMED, "-lc= --*"),
                verb("REMOVE", DELETES, "-l="),
                verb("build check BATCH SHLIB COMPILE LINK Rd2pdf Sweave Stangle javareconf", PROJECT, "-d= --*"),
                verb("config", READS, "--all"), verb("Rdiff Rdconv", WRITES, "--*"),
            ]),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            if invocation.chain.len() == 1 && !out.help {
                match invocation.value(&["f", "--file"]) {
                    Some(file) => script(file, out),
                    None if out.effects.meets(EXECUTES) => {}
                    None => out.executes(),
                }
            }
        })
        .examples(&[("R --version", "reads"), ("R -e 'x()'", "executes"), ("R -f a.R", "project-code"), ("R", "executes"), ("R CMD check .", "project-code")]),
    Spec::new("Rscript", NONE)
        .style(Style::Stops)
        .options("-e=exec --vanilla --verbose --default-packages= --no-save --no-restore --no-environ --no-init-file --quiet")
        .check(interpreter)
        .examples(&[("Rscript --version", "reads"), ("Rscript -e 'x()'", "executes"), ("Rscript a.R", "project-code")]),
    Spec::new("swift", NONE)
        .style(Style::Stops)
        .options("-e=exec -OIDLFv= --package-path=dir")
        .verbs(&[
            verb("build test run package-registry", PROJECT, "-cjkXq=? --configuration= --product= --target= --filter= --skip= --parallel --enable-code-coverage \
                 --package-path=dir --scratch-path=write --build-path=write --show-bin-path --verbose --quiet --build-tests --disable-sandbox --*")
                .check(|invocation, out| stays(invocation, out, &["--package-path"])),
            Spec::new("package", NONE).options("--package-path=dir --*").verbs(&[
                verb("describe dump-package show-dependencies show-executables tools-version completion-tool diagnose-api-breaking-changes dump-symbol-graph", PROJECT, "--type= --format="),
                verb("resolve update", DECLARED, ""),
                verb("init", WRITES, "--type= --name="),
                verb("add-dependency add-product add-target add-target-dependency config edit unedit", WRITES, "--*"),
                verb("clean reset purge-cache", DELETES, ""),
                verb("plugin compute-checksum archive-source", PROJECT, "--*"),
            ]),
            verb("repl", EXECUTES, ""),
            verb("format", WRITES, "-irpq --in-place --recursive --*"),
            verb("sdk", NAMED, "--*"),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            if invocation.chain.len() == 1 {
                interpreter(invocation, out);
            }
        })
        .examples(&[("swift --version", "reads"), ("swift build", "project-code"), ("swift a.swift", "project-code"), ("swift package resolve", "installs-declared"), ("swift", "executes")]),
    Spec::new("scala scala3 amm groovy kotlin kscript jshell", EXECUTES)
        .style(Style::Raw)
        .check(|invocation, out| {
            let asks = invocation.words.len() == 1 && invocation.words.iter().all(|word| word.known().is_some_and(|text| ASKS.contains(&text)));
            if asks {
                out.effects = READS;
            }
        })
        .examples(&[("scala -version", "reads"), ("kotlin -e x", "executes"), ("groovy a.groovy", "executes")]),
    Spec::new("java", NONE)
        .style(Style::Raw)
        .check(check::java)
        .examples(&[
            ("java -version", "reads"),
            ("java -jar app.jar --help", "project-code"),
            ("java -jar /tmp/x.jar", "executes"),
            ("java -cp . Main", "executes"),
            ("java -agentpath:x -version", "executes"),
            ("java -Xmx1g -jar app.jar", "project-code"),
            ("java -javaagent:x.jar -jar a.jar", "executes"),
        ]),
    Spec::new("runghc runhaskell ghci", NONE)
        .style(Style::Stops)
        .options("-e=exec -if=? --ghc-arg=")
        .check(interpreter)
        .examples(&[("runghc --version", "reads"), ("runghc a.hs", "project-code"), ("ghci", "executes")]),
    Spec::new("elixir iex", NONE)
        .style(Style::Stops)
        .options("-er=exec -Spz= -h!help -v!help --eval=exec --rpc-eval=exec --erl=exec --name= --sname= --cookie= --no-halt --short-version!help")
        .check(interpreter)
        .examples(&[("elixir --version", "reads"), ("elixir -e 'x'", "executes"), ("elixir a.exs", "project-code"), ("iex -S mix", "executes")]),
    Spec::new("erl escript erlc", EXECUTES).style(Style::Raw).examples(&[("erl -eval 'x.'", "executes")]),
    Spec::new("clojure clj bb planck lumo", EXECUTES)
        .style(Style::Raw)
        .check(|invocation, out| {
            let known = invocation.words.first().and_then(Argument::known);
            match known {
                Some("--version" | "-version" | "--help" | "-h" | "-?") => out.effects = READS,
                Some(first) if ["-M:", "-X:", "-T:", "-A:"].iter().any(|start| first.starts_with(start)) => out.effects = PROJECT,
                Some("tasks" | "run" | "-Spath" | "-Stree" | "-P" | "-Sdescribe") => out.effects = PROJECT,
                Some(_) | None => {}
            }
        })
        .examples(&[("clojure -M:test", "project-code"), ("clj -e '1'", "executes"), ("clojure --version", "reads")]),
    Spec::new("racket guile sbcl ecl ccl clisp csi scheme chez gosh janet fennel hy newlisp ocaml utop tclsh wish expect nush", NONE)
        .style(Style::Stops)
        .options("-ecfl=exec -q -v!help -h!help --eval=exec --load=exec --script= --non-interactive --noinform --no-init --no-userinit --no-sysinit")
        .check(|invocation, out| match invocation.value(&["--script"]) {
            Some(file) => script(file, out),
            None => interpreter(invocation, out),
        })
        .examples(&[
            ("racket --version", "reads"),
            ("racket -e '1'", "executes"),
            ("guile a.scm", "project-code"),
            ("sbcl --script a.lisp", "project-code"),
            ("tclsh /tmp/x.tcl", "executes"),
            ("expect -c 'spawn sh'", "executes"),
        ]),
    Spec::new("osascript", EXECUTES)
        .style(Style::Stops)
        .options("-e=exec -l= -s= -i")
        .operands(Operands::Code)
        .examples(&[("osascript -e 'display dialog \"x\"'", "executes"), ("osascript a.scpt", "executes")]),
    Spec::new("dart", READS).options("-v --verbose --disable-analytics!writes").verbs(DART).operands(Operands::Text)
        .check(|invocation, out| {
            if let (1, Some(file)) = (invocation.chain.len(), invocation.operands.first()) {
                script(*file, out);
            }
        })
        .examples(&[("dart --version", "reads"), ("dart test", "project-code"), ("dart format .", "writes"), ("dart pub get", "installs-declared"), ("dart pub publish", "publishes")]),
    Spec::new("flutter", READS).options("-v -d= -h!help --verbose --suppress-analytics --no-version-check --device-id=").verbs(FLUTTER)
        .examples(&[("flutter --version", "reads"), ("flutter test", "project-code"), ("flutter pub add http", "installs-named"), ("flutter clean", "deletes")]),
    Spec::new("zig", READS).style(Style::Stops).verbs(&[
        verb("version zen targets env libc help", READS, ""),
        Spec::new("fmt", WRITES).style(Style::Exact).options("--check!dry --stdin!dry --color= --ast-check --exclude= --zon").operands(Operands::Text),
        Spec::new("build test run", PROJECT).style(Style::Stops).operands(Operands::Text).options("-D=? -O= -j=? -l= -I= -L= -v --*"),
        verb("build-exe build-lib build-obj translate-c cc c++ ar ranlib lib dlltool rc objcopy ast-check init init-exe init-lib", WRITES, "-D=? -O= -f=? -l=? -I=? -L=? -o=write --*"),
        verb("fetch", NAMED, "--save=? --global-cache-dir="),
    ]).examples(&[("zig version", "reads"), ("zig build test", "project-code"), ("zig fmt --check src", "reads"), ("zig fmt src", "writes"), ("zig build-exe a.zig", "writes")]),
    Spec::new("crystal", NONE).style(Style::Stops).verbs(&[
        verb("version env help", READS, ""),
        verb("build docs", PROJECT.and(WRITES), "-o=write --release --static --no-debug --*"),
        verb("run spec i play", PROJECT, "-o=write --*"),
        verb("eval", EXECUTES, "--*"),
        verb("tool", PROJECT.and(WRITES), "--*"),
        verb("init", WRITES, "-f --*"),
        verb("clear_cache", DELETES, ""),
    ]).operands(Operands::Text)
        .check(|invocation, out| if invocation.chain.len() == 1 { interpreter(invocation, out) })
        .examples(&[("crystal version", "reads"), ("crystal spec", "project-code"), ("crystal eval 'x'", "executes"), ("crystal a.cr", "project-code")]),
    Spec::new("nim nimble shards", NONE).style(Style::Stops).options("-v!help -h!help -dpo:=? --*").verbs(&[
        verb("c cc cpp js compile compileToC check doc rst2html", PROJECT.and(WRITES), "-r -d=? -o=? --*"),
        verb("r e run test build tasks bench secret", PROJECT, "--*"),
        verb("dump list path", PROJECT, "--*"),
        verb("search", FETCHES, ""),
        Spec::new("install", NONE).options("-dy --*").operands(Operands::Text).check(installs),
        verb("develop upgrade update refresh setup lock sync", DECLARED, "--*"),
        verb("uninstall clean prune", DELETES, "--*"),
        verb("init", WRITES, "--*"),
        verb("publish", PUBLISHES, "--*"),
    ]).operands(Operands::Text)
        .check(|invocation, out| {
            // A word that is no sub-command is a script or a task of the project.
            if invocation.chain.len() == 1 && !invocation.operands.is_empty() {
                out.add(PROJECT);
            }
            first_task(invocation, out);
        })
        .examples(&[("nim --version", "reads"), ("nim x.nims", "project-code"), ("nimble lint", "project-code"),  ("nim c -r a.nim", "project-code writes"), ("nimble install", "installs-declared"), ("nimble publish", "publishes")]),
];

/// Options of deno that let the script do things.
const DENO: &[Spec] = &[
    Spec::new("run serve watch", NONE)
        .style(Style::Stops)
        .options("-AIWRENSFqr -c= -P=? --preload=exec --import=exec --config= --import-map= --allow-all --env-file=? --port= --host= --location= --seed= --inspect=? --inspect-brk=? --*")
        .check(interpreter),
    verb("eval repl", EXECUTES, "-pATr --ext= --eval=exec --eval-file=exec --*").operands(Operands::Code),
    Spec::new("task", PROJECT).style(Style::Stops).options("-fr --cwd=dir --eval=exec --filter= --recursive --*").operands(Operands::Text).check(first_task),
    verb("test bench check lint compile bundle jupyter coverage cache desktop", PROJECT, "-AWRENSFcqro=? --filter= --junit-path=write --output=write --fix!writes --reload=? --*"),
    Spec::new("fmt", READS)
        .options("-q --check --ext= --ignore= --line-width= --indent-width= --use-tabs --single-quote --prose-wrap= --no-semicolons --watch --config=read")
        .operands(Operands::Text)
        .check(|invocation, out| if !invocation.has(&["--check"]) { out.add(WRITES) }),
    verb("info doc outdated audit", READS.and(FETCHES), "-qr --json --filter= --private --lint --compatible --latest --recursive --html!writes --output=write --update!writes!installs-declared"),
    verb("types completions help lsp", READS, ""),
    Spec::new("install i", NONE).options("-gfArqnD --global --name= --root= --entrypoint --dev --allow-scripts=?!project-code --frozen --*").operands(Operands::Text).check(installs),
    verb("add x create upgrade", NAMED, "-gfADqy --dev --*").check(|invocation, out| {
        if invocation.last().names.starts_with("add x") && invocation.words.first().and_then(Argument::known) != Some("add") {
            out.executes();
        }
    }),
    verb("remove rm uninstall clean", DELETES, "-gq --global --root= --dry-run!dry"),
    verb("update", DECLARED, "-r --latest --recursive --*"),
    verb("init vendor approve-scripts", WRITES, "--*"),
    verb("publish", PUBLISHES, "--*"),
    verb("deploy sandbox", PUBLISHES, "--*"),
];

const DART: &[Spec] = &[
    Spec::new("run", NONE).style(Style::Stops).options("-D= --enable-asserts --*").check(|invocation, out| {
        match invocation.operands.first() {
            Some(file) => script(*file, out),
            None => out.add(PROJECT),
        }
    }),
    verb("test build compile doc devtools", PROJECT, "-orntxjpc=? --*"),
    verb("analyze", PROJECT, "--fatal-infos --fatal-warnings --no-fatal-warnings --format="),
    verb("info help", READS, ""),
    Spec::new("format", WRITES).options("-o= -l= -t= --output=write --set-exit-if-changed --line-length= --show= --summary= --language-version=").operands(Operands::Text),
    verb("fix", WRITES, "-n --apply --dry-run --code="),
    verb("create", WRITES, "-t= -f --template= --force --no-pub"),
    Spec::new("pub", READS).options("-v -C=dir --directory=dir --verbose --trace").verbs(PUB),
];

const PUB: &[Spec] = &[
    verb(
        "get upgrade downgrade",
        DECLARED,
        "-n --offline --dry-run --major-versions --precompile --tighten --enforce-lockfile --no-example --example",
    ),
    verb("add", NAMED, "--*"),
    verb("remove", WRITES, "--*"),
    verb(
        "deps outdated",
        READS.and(FETCHES),
        "-s= --style= --json --dev --no-dev --transitive --mode= --show-all --prereleases",
    ),
    verb("publish lish", PUBLISHES, "-nfC=? --*"),
    verb("global", NAMED.and(EXECUTES), "--*"),
    verb("run", PROJECT, "--*"),
    verb("cache", DELETES, "--*"),
    verb("token login logout", SECRETS.and(WRITES), "--*"),
    verb("unpack", WRITES, "--*"),
];

const FLUTTER: &[Spec] = &[
    verb("test run build drive attach assemble analyze gen-l10n", PROJECT, "-dthpPovr=? --*"),
    Spec::new("channel", READS).options("-a --all").operands(Operands::Effect(super::local::SYSTEM)),
    verb(
        "doctor devices emulators help logs",
        READS,
        "-v --machine --android-licenses!system --launch=!executes --create!writes",
    ),
    Spec::new("pub packages", NONE).verbs(PUB),
    verb("create", WRITES, "-pte=? --*"),
    verb("clean", DELETES, ""),
    verb("format", WRITES, "--*"),
    verb("upgrade downgrade precache", NAMED, "--*"),
    verb("install", NAMED, "--*"),
    verb("config", WRITES, "--*"),
];
