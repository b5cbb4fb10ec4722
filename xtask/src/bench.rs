//! bench
use crate::project::Project;
use anyhow::Result;
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) runs: u32,
    pub(crate) conditions: Vec<String>,
}
pub(crate) fn run(_p: &Project, _o: &Options) -> Result<()> {
    Ok(())
}
