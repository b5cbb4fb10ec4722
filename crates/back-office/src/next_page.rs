//! Where a member goes on after logging in.

use serde::Deserialize;
use url::Url;

/// Where to go after the log-in.
#[derive(Default, Deserialize)]
pub(super) struct Next {
    next: Option<String>,
}

impl Next {
    /// A page that was named before.
    pub(super) fn to(path: &str) -> Next {
        Next {
            next: Some(path.to_owned()),
        }
    }

    /// The path of a page of the back office, whatever the address says.
    pub(super) fn path(&self) -> &str {
        match self.next.as_deref() {
            Some(next) if is_office_page(next) => next,
            _ => "/office",
        }
    }
}

/// Whether this is the path of a page of the back office, with its query, in the only spelling that browsers do not change: they read
/// `\` as `/`, and leave out `..` and `%2e%2e` with what is before them.
fn is_office_page(next: &str) -> bool {
    let address = format!("{ANY_ORIGIN}{next}");
    let Ok(target) = Url::parse(&address) else {
        return false;
    };
    let path = target.path();
    next.starts_with('/')
        && target.as_str() == address
        && target.fragment().is_none()
        && (path == "/office" || path.starts_with("/office/"))
        && !path.contains("//")
}

/// Makes an address of a path.
const ANY_ORIGIN: &str = "https://office.invalid";

#[cfg(test)]
mod tests {
    use super::is_office_page;

    #[test]
    fn a_log_in_leads_to_pages_of_the_back_office_only() {
        for page in [
            "/office",
            "/office?from=2026-11-01",
            "/office/orders?q=a&b=//c",
            "/office/orders/A%201",
        ] {
            assert!(is_office_page(page), "{page}");
        }
        for other in [
            "",
            "/",
            "/officer",
            "//evil.example/office",
            "/office//evil.example",
            "/office/\\evil.example",
            "/office/../api",
            "/office/%2e%2e/form/",
            "/office/.%2E/form/",
            "/office/..#x",
            "/office/#x",
            "@evil.example/office/",
            "/office/a\nb",
            "https://evil.example/office",
        ] {
            assert!(!is_office_page(other), "{other:?}");
        }
    }
}
