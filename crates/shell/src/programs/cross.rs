//! Compilers and binary tools for other machines: `arm-none-eabi-size` is `size`.

/// What a tool for another machine begins with.
const MACHINES: &[&str] = &[
    "aarch64-elf",
    "aarch64-linux-gnu",
    "aarch64-linux-musl",
    "aarch64-none-elf",
    "aarch64-none-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "arm-linux-gnueabi",
    "arm-linux-gnueabihf",
    "arm-linux-musleabihf",
    "arm-none-eabi",
    "arm-none-linux-gnueabihf",
    "armv7-unknown-linux-gnueabihf",
    "avr",
    "i386-elf",
    "i686-elf",
    "i686-linux-gnu",
    "i686-w64-mingw32",
    "loongarch64-linux-gnu",
    "m68k-elf",
    "mips-linux-gnu",
    "mips64el-linux-gnuabi64",
    "mipsel-linux-gnu",
    "msp430-elf",
    "powerpc-linux-gnu",
    "powerpc64le-linux-gnu",
    "riscv-none-elf",
    "riscv-none-embed",
    "riscv32-esp-elf",
    "riscv32-unknown-elf",
    "riscv64-elf",
    "riscv64-linux-gnu",
    "riscv64-unknown-elf",
    "riscv64-unknown-linux-gnu",
    "s390x-linux-gnu",
    "sparc64-linux-gnu",
    "x86_64-elf",
    "x86_64-linux-gnu",
    "x86_64-linux-musl",
    "x86_64-w64-mingw32",
    "xtensa-esp32-elf",
    "xtensa-esp32s2-elf",
    "xtensa-esp32s3-elf",
    "xtensa-lx106-elf",
];

/// Tools that are the same for every machine.
const TOOLS: &[&str] = &[
    "addr2line",
    "ar",
    "as",
    "c++",
    "c++filt",
    "cpp",
    "g++",
    "gcc",
    "gcov",
    "ld",
    "nm",
    "objcopy",
    "objdump",
    "ranlib",
    "readelf",
    "size",
    "strings",
    "strip",
];

/// The tool that a name with a known machine before it stands for, without the version behind it.
pub(super) fn base(name: &str) -> Option<&'static str> {
    let rest = MACHINES.iter().find_map(|machine| name.strip_prefix(machine)?.strip_prefix('-'))?;
    let version =
        |ending: &str| !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let bare = rest.rsplit_once('-').filter(|(_, ending)| version(ending)).map_or(rest, |(bare, _)| bare);
    TOOLS.iter().find(|tool| **tool == bare).copied()
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn only_known_tools_of_known_machines_are_told() {
        assert_eq!(base("arm-none-eabi-size"), Some("size"));
        assert_eq!(base("riscv64-unknown-elf-objdump"), Some("objdump"));
        assert_eq!(base("aarch64-linux-gnu-gcc-12"), Some("gcc"));
        assert_eq!(base("x86_64-linux-gnu-g++"), Some("g++"));
        for other in [
            "arm-none-eabi-rm",
            "evil-size",
            "arm-none-eabi",
            "arm-none-eabi-",
            "size",
            "arm-none-eabi-gdb",
            "avr-sh",
        ] {
            assert_eq!(base(other), None, "{other}");
        }
    }
}
