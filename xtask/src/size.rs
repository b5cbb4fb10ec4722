//! `cargo xtask size`: the size of each file raw, after gzip and after brotli. The sum until the form is live is compared with
//! `budgets.toml`; files have no limits of their own, so that code can be in the file where it belongs.

use crate::dist::{Manifest, Script, brotli, brotli_at, gzip};
use crate::pages::{self, PlaceholderValues};
use crate::project::Project;
use crate::widget::Library;
use anyhow::{Context, Result, ensure};
use payframe_money::Amount;
use payframe_money::currency_format::format_amount;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Measures the finished dist, prints a table and fails if anything is over its budget. The budget is that of a release, so with the
/// ready-made `library` the table is all.
pub(crate) fn check(project: &Project, library: Library) -> Result<()> {
    let text = std::fs::read_to_string(project.root.join("budgets.toml"))
        .context("budgets.toml is missing")?;
    let budgets = Budgets::parse(&text)?;
    let assets = measure(project)?;
    print!("{}", table(&assets, &budgets));
    if library == Library::ReadyMade {
        println!(
            "not compared with the limit: it is for a widget with the standard library rebuilt for size"
        );
        return Ok(());
    }
    let explained = std::fs::read_to_string(project.root.join("docs/performance.md"))
        .context("docs/performance.md is missing")?;
    budgets.hold(&assets, &explained)
}

/// Limit and record, in bytes after brotli.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budgets {
    /// Everything until the form is live.
    total: usize,
    /// The recorded value of that sum.
    recorded: usize,
}

/// One file that browsers load.
struct Asset {
    /// The name in the table.
    name: &'static str,
    /// The path, for people.
    path: String,
    raw: usize,
    gzip: usize,
    brotli: usize,
    /// Whether a form in one frame needs it to go live.
    counts: bool,
}

impl Budgets {
    fn parse(text: &str) -> Result<Budgets> {
        toml::from_str(text).context("budgets.toml holds two numbers, `total` and `recorded`")
    }

    /// # Errors
    /// If what a form loads until it is live is over the limit, or clearly above the recorded value and `explained` does not give the reason.
    fn hold(&self, assets: &[Asset], explained: &str) -> Result<()> {
        let total: usize = until_live(assets).map(|asset| asset.brotli).sum();
        ensure!(
            total <= self.total,
            "over budget (budgets.toml): {total} bytes until live, {} over the limit of {}",
            total - self.total,
            self.total
        );
        let line = format!("{} bytes until live", thousands(total));
        ensure!(
            total * 100 <= self.recorded * (100 + GROWTH_PERCENT) || explained.contains(&line),
            "{total} bytes until live are more than {GROWTH_PERCENT} % over the {} on record (budgets.toml): say why in \
             docs/performance.md, in a line with `{line}`, and put the new sum on record",
            self.recorded
        );
        Ok(())
    }
}

/// A number as `12,345`.
fn thousands(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        more => format!("{},{:03}", thousands(more), number % 1000),
    }
}

/// The shim, the frame pages (filled for a sample session), the glue and the wasm.
fn measure(project: &Project) -> Result<Vec<Asset>> {
    let dist = project.dist();
    let manifest = Manifest::read(&dist)?;
    let read = |path: &str| {
        let path = path.trim_start_matches('/');
        std::fs::read(dist.join(path)).with_context(|| format!("{path} is missing in the dist"))
    };
    let script = |name: &str| {
        let script = manifest.scripts.get(name);
        script.with_context(|| format!("the dist has no {name}"))
    };
    let page = |kind: &'static str, name: &str, language: Language| {
        let page = manifest.pages.get(name);
        let page = page.with_context(|| format!("the dist has no page {name}"))?;
        let wanted = page.files.iter().filter(|(code, _)| language.takes(code));
        let weigh_one = |(code, path): (&String, &String)| {
            let page = String::from_utf8(read(path)?)?;
            let texts = texts_in(&read(path_of_texts(&page)?)?)?;
            let late = texts.get("$late").context("the texts name no others")?;
            let filled = sample(&page, &texts_in(&read(late)?)?, code)?;
            Ok(Asset {
                // The gateway compresses a page at each request, with a lower quality than the build.
                brotli: brotli_at(filled.as_bytes(), PAGE_QUALITY, PAGE_WINDOW)?.len(),
                ..weigh(kind, path, filled.as_bytes())?
            })
        };
        let all = wanted.map(weigh_one).collect::<Result<Vec<_>>>()?;
        let largest = all.into_iter().max_by_key(|page| page.brotli);
        largest.with_context(|| format!("the page {name} is missing in a language that it needs"))
    };
    let texts = |kind: &'static str, language: Language| {
        let form = manifest.pages.get("form").context("the dist has no form")?;
        let wanted = form.files.iter().filter(|(code, _)| language.takes(code));
        let weigh_one = |(_, path): (&String, &String)| {
            let page = String::from_utf8(read(path)?)?;
            let texts = path_of_texts(&page)?;
            weigh(kind, texts, &read(texts)?)
        };
        let all = wanted.map(weigh_one).collect::<Result<Vec<_>>>()?;
        let largest = all.into_iter().max_by_key(|texts| texts.brotli);
        largest.context("the texts are missing in a language that is needed")
    };
    let whole = |name, script: &Script| weigh(name, &script.path, &read(&script.path)?);
    let lazy = |name: &'static str| -> Result<Asset> {
        let path = manifest.lazy.iter().find(|path| {
            let file = path.rsplit('/').next().unwrap_or_default();
            file.split('.').next() == Some(name)
        });
        let path = path.with_context(|| format!("the dist has no {name}.js"))?;
        Ok(Asset {
            counts: false,
            ..weigh(name, path, &read(path)?)?
        })
    };
    let chunk = |name: &'static str| -> Result<Asset> {
        let path = manifest.chunks.get(name);
        let path = path.with_context(|| format!("the dist has no chunk {name}"))?;
        Ok(Asset {
            counts: false,
            ..weigh(name, path, &read(path)?)?
        })
    };
    Ok(vec![
        whole("shim", script("payframe.js")?)?,
        page("english", "form", Language::English)?,
        texts("texts", Language::English)?,
        weigh("glue", &manifest.glue, &read(&manifest.glue)?)?,
        weigh("wasm", &manifest.wasm, &read(&manifest.wasm)?)?,
        Asset {
            counts: false,
            ..page("page", "form", Language::Any)?
        },
        Asset {
            counts: false,
            ..texts("words", Language::Any)?
        },
        Asset {
            counts: false,
            ..whole("fields", script("fields.js")?)?
        },
        Asset {
            counts: false,
            ..whole("build", script("build.js")?)?
        },
        Asset {
            counts: false,
            ..page("field", "CARD_NUMBER", Language::Any)?
        },
        Asset {
            counts: false,
            ..page("fields-host", "fields-host", Language::Any)?
        },
        chunk("payment")?,
        lazy("lazy")?,
        lazy("diagnostics")?,
        lazy("browser")?,
        lazy("page-appearance")?,
        lazy("page-watch")?,
    ])
}

/// The language in which a page is measured.
#[derive(Clone, Copy)]
enum Language {
    English,
    /// The language in which it is largest.
    Any,
}

impl Language {
    fn takes(self, code: &str) -> bool {
        match self {
            Language::English => code == "eng",
            Language::Any => true,
        }
    }
}

fn weigh(name: &'static str, path: &str, bytes: &[u8]) -> Result<Asset> {
    Ok(Asset {
        name,
        path: path.to_owned(),
        raw: bytes.len(),
        gzip: gzip(bytes)?.len(),
        brotli: brotli(bytes)?.len(),
        counts: true,
    })
}

fn table(assets: &[Asset], budgets: &Budgets) -> String {
    let total: usize = until_live(assets).map(|asset| asset.brotli).sum();
    let mut text = format!(
        "{:<18} {:>9} {:>9} {:>9} {:>9} {:>7}  {}\n",
        "", "raw", "gzip", "brotli", "limit", "share", "file"
    );
    let line = |asset: &Asset, share: String| {
        format!(
            "{:<18} {:>9} {:>9} {:>9} {:>9} {:>7}  {}\n",
            asset.name, asset.raw, asset.gzip, asset.brotli, "", share, asset.path
        )
    };
    for asset in until_live(assets) {
        let share = format!("{:.1}%", share(asset.brotli, total));
        text.push_str(&line(asset, share));
    }
    let sum = |part: fn(&Asset) -> usize| until_live(assets).map(part).sum::<usize>();
    text.push_str(&format!(
        "{:<18} {:>9} {:>9} {:>9} {:>9} {:>6.1}%  until the form is live\n",
        "total",
        sum(|asset| asset.raw),
        sum(|asset| asset.gzip),
        total,
        budgets.total,
        share(total, total),
    ));
    for asset in assets.iter().filter(|asset| !asset.counts) {
        text.push_str(&line(asset, String::new()));
    }
    text
}

/// The path of the texts that a page uses once it is live.
fn path_of_texts(page: &str) -> Result<&str> {
    let link = page.split_once("id=\"texts\" href=\"");
    let path = link.and_then(|(_, rest)| rest.split_once('"'));
    path.map(|(path, _)| path).context("a page names no texts")
}

type Texts = BTreeMap<String, String>;

/// The texts in a file of them.
fn texts_in(file: &[u8]) -> Result<Texts> {
    serde_json::from_slice(file).context("a file of texts is one JSON object of strings")
}

/// The page as the gateway sends it for an ordinary session. `texts`: with those about the sum.
fn sample(page: &str, texts: &Texts, code: &str) -> Result<String> {
    let amount = Amount::from_minor(3_545).context("less than the most there may be")?;
    let amount = format_amount(amount, "EUR", code);
    let text = |key: &str| {
        let text = texts.get(key).with_context(|| format!("no text `{key}`"))?;
        let text = text.replace("{amount}", &amount);
        anyhow::Ok(text.replace("{merchant}", "Demo shop"))
    };
    let (pay, summary) = (text("pay_amount")?, text("pay_note")?);
    let mut boot = SAMPLE_BOOT.to_owned();
    // Only forms have a button.
    if page.contains("{{pay}}") {
        boot.pop();
        let [amount, pay] = [&amount, &pay].map(serde_json::to_string);
        boot.push_str(&format!(
            r#","amountText":{},"payText":{}}}"#,
            amount?, pay?
        ));
    }
    let values = PlaceholderValues {
        boot: &boot,
        theme: "auto",
        button: "auto",
        cancellation: "auto",
        pay: &pay,
        summary: &summary,
        plain: SAMPLE_PLAIN_FORM,
    };
    Ok(pages::fill_session(page, &values))
}

/// What a form in one frame loads until it is live.
fn until_live(assets: &[Asset]) -> impl Iterator<Item = &Asset> {
    assets.iter().filter(|asset| asset.counts)
}

fn share(part: usize, whole: usize) -> f64 {
    // Sizes of files are far below the limit of exact integers in an f64.
    100.0 * part as f64 / whole.max(1) as f64
}

/// The gateway's quality for form pages (`BROTLI_QUALITY` in crates/web-pages/src/lib.rs; the window is its library's).
const PAGE_QUALITY: i32 = 5;
const PAGE_WINDOW: i32 = 22;

/// What the gateway writes into a page for an ordinary session: every member has its usual length, except the texts.
const SAMPLE_BOOT: &str = r#"{"session":"m3p0Zl9bJ4xqVw7Ty2RkUe8sHdN1cFgA5oLiXzBvQk0","merchantOrigin":"https://shop.example","version":3,"state":{"state":"CARD_DATA_COLLECTION","fieldSet":{"sessionId":"m3p0Zl9bJ4xqVw7Ty2RkUe8sHdN1cFgA5oLiXzBvQk0","fields":[]}},"amount":"3545","currency":"EUR","minorDigits":2,"merchant":"Demo shop","actionType":"PAY","closing":"FRAME","cardSummary":"NONE","networks":["VISA","MC","MAESTRO","AMEX","DINERS","JCB"],"fields":["CARD_NUMBER","EXPIRATION_DATE","SECURITY_CODE","CARDHOLDER_NAME"],"today":"2030-01-31","expiresAt":"2030-01-31T12:30:00Z","diagnostics":true,"cardKey":"BHPPR1wCU2AqSwg0pWcJd9nYvRk3mTzQxE6uLbHsOfDiMa5NyGtXlKr7VjBw2eC8SoZhIqUp0FvT4dxgRAn1E9c"}"#;

/// The address of the form without scripts of the same session.
const SAMPLE_PLAIN_FORM: &str =
    "/form/plain?sessionid=m3p0Zl9bJ4xqVw7Ty2RkUe8sHdN1cFgA5oLiXzBvQk0&lang=ENG";

/// How much the sum may exceed the recorded value without an explanation.
const GROWTH_PERCENT: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn asset(name: &'static str, brotli: usize) -> Asset {
        Asset {
            name,
            path: format!("/{name}"),
            raw: brotli * 3,
            gzip: brotli * 2,
            brotli,
            counts: true,
        }
    }

    fn hold(assets: &[Asset]) -> Result<()> {
        let budgets = Budgets {
            total: 100,
            recorded: 100,
        };
        budgets.hold(assets, "")
    }

    #[test]
    fn growth_of_more_than_two_percent_needs_a_line_that_explains_it() {
        let budgets = Budgets {
            total: 70_000,
            recorded: 60_000,
        };
        let hold = |total, explained: &str| budgets.hold(&[asset("wasm", total)], explained);
        assert!(hold(61_200, "").is_ok(), "two percent");
        let refusal = hold(61_201, "61,200 bytes until live").map_err(|e| e.to_string());
        assert!(
            refusal.is_err_and(|said| said.contains("in a line with `61,201 bytes until live`"))
        );
        assert!(hold(61_201, "61,201 bytes until live: a reason").is_ok());
        assert!(
            hold(70_001, "70,001 bytes until live").is_err(),
            "no line lifts the limit"
        );
        assert!(hold(50_000, "").is_ok(), "less is always right");
    }

    #[test]
    fn what_weighs_as_much_as_the_limit_passes() {
        assert!(hold(&[asset("shim", 10), asset("wasm", 90)]).is_ok());
    }

    #[test]
    fn what_is_not_loaded_until_live_does_not_count() {
        let extra = Asset {
            counts: false,
            ..asset("wasm", 95)
        };
        assert!(hold(&[asset("shim", 10), extra]).is_ok());
    }

    /// O7: an excess fails, and says by how much.
    #[test]
    fn excess_fails_and_is_named() {
        let refusal = hold(&[asset("shim", 11), asset("wasm", 95)]).map_err(|e| e.to_string());
        assert_eq!(
            refusal,
            Err("over budget (budgets.toml): 106 bytes until live, 6 over the limit of 100".into())
        );
    }

    #[test]
    fn unknown_members_of_the_budgets_are_refused() {
        assert!(Budgets::parse("total = 1\nrecorded = 1\ntotl = 2\n").is_err());
    }

    #[test]
    fn own_budgets_can_be_read_and_the_sample_is_json() -> Result<()> {
        Budgets::parse(include_str!("../../budgets.toml"))?;
        serde_json::from_str::<serde_json::Value>(SAMPLE_BOOT)?;
        Ok(())
    }

    #[test]
    fn pages_are_weighed_as_the_gateway_compresses_them() {
        let gateway = include_str!("../../crates/web-pages/src/lib.rs");
        let line = format!("const BROTLI_QUALITY: i32 = {PAGE_QUALITY};");
        assert!(
            gateway.contains(&line),
            "crates/web-pages/src/lib.rs compresses pages otherwise: correct PAGE_QUALITY in xtask/src/size.rs"
        );
    }
}
