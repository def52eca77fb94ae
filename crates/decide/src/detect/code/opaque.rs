//! Code whose text does not say what it does: names, paths or code are put together or decoded at run time.

use super::signs::DECODES;

/// Calls that make text out of numbers or pieces, in small letters; what decodes is in another table.
const BUILDS: &[&str] = words!(
    "urlsafe_decode fromcharcode fromcodepoint codecs.decode rot13 rot_13 pickle.load [::-1] .reverse() \
     reversed( strrev( .reverse. join(map(chr bytes([ bytearray([ chr( string.char( .pack(\"c* .pack('c* \
     pack(\"h pack('h 'base64') \"base64\") 'hex') \"hex\") .translate( str.maketrans maketrans("
);
/// Calls that run a text, or reach something by a name made at run time.
const RUNS: &[&str] = phrases!(
    "exec(|eval(|new function(|__import__(|importlib.import_module(|getattr(os|getattr(sys|getattr(shutil|\
     getattr(__|globals()[|vars()[|__builtins__|instance_eval|class_eval|const_get(|object.send(|\
     kernel.send(|process.binding|ctypes.|ffi::|require('ffi|vm.runin|compile(|runpy.|loadstring(|\
     create_function("
);
/// Calls that open files, run programs or speak to others; what writes or deletes is in other tables.
const ACTS: &[&str] = &["open(", "exec", "system", "spawn", "popen", "kill", "socket", "connect"];

/// Why the code cannot be read, if it cannot: it acts, and on what is made at run time.
pub(in crate::detect) fn hides(code: &str) -> Option<&'static str> {
    let lower = code.to_lowercase();
    // `model.eval()` and `re.compile()` run no text; a method that builds one does.
    let says = |word: &str, methods: bool| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower.get(..at).unwrap_or_default();
            let starts = word.starts_with(|it: char| it.is_alphanumeric() || it == '_');
            let inside = before.ends_with(|it: char| it.is_alphanumeric() || it == '_');
            !(starts && (inside || (!methods && before.ends_with('.'))))
        })
    };
    let pattern = |word: &str| word == "compile(" && lower.contains("re.compile(");
    if RUNS.iter().any(|word| says(word, false) && !pattern(word)) {
        return Some("runs code that is only known at run time");
    }
    if !ACTS.iter().any(|word| lower.contains(word)) && !crate::detect::writes_in_code(code) {
        return None;
    }
    let escaped = lower.matches("\\x").count() + lower.matches("\\u00").count() > 8;
    (escaped || BUILDS.iter().chain(DECODES).any(|word| says(word, true)))
        .then_some("puts names together so that they cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P0]
    #[test]
    fn hidden_names_are_seen_and_plain_code_is_not() {
        for code in [
            "open(''.join(map(chr, [112, 111])), 'w')",
            "import base64, os\nos.system(base64.b64decode('bHM=').decode())",
            "exec(open('x').read())",
            "require('fs').writeFileSync(Buffer.from('2f', 'hex').toString(), '')",
            "open('nosj.esuap'[::-1], 'w')",
            "File.write([112].pack('c*'), '')",
            "getattr(os, 'sys' + 'tem')('ls')",
            "open('\\x70\\x61\\x75\\x73\\x65\\x2e\\x6a\\x73\\x6f\\x6e', 'w')",
        ] {
            assert!(hides(code).is_some(), "{code}");
        }
        for code in [
            "open('out.txt', 'w').write('x')",
            "import re\np = re.compile('a')\nopen('x')",
            "print(chr(65))",
            "text.replace('a', 'b')",
            "model.eval(); open('x')",
        ] {
            assert_eq!(hides(code), None, "{code}");
        }
    }
}
