//! The TypeScript declarations that are made from the types of `crates/protocol` and from the widget's sources. `cargo xtask reference` writes them; the step `types`
//! and a test fail if a file is not current.

use crate::project::Project;
use crate::widget_port;
use anyhow::{Context, Result, bail};
use payframe_protocol::typescript::{self, Declarations};

/// All files.
fn files(project: &Project) -> Result<Vec<Declarations>> {
    let mut files = Vec::from(typescript::files());
    files.push(Declarations {
        path: widget_port::PATH,
        text: widget_port::declarations(&project.root)?,
    });
    Ok(files)
}

/// Writes the declarations again.
pub(crate) fn renew(project: &Project) -> Result<()> {
    for file in files(project)? {
        let path = project.root.join(file.path);
        std::fs::write(&path, file.text)
            .with_context(|| format!("cannot write {}", path.display()))?;
        println!("{} is current", path.display());
    }
    Ok(())
}

/// Fails if a file is not what the sources say.
pub(crate) fn check(project: &Project) -> Result<()> {
    for file in files(project)? {
        let written = std::fs::read_to_string(project.root.join(file.path))
            .with_context(|| format!("cannot read {}", file.path))?;
        if written != file.text {
            bail!("{} is not current: run `cargo xtask reference`", file.path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_those_of_the_types() -> Result<()> {
        check(&Project::locate()?)
    }
}
