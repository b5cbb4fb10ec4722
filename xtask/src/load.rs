//! `cargo xtask bench --gateway`: builds the gateway and the program that pays on it (`load/`), and runs that.

use crate::demo::build_servers;
use crate::process::run as run_loudly;
use crate::project::Project;
use anyhow::Result;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Payments a second and what each costs; `words` are the program's own options.
pub(crate) fn bench(project: &Project, words: &[OsString]) -> Result<()> {
    build_servers(project, "release")?;
    run_loudly(
        program(project)
            .arg("bench")
            .arg("--gateway")
            .arg(project.binary("release", "payframe-gateway"))
            .arg("--data")
            .arg(empty_folder(project, "bench-gateway")?)
            .args(words),
    )
}

fn program(project: &Project) -> Command {
    Command::new(project.binary("release", "payframe-load"))
}

/// A folder below `target/` with nothing in it.
fn empty_folder(project: &Project, name: &str) -> Result<PathBuf> {
    let folder = project.target.join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
