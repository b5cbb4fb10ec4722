//! Which files of a dist are served as they are, and at which addresses.

/// The address of the file with this path in the dist. `None`: it is not served as it is, or it is a compressed copy of another one.
pub(crate) fn address(path: &str) -> Option<String> {
    if is_compressed(path) {
        return None;
    }
    match path.split_once('/')? {
        ("sdk" | "assets", _) => Some(format!("/{path}")),
        ("hosted", file) => HOSTED_FILES
            .contains(&file)
            .then(|| format!("/assets/{path}")),
        ("docs", "index.html") => Some(String::from("/docs/")),
        ("docs", _) if is_hidden_doc(path) => None,
        ("docs", _) => Some(format!("/{}", path.trim_end_matches(".html"))),
        _ => None,
    }
}

/// Whether a file of the docs has no address of its own: the playground, whose page depends on the gateway's mode, and compressed copies.
pub(crate) fn is_hidden_doc(path: &str) -> bool {
    is_compressed(path) || HIDDEN_DOCS.contains(&path)
}

fn is_compressed(path: &str) -> bool {
    ENCODINGS.iter().any(|(_, ending)| {
        path.rsplit_once('.')
            .is_some_and(|(_, last)| last == *ending)
    })
}

/// The encodings in which files are served, by preference, each with the ending of the copies.
pub(crate) const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Styles of the hosted payment page. The list is explicit because the markup of the pages is in the same folder.
pub(crate) const HOSTED_FILES: [&str; 2] = ["hosted.css", "terms.css"];

const HIDDEN_DOCS: [&str; 3] = [
    "docs/playground.html",
    "docs/playground-closed.html",
    "docs/stamp",
];
