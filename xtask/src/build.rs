//! `cargo xtask build`: the widget, the shim and the frame pages, as the gateway serves them, in `target/dist`.

use crate::dist::{Csp, Manifest, Release, Sdk, Twins, hex_digest, integrity, short_digest};
use crate::pages::{self, InlineHashes, Locale, PageParts};
use crate::process::{filter, step};
use crate::project::{Project, files_below};
use crate::setup;
use crate::widget::{self, Library, Widget};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Sets up what is missing and brings `target/dist` up to date.
pub(crate) fn build(project: &Project, wanted: Wanted) -> Result<()> {
    let std_source = setup::widget_tools(project)?;
    setup::node_packages(project)?;
    let library = match wanted {
        Wanted::Smallest => Library::choose(std_source),
        Wanted::Plain => Library::ReadyMade,
    };
    let widget = widget::build(project, library)?;
    let sources = Sources::read(project)?;
    let stamp = sources.stamp(&widget);
    let dist = project.dist();
    if std::fs::read_to_string(dist.join(STAMP)).is_ok_and(|text| text == stamp) {
        println!("dist: unchanged");
        return Ok(());
    }
    step("dist: pages, hashes, brotli and gzip", |line| {
        let mut release = sources.release(project, &widget)?;
        release.add(STAMP, stamp, Twins::None);
        release.write(&dist)?;
        line.say(&Manifest::read(&dist)?.release);
        Ok(())
    })
}

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// With the standard library rebuilt for size, where the machine can.
    Smallest,
    /// As any stable toolchain would build it.
    Plain,
}

/// What ships besides the widget, as it is written under `www/`.
struct Sources {
    files: BTreeMap<PathBuf, Vec<u8>>,
    package_lock: Vec<u8>,
}

impl Sources {
    fn read(project: &Project) -> Result<Sources> {
        let www = project.root.join("www");
        let mut files = BTreeMap::new();
        for dir in ["frame", "locales", "methods", "threeds"] {
            for file in files_below(&www.join(dir))? {
                let path = Path::new(dir).join(file);
                files.insert(path.clone(), std::fs::read(www.join(&path))?);
            }
        }
        let shim = std::fs::read(www.join(SHIM)).context("www/payframe.js is missing")?;
        files.insert(PathBuf::from(SHIM), shim);
        Ok(Sources {
            files,
            package_lock: std::fs::read(project.root.join("package-lock.json"))?,
        })
    }

    fn text(&self, path: &str) -> Result<String> {
        let bytes = self
            .files
            .get(Path::new(path))
            .with_context(|| format!("www/{path} is missing"))?;
        let text = String::from_utf8(bytes.clone());
        text.with_context(|| format!("www/{path} is not UTF-8"))
    }

    fn in_folder(&self, folder: &str) -> impl Iterator<Item = (&Path, &[u8])> {
        self.files.iter().filter_map(move |(path, bytes)| {
            let below = path.strip_prefix(folder).ok()?;
            Some((below, bytes.as_slice()))
        })
    }

    /// A hash over everything that decides what the dist holds.
    fn stamp(&self, widget: &Widget) -> String {
        let mut inputs = String::new();
        for code in [
            include_str!("build.rs"),
            include_str!("dist.rs"),
            include_str!("pages.rs"),
            env!("CARGO_PKG_VERSION"),
        ] {
            inputs.push_str(code);
        }
        for (path, bytes) in &self.files {
            inputs.push_str(&format!("{} {}\n", path.display(), hex_digest(bytes)));
        }
        for bytes in [&widget.glue, &widget.wasm, &self.package_lock] {
            inputs.push_str(&hex_digest(bytes));
        }
        hex_digest(inputs.as_bytes())
    }

    fn release(&self, project: &Project, widget: &Widget) -> Result<Release> {
        let glue = format!("/assets/payframe.{}.js", short_digest(&widget.glue));
        let wasm = format!("/assets/payframe_bg.{}.wasm", short_digest(&widget.wasm));
        let mut release = Release::default();
        release.add(&glue[1..], widget.glue.clone(), Twins::Compressed);
        release.add(&wasm[1..], widget.wasm.clone(), Twins::Compressed);
        for (path, bytes) in self.in_folder("threeds") {
            release.add(
                format!("threeds/{}", path.display()),
                bytes,
                Twins::Compressed,
            );
        }
        for (path, bytes) in self.in_folder("methods") {
            let path = format!("assets/methods/{}", path.display());
            release.add(path, bytes, Twins::Compressed);
        }
        let shim = minify(project, &self.text(SHIM)?, Language::Script)?;
        release.add(&SDK_PATH[1..], shim.clone(), Twins::Compressed);

        let parts = self.page_parts(project, &glue, &wasm)?;
        let mut pages = BTreeMap::new();
        let mut hashes: Option<InlineHashes> = None;
        for locale in self.locales()? {
            let code = locale.code()?;
            let page = pages::assemble(&parts, &locale)
                .with_context(|| format!("www/frame/form.html in the language `{code}`"))?;
            let own = pages::inline_hashes(&page)?;
            if hashes.get_or_insert_with(|| own.clone()) != &own {
                bail!("the inline scripts or styles of the frame pages differ between languages");
            }
            let path = format!("frame/form.{code}.html");
            release.add(path.clone(), page, Twins::None);
            if pages.insert(code.to_owned(), path).is_some() {
                bail!("two files of www/locales have the `$code` `{code}`");
            }
        }
        let hashes = hashes.context("www/locales holds no language")?;

        let name = release.name(env!("CARGO_PKG_VERSION"));
        let release_path = format!("/sdk/{name}/payframe.js");
        let manifest = Manifest {
            release: name,
            sdk: Sdk {
                path: SDK_PATH.to_owned(),
                integrity: integrity(shim.as_bytes()),
                release_path: release_path.clone(),
            },
            glue,
            wasm,
            pages: BTreeMap::from([("form".to_owned(), pages)]),
            csp: Csp {
                script: hashes.script,
                style: hashes.style,
            },
        };
        release.add(&release_path[1..], shim, Twins::Compressed);
        release.add(
            "manifest.json",
            serde_json::to_vec_pretty(&manifest)?,
            Twins::None,
        );
        Ok(release)
    }

    fn page_parts(&self, project: &Project, glue: &str, wasm: &str) -> Result<PageParts> {
        let loader = pages::fill_loader(&self.text("frame/loader.js")?, glue, wasm);
        Ok(PageParts {
            html: pages::collapse_blanks(&self.text("frame/form.html")?)?,
            style: minify(project, &self.text("frame/frame.css")?, Language::Style)?,
            loader: minify(project, &loader, Language::Script)?,
            glue: glue.to_owned(),
            wasm: wasm.to_owned(),
        })
    }

    /// All languages. Each must have every text that any of them has.
    fn locales(&self) -> Result<Vec<Locale>> {
        let mut locales = Vec::new();
        for (path, bytes) in self.in_folder("locales") {
            let locale = std::str::from_utf8(bytes)
                .map_err(anyhow::Error::from)
                .and_then(Locale::parse)
                .with_context(|| format!("www/locales/{}", path.display()))?;
            locales.push(locale);
        }
        for locale in &locales {
            for other in &locales {
                let lacking = locale.lacking(other);
                if !lacking.is_empty() {
                    bail!(
                        "the language `{}` lacks the texts {}",
                        locale.code()?,
                        lacking.join(", ")
                    );
                }
            }
        }
        Ok(locales)
    }
}

#[derive(Clone, Copy)]
enum Language {
    Script,
    Style,
}

fn minify(project: &Project, source: &str, language: Language) -> Result<String> {
    let mut command = project.command(project.npm_bin("esbuild"))?;
    command.args([
        "--minify",
        "--target=es2022",
        "--legal-comments=none",
        "--log-level=warning",
    ]);
    match language {
        Language::Script => command.args(["--loader=js", "--format=esm"]),
        Language::Style => command.arg("--loader=css"),
    };
    let minified = filter(&mut command, source)?;
    Ok(minified.trim_end().to_owned())
}

const SHIM: &str = "payframe.js";
const SDK_PATH: &str = "/sdk/payframe.js";
const STAMP: &str = "stamp";
