//! Variables that are set for commands: which of them change what programs do.

use portcullis_shell::{Argument, Command, Effects, Reading};

use super::places;
use crate::context::Context;

/// Whether the variables set for the command matter.
pub(super) fn sets_the_scene(command: &Command, context: &Context) -> bool {
    let exported = exported(command);
    let runs = |(name, value): &(String, Argument)| value_runs(name, value, context);
    if command.assignments.iter().chain(&exported).any(runs) {
        return true;
    }
    let acts = Effects::PROJECT_CODE
        .and(Effects::EXECUTES)
        .and(Effects::INSTALLS_DECLARED)
        .and(Effects::INSTALLS_NAMED)
        .and(Effects::NETWORK_READ)
        .and(Effects::NETWORK_WRITE);
    let led = |(name, value): &(String, Argument)| leads_elsewhere(name, value, context);
    if ((command.own.meets(acts) || !command.own.is_harmless()) && command.assignments.iter().any(led))
        || exported.iter().any(led)
    {
        return true;
    }
    if !command.effects.meets(Effects::ENVIRONMENT) {
        return false;
    }
    let set: Vec<(String, Argument)> = command.assignments.iter().cloned().chain(exported).collect();
    let client =
        matches!(command.program.as_deref(), Some("psql" | "mysql" | "mongosh" | "redis-cli" | "pg_dump"));
    let guesses = client && !crate::detect::remote::home::stays_home(command) && !set.is_empty();
    let odd = guesses || set.iter().any(|(name, value)| changes_programs(name, value, context));
    odd || (set.is_empty() && command.own.meets(Effects::ENVIRONMENT))
}

/// `PATH=/tmp/x:$PATH; npm test`: other programs are found by the names that follow, but for places of the project and
/// those that programs are installed in. Places behind the usual ones take nobody's name.
pub(super) fn moves_programs(reading: &Reading, line: &str) -> bool {
    const RUN_AT_ONCE: &[&str] = &["LD_PRELOAD=", "DYLD_INSERT_LIBRARIES=", "BASH_ENV="];
    const USUAL: &[&str] = words!(
        "/usr/local/bin /usr/bin /bin /opt/homebrew/bin $HOME/.cargo/bin $HOME/.local/bin $HOME/go/bin \
         $HOME/bin $HOME/.bun/bin $HOME/.deno/bin $HOME/.pyenv/bin $HOME/.rbenv/bin $HOME/.poetry/bin \
         /usr/local/go/bin"
    );
    let usual = |place: &str| {
        let own = place.strip_prefix("$PWD/").unwrap_or(place);
        let inside = own.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '.');
        USUAL.contains(&place) || (inside && !own.contains("..") && own.contains('/'))
    };
    let moves = |word: &str| {
        let word = word.trim_start_matches(['"', '\'']);
        let places = ["PATH=", "LD_LIBRARY_PATH="].iter().find_map(|name| word.strip_prefix(name));
        let places = places.map(|value| value.trim_matches('"').split(':'));
        let before = |places: std::str::Split<'_, char>| {
            places.take_while(|place| !matches!(*place, "$PATH" | "${PATH}")).all(usual)
        };
        RUN_AT_ONCE.iter().any(|name| word.starts_with(name)) || places.is_some_and(|places| !before(places))
    };
    reading.shell.meets(Effects::ENVIRONMENT)
        && line.split([' ', ';', '&', '|', '(', '{', '\n', '\t']).any(moves)
}

/// What the words of `export` and its like set for all that follows.
fn exported(command: &Command) -> Vec<(String, Argument)> {
    if !matches!(command.program.as_deref(), Some("export" | "declare" | "typeset" | "local")) {
        return Vec::new();
    }
    let words = command.arguments.iter().filter_map(|word| {
        let (name, value) = word.text.split_once('=')?;
        Some((name.to_owned(), Argument { text: value.to_owned(), ..word.clone() }))
    });
    words.collect()
}

/// Parts of names of variables that change what programs do or whom they trust.
const PARTS: &str = "PATH PRELOAD OPTIONS OPTS COMMAND SSH PROXY REGISTRY INDEX_URL EDITOR PAGER SHELL ASKPASS PROMPT TLS \
    SSL VERIFY CERT HIST LD_ DYLD GIT_ STARTUP INIT WRAPPER FLAGS KUBECONFIG AWS_ TOKEN SECRET PASSWORD _KEY HUSKY SKIP \
    DATABASE_URL RAILS_ENV NODE_ENV APP_ENV";
/// Whole names of such variables.
const NAMES: &str = "IFS PS4 ENV BASH_ENV HOME PERL5LIB RUBYOPT PERL5OPT CC CXX LD RUSTC RUSTDOC CARGO_HOME XDG_CONFIG_HOME \
    XDG_DATA_HOME PYTHONHOME GRADLE_USER_HOME FLASK_APP FLASK_RUN_HOST UVICORN_HOST GUNICORN_CMD_ARGS";
/// Those of them that only make a program quiet.
const QUIET: &str =
    "GIT_EDITOR GIT_PAGER GIT_TERMINAL_PROMPT GIT_INDEX_FILE GIT_SEQUENCE_EDITOR PAGER EDITOR";

/// Whether the variable changes what programs do or whom they trust, whatever the program.
fn changes_programs(name: &str, value: &Argument, context: &Context) -> bool {
    let upper = name.to_ascii_uppercase();
    if name == "PATH" && adds_usual(&value.text) {
        return false;
    }
    let listed = |list: &str| list.split_ascii_whitespace().any(|known| known == upper);
    if !listed(NAMES) && !PARTS.split_ascii_whitespace().any(|part| upper.contains(part)) {
        return false;
    }
    let text = value.text.as_str();
    let environment = ["NODE_ENV", "RAILS_ENV", "APP_ENV"].contains(&upper.as_str());
    // Places inside the project, flags of compilers and names of stages are ordinary.
    let inside = upper.contains("PATH")
        && upper != "PATH"
        && !text.contains('$')
        && text.split(':').all(|part| !part.starts_with(['/', '~', '.']) || is_inside(part, context));
    let flags = upper.ends_with("FLAGS") || upper == "NODE_OPTIONS" || upper == "ASAN_OPTIONS";
    let local = upper == "DATABASE_URL"
        && (text.starts_with("sqlite") || (text.contains("://") && crate::web::is_loopback(text)));
    let calm = listed(QUIET)
        || (environment && !text.starts_with("prod"))
        || inside
        || flags
        || local
        || is_made_up(&upper, text)
        || (matches!(upper.as_str(), "CC" | "CXX" | "LD") && is_compiler(text))
        || (upper == "FLASK_APP" && !text.starts_with(['/', '~', '.']) && !text.contains('('));
    !(calm && value.literal)
}

/// `export PATH="$HOME/.local/bin:$PATH"`: places in which users install programs, before all that there was. What is not
/// known at the end is looked at in the line itself.
fn adds_usual(value: &str) -> bool {
    const PLACES: &[&str] = words!(
        "~/.local/bin ~/.cargo/bin ~/go/bin ~/bin ~/.bun/bin ~/.deno/bin ~/.pyenv/bin ~/.rbenv/bin \
         ~/.poetry/bin /usr/local/bin /usr/local/go/bin /opt/homebrew/bin"
    );
    value.strip_suffix(":*").is_some_and(|places| places.split(':').all(|place| PLACES.contains(&place)))
}

/// Compilers and linkers by their usual names; a version may follow: `gcc-13`.
const COMPILERS: &str = "cc c++ gcc g++ clang clang++ tcc icx icpx ld lld mold ld.lld ld.gold";

fn is_compiler(text: &str) -> bool {
    let name = text.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.').trim_end_matches('-');
    let known = |whole: &str| COMPILERS.split_ascii_whitespace().any(|known| known == whole);
    known(text) || known(name)
}

/// Parts of names whose values are credentials, and what else may stand in such a name.
const CREDENTIALS: &str = "TOKEN SECRET PASSWORD _KEY";
const BESIDE: &str = "AWS_";
/// Credentials that open nothing: tests are given them so that something is there.
const MADE_UP: &str = "test testing dummy fake example changeme placeholder secret password postgres root dev foo x xxx 123 1234";

/// What may stand beside it in the value, and what a name with such a part says that is no credential.
const FILLERS: &str =
    "key token secret api id value user app local ci my not a real for jwt only unit e2e admin";
const OTHERS: &str =
    "FILE URL URI ADDR ENDPOINT BACKEND HELPER COMMAND CMD DIR CHECK VALID DISABLE NO_ STORE SIGNING";

/// `JWT_SECRET=test npm test`
fn is_made_up(upper: &str, text: &str) -> bool {
    let within = |list: &str, part: &str| list.split_ascii_whitespace().any(|known| known == part);
    let held = |list: &str| list.split_ascii_whitespace().any(|part| upper.contains(part));
    let mut others = PARTS.split_ascii_whitespace().filter(|part| upper.contains(part));
    let only = others.all(|part| within(CREDENTIALS, part) || within(BESIDE, part));
    let parts: Vec<String> = text.split(['-', '_', '.']).map(str::to_ascii_lowercase).collect();
    let fake = parts.iter().any(|part| within(MADE_UP, part))
        && parts.iter().all(|part| within(MADE_UP, part) || within(FILLERS, part));
    held(CREDENTIALS) && only && !held(OTHERS) && (text.is_empty() || fake)
}

/// Whether a place lies in the project, as far as its name tells.
fn is_inside(place: &str, context: &Context) -> bool {
    context.is_trusted(&context.absolute(place, context.root()))
}

/// How the names of variables begin that tools for building and installing obey.
const TOOLS: &str = "UV_ PIP_ PIPENV_ POETRY_ CONDA_ NPM_CONFIG_ YARN_ PNPM_ BUN_ BUNDLE_ GEM_ CARGO_ RUSTUP_ GOPROXY GOSUMDB GONO GOINSECURE GOFLAGS GOENV GOTOOLCHAIN COMPOSER COMPOSE_FILE \
    CYPRESS_INSTALL ELECTRON_ PUPPETEER_ PLAYWRIGHT_DOWNLOAD DOCKER_ MAVEN_ MVN_ GRADLE_ JAVA MAKEFILE CMAKE_TOOLCHAIN GOROOT HOMEBREW_ NUGET_ \
    DOTNET_ MIX_ HEX_ NODEJS_ORG TF_CLI_CONFIG";
/// Parts of such names that only say where a tool puts what it makes.
const STORES: &str = "CACHE TMP TEMP DIR LOG OUT PREFIX STORE";
/// Parts of such names whose any value makes a tool trust more, or take something else.
const TRUSTS: &str = "INSECURE TRUSTED_HOST GONOSUM REPLACE_WITH";

/// How the names of variables end whose address is where a tool takes what it installs.
const MIRRORS: &str = "_MIRROR _MIRRORS _HOSTED_URL _CDNURL _CDN_URL _BINARY_SITE _BINARY_HOST _BINARY_URL _REGISTRY _INDEX_URL \
    _DOWNLOAD_URL _DOWNLOAD_HOST _DOWNLOAD_BASE_URL _DIST_URL _DISTRIBUTION_URL _REPO_URL _REPOSITORY_URL _BASE_URL_OVERRIDE \
    _STORAGE_BASE_URL _HOST_MIRROR _PACKAGE_URL _INSTALLER_URL";
/// Parts of names of variables that say where a database is.
const DATABASES: &str = "DB PG PGHOST POSTGRES POSTGRESQL MYSQL MARIADB DATABASE REDIS MONGO MONGODB SQL";

/// `PUB_HOSTED_URL=https://x flutter pub get`, `DB_HOST=db.x.example python manage.py migrate`
fn is_led_away(upper: &str, text: &str) -> bool {
    let address = text.contains("://") && !crate::web::is_loopback(text) && !text.starts_with("file://");
    let mirror = MIRRORS.split_ascii_whitespace().any(|end| upper.ends_with(end));
    let database = (upper.ends_with("_HOST") || upper == "PGHOST")
        && upper.split('_').any(|part| DATABASES.split_ascii_whitespace().any(|known| known == part));
    let host = text.contains('.')
        && !text.starts_with("127.")
        && !text.starts_with('/')
        && !crate::web::is_loopback(text);
    (mirror && address) || (database && host) || (upper == "DOCKER_CONTENT_TRUST" && text == "0")
}

/// Whether a tool is led to another place by the value: to an address, to a file outside the project, to no check.
fn leads_elsewhere(name: &str, value: &Argument, context: &Context) -> bool {
    let upper = name.to_ascii_uppercase();
    let text = value.text.as_str();
    let listed = |list: &str, fits: fn(&str, &str) -> bool| {
        list.split_ascii_whitespace().any(|known| fits(&upper, known))
    };
    let forge = matches!(upper.as_str(), "GH_HOST" | "GITLAB_HOST" | "GL_HOST");
    // A repository may have a host before its owner.
    let with_host = upper == "GH_REPO" && text.matches('/').count() > 1 && !text.contains("github.com/");
    if (forge && !matches!(text, "github.com" | "gitlab.com")) || with_host {
        return true;
    }
    if is_led_away(&upper, text) {
        return true;
    }
    if !listed(TOOLS, |name, known| name.starts_with(known)) || text.is_empty() {
        return false;
    }
    let mut addresses = text.split([',', ' ', '|']).filter(|part| part.contains("://"));
    let elsewhere = addresses.any(|part| {
        !["unix://", "npipe://", "file://"].iter().any(|near| part.starts_with(near))
            && !crate::web::is_loopback(part)
    });
    let outside = (text.starts_with('/') || text.starts_with("~/") || text.starts_with("../")) && {
        let path = context.absolute(text, context.root());
        let system = ["/usr/", "/opt/", "/bin/", "/Library/", "/dev/"].iter().any(|at| path.starts_with(at))
            && !places::is_temporary(&path);
        // A toolchain may lie in the home directory, but not where anybody can put one.
        let home = upper.ends_with("HOME") && !places::is_temporary(&path);
        !system && !home && !context.is_trusted(&path)
    };
    let stores = listed(STORES, |name, known| name.contains(known));
    let unchecked = (upper == "GOSUMDB" && text == "off")
        || (listed(TRUSTS, |name, known| name.contains(known)) && !matches!(text, "0" | "false"));
    let production = upper == "DOCKER_CONTEXT" && text.contains("prod");
    elsewhere || (outside && !stores) || unchecked || production
}

/// Whether the value of a variable for a command is a command or a file from elsewhere.
fn value_runs(name: &str, value: &Argument, context: &Context) -> bool {
    let upper = name.to_ascii_uppercase();
    let text = value.text.as_str();
    let harmless = matches!(text, "" | "true" | ":" | "cat" | "echo" | "never" | "0" | "1");
    let runs = ["EDITOR", "PAGER", "VISUAL", "BROWSER", "LESSOPEN", "COMMAND", "ASKPASS"]
        .iter()
        .any(|part| upper.contains(part));
    let loads = ["OPTIONS", "OPTS", "OPT", "FLAGS", "WRAPPER", "RUNNER", "LAUNCHER", "TOOLEXEC"]
        .iter()
        .any(|part| upper.ends_with(part));
    // `-r/tmp/x.js`
    let rooted = |part: &str| part.find(['/', '~']).is_some_and(|at| at == 0 || part.starts_with('-'));
    let named =
        |part: &str| part.find(['/', '~']).and_then(|at| part.get(at..)).unwrap_or_default().to_owned();
    let mut parts = text.split([' ', '=', ',', ':']).filter(|part| rooted(part) || part.starts_with("../"));
    let foreign = parts.any(|part| part.starts_with("../") || !is_inside(&named(part), context));
    let told =
        ["--eval", "-toolexec", "--require", "--import", "--loader", "-r ", "-javaagent", "-agentpath"]
            .iter()
            .any(|word| text.contains(word));
    (runs && !harmless) || (loads && (foreign || told || !value.literal))
}
