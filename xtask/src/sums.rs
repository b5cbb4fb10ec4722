//! `cargo xtask sums`: writes how Chromium formats amounts in each language
//! (`crates/money/src/currency_format/browser.rs`). A test of the widget in Chromium fails if the file is not current.

use crate::process::capture;
use crate::project::Project;
use crate::setup;
use anyhow::{Context, Result};
use payframe_money::{currencies, minor_digits};

/// Asks the browser about every currency in every language of `www/locales`.
pub(crate) fn renew(project: &Project) -> Result<()> {
    let browser = setup::browser()?;
    let dealt_in = currencies()
        .filter_map(|currency| minor_digits(currency).map(|digits| format!("{currency}:{digits}")));
    let text = capture(
        project
            .command("node")?
            .arg("tests/sums/collect.mjs")
            .args(dealt_in)
            .envs(setup::browser_environment(&browser)),
    )?;
    let file = project
        .root
        .join("crates/money/src/currency_format/browser.rs");
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{} is current", file.display());
    Ok(())
}
