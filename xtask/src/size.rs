//! `cargo xtask size`: what each file weighs raw, after gzip and after brotli, held against `budgets.toml`.

use crate::dist::{Manifest, brotli, brotli_at, gzip};
use crate::pages;
use crate::project::Project;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Measures the finished dist, prints a table and fails if anything is over its budget.
pub(crate) fn check(project: &Project) -> Result<()> {
    let text = std::fs::read_to_string(project.root.join("budgets.toml"))
        .context("budgets.toml is missing")?;
    let budgets = Budgets::parse(&text)?;
    let assets = measure(project)?;
    print!("{}", table(&assets, &budgets));
    let excesses = budgets.excesses(&assets)?;
    if excesses.is_empty() {
        return Ok(());
    }
    bail!("over budget (budgets.toml):\n{}", excesses.join("\n"))
}

/// Limits in bytes after brotli.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budgets {
    /// Everything until the form is live.
    total: usize,
    /// By the name of the asset.
    files: BTreeMap<String, usize>,
}

/// One file that is loaded until the form is live.
struct Asset {
    /// What it is, as `budgets.toml` calls it.
    name: &'static str,
    /// Where it lies, for people.
    path: String,
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Budgets {
    fn parse(text: &str) -> Result<Budgets> {
        toml::from_str(text).context("budgets.toml holds `total` and a table `files` of numbers")
    }

    /// A sentence for each limit that is broken. An asset without a limit, or a limit without an asset, is an error.
    fn excesses(&self, assets: &[Asset]) -> Result<Vec<String>> {
        let mut excesses = Vec::new();
        for asset in assets {
            let limit = self
                .files
                .get(asset.name)
                .with_context(|| format!("budgets.toml has no limit for `{}`", asset.name))?;
            if asset.brotli > *limit {
                excesses.push(format!(
                    "{} ({}): {} bytes, {} over its limit of {limit}",
                    asset.name,
                    asset.path,
                    asset.brotli,
                    asset.brotli - limit
                ));
            }
        }
        if let Some(name) = self
            .files
            .keys()
            .find(|name| assets.iter().all(|asset| asset.name != **name))
        {
            bail!("budgets.toml limits `{name}`, which nothing loads");
        }
        let total: usize = assets.iter().map(|asset| asset.brotli).sum();
        if total > self.total {
            excesses.push(format!(
                "total until live: {total} bytes, {} over the limit of {}",
                total - self.total,
                self.total
            ));
        }
        Ok(excesses)
    }
}

/// The shim, the largest of the frame pages (filled for a sample session), the glue and the wasm.
fn measure(project: &Project) -> Result<Vec<Asset>> {
    let dist = project.dist();
    let manifest = Manifest::read(&dist)?;
    let read = |path: &str| {
        let path = path.trim_start_matches('/');
        std::fs::read(dist.join(path)).with_context(|| format!("{path} is missing in the dist"))
    };
    let mut pages = Vec::new();
    for path in manifest.pages.values().flat_map(BTreeMap::values) {
        let template = String::from_utf8(read(path)?)?;
        let page = pages::settle(&template, SAMPLE_BOOT, "auto", "auto");
        pages.push(Asset {
            // The gateway compresses a page at each request, with less patience than the build has.
            brotli: brotli_at(page.as_bytes(), PAGE_QUALITY, PAGE_WINDOW)?.len(),
            ..weigh("page", path, page.as_bytes())?
        });
    }
    let page = pages
        .into_iter()
        .max_by_key(|page| page.brotli)
        .context("the dist holds no frame page")?;
    Ok(vec![
        weigh("shim", &manifest.sdk.path, &read(&manifest.sdk.path)?)?,
        page,
        weigh("glue", &manifest.glue, &read(&manifest.glue)?)?,
        weigh("wasm", &manifest.wasm, &read(&manifest.wasm)?)?,
    ])
}

fn weigh(name: &'static str, path: &str, bytes: &[u8]) -> Result<Asset> {
    Ok(Asset {
        name,
        path: path.to_owned(),
        raw: bytes.len(),
        gzip: gzip(bytes)?.len(),
        brotli: brotli(bytes)?.len(),
    })
}

fn table(assets: &[Asset], budgets: &Budgets) -> String {
    let total: usize = assets.iter().map(|asset| asset.brotli).sum();
    let mut text = format!(
        "{:<6} {:>9} {:>9} {:>9} {:>9} {:>7}  {}\n",
        "", "raw", "gzip", "brotli", "limit", "share", "file"
    );
    for asset in assets {
        let limit = budgets.files.get(asset.name).copied().unwrap_or_default();
        text.push_str(&format!(
            "{:<6} {:>9} {:>9} {:>9} {:>9} {:>6.1}%  {}\n",
            asset.name,
            asset.raw,
            asset.gzip,
            asset.brotli,
            limit,
            share(asset.brotli, total),
            asset.path
        ));
    }
    let sum = |part: fn(&Asset) -> usize| assets.iter().map(part).sum::<usize>();
    text.push_str(&format!(
        "{:<6} {:>9} {:>9} {:>9} {:>9} {:>6.1}%  until the form is live\n",
        "total",
        sum(|asset| asset.raw),
        sum(|asset| asset.gzip),
        total,
        budgets.total,
        share(total, total),
    ));
    text
}

fn share(part: usize, whole: usize) -> f64 {
    // Sizes of files: far below what an f64 holds exactly.
    100.0 * part as f64 / whole.max(1) as f64
}

/// How the gateway compresses form pages (`BROTLI_QUALITY` in gateway/src/pages/form.rs; the window is its library's).
const PAGE_QUALITY: i32 = 5;
const PAGE_WINDOW: i32 = 22;

/// What the gateway writes into a page for an ordinary session: every member at its usual length.
const SAMPLE_BOOT: &str = r#"{"session":"m3p0Zl9bJ4xqVw7Ty2RkUe8sHdN1cFgA5oLiXzBvQk0","merchantOrigin":"https://shop.example","version":3,"state":{"state":"CARD_DATA_COLLECTION","fieldSet":{"sessionId":"m3p0Zl9bJ4xqVw7Ty2RkUe8sHdN1cFgA5oLiXzBvQk0","fields":[]}},"amount":"3545","currency":"EUR","minorDigits":2,"merchant":"Demo shop","actionType":"PAY","closing":"FRAME","cardSummary":"NONE","networks":["VISA","MC","MAESTRO","AMEX","DINERS","JCB"],"fields":["CARD_NUMBER","EXPIRATION_DATE","SECURITY_CODE","CARDHOLDER_NAME"],"today":"2030-01-31","expiresAt":"2030-01-31T12:30:00Z","sandbox":true}"#;

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGETS: &str = "total = 100\n[files]\nshim = 10\nwasm = 95\n";

    fn asset(name: &'static str, brotli: usize) -> Asset {
        Asset {
            name,
            path: format!("/{name}"),
            raw: brotli * 3,
            gzip: brotli * 2,
            brotli,
        }
    }

    fn excesses(assets: &[Asset]) -> Result<Vec<String>> {
        Budgets::parse(BUDGETS)?.excesses(assets)
    }

    #[test]
    fn everything_within_its_limits_passes() -> Result<()> {
        assert!(excesses(&[asset("shim", 10), asset("wasm", 90)])?.is_empty());
        Ok(())
    }

    #[test]
    fn each_excess_is_named() -> Result<()> {
        assert_eq!(
            excesses(&[asset("shim", 11), asset("wasm", 95)])?,
            [
                "shim (/shim): 11 bytes, 1 over its limit of 10",
                "total until live: 106 bytes, 6 over the limit of 100"
            ]
        );
        Ok(())
    }

    #[test]
    fn nothing_goes_without_a_limit_and_no_limit_without_a_file() {
        assert!(excesses(&[asset("shim", 1), asset("wasm", 1), asset("glue", 1)]).is_err());
        assert!(excesses(&[asset("shim", 1)]).is_err());
    }

    #[test]
    fn unknown_members_of_the_budgets_are_refused() {
        assert!(Budgets::parse("total = 1\ntotl = 2\n[files]\n").is_err());
    }

    #[test]
    fn own_budgets_can_be_read_and_the_sample_is_json() -> Result<()> {
        let budgets = Budgets::parse(include_str!("../../budgets.toml"))?;
        assert_eq!(budgets.total, 55_000);
        serde_json::from_str::<serde_json::Value>(SAMPLE_BOOT)?;
        Ok(())
    }

    #[test]
    fn pages_are_weighed_as_the_gateway_compresses_them() {
        let gateway = include_str!("../../gateway/src/pages/form.rs");
        let line = format!("const BROTLI_QUALITY: i32 = {PAGE_QUALITY};");
        assert!(
            gateway.contains(&line),
            "gateway/src/pages/form.rs compresses pages otherwise: correct PAGE_QUALITY in xtask/src/size.rs"
        );
    }
}
