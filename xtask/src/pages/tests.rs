//! Pages are assembled whole, or the build fails and says why.

use super::*;

const TEMPLATE: &str = "<html lang=\"{{lang}}\" dir=\"{{dir}}\" data-theme=\"{{theme}}\" data-button=\"{{button}}\" data-cancellation=\"{{cancellation}}\">\
    {{font}}<script type=\"importmap\">{{imports}}</script><link integrity=\"{{glue-hash}}\" href=\"{{glue}}\"><link href=\"{{wasm}}\"><style>/*{{style}}*/</style><p>{{summary}}</p><button>{{pay}}</button><a href=\"{{plain}}\">\
    <label>{{t:number}}</label><script type=\"application/json\" id=\"boot\">{{boot}}</script>\
    <link id=\"texts\" href=\"{{texts}}\">\
    <script type=\"application/json\" id=\"words\">{{words}}</script><script type=\"module\">/*{{loader}}*/</script></html>";
const ENGLISH: &str = r#"{"$code":"eng","$tag":"en","$dir":"ltr","number":"Card <b> & \"number\"","page_silent":"<b>Silence</b>"}"#;

fn parts(html: &str) -> PageParts {
    let mut imports = ImportMap::default();
    imports.add("/assets/g.js", b"abc");
    PageParts {
        html: html.into(),
        style: "p{margin:0}".into(),
        loader: "start()".into(),
        glue: "/assets/g.js".into(),
        wasm: "/assets/w.wasm".into(),
        imports,
        texts: BTreeMap::from([("eng".to_owned(), "/assets/t.json".to_owned())]),
        marks: WITH_BUTTON,
    }
}

fn refusal<T>(result: Result<T>) -> String {
    result
        .err()
        .map(|problem| problem.to_string())
        .unwrap_or_default()
}

#[test]
fn page_is_put_together_and_leaves_the_gateway_its_placeholders() -> Result<()> {
    let page = assemble(&parts(TEMPLATE), &Locale::parse(ENGLISH)?)?;
    assert_eq!(
        page,
        "<html lang=\"en\" dir=\"ltr\" data-theme=\"{{theme}}\" data-button=\"{{button}}\" data-cancellation=\"{{cancellation}}\">\
         {{font}}<script type=\"importmap\">{\"integrity\":{\"/assets/g.js\":\"sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\"}}</script>\
         <link integrity=\"sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\" href=\"/assets/g.js\"><link href=\"/assets/w.wasm\"><style>p{margin:0}</style><p>{{summary}}</p><button>{{pay}}</button><a href=\"{{plain}}\">\
         <label>Card &lt;b&gt; &amp; &quot;number&quot;</label>\
         <script type=\"application/json\" id=\"boot\">{{boot}}</script>\
         <link id=\"texts\" href=\"/assets/t.json\">\
         <script type=\"application/json\" id=\"words\">{\"page_silent\":\"\\u003cb>Silence\\u003c/b>\"}</script><script type=\"module\">start()</script></html>"
    );
    let filled = fill_session(
        &page,
        &PlaceholderValues {
            boot: r#"{"merchant":"</script>"}"#,
            theme: "dark",
            button: "hidden",
            cancellation: "auto",
            pay: "Pay €1.00",
            summary: "You pay €1.00 to M&M.",
            plain: "/form/plain?a=1&b=2",
        },
    );
    assert!(filled.contains("<p>You pay €1.00 to M&amp;M.</p><button>Pay €1.00</button>"));
    assert!(filled.contains(r#"<a href="/form/plain?a=1&amp;b=2">"#));
    assert!(filled.contains(r#"id="boot">{"merchant":"\u003c/script>"}</script>"#));
    assert!(filled.contains(r#"data-theme="dark" data-button="hidden" data-cancellation="auto""#));
    assert!(filled.contains(r#"href="/assets/g.js">"#));
    Ok(())
}

#[test]
fn unknown_names_fail_the_build() -> Result<()> {
    let english = Locale::parse(ENGLISH)?;
    let with = |extra: &str| refusal(assemble(&parts(&format!("{TEMPLATE}{extra}")), &english));
    assert_eq!(with("{{t:nothing}}"), "the locale has no text `nothing`");
    assert_eq!(with("{{nothing}}"), "unknown placeholder `{{nothing}}`");
    assert_eq!(with("{{"), "a placeholder `{{` has no end");
    let mut silent = parts(TEMPLATE);
    silent.texts.clear();
    assert_eq!(
        refusal(assemble(&silent, &english)),
        "the page asks for texts that are nowhere"
    );
    Ok(())
}

#[test]
fn each_placeholder_is_there_and_only_boot_data_not_twice() -> Result<()> {
    let english = Locale::parse(ENGLISH)?;
    for name in WITH_BUTTON {
        let mark = format!("{{{{{name}}}}}");
        let without = parts(&TEMPLATE.replace(&mark, ""));
        let twice = parts(&format!("{TEMPLATE}{mark}"));
        let missing = format!("`{mark}` is missing in the page");
        assert_eq!(refusal(assemble(&without, &english)), missing);
        let expected = match *name {
            "boot" => "`{{boot}}` stands in the page more than once",
            _ => "",
        };
        assert_eq!(refusal(assemble(&twice, &english)), expected, "{name}");
    }
    Ok(())
}

#[test]
fn parts_that_would_break_out_are_refused() -> Result<()> {
    let english = Locale::parse(ENGLISH)?;
    let mut page = parts(TEMPLATE);
    page.loader = "\"</script>\"".into();
    assert!(refusal(assemble(&page, &english)).contains("would end its element"));
    page.loader = "`{{boot}}`".into();
    assert!(refusal(assemble(&page, &english)).contains("placeholder"));
    Ok(())
}

#[test]
fn locales_must_be_whole() {
    assert_eq!(
        refusal(Locale::parse(r#"{"$code":"eng","$tag":"en"}"#)),
        "the locale has no text `$dir`"
    );
    assert_eq!(
        refusal(Locale::parse(r#"{"a":1}"#)),
        "the text `a` is not a string"
    );
    assert!(
        refusal(Locale::parse(
            r#"{"$code":"../e","$tag":"en","$dir":"ltr"}"#
        ))
        .contains("lower-case")
    );
}

#[test]
fn missing_translations_are_named() -> Result<()> {
    let italian = Locale::parse(r#"{"$code":"ita","$tag":"it","$dir":"ltr"}"#)?;
    let english = Locale::parse(ENGLISH)?;
    assert_eq!(italian.missing_keys(&english), ["number", "page_silent"]);
    Ok(())
}

#[test]
fn hashes_are_over_the_exact_bytes() -> Result<()> {
    let page = "<script type=\"importmap\">{}</script><style>p{}</style><script type=\"application/json\">1</script><script type=\"module\">alert(1)</script>";
    let hashes = inline_hashes(page)?;
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    assert_eq!(
        hashes.script,
        [
            "sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=",
            "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI="
        ]
    );
    assert_eq!(hashes.style.len(), 1);
    Ok(())
}

#[test]
fn scripts_that_the_policy_would_block_are_refused() {
    assert!(refusal(inline_hashes("<script>1</script>")).contains("neither"));
    assert!(refusal(inline_hashes("<style media=print>p{}</style>")).contains("attributes"));
}

/// The gateway sends `Integrity-Policy` with every page, so a browser refuses a script without a hash, and a classic one without `crossorigin`.
#[test]
fn every_script_element_of_a_page_has_its_hash() -> Result<()> {
    let www = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../www");
    for file in crate::project::files_below(&www)? {
        // The demo shop is a page of a merchant.
        if file.extension().is_none_or(|ending| ending != "html") || file.starts_with("shop") {
            continue;
        }
        let page = std::fs::read_to_string(www.join(&file))?;
        for element in page.split("<script").skip(1) {
            let element = element.split_once('>').map_or(element, |(tag, _)| tag);
            let is_loaded = element.contains("src=") || element.contains("frame.script");
            let has_hash = element.contains("integrity=") || element.contains("frame.script");
            let is_cors = element.contains("type=\"module\"") || element.contains("crossorigin");
            assert!(
                !is_loaded || has_hash && is_cors,
                "{}: {element}",
                file.display()
            );
        }
    }
    Ok(())
}

#[test]
fn blanks_collapse_to_one_line_break() -> Result<()> {
    assert_eq!(
        collapse_blanks("<p>\n\n   a  b <!-- no -->\n</p>\n")?,
        "<p>\na  b\n</p>"
    );
    assert!(collapse_blanks("<textarea>").is_err());
    Ok(())
}

#[test]
fn each_text_comes_in_one_place() -> Result<()> {
    let locale = Locale::parse(
        r#"{"$code":"eng","$tag":"en","$dir":"ltr","choice_a":"A","b":"B","label_c":"C","not_in_shop":"D","slow":"E"}"#,
    )?;
    assert_eq!(locale.first_words()?, r#"{"not_in_shop":"D"}"#);
    assert_eq!(
        locale.texts("/assets/c.json", "/assets/l.json")?,
        r#"{"$choices":"/assets/c.json","$late":"/assets/l.json","b":"B"}"#
    );
    assert_eq!(locale.late()?, r#"{"slow":"E"}"#);
    assert_eq!(locale.choices()?, r#"{"choice_a":"A"}"#);
    Ok(())
}

#[test]
fn loader_learns_its_paths() {
    let loader = "/** @type {{a: 1}} */ import('{{glue}}', '{{wasm}}', '{{english}}')";
    assert_eq!(
        fill_loader(
            loader,
            &[("glue", "/a.js"), ("wasm", "/b.wasm"), ("english", "/c.js")]
        ),
        "/** @type {{a: 1}} */ import('/a.js', '/b.wasm', '/c.js')"
    );
}
