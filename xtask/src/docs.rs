//! `cargo xtask docs`: the docs site, as static files in `target/dist/docs`. The gateway serves them at `/docs`.
//!
//! The pages are the Markdown of the repository that `docs/contents.toml` names: their order, their groups and one sentence for each are
//! there. The build refuses a page that no group names, a link to a page, a heading or a file that does not exist, and data in a block of code that
//! cannot be read. All links
//! are relative, so any server of static files can serve the folder at any address; it has to find `x.html` for `x`.

mod colours;
mod contents;
mod document;
mod links;
mod page;
mod search;
mod site;
mod snippets;
mod sources;

use crate::dist::{CompressedCopies, hex_digest};
use crate::minify::{Language, bundle, minify};
use crate::process::step;
use crate::project::Project;
use anyhow::Result;
use site::ScriptHashes;
use sources::Sources;

/// Brings `target/dist/docs` up to date.
pub(crate) fn build(project: &Project) -> Result<()> {
    let sources = Sources::read(project)?;
    let folder = project.dist().join("docs");
    let stamp = stamp(&sources);
    if std::fs::read_to_string(folder.join(STAMP)).is_ok_and(|text| text == stamp) {
        println!("docs: unchanged");
        return Ok(());
    }
    step("docs: pages, links and search", |line| {
        let mut scripts = Vec::new();
        for name in SCRIPTS {
            scripts.push((name, bundle(project, &format!("docs/{name}"))?));
        }
        let hashes = ScriptHashes::of(&scripts);
        let mut site = site::render(&sources, &hashes)?;
        for (name, script) in scripts {
            site.add(name, script, CompressedCopies::Compressed);
        }
        let style = sources.text("www/docs/site.css")?;
        let style = minify(project, style, Language::Style)?;
        site.add("site.css", style, CompressedCopies::Compressed);
        site.add(STAMP, stamp, CompressedCopies::None);
        site.write(&folder)?;
        line.say(&format!("{} pages", sources.contents.pages().count()));
        Ok(())
    })
}

/// A hash of what decides the content of the site: this program, and what the site is made from.
fn stamp(sources: &Sources) -> String {
    let code = [
        env!("CARGO_PKG_VERSION"),
        include_str!("docs.rs"),
        include_str!("docs/colours.rs"),
        include_str!("docs/contents.rs"),
        include_str!("docs/document.rs"),
        include_str!("docs/links.rs"),
        include_str!("docs/page.rs"),
        include_str!("docs/search.rs"),
        include_str!("docs/site.rs"),
        include_str!("docs/snippets.rs"),
        include_str!("docs/sources.rs"),
    ];
    hex_digest((code.concat() + &sources.digest()).as_bytes())
}

/// The scripts of the site, below `www/docs`. `theme.js` runs before the page is drawn.
const SCRIPTS: [&str; 3] = ["site.js", "theme.js", "playground.js"];
const STAMP: &str = "stamp";
