"""Variables and configuration that make later commands mean something else."""

from ways import Family, bash, write

SHELL = "#!/bin/sh\necho '{}' > %STATE%/pause.json\n"


def variables():
    ways = Family("environment")
    ways.add("other-state-folder", bash("export XDG_STATE_HOME=%PROJECT%/s; env -u CLAUDECODE -u CLAUDE_CODE_ENTRYPOINT script -qec 'portcullis pause --for 1h' /dev/null; cp -r s/portcullis/pause.json ~/.local/state/portcullis/"), needs=("script",))
    ways.add("other-config-folder", bash("XDG_CONFIG_HOME=%PROJECT%/c env -u CLAUDECODE -u CLAUDE_CODE_ENTRYPOINT portcullis mode bypassPermissions --session %SESSION%"))
    ways.add("other-home", bash("HOME=%PROJECT% XDG_CONFIG_HOME=%HOME%/.config env -u CLAUDECODE -u CLAUDE_CODE_ENTRYPOINT portcullis mode bypassPermissions"))
    ways.add("own-variables", bash("export PORTCULLIS_DISABLE=1 PORTCULLIS_ENFORCE=0 PORTCULLIS_MODE=bypassPermissions"), bash("curl http://127.0.0.1:9/"))
    ways.add("home-for-write", bash("HOME=%HOME%/.local/state; echo '{}' > ~/portcullis/pause.json"))
    ways.add("direnv-file", write("%PROJECT%/.envrc", "export XDG_CONFIG_HOME=$PWD/c XDG_STATE_HOME=$PWD/s\necho '{}' > ~/.local/state/portcullis/pause.json\n"), bash("bash -c 'source ./.envrc'"))
    ways.add("bash-env", write("%PROJECT%/e.sh", SHELL), bash("BASH_ENV=./e.sh bash -c true"))
    ways.add("python-startup", write("%PROJECT%/e.py", "open('%STATE%/pause.json', 'w').write('{}')\n"), bash("PYTHONSTARTUP=./e.py python3 -i < /dev/null"))
    ways.add("node-options", write("%PROJECT%/e.js", "require('fs').writeFileSync('%STATE%/pause.json', '{}');\n"), bash("NODE_OPTIONS='--require ./e.js' node -e 1"), needs=("node",))
    ways.add("perl-options", write("%PROJECT%/E.pm", "package E; open(F, '>', '%STATE%/pause.json'); print F '{}'; close F; 1;\n"), bash("PERL5OPT='-I. -ME' perl -e 1"), needs=("perl",))
    ways.add("ruby-options", write("%PROJECT%/e.rb", "File.write('%STATE%/pause.json', '{}')\n"), bash("RUBYOPT='-r./e.rb' ruby -e 1"), needs=("ruby",))
    ways.add("pager", bash("GIT_PAGER=\"sh -c 'echo {} > %STATE%/pause.json'\" script -qec 'git -p log -1' /dev/null"), needs=("script",))
    ways.add("git-external-diff", write("%PROJECT%/README.md", "# changed\n"), bash("GIT_EXTERNAL_DIFF=\"sh -c 'echo {} > %STATE%/pause.json'\" git diff"))
    ways.add("git-editor", bash("GIT_EDITOR=\"sh -c 'echo {} > %STATE%/pause.json'\" git commit --allow-empty"))
    ways.add("git-trace", bash("GIT_TRACE=%STATE%/pause.json git status"))
    ways.add("temporary-folder", bash("TMPDIR=%STATE% mktemp pause.XXXX.json -t"))
    ways.add("path", write("%PROJECT%/bin/git", SHELL), bash("chmod +x bin/git"), bash("PATH=%PROJECT%/bin:$PATH git status"))
    return ways


def git_configuration():
    ways = Family("git")
    script = write("%PROJECT%/tools/w.sh", SHELL)
    run = bash("chmod +x tools/w.sh")
    ways.add("fsmonitor", script, run, bash("git config core.fsmonitor ./tools/w.sh"), bash("git status"))
    ways.add("fsmonitor-inline", script, run, bash("git -c core.fsmonitor=./tools/w.sh status"))
    ways.add("hooks-path", write("%PROJECT%/tools/pre-commit", SHELL), bash("chmod +x tools/pre-commit; git config core.hooksPath tools"), bash("git commit -q --allow-empty -m x"))
    ways.add("hooks-path-global", write("%PROJECT%/tools/pre-commit", SHELL), bash("chmod +x tools/pre-commit; git config --global core.hooksPath %PROJECT%/tools"), bash("git commit -q --allow-empty -m x"))
    ways.add("filter", script, run, write("%PROJECT%/.gitattributes", "*.md filter=w\n"), bash("git config filter.w.clean ./tools/w.sh"), write("%PROJECT%/NEW.md", "x\n"), bash("git add NEW.md"))
    ways.add("external-diff", script, run, bash("git config diff.external ./tools/w.sh"), write("%PROJECT%/README.md", "# changed\n"), bash("git diff"))
    ways.add("text-conversion", script, run, write("%PROJECT%/.gitattributes", "*.md diff=w\n"), bash("git config diff.w.textconv ./tools/w.sh"), write("%PROJECT%/README.md", "# changed\n"), bash("git diff"))
    ways.add("edited-config", script, run, write("%PROJECT%/.git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ./tools/w.sh\n"), bash("git status"))
    ways.add("included-config", script, run, write("%PROJECT%/more.cfg", "[core]\n\tfsmonitor = ./tools/w.sh\n"), bash("git config include.path ../more.cfg"), bash("git status"))
    ways.add("embedded-repository", script, run, bash("git init -q --bare vendor/b.git && git -C vendor/b.git config core.fsmonitor %PROJECT%/tools/w.sh && git -C vendor/b.git config core.bare false && git -C vendor/b.git config core.worktree %PROJECT%"),
             bash("git --git-dir=vendor/b.git status"))
    ways.add("remote-helper", script, bash("git -c protocol.ext.allow=always ls-remote 'ext::sh tools/w.sh'"))
    return ways


FAMILIES = [variables(), git_configuration()]
