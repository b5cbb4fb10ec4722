//! The program that libFuzzer drives. PAYFRAME_FUZZ_TARGET names the target, PAYFRAME_FUZZ_SAMPLES the folder into which its samples are
//! written before. With PAYFRAME_FUZZ_LIST it prints the names of the targets instead.

#![no_main]

use libfuzzer_sys::fuzz_target;
use payframe_fuzz::{TARGETS, Target, target};
use std::path::Path;
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("PAYFRAME_FUZZ_TARGET").unwrap_or_default();
    target(&name).unwrap_or_else(|| panic!("PAYFRAME_FUZZ_TARGET: there is no target `{name}`"))
});

fn prepare() {
    if std::env::var_os("PAYFRAME_FUZZ_LIST").is_some() {
        for target in TARGETS {
            println!("{}", target.name);
        }
        std::process::exit(0);
    }
    if let Some(folder) = std::env::var_os("PAYFRAME_FUZZ_SAMPLES") {
        for (number, sample) in (TARGET.samples)().iter().enumerate() {
            let file = Path::new(&folder).join(format!("sample-{number}"));
            std::fs::write(&file, sample)
                .unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
        }
    }
}

fuzz_target!(init: prepare(), |input: &[u8]| (TARGET.run)(input));
