//! The boot data in the page of a form, as the gateway writes it. Reads nothing else of the page, and makes no request.

/// The JSON text of the boot data. The gateway escapes `<` in it, so the next tag ends it.
pub(super) fn boot_in(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once(START)?;
    let (boot, _) = rest.split_once("</script>")?;
    Some(boot)
}

/// As in `www/frame/form.html`: a test compares.
const START: &str = r#"<script type="application/json" id="boot">"#;

#[cfg(test)]
mod tests {
    use super::{START, boot_in};

    #[test]
    fn boot_data_are_what_the_gateway_writes_into_the_page() {
        let page = include_str!("../../www/frame/form.html");
        assert_eq!(boot_in(page), Some("{{boot}}"));
        assert_eq!(page.matches(START).count(), 1);
    }

    #[test]
    fn page_without_boot_data_has_none() {
        for page in ["", "<p>404</p>", START] {
            assert_eq!(boot_in(page), None);
        }
    }
}
