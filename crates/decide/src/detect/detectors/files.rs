//! Detectors for files that are deleted, overwritten or opened to others.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Line, Session, Write};
use crate::detector::{Category, Severity};

detectors! {
    /// Changes the owner, the group or the access list of files.
    ///
    /// Others can then read or change them, or the user no longer can. Modes that are set with `chmod` have a table
    /// of their own.
    CHANGE_OWNER {
        id: "files/change-owner", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "changes who owns or may use files with {program}",
        hits: &[Line("chown -R www-data storage"), Line("setfacl -m u:www-data:rwx storage")],
        passes: &[Line("getfacl storage")],
    }

    /// Adds code that deletes the whole home directory.
    ///
    /// Whoever runs the code loses everything they have. Known ways to name the home directory are followed, also
    /// through a variable; folders below it are passed over.
    CODE_DELETES_HOME {
        id: "files/code-deletes-home", category: Category::LocalDestruction, severity: Severity::Hard, certainty: Possible,
        message: "adds code that deletes the home directory",
        hits: &[Write("scripts/clean.js", "fs.rmSync(os.homedir(), { recursive: true })")],
        passes: &[Write("scripts/clean.js", "fs.rmSync(path.join(os.homedir(), '.cache/x'))")],
    }

    /// Deletes something outside the project by code or by a script.
    ///
    /// Code says less plainly than a command what it deletes, and nobody sees it before it runs.
    /// A word for deleting and an absolute path outside the project must be in one line of the code; folders for
    /// temporary files are passed over. A path in a message beside such a word is found by mistake.
    CODE_DELETES_OUTSIDE {
        id: "files/code-deletes-outside", category: Category::LocalDestruction, severity: Severity::Hard, certainty: Possible,
        message: "deletes something outside the project",
        hits: &[
            Line("python3 -c \"import shutil; shutil.rmtree('/srv/backups')\""),
            Session(&[Write("tools/clean.py", "import os\nos.unlink('/srv/backups/old.tar')\n"), Line("python3 tools/clean.py")]),
        ],
        passes: &[Line("python3 -c \"import shutil; shutil.rmtree('build')\"")],
    }

    /// Deletes or empties files of the project, or temporary ones, that were there before the session.
    ///
    /// A repository gives back what was committed, and nothing else. Passed over are files that the session or the
    /// same line made, and what builds make again (`node_modules`, `target`, `*.pyc`). Whether a file is tracked is
    /// not looked up.
    DELETE_PROJECT_FILE {
        id: "files/delete", category: Category::LocalDestruction, severity: Severity::Soft, certainty: Possible,
        message: "deletes or empties `{}`, which was not created in this session",
        hits: &[Line("rm src/main.rs"), Line("rm -rf docs"), Line("mv -f a.db /dev/null")],
        passes: &[Line("rm -rf node_modules"), Line("rm -rf build/*.pyc")],
    }

    /// Deletes or empties files outside the project that were there before the session.
    ///
    /// Nothing brings them back, and they belong to no task of the project. Temporary folders and places of the
    /// system have detectors of their own.
    DELETE_OUTSIDE_PROJECT {
        id: "files/delete-outside-project", category: Category::LocalDestruction, severity: Severity::Soft, certainty: Certain,
        message: "deletes or empties `{}`, which is outside the project and was not created in this session",
        hits: &[Line("rm -rf ~/Documents/old"), Line("rm ../other/notes.md")],
        passes: &[Line("rm -rf build")],
    }

    /// Deletes or empties files of the operating system or of programs for all users (`/etc`, `/usr`, `/var`).
    ///
    /// The machine, or programs of other users, may stop working. Temporary folders below `/var` are passed over.
    DELETE_SYSTEM_FILE {
        id: "files/delete-system-file", category: Category::LocalDestruction, severity: Severity::Hard, certainty: Certain,
        message: "deletes or empties `{}`, which belongs to the whole machine",
        hits: &[Line("rm -rf /etc/nginx"), Line("rm /usr/local/bin/tool")],
        passes: &[Line("ls /etc/nginx"), Line("rm -rf /var/tmp/build-x")],
    }

    /// Encrypts files one after the other, as ransomware does.
    ///
    /// Without the key the files are lost.
    /// A walk through folders and a call that encrypts must be in one text. A backup program that encrypts looks the
    /// same.
    ENCRYPTS_FILES {
        id: "files/mass-encryption", category: Category::LocalDestruction, severity: Severity::Soft, certainty: Possible,
        message: "encrypts many files",
        hits: &[Write(
            "tools/lock.py",
            "for path in root.rglob('*'):\n    path.write_bytes(Fernet(key).encrypt(path.read_bytes()))\n",
        )],
        passes: &[Write("src/vault.py", "def seal(value):\n    return Fernet(key).encrypt(value)\n")],
    }

    /// Writes what a tool makes to a place outside the project.
    ///
    /// A file of the user with that name is overwritten without asking.
    /// Recognised by the last word of converters (`ffmpeg`, `magick`), by options such as `--output`, and by installing
    /// builds (`cmake --install`). Temporary folders, caches and what the session made there are passed over.
    OUTPUT_OUTSIDE_PROJECT {
        id: "files/output-outside-project", category: Category::LocalDestruction, severity: Severity::Soft, certainty: Possible,
        message: "{program} writes its output outside the project",
        hits: &[Line("ffmpeg -y -i a.mp4 ~/Videos/x.mp4"), Line("cmake --install build")],
        passes: &[Line("ffmpeg -y -i a.mp4 out/x.mp4"), Line("cmake --install build --prefix dist")],
    }

    /// Makes a symbolic link to the whole disk, to a home directory, to `/etc` or to credentials.
    ///
    /// What serves, copies or deletes the folder with the link reaches all of that. Links to anything else are
    /// passed over.
    SYMLINK_OUT_OF_PROJECT {
        id: "files/symlink-out-of-project", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "links from the project to a home directory, the whole disk or credentials",
        hits: &[Line("ln -s / public/root"), Line("ln -s ~/.ssh/id_rsa key")],
        passes: &[Line("ln -s ../shared/config.yml config.yml")],
    }

    /// Deletes everything in a place: the root, the home directory, a whole disk.
    ///
    /// Nothing brings it back but a backup.
    /// Recognised by known spellings in a text that is written or run (`rm -rf /`, `mkfs.`, `rmtree('/`); a path that is put
    /// together at run time is not seen. Deleting one absolute path by `rmtree('/…` is found as well.
    WIPES_EVERYTHING {
        id: "files/wipe", category: Category::LocalDestruction, severity: Severity::Hard, certainty: Certain,
        message: "deletes a whole disk, home or root directory",
        hits: &[Write("scripts/clean.sh", "rm -rf ~/*\n")],
        passes: &[Write("scripts/clean.sh", "rm -rf dist\n"), Write("tools/clean.py", "shutil.rmtree('dist')\n")],
    }

    /// Writes files of the operating system or of programs for all users (`/etc`, `/usr`, `/opt`).
    ///
    /// All users of the machine get the change. Places that run by themselves later, such as `/etc/cron.d`, are
    /// found as persistence.
    WRITE_SYSTEM_FILE {
        id: "files/write-system-file", category: Category::SharedResource, severity: Severity::Soft, certainty: Certain,
        message: "writes `{}`, which belongs to the whole machine",
        hits: &[Line("cp app.conf /etc/nginx/nginx.conf"), Write("/usr/local/share/x.txt", "x\n")],
        passes: &[Line("cat /etc/hosts")],
    }
}
