//! `cargo xtask fuzz`: libFuzzer searches for bytes that break a parser (`crates/fuzz`).
//!
//! The crate is compiled with LLVM's coverage instrumentation, which the pinned compiler has. libFuzzer itself is C++, so a C++ compiler is
//! needed. What was found to reach new code stays in `target/fuzz/corpus` for the next run.

use crate::process::{capture, run as run_loudly};
use crate::project::Project;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// Runs the named targets, or all, one after the other, each for this number of minutes.
pub(crate) fn run(project: &Project, targets: &[String], minutes: u32) -> Result<()> {
    let program = compile(project)?;
    let known = capture(Command::new(&program).env("PAYFRAME_FUZZ_LIST", "1"))?;
    let known: Vec<&str> = known.lines().collect();
    if let Some(unknown) = targets.iter().find(|name| !known.contains(&name.as_str())) {
        bail!(
            "there is no target `{unknown}`; there are {}",
            known.join(", ")
        );
    }
    for name in known {
        if !targets.is_empty() && !targets.iter().any(|wanted| wanted == name) {
            continue;
        }
        println!("\n== fuzz: {name}, {minutes} min");
        let folder = |kind: &str| -> Result<PathBuf> {
            let folder = project.target.join("fuzz").join(kind).join(name);
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            Ok(folder)
        };
        let (corpus, found) = (folder("corpus")?, folder("found")?);
        run_loudly(
            Command::new(&program)
                .env("PAYFRAME_FUZZ_TARGET", name)
                .env("PAYFRAME_FUZZ_SAMPLES", &corpus)
                .arg(&corpus)
                .arg(format!("-max_total_time={}", u64::from(minutes) * 60))
                .arg(format!("-artifact_prefix={}/", found.display()))
                .args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]),
        )
        .with_context(|| format!("{name}: the input is in {}", found.display()))?;
    }
    Ok(())
}

/// Compiles the program that libFuzzer drives. A target is named so that build scripts are not instrumented.
fn compile(project: &Project) -> Result<PathBuf> {
    let host = capture(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let host = host.trim();
    let folder = project.target.join("fuzz-build");
    run_loudly(
        Command::new("cargo")
            .current_dir(&project.root)
            .args(["build", "--locked", "--package", "payframe-fuzz"])
            .args([
                "--features",
                "libfuzzer",
                "--profile",
                "fuzz",
                "--target",
                host,
            ])
            .arg("--target-dir")
            .arg(&folder)
            .env("RUSTFLAGS", INSTRUMENTATION)
            .env_remove("RUSTC_WORKSPACE_WRAPPER"),
    )?;
    Ok(folder.join(host).join("fuzz/payframe-fuzz"))
}

/// What libFuzzer needs to see which code an input reaches, and what the input was compared with.
const INSTRUMENTATION: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";
