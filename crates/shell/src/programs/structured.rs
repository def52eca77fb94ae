//! Programs for structured data: JSON, YAML, XML, CSV.

use super::archives_checks::writes_unless_dash;
use super::invocation::{Invocation, Outcome};
use super::miller::check_mlr;
use super::remote::addresses;
use super::search::only_harmless_options;
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("jq gojq jaq", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_jq).examples(&[
        ("jq . a.json", "reads"),
        ("jq -r '.[] | select(.a > 1) | @tsv' a.json", "reads"),
        ("jq --arg a b --argjson c 1 '.env' a.json", "reads"),
        ("jq -n --rawfile k .env '$k'", "reads secrets"),
        ("jq -f filter.jq .env", "reads secrets"),
        ("jq . .env", "reads secrets"),
        ("jq -L /tmp/mods . a", "reads unknown"),
        ("jq -n env", "reads secrets"),
        ("jq -n '$ENV'", "reads secrets"),
        ("jq --indent 2 'env.API_KEY' a", "reads secrets"),
        ("jq '\"a \\(env)\"' a", "reads secrets"),
        ("jq -n '\"\\(\"a\" | $ENV.X)\"'", "reads secrets"),
        ("jq '\"\\(.a | join(\", \"))\"' a", "reads"),
        ("jq '.env | select(.name == \"env\") | {env: .x}' env.json", "reads"),
        ("jq -n 'import \"config\" as $d {search:\"/root/.docker\"}; $d'", "reads unknown"),
        ("jq 'include \"x\"; .' a", "reads unknown"),
        ("jq --frobnicate . a", "reads unknown"),
        ("jq --version", "reads"),
    ]),
    Spec::new("yq xq tomlq", Effects::READS)
        .options(
            "-0ABbcCDEeGHhjkMNnPRrStUvxYy -Ww= -IopKf= -V!help -i!writes -s=!writes --arg= --args --argjson= --jsonargs --rawfile= --slurpfile= --ascii-output --color-output --colors \
             --compact-output --csv-auto-parse --csv-separator= --debug-node-info --exit-status --expression= --from-file=read --front-matter= \
             --header-preprocess --in-place=?!writes --indent= --indentless --indentless-lists --inplace=?!writes --input-format= \
             --join-output --lua-globals --lua-prefix= --lua-suffix= --lua-unquoted --monochrome-output --no-colors --no-doc \
             --nul-output --null-input --output-format= --prettyPrint --properties-array-brackets --properties-separator= --raw-input \
             --raw-output --seq --shell-key-separator= --slurp --sort-keys --split-exp=!writes --split-exp-file=read!writes --stream \
             --string-interpolation=? --tab --tojson --toml-output --tsv-auto-parse --unwrapScalar=? --verbose --width= --xml-attribute-prefix= \
             --xml-content-name= --xml-directive-name= --xml-dtd --xml-force-list= --xml-item-depth= --xml-keep-namespace --xml-output \
             --xml-proc-inst-prefix= --xml-raw-token --xml-root= --xml-skip-directives --xml-skip-proc-inst --xml-strict-mode --yaml-output \
             --yaml-output-grammar-version= --yaml-roundtrip --yml-output --yml-out-ver= --yml-roundtrip --yaml-fix-merge-anchor-to-spec \
             --security-disable-env-ops --security-disable-file-ops",
        )
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("eval e eval-all ea", Effects::READS).operands(Operands::Text),
            Spec::new("completion shell-completion help", Effects::READS).operands(Operands::Text),
        ])
        .check(check_yq)
        .examples(&[
            ("yq '.key' a.yaml", "reads"),
            ("yq -p yaml -o json a.yaml", "reads"),
            ("yq -p yaml -o json secrets.yaml", "reads secrets"),
            ("yq eval-all '.a' a.yaml b.yaml", "reads"),
            ("yq -n 'env(API_KEY)'", "reads secrets"),
            ("yq '.a = strenv(X)' a.yaml", "reads secrets"),
            ("yq '.a | envsubst' a.yaml", "reads secrets"),
            ("yq 'load(\"/root/.ssh/id_rsa\")' a.yaml", "reads secrets"),
            ("yq 'load(.file)' a.yaml", "reads unknown"),
            ("yq -n 'str_load(\"/root/.ssh/id_rsa\")'", "reads secrets"),
            ("yq '{\"a\": strenv(X)} * .yaml' a.yml", "reads secrets"),
            ("yq -n 'system(\"id\")'", "reads unknown"),
            ("yq .env", "reads secrets"),
            ("yq . env.yaml", "reads"),
            ("yq env.yaml", "reads"),
            ("yq -y '.a' a.yaml", "reads"),
            ("yq --inplace=true '.a = 1' a.yaml", "reads writes"),
            ("yq eval -i '.a = 1' a.yaml", "reads writes"),
            ("yq -s '.name' a.yaml", "reads writes"),
            ("yq --security-enable-system-operator . a", "reads unknown"),
        ]),
    Spec::new("dasel", Effects::READS)
        .options("-cpnhm -rwistov= -f=read --file=read --parser= --read= --write= --selector= --null --compact --colour --pretty --length --merge-output --multiple --plain --format= --escape-html --indent= --csv-comma= --root")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("select", Effects::READS).operands(Operands::Text),
            Spec::new("put delete", Effects::WRITES).options("-o= --out=write --type= --value=").operands(Operands::Text),
            Spec::new("validate completion help man", Effects::READS).operands(Operands::Read),
        ])
        .examples(&[("dasel -f a.json .x", "reads"), ("dasel put -f a.json -v 1 .x", "reads writes"), ("dasel validate a.json", "reads")]),
    Spec::new("xmllint", Effects::READS)
        .style(Style::SingleDash)
        .options(
            "--auto --c14n --c14n11 --catalogs --chkregister --compress --copy --debug --debugent --dropdtd --dtdattr --dtdvalid=read --dtdvalidfpi= \
             --encode= --exc-c14n --format --html --htmlout --huge --insert --load-trace --loaddtd --maxmem= --memory --nocatalogs \
             --nocdata --nocompact --nodefdtd --nodict --noenc --noent --nofixup-base-uris --nonet --noout --nowarning --nowrap \
             --nsclean --oldxml10 --output= --o= --path= --pattern= --pedantic --postvalid --pretty= --push --pushsmall --quiet --reader --recover \
             --relaxng=read --repeat --sax --sax1 --schema=read --schematron=read --shell!executes --stream --strict-namespace --timing --valid \
             --walker --xinclude --noxincludenode --noxmlns --xmlout --xpath= --xpath0=",
        )
        .operands(Operands::Read)
        .check(check_xmllint)
        .examples(&[
            ("xmllint --output - a.xml", "reads"),
            ("xmllint --noout http://localhost/a.xml", "reads network-read network-write"),
            ("xmllint --format a.xml", "reads"),
            ("xmllint -xpath //a a.xml", "reads"),
            ("xmllint --noout --schema a.xsd a.xml", "reads"),
            ("xmllint --output b a.xml", "reads writes"),
            ("xmllint --shell a.xml", "reads executes"),
        ]),
    Spec::new("xmlstarlet xml", Effects::READS)
        .options("-qh --doc-namespace --no-doc-namespace --net")
        .verbs(&[
            Spec::new("sel select", Effects::READS)
                .options("-CRITDBnbo -tkmvicsefNadu= --template --text --noblanks --indent --net --huge --encode= --match= --value-of= --copy-of= --if= --else --elif= --sort= --output= --nl --inp-name --var= --break --elem= --attr= --doc-namespace --xml-decl --root --quiet --comp --no-omit-decl")
                .operands(Operands::Read),
            Spec::new("fo format", Effects::READS)
                .options("-nrtoDCPHQN -ise= --noindent --indent-tab --indent-spaces= --omit-decl --nocdata --nsclean --encode= --html --dropdtd --recover --quiet --noblanks --net --huge")
                .operands(Operands::Read),
            Spec::new("val validate", Effects::READS)
                .options("-webqgS -dsr= --well-formed --dtd= --xsd= --relaxng= --err --list-good --list-bad --quiet --embed --net --stop --huge")
                .operands(Operands::Read),
            Spec::new("el elements c14n ls esc escape unesc unescape pyx xmln depyx p2x", Effects::READS)
                .options("-auvq -d=?")
                .operands(Operands::Read),
            Spec::new("ed edit", Effects::READS)
                .options("-OPSq -duvixarstnmN= -L!writes --inplace!writes --omit-decl --pf --ps --delete= --update= --value= --expr= --insert= --append= --subnode= --type= --name= --move= --rename= --var= --net")
                .operands(Operands::Read),
        ])
        .check(|invocation, out| {
            // An expression can open other documents.
            for word in invocation.words.iter().filter(|word| !word.literal || word.text.contains("document")) {
                out.doubt(Why::UnclearCode, word.text, word.span);
            }
        })
        .examples(&[
            ("xmlstarlet fo a.xml", "reads"),
            ("xmlstarlet sel -t -v \"document('/x.xml')\" a.xml", "reads unknown"),
            ("xmlstarlet ed -d //a a.xml", "reads"),
            ("xmlstarlet ed -L -d //a a.xml", "reads writes"),
            ("xmlstarlet tr a.xsl a.xml", "reads unknown"),
        ]),
    Spec::new("csvcut csvgrep csvlook csvstat csvsort csvjoin csvstack csvjson csvformat in2csv", Effects::READS)
        .options(
            "-lnHKSvyiaBrxzNI -hV!help -cCdegmpqtuDQUMPbokfsLAw= --columns= --not-columns= --delimiter= --tabs --quotechar= --quoting= --maxfieldsize= --encoding= \
             --locale= --skipinitialspace --blanks --null-value= --date-format= --datetime-format= --no-header-row --skip-lines= --linenumbers --zero \
             --add-bom --names --delete-empty-rows --match= --regex= --file=read --invert-match --any-match --max-rows= --max-columns= --max-column-width= \
             --max-precision= --no-number-ellipsis --snifflimit= --no-inference --csv --json --indent= --type --nulls --non-nulls --unique --min --max --sum --mean --median \
             --stdev --len --freq --freq-count= --count --decimal-format= --no-grouping-separator --reverse --ignore-case --outer --left \
             --right --groups= --group-name= --filenames --key= --lat= --lon= --stream --sheet= --format= --schema=read --no-bbox --crs= --geometry= --doublequote --no-doublequote \
             --out-delimiter= --out-tabs --out-quotechar= --out-quoting= --out-lineterminator= --skip-header",
        )
        .operands(Operands::Read)
        .examples(&[("csvcut -c 1,2 a.csv", "reads"), ("csvstat --mean a.csv", "reads"), ("in2csv --write-sheets - a.xlsx", "reads unknown")]),
    Spec::new("mlr miller", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_mlr).examples(&[
        ("mlr --icsv --opprint head -n 4 then sort -f a a.csv", "reads"),
        ("mlr --icsv --ojson filter '$x > 5' a.csv", "reads"),
        ("mlr -I --csv head a.csv", "reads writes"),
        ("mlr --csv put 'tee > $a.\".csv\", $*' a.csv", "reads unknown"),
        ("mlr --csv put '$x = system(\"id\")' a.csv", "reads unknown"),
        ("mlr --prepipe 'touch x' --csv cat a.csv", "reads unknown"),
        ("mlr --csv split -g a a.csv", "reads unknown"),
        ("mlr --icsv --ojson put -q -f prog.mlr a.csv", "reads unknown"),
        ("mlr --icsv put '$x = ENV[\"A\"]' a.csv", "reads unknown"),
    ]),
];

/// jq with the options that take two values removed. Its language can only read.
static JQ: Spec = Spec::new("jq", Effects::READS)
    .options(
        "-acCeMnrRsSjf -hV!help --ascii-output --color-output --monochrome-output --compact-output --exit-status --null-input --raw-output \
         --raw-output0 --raw-input --slurp --sort-keys --join-output --tab --indent= --stream --stream-errors --seq --unbuffered --from-file \
         --args --jsonargs --build-configuration!help --yaml-input --yaml-output --binary --nul-output",
    )
    .operands(Operands::TextThenRead);

fn check_jq<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    only_harmless_options(out);
    let mut kept: Vec<Argument<'a>> = Vec::with_capacity(invocation.words.len());
    let mut words = invocation.words.iter().copied();
    let mut program_is_file = false;
    while let Some(word) = words.next() {
        match word.known() {
            Some("--arg" | "--argjson") => drop((words.next(), words.next())),
            Some("--slurpfile" | "--rawfile" | "--argfile") => {
                words.next();
                if let Some(file) = words.next() {
                    out.reads(file);
                }
            }
            Some(text) => {
                let cluster = text.starts_with('-') && !text.starts_with("--") && text.contains('f');
                program_is_file |= cluster || text == "--from-file";
                kept.push(word);
            }
            None => kept.push(word),
        }
    }
    if let Some(filter) = kept.iter().find(|word| !word.prefix().starts_with('-') && !word.numeric) {
        check_filter(*filter, out);
    }
    if program_is_file {
        kept.iter().filter(|word| !word.prefix().starts_with('-')).for_each(|file| out.reads(*file));
    }
    let kept = out.arena.alloc_slice_copy(&kept);
    Invocation::examine(invocation.program, &JQ, kept, out);
}

/// The first operand is the expression, unless it stands alone and does not look like one.
fn check_yq<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let in_place = invocation.has(&["i", "--inplace", "--in-place"]);
    let expression = match invocation.operands.as_slice() {
        [only] => only.text.starts_with('.') && !only.text.contains('/'),
        _ => !invocation.has(&["--expression", "--from-file"]),
    };
    let named = |text: &str| {
        !text.contains(['"', '(', '{', '|', ' '])
            && [".yaml", ".yml", ".json", ".xml", ".toml"].iter().any(|end| text.ends_with(end))
    };
    let given = invocation.operands.first().copied().filter(|first| !named(first.text));
    for filter in given.into_iter().chain(invocation.value(&["--expression"])) {
        check_filter(filter, out);
    }
    // A word that stands alone may name a file as well, unless there is something else to read.
    let alone = invocation.operands.len() == 1 && !out.fed && !invocation.has(&["n", "--null-input"]);
    for file in invocation.operands.iter().skip(usize::from(expression && !alone)) {
        out.reads(*file);
        if in_place {
            out.writes(*file);
        }
    }
}

fn check_xmllint<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    writes_unless_dash(invocation, &["output", "o"], out);
    addresses(invocation, out);
}

/// What a filter of jq or yq reads besides its input: the environment, modules, other files.
fn check_filter<'a>(filter: Argument<'a>, out: &mut Outcome<'a>) {
    let word = |character: char| character.is_alphanumeric() || character == '_';
    let mut rest = filter.text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => {
                let length = string_length(rest);
                let inside = rest.get(1..length).unwrap_or_default();
                if inside.contains("\\(") {
                    check_filter(Argument { text: inside, ..filter }, out);
                }
                length
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if word(first) => rest.find(|character| !word(character)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        // `.env` is a field, `{env: 1}` a key.
        let key = after.trim_start().starts_with(':');
        match token {
            "env" | "ENV" | "strenv" | "envsubst" if before != '.' && !key => out.add(Effects::SECRETS),
            "import" | "include" if before != '.' && !key => {
                out.doubt(Why::UnclearCode, filter.text, filter.span);
            }
            name if name.contains("load") && before != '.' && !key => loaded(after, filter, out),
            "system" if before != '.' && !key => out.doubt(Why::UnclearCode, filter.text, filter.span),
            // Behind such an end, the next line belongs to the remark as well.
            remark if remark.starts_with('#') && remark.ends_with('\\') => {
                out.doubt(Why::UnclearCode, filter.text, filter.span);
            }
            _ => {}
        }
        before = first;
        rest = after;
    }
}

/// The length of the string at the start, quotes included.
fn string_length(text: &str) -> usize {
    // How many parentheses are open in each `\(…)` around; in them, code stands, which may hold strings again.
    let mut open: Vec<usize> = Vec::new();
    let mut in_string = true;
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match (in_string, character) {
            (true, '\\') if characters.next().is_some_and(|(_, escaped)| escaped == '(') => {
                open.push(1);
                in_string = false;
            }
            (true, '"') if open.is_empty() => return at + 1,
            (_, '"') => in_string = !in_string,
            (false, '(') => open.iter_mut().last().into_iter().for_each(|depth| *depth += 1),
            (false, ')') => {
                open.iter_mut().last().into_iter().for_each(|depth| *depth -= 1);
                in_string = open.last() == Some(&0);
                if in_string {
                    open.pop();
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The file in `load("FILE")`.
fn loaded<'a>(after: &'a str, filter: Argument<'a>, out: &mut Outcome<'a>) {
    let file = after.trim_start().strip_prefix('(').map(str::trim_start).and_then(|rest| {
        let (name, rest) = rest.strip_prefix('"')?.split_once('"')?;
        rest.trim_start().starts_with(')').then_some(name)
    });
    match file.filter(|_| filter.literal) {
        Some(file) => out.reads(Argument::literal(file, filter.span)),
        None => out.doubt(Why::UnclearCode, filter.text, filter.span),
    }
}
