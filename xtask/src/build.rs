//! `cargo xtask build`: builds the widget, the shim, the frame pages and the docs site, as the gateway serves them, into `target/dist`.

use crate::dist::{
    CompressedCopies, FramePage, Manifest, Release, Script, hex_digest, integrity, short_digest,
    short_integrity,
};
use crate::docs;
use crate::frame_pages::{Recipe, recipes};
use crate::import_map::ImportMap;
use crate::minify::{ALL_AT_ONCE, Language, bundle, live_form, minify};
use crate::pages::{self, InlineHashes, Locale, PageParts};
use crate::process::step;
use crate::project::{Project, files_below};
use crate::setup;
use crate::widget::{self, Library, Widget};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Sets up what is missing and brings `target/dist` up to date. Gives the library that the widget is linked with.
pub(crate) fn build(project: &Project, wanted: Wanted) -> Result<Library> {
    let std_source = setup::widget_tools(project)?;
    setup::node_packages(project)?;
    let library = match wanted {
        Wanted::AsReleased => Library::choose(project, std_source)?,
        Wanted::Released => match Library::choose(project, std_source)? {
            Library::Rebuilt => Library::Rebuilt,
            Library::ReadyMade => bail!(
                "a release is built by one compiler, the one that Cargo.toml names, with its source (`rustup component add rust-src`)"
            ),
        },
        Wanted::ByStableRust => Library::ReadyMade,
    };
    let widget = widget::build(project, library)?;
    let sources = Sources::read(project)?;
    let stamp = sources.stamp(&widget);
    let dist = project.dist();
    if std::fs::read_to_string(dist.join(STAMP)).is_ok_and(|text| text == stamp) {
        println!("dist: unchanged");
        docs::build(project)?;
        return Ok(library);
    }
    step("dist: pages, hashes, brotli and gzip", |line| {
        let mut release = sources.release(project, &widget)?;
        release.add(STAMP, stamp, CompressedCopies::None);
        release.write(&dist)?;
        line.say(&Manifest::read(&dist)?.release);
        Ok(())
    })?;
    // Apart from the release: a word in the docs changes no address that a merchant has pinned.
    docs::build(project)?;
    Ok(library)
}

/// What the widget is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// For development: with any stable toolchain, and no switch that is not stable.
    ByStableRust,
    /// For tests and measurements: with the standard library rebuilt for size, as releases have it, if the machine can do it.
    AsReleased,
    /// For a release: as [`Wanted::AsReleased`], and an error if the machine cannot do it, so that the same commit makes the same bytes.
    Released,
}

/// The files besides the widget that ship, as they are in `www/`.
struct Sources {
    files: BTreeMap<PathBuf, Vec<u8>>,
    package_lock: Vec<u8>,
}

impl Sources {
    fn read(project: &Project) -> Result<Sources> {
        let www = project.root.join("www");
        let mut files = BTreeMap::new();
        for dir in ["frame", "hosted", "locales", "methods"] {
            for file in files_below(&www.join(dir))? {
                let path = Path::new(dir).join(file);
                files.insert(path.clone(), std::fs::read(www.join(&path))?);
            }
        }
        for script in SCRIPTS.map(|(script, _)| script).into_iter().chain(LAZY) {
            let path = Path::new("sdk").join(script);
            let bytes = std::fs::read(www.join(&path))
                .with_context(|| format!("www/sdk/{script} is missing"))?;
            files.insert(path, bytes);
        }
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

    /// A hash of everything that decides the content of the dist.
    fn stamp(&self, widget: &Widget) -> String {
        let mut inputs = String::new();
        for code in [
            include_str!("build.rs"),
            include_str!("dist.rs"),
            include_str!("frame_pages.rs"),
            include_str!("import_map.rs"),
            include_str!("pages.rs"),
            env!("CARGO_PKG_VERSION"),
        ] {
            inputs.push_str(code);
        }
        for (path, bytes) in &self.files {
            inputs.push_str(&format!("{} {}\n", path.display(), hex_digest(bytes)));
        }
        let parts = widget.chunks.values();
        for bytes in parts.chain([
            &widget.glue,
            &widget.wasm,
            &widget.script,
            &self.package_lock,
        ]) {
            inputs.push_str(&hex_digest(bytes));
        }
        hex_digest(inputs.as_bytes())
    }

    fn release(&self, project: &Project, widget: &Widget) -> Result<Release> {
        let mut release = Release::default();
        let browser_script = bundle(project, "frame/browser.js")?;
        let browser = format!(
            "/assets/browser.{}.js",
            short_digest(browser_script.as_bytes())
        );
        let mut imports = ImportMap::default();
        imports.add_retried(&browser, browser_script.as_bytes());
        release.add(&browser[1..], browser_script, CompressedCopies::Compressed);
        let live_form =
            |file| Ok::<_, anyhow::Error>(with_browser(&live_form(project, file)?, &browser));
        let mut glue_script = live_form(&widget.glue_file)?;
        let mut chunks = BTreeMap::new();
        for (name, bytes) in &widget.chunks {
            let path = format!("/assets/{name}.{}.wasm", short_digest(bytes));
            glue_script = glue_script
                .replace(&format!("{{{{chunk:{name}}}}}"), &path)
                .replace(&format!("{{{{integrity:{name}}}}}"), &integrity(bytes));
            release.add(&path[1..], bytes.clone(), CompressedCopies::Compressed);
            chunks.insert(name.clone(), path);
        }
        let glue = format!(
            "/assets/payframe.{}.js",
            short_digest(glue_script.as_bytes())
        );
        let wasm = format!("/assets/payframe_bg.{}.wasm", short_digest(&widget.wasm));
        imports.add(&glue, glue_script.as_bytes());
        release.add(&glue[1..], glue_script, CompressedCopies::Compressed);
        let script_glue = live_form(&widget.script_file)?;
        let script = format!(
            "/assets/payframe-script.{}.js",
            short_digest(script_glue.as_bytes())
        );
        imports.add(&script, script_glue.as_bytes());
        release.add(&script[1..], script_glue, CompressedCopies::Compressed);
        release.add(
            &wasm[1..],
            widget.wasm.clone(),
            CompressedCopies::Compressed,
        );
        for (path, bytes) in self.in_folder("hosted") {
            let path = format!("hosted/{}", path.display());
            release.add(path, bytes, CompressedCopies::Compressed);
        }
        for (path, bytes) in self.in_folder("methods") {
            let path = format!("assets/methods/{}", path.display());
            release.add(path, bytes, CompressedCopies::Compressed);
        }
        let form_pass = minify(
            project,
            &self.text("frame/form-pass.js")?,
            Language::Classic,
        )?;
        let form_pass_path = format!(
            "/assets/form-pass.{}.js",
            short_digest(form_pass.as_bytes())
        );
        release.add(
            &form_pass_path[1..],
            form_pass,
            CompressedCopies::Compressed,
        );
        let hosted = self.text("hosted/hosted.js")?;
        let hosted_path = format!("/assets/hosted.{}.js", short_digest(hosted.as_bytes()));
        release.add(&hosted_path[1..], hosted, CompressedCopies::Compressed);
        let locales = self.locales()?;
        let lazy = self.lazy(project, &locales)?;
        for (path, script) in &lazy.files {
            release.add(
                path.trim_start_matches('/'),
                script.as_bytes(),
                CompressedCopies::Compressed,
            );
        }
        let mut scripts = Vec::new();
        for (name, language) in SCRIPTS {
            let source = self.text(&format!("sdk/{name}"))?;
            let source = source.replace("{{lazy}}", &lazy.path);
            let source = source.replace("{{integrity}}", &lazy.integrity);
            let source = source.replace("{{watch}}", &lazy.watch);
            let source = source.replace("{{watch-hash}}", &lazy.watch_integrity);
            let mut script = minify(project, &source, language)?;
            if name == SHIM {
                script.insert_str(0, ALL_AT_ONCE);
            }
            release.add(
                format!("sdk/{name}"),
                script.clone(),
                CompressedCopies::Compressed,
            );
            scripts.push((name, script));
        }
        let mut texts = BTreeMap::new();
        for locale in &locales {
            let code = locale.code()?;
            let mut add = |name: &str, file: String| {
                let hash = short_digest(file.as_bytes());
                let path = format!("/assets/{name}.{code}.{hash}.json");
                release.add(&path[1..], file, CompressedCopies::Compressed);
                path
            };
            let choices = add("choices", locale.choices()?);
            let late = add("late", locale.late()?);
            texts.insert(
                code.to_owned(),
                add("texts", locale.texts(&choices, &late)?),
            );
        }
        let english = texts.get(ENGLISH);
        let english = english.context("www/locales holds no English")?;
        let places = Places {
            imports,
            glue: &glue,
            wasm: &wasm,
            script: &script,
            browser: &browser,
            texts: &texts,
            english,
        };
        let mut pages = BTreeMap::new();
        for recipe in recipes(|path| self.text(path))? {
            let page = self
                .page(project, &recipe, &locales, &places, &mut release)
                .with_context(|| format!("the frame page `{}`", recipe.name))?;
            pages.insert(recipe.name, page);
        }

        let name = release.name(env!("CARGO_PKG_VERSION"));
        let mut manifest = Manifest {
            release: name.clone(),
            scripts: BTreeMap::new(),
            lazy: lazy.files.into_keys().chain([browser, script]).collect(),
            form_pass: form_pass_path,
            hosted: hosted_path,
            glue,
            wasm,
            chunks,
            pages,
        };
        for (file, script) in scripts {
            let release_path = format!("/sdk/{name}/{file}");
            manifest.scripts.insert(
                file.to_owned(),
                Script {
                    path: format!("/sdk/{file}"),
                    integrity: integrity(script.as_bytes()),
                    release_path: release_path.clone(),
                },
            );
            release.add(&release_path[1..], script, CompressedCopies::Compressed);
        }
        release.add(
            "manifest.json",
            serde_json::to_vec_pretty(&manifest)?,
            CompressedCopies::None,
        );
        Ok(release)
    }

    /// Adds a page in all languages.
    fn page(
        &self,
        project: &Project,
        recipe: &Recipe,
        locales: &[Locale],
        places: &Places<'_>,
        release: &mut Release,
    ) -> Result<FramePage> {
        let loader = bundle(project, recipe.loader)?;
        let parts = PageParts {
            html: pages::collapse_blanks(&recipe.html)?,
            style: minify(project, &self.text(recipe.style)?, Language::Style)?,
            loader: places.fill(&loader),
            glue: places.glue.to_owned(),
            wasm: places.wasm.to_owned(),
            imports: places.imports.clone(),
            texts: places.texts.clone(),
            marks: recipe.marks,
        };
        let mut files = BTreeMap::new();
        let mut hashes: Option<InlineHashes> = None;
        for locale in locales {
            let code = locale.code()?;
            let page = pages::assemble(&parts, locale)
                .with_context(|| format!("in the language `{code}`"))?;
            let own = pages::inline_hashes(&page)?;
            if hashes.get_or_insert_with(|| own.clone()) != &own {
                bail!("its inline scripts or styles differ between languages");
            }
            let path = format!("frame/{}.{code}.html", recipe.name);
            release.add(path.clone(), page, CompressedCopies::None);
            if files.insert(code.to_owned(), path).is_some() {
                bail!("two files of www/locales have the `$code` `{code}`");
            }
        }
        let hashes = hashes.context("www/locales holds no language")?;
        Ok(FramePage {
            script: hashes.script,
            style: hashes.style,
            files,
        })
    }

    /// The lazy part of the SDK, and what it loads, in a folder whose name is a hash of all of it.
    fn lazy(&self, project: &Project, locales: &[Locale]) -> Result<Lazy> {
        let diagnostics = minify(project, &self.text("sdk/diagnostics.js")?, Language::Module)?;
        let page_appearance = minify(
            project,
            &self.text("sdk/page-appearance.js")?,
            Language::Module,
        )?;
        let page_watch = minify(project, &self.text("sdk/page-watch.js")?, Language::Module)?;
        let sentences = pages::start_sentences(locales)?;
        let source = self.text("sdk/lazy.js")?;
        let source = source.replace("{{sentences}}", &sentences);
        let source = source.replace("{{diagnostics}}", &short_integrity(diagnostics.as_bytes()));
        let source = source.replace("{{page-watch}}", &short_integrity(page_watch.as_bytes()));
        let source = source.replace(
            "{{page-appearance}}",
            &short_integrity(page_appearance.as_bytes()),
        );
        let lazy = minify(project, &source, Language::Module)?;
        // Half of a digest, because it is in the shim. The integrity hash refuses a script of another release.
        let digest = short_digest(
            [&*lazy, &*diagnostics, &*page_appearance, &*page_watch]
                .concat()
                .as_bytes(),
        );
        let folder = format!("/sdk/{}", &digest[..8]);
        let path = format!("{folder}/lazy.js");
        let watch = format!("{folder}/page-watch.js");
        Ok(Lazy {
            watch_integrity: short_integrity(page_watch.as_bytes()),
            integrity: short_integrity(lazy.as_bytes()),
            files: BTreeMap::from([
                (path.clone(), lazy),
                (format!("{folder}/diagnostics.js"), diagnostics),
                (format!("{folder}/page-appearance.js"), page_appearance),
                (watch.clone(), page_watch),
            ]),
            path,
            watch,
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
                let missing = locale.missing_keys(other);
                if !missing.is_empty() {
                    bail!(
                        "the language `{}` lacks the texts {}",
                        locale.code()?,
                        missing.join(", ")
                    );
                }
            }
        }
        Ok(locales)
    }
}

/// The addresses of the files that the loaders load.
struct Places<'a> {
    imports: ImportMap,
    glue: &'a str,
    wasm: &'a str,
    script: &'a str,
    browser: &'a str,
    /// Paths of the widget's texts, by language code.
    texts: &'a BTreeMap<String, String>,
    /// The paths of the English texts, which replace those of a language that cannot be loaded.
    english: &'a str,
}

impl Places<'_> {
    fn fill(&self, loader: &str) -> String {
        let paths = [
            ("glue", self.glue),
            ("wasm", self.wasm),
            ("script", self.script),
            ("english", self.english),
        ];
        let loader = pages::fill_loader(loader, &paths);
        with_browser(&loader, self.browser)
    }
}

/// Writes the address of `frame/browser.js` into a script that loads it.
fn with_browser(script: &str, path: &str) -> String {
    script.replace("{{lazy:browser}}", path)
}

/// The scripts that the shim loads when needed.
struct Lazy {
    /// The first of them, which loads the others.
    path: String,
    integrity: String,
    /// The watch over a page, which the class `Build` loads, too.
    watch: String,
    watch_integrity: String,
    /// By path on the gateway.
    files: BTreeMap<String, String>,
}

/// The language that replaces missing ones.
const ENGLISH: &str = "eng";

/// The scripts that merchants load, below `www/sdk`.
const SCRIPTS: [(&str, Language); 3] = [
    ("build.js", Language::Classic),
    ("fields.js", Language::Module),
    (SHIM, Language::Module),
];
const SHIM: &str = "payframe.js";
/// The files that the shim loads when needed, below `www/sdk`.
const LAZY: [&str; 4] = [
    "diagnostics.js",
    "lazy.js",
    "page-appearance.js",
    "page-watch.js",
];
const STAMP: &str = "stamp";
