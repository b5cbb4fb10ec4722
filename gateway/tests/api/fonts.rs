//! The font of a terminal's forms: given by a command, rebuilt, served under its hash, named by every page with text.

use crate::dist::HASH;
use crate::harness::{TestApp, build, build_form};
use crate::keys::command;
use payframe_merchant_font::{Outlines, rebuild};

const FONT: &[u8] = include_bytes!("../../../tests/gallery/fonts/NotoSans-Regular.ttf");
/// The terminal of the key `sandbox-implicit`.
const TERMINAL: &str = "91000001";

/// Gives the terminal a font; returns the address of its style sheet.
async fn give(app: &TestApp) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brand.ttf");
    std::fs::write(&path, FONT).unwrap();
    let said = command(app, &["terminal", "font", TERMINAL, path.to_str().unwrap()]).await;
    assert!(
        said.as_ref()
            .unwrap()
            .starts_with("forms of terminal 91000001 are drawn in the font "),
        "{said:?}"
    );
    let session = app.open(&build_form("F1", 1)).await;
    let page = app.page(&format!("/form/?sessionid={session}"), &[]).await;
    let text = page.text();
    let link = text
        .split_once("<link rel=\"stylesheet\" href=\"")
        .unwrap()
        .1;
    link.split_once('"').unwrap().0.to_owned()
}

#[tokio::test]
async fn a_terminals_forms_are_drawn_in_its_font_which_has_no_rules() {
    let app = TestApp::with_dist().await;
    let address = give(&app).await;
    let sheet = app.page(&address, &[]).await;
    assert_eq!(
        sheet.header("content-type").unwrap(),
        "text/css; charset=utf-8"
    );
    let sheet = sheet.text();
    let file = address.replace(".css", ".ttf");
    assert!(
        sheet.contains(&format!("src:url({file}) format(\"truetype\")")),
        "{sheet}"
    );
    assert!(
        sheet.contains(":root{--merchant-font:\"Merchant\"}"),
        "{sheet}"
    );
    let served = app.page(&file, &[]).await;
    for (name, value) in [
        ("content-type", "font/ttf"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(served.header(name).unwrap(), value);
    }
    assert_eq!(served.bytes, rebuild(FONT, Outlines::All).unwrap());
}

#[tokio::test]
async fn only_pages_with_a_font_may_load_one() {
    let app = TestApp::with_dist().await;
    let policy = |page: &crate::harness::Answer| {
        let policy = page.header("content-security-policy").unwrap();
        policy.split_once("; frame-src").unwrap().0.to_owned()
    };
    let session = app.open(&build("A1")).await;
    let form = format!("/form/?sessionid={session}&layout=fields");
    let field = format!("/fields/?id=CARD_NUMBER&sessionid={session}");
    let before = app.page(&form, &[]).await;
    assert!(!before.text().contains("/fonts/") && !policy(&before).contains("font-src"));
    give(&app).await;
    let form = app.page(&form, &[]).await;
    assert!(
        policy(&form).contains(&format!(
            "style-src 'self' '{HASH}'; img-src 'self' data:; font-src 'self'; "
        )),
        "{}",
        policy(&form)
    );
    let field = app.page(&field, &[]).await;
    assert!(
        policy(&field).contains("font-src 'self' data:; "),
        "{}",
        policy(&field)
    );
    assert!(field.text().contains("/fonts/"));
    command(&app, &["terminal", "font", TERMINAL, "none"])
        .await
        .unwrap();
    let session = app.open(&build("A2")).await;
    let page = app.page(&format!("/form/?sessionid={session}"), &[]).await;
    assert!(!page.text().contains("/fonts/"));
}

#[tokio::test]
async fn what_is_no_font_is_refused_with_the_reason_and_changes_nothing() {
    let app = TestApp::with_dist().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brand.svg");
    std::fs::write(&path, "<svg/>").unwrap();
    let path = path.to_str().unwrap();
    for (terminal, file, expected) in [
        (
            TERMINAL,
            path,
            "the file is no TrueType, OpenType, WOFF or WOFF2 font, or it is broken",
        ),
        (TERMINAL, "/nowhere/brand.ttf", "No such file"),
        ("1", "none", "there is no terminal 1"),
    ] {
        let refused = command(&app, &["terminal", "font", terminal, file]).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    let session = app.open(&build_form("A1", 1)).await;
    let page = app.page(&format!("/form/?sessionid={session}"), &[]).await;
    assert!(!page.text().contains("/fonts/"));
}

#[tokio::test]
async fn nothing_else_is_served_below_fonts() {
    let app = TestApp::with_dist().await;
    let unknown = "0".repeat(64);
    for name in [
        format!("{unknown}.ttf"),
        format!("{unknown}.exe"),
        "a.css".into(),
        "'.css".into(),
    ] {
        let answer = app.page(&format!("/fonts/{name}"), &[]).await;
        assert_eq!(answer.status, 404, "{name}");
    }
}
