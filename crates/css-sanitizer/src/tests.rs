//! Tables of harmless and hostile sheets, and what no sheet at all may contain after filtering.

mod properties;

use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use payframe_merchant_font::Outlines;

#[track_caller]
fn check(sheet: &str, expected: &str) {
    assert_eq!(filter(sheet).css, expected, "{sheet}");
}

#[track_caller]
fn check_all_dropped(sheet: &str) {
    let filtered = filter(sheet);
    assert_eq!(filtered.css, "", "{sheet}");
    assert_ne!(filtered.dropped.rules, 0, "{sheet}");
}

#[test]
fn ordinary_sheets_stay_as_they_are() {
    for sheet in [
        "input { color: #223344; background: white }",
        "#CARD_NUMBER { font: italic 600 14px / 1.5 \"Open Sans\", Arial, sans-serif }",
        "html, body { margin: 0; height: 100% }",
        "* { box-sizing: border-box }",
        "input[type=\"password\"] { letter-spacing: 0.2em }",
        "input::placeholder { color: rgb(10, 20, 30); opacity: 0.7 }",
        "div > .field.is-invalid input:focus-visible { border: 1px solid hsl(0deg 80% 40% / 50%) !important }",
        ":root { --brand: #0af; --gap: calc(1px + 2 * var(--unit, 4px)) }",
        "input:-webkit-autofill { box-shadow: inset 0 0 0 100px var(--field) }",
        "input { transition: border-color 0.15s cubic-bezier(0.4, 0, 0.2, 1) }",
        "input { background-image: url(\"data:image/png;base64,iVBORw0KGgo=\"); background-position: right 8px center }",
        "@media (min-width: 480px) and (prefers-color-scheme: dark) {\ninput { color: white }\n}",
        "@media screen, not all and (prefers-reduced-motion) {\nbody { font-size: 110% }\n}",
        "#PAY_WITH_CARD { border-radius: 9999px; padding: 0 16px }",
    ] {
        check(sheet, sheet);
        assert_eq!(filter(sheet).dropped, Dropped::default(), "{sheet}");
    }
}

#[test]
fn spelling_is_ours() {
    for (sheet, expected) in [
        ("INPUT{COLOR:RED;}", "input { color: RED }"),
        (
            "input{color:red;;width:50%}",
            "input { color: red; width: 50% }",
        ),
        (
            "\u{feff}@charset 'x'; input{color:red}",
            "input { color: red }",
        ),
        (
            "@charset \"utf-8\"; input{color:red}",
            "input { color: red }",
        ),
        ("<!-- input{color:red} -->", "input { color: red }"),
        (
            "/* a */input/* b */{/* c */color/* d */:/* e */red/* f */}",
            "input { color: red }",
        ),
        ("inp\\75t { c\\6flor: r\\65 d }", "input { color: red }"),
        (
            "input[type=text]{color:red}",
            "input[type=\"text\"] { color: red }",
        ),
        ("input  >  span{color:red}", "input > span { color: red }"),
        (
            "input{margin:+.5EM -0 1e1PX;font:1em/1 a}",
            "input { margin: 0.5em 0 10px; font: 1em / 1 a }",
        ),
        ("input{color:red", "input { color: red }"),
        ("", ""),
    ] {
        check(sheet, expected);
    }
}

#[test]
fn nothing_is_loaded_from_an_address() {
    for value in [
        "url(https://evil.example/a.png)",
        "url('https://evil.example/a.png')",
        "url(//evil.example/a.png)",
        "url(a.png)",
        "URL(HTTPS://EVIL.EXAMPLE)",
        "u\\72l(https://evil.example)",
        "\\75 rl(https://evil.example)",
        "url(\"https://evil.example\\\"\")",
        "image-set('https://evil.example/a.png' 1x)",
        "-webkit-image-set(url(a) 1x)",
        "cross-fade(url(a), url(b), 50%)",
        "image('a.png')",
        "src('a.png')",
        "element(#CARD_NUMBER)",
        "paint(x)",
        "attr(value)",
        "env(x)",
        "expression(alert(1))",
        "var(--x, url(https://evil.example))",
        "linear-gradient(red, url(a))",
        "url(data:text/html;base64,AAAA)",
        "url(data:text/css,x)",
        "url(data:image/pngx;base64,AAAA)",
        "url(data:image/png)",
        "url(data:,)",
        "url(javascript:alert(1))",
    ] {
        check_all_dropped(&format!("input {{ background: {value} }}"));
        check_all_dropped(&format!("input {{ background-image: {value} }}"));
        check_all_dropped(&format!("input {{ --x: {value} }}"));
        check_all_dropped(&format!("input {{ cursor: {value}, auto }}"));
        check_all_dropped(&format!("@font-face {{ font-family: a; src: {value} }}"));
    }
    // Images inside the sheet are for backgrounds only, and fonts for fonts.
    let image = "url(data:image/png;base64,AAAA)";
    for property in [
        "cursor",
        "--x",
        "color",
        "border",
        "border-image",
        "list-style",
        "content",
        "mask",
    ] {
        check_all_dropped(&format!("input {{ {property}: {image} }}"));
    }
    check_all_dropped(&format!("@font-face {{ font-family: a; src: {image} }}"));
    // Bytes that are not a font.
    check_all_dropped("@font-face { font-family: a; src: url(data:font/woff2;base64,d09GMgAB) }");
    check_all_dropped("@font-face { font-family: a; src: local(Arial) }");
    check_all_dropped("@font-face { font-family: a }");
    check_all_dropped("@font-face { src: url(data:font/woff2;base64,AAAA) }");
    check_all_dropped("input { background: url(data:font/woff2;base64,AAAA) }");
}

/// A font inside the sheet, as a merchant's tool writes it.
const FONT: &[u8] = include_bytes!("../../merchant-font/fixtures/digits.woff2");

#[test]
fn fonts_are_rebuilt_without_rules() {
    let encoded = BASE64.encode(FONT);
    let kept = filter(&format!(
        "@font-face {{ font-family: Brand; src: url(data:font/woff2;base64,AAAA) format('woff2'), \
         url(data:font/woff2;base64,{encoded}) format('woff2'); font-weight: 400; unicode-range: U+37 }}"
    ));
    let rebuilt = BASE64.encode(payframe_merchant_font::rebuild(FONT, Outlines::TrueType).unwrap());
    assert_eq!(
        kept.css,
        format!(
            "@font-face {{ font-family: Brand; src: url(\"data:font/ttf;base64,{rebuilt}\") format(\"truetype\"); \
             font-weight: 400 }}"
        )
    );
    assert!(!kept.css.contains(&encoded));
}

#[test]
fn names_that_need_an_escape_are_dropped() {
    for name in ["\\-", "-\\31", "\\39 a", "a\\.b", "\\", "é"] {
        let filtered = filter(&format!("input {{ color: red; font: {name} }}"));
        assert_eq!(filtered.css, "input { color: red }", "{name}");
        assert_eq!(filtered.dropped.declarations, 1, "{name}");
        check_all_dropped(&format!("input {{ --x: {name} }}"));
        check_all_dropped(&format!(".{name} {{ color: red }}"));
    }
    check(
        ".\\61-1, .--, ._ { --1: -a --1 }",
        ".a-1, .--, ._ { --1: -a --1 }",
    );
}

#[test]
fn a_sheet_brings_a_few_fonts_only() {
    let face = format!(
        "@font-face {{ font-family: a; src: url(data:font/woff2;base64,{}) }}",
        BASE64.encode(FONT)
    );
    let kept = filter(&face.repeat(10));
    assert_eq!(
        kept.css.matches("@font-face").count(),
        super::font::MOST_FONTS
    );
    assert_eq!(kept.dropped.rules, 10 - super::font::MOST_FONTS);
}

#[test]
fn rules_of_other_kinds_are_dropped() {
    for sheet in [
        "@import 'https://evil.example/a.css';",
        "@import url(https://evil.example/a.css);",
        "@\\69mport 'a.css';",
        "@IMPORT 'a.css' screen;",
        "@namespace svg url(http://www.w3.org/2000/svg);",
        "@keyframes x { from { opacity: 1 } }",
        "@supports (color: red) { input { color: red } }",
        "@layer x { input { color: red } }",
        "@page { margin: 0 }",
        "@property --x { syntax: '<url>'; inherits: true; initial-value: none }",
        "@container (min-width: 1px) { input { color: red } }",
        "@scope (input) { :scope { color: red } }",
        "@media (min-resolution: 2dppx) { input { color: red } }",
        "@media (width > 100px) { input { color: red } }",
        "@media ((width: 1px)) { input { color: red } }",
        "@media url(x) { input { color: red } }",
        "@media { input { color: red } }",
    ] {
        check_all_dropped(sheet);
    }
    let nested = filter(
        "@media screen { @media print { input { color: red } } @import 'a'; div { color: red } }",
    );
    assert_eq!(nested.css, "@media screen {\ndiv { color: red }\n}");
    assert_eq!(nested.dropped.rules, 2);
    // At the start a charset is not a rule.
    assert_eq!(filter("@charset 'x';").dropped, Dropped::default());
    check(
        "div { color: red } @charset 'x'; span { color: red }",
        "div { color: red }\nspan { color: red }",
    );
}

#[test]
fn rules_speak_of_no_other_element_and_of_nothing_that_was_typed() {
    for selector in [
        "input[value]",
        "input[value^='4']",
        "input[VALUE$='4']",
        "input[v\\61lue*='4']",
        "[data-x]",
        "[type]",
        "[type^='p']",
        "[type='password' i]",
        "[type='hidden']",
        "[class='x']",
        "input:has(span)",
        "input:not(:focus)",
        "input:is(:focus)",
        "input:where(div)",
        "input:nth-child(1)",
        "input:valid",
        "input:invalid",
        "input:checked",
        "input:in-range",
        "input:lang(it)",
        "input::before",
        "input:before",
        "input::after",
        "input::first-letter",
        "input::part(x)",
        "input::placeholder:hover",
        "input::placeholder span",
        "::slotted(input)",
        ":host",
        "a:visited",
        "#main",
        "#note",
        "#CARD_NUMBER-note",
        "#card_number",
        "script",
        "style",
        "p",
        "img",
        "svg|input",
        "*|*",
        "input + span",
        "input ~ span",
        "input || span",
        "> input",
        "input >",
        "input > > span",
        "&",
        "& input",
        ". x",
        ".\\[value",
        ".a\\000020b",
        "..x",
        "#",
        "42",
        "'input'",
        "",
    ] {
        check_all_dropped(&format!("{selector} {{ color: red }}"));
    }
    // The other selectors of a list stay.
    check(
        "input[value], span, p { color: red }",
        "span { color: red }",
    );
}

#[test]
fn nothing_leaves_its_place_and_nothing_vanishes() {
    for declaration in [
        "position: fixed",
        "position: absolute",
        "position: sticky",
        "position: relative absolute",
        "position: var(--x)",
        "display: contents",
        "display: var(--x)",
        "display: block none",
        "display: table",
        "display: list-item",
        "top: 0",
        "inset: 0",
        "float: left",
        "display: none",
        "visibility: hidden",
        "content: 'x'",
        "z-index: 1",
        "transform: translate(0)",
        "translate: 9px",
        "rotate: 9deg",
        "scale: 0",
        "zoom: 0",
        "clip: rect(0 0 0 0)",
        "clip-path: inset(50%)",
        "mask-image: none",
        "filter: blur(4px)",
        "backdrop-filter: none",
        "mix-blend-mode: difference",
        "pointer-events: none",
        "user-select: all",
        "overflow: visible",
        "animation: x 1s",
        "behavior: url(x)",
        "-moz-binding: url(x)",
        "-webkit-text-security: none",
        "all: unset",
        "margin: -1px",
        "margin-left: -9999px",
        "margin: 65px",
        "margin: 30%",
        "margin: 5vw",
        "margin: calc(0px - 9px)",
        "margin: var(--x)",
        "padding: 100px",
        "text-indent: -9999px",
        "letter-spacing: -1em",
        "letter-spacing: 100px",
        "font-size: 0",
        "font-size: 1px",
        "font-size: 0.1em",
        "font-size: calc(1px)",
        "font: 0/0 a",
        "font: 1px Arial",
        "opacity: 0",
        "opacity: 0.39",
        "opacity: 10%",
        "opacity: -1",
        "opacity: var(--x)",
        "width: 0",
        "width: 5%",
        "width: 120%",
        "width: 200px",
        "height: 1px",
        "border-width: 900px",
        "outline-offset: -40px",
        "color: red; opacity",
        "color",
        "color:",
        "color: red blue;}",
        "color: #12",
        "color: #gggggg",
        "color: 'red'",
        "color: [red]",
        "color: {red}",
        "color: red !ie",
        "color: red !important blue",
        "color: 1e999px",
        "color: 5xyz",
        "color: é",
        "--: red",
        "--\\66 oo\\20 bar: red",
        "font-family: 'a)b'",
        "font-family: '@import'",
        "line-height: calc((((((1))))))",
    ] {
        // Some of them leave a declaration that is valid without the dropped part.
        let css = filter(&format!("input {{ {declaration} }}")).css;
        let harmless = ["", "input { color: red }", "input { color: red blue }"];
        assert!(harmless.contains(&css.as_str()), "{declaration}: {css}");
    }
}

#[test]
fn the_sheet_tells_how_much_of_it_was_dropped() {
    let filtered = filter(
        "p { color: red } input { color: red; display: none; top: 0; span { color: red } } \
         div { display: none } @import 'a'; @media print { p { color: red } }",
    );
    assert_eq!(filtered.css, "input { color: red }");
    assert_eq!(
        filtered.dropped,
        Dropped {
            rules: 4,
            declarations: 3
        }
    );
}

#[test]
fn deep_and_broken_sheets_do_no_harm() {
    for sheet in [
        "(".repeat(60_000),
        "{".repeat(60_000),
        "[".repeat(60_000),
        "}".repeat(60_000),
        "@media screen {".repeat(4_000),
        format!("input {{ width: {} }}", "calc(".repeat(10_000)),
        format!("input {{ --x: {} }}", "var(--a, ".repeat(6_000)),
        format!("input{} {{ color: red }}", ":is(".repeat(10_000)),
        "\\".repeat(60_000),
        "'".repeat(60_001),
        "/*".repeat(30_000),
        "input { color: red; ".repeat(3_000),
        "\u{0}\u{0}".repeat(1_000),
    ] {
        let css = filter(&sheet).css;
        assert!(css.is_empty() || css == "input { color: red }", "{css}");
    }
}

#[test]
fn a_box_may_be_of_another_kind_and_stays_where_it_is() {
    let kept = "input { display: block; position: relative }";
    check(kept, kept);
    check(
        "input { DISPLAY: Inline-Flex !important; position: static }",
        "input { display: inline-flex; position: static }",
    );
}

#[test]
fn pictures_in_the_sheet_are_backgrounds() {
    for (picture, written) in [
        (
            "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg'><path fill='#fff' d='M0 0(1)'/></svg>",
            "data:image/svg+xml;utf8,%3Csvg%20xmlns=%27http://www.w3.org/2000/svg%27%3E%3Cpath%20fill=%27%23fff%27%20d=%27M0%200%281%29%27/%3E%3C/svg%3E",
        ),
        (
            "data:image/gif;base64,R0lGOD==",
            "data:image/gif;base64,R0lGOD==",
        ),
        (
            "data:image/svg+xml,%3Csvg%3E') , url(x",
            "data:image/svg+xml,%3Csvg%3E%27%29%20,%20url%28x",
        ),
        (
            "data:image/svg+xml,<svg/onload=alert(1)>",
            "data:image/svg+xml,%3Csvg/onload=alert%281%29%3E",
        ),
    ] {
        check(
            &format!("input {{ background: #fff url(\"{picture}\") no-repeat right 8px center }}"),
            &format!("input {{ background: #fff url(\"{written}\") no-repeat right 8px center }}"),
        );
    }
    // A picture of half the size of the largest sheet is too large.
    let large = "A".repeat(32 << 10);
    check_all_dropped(&format!(
        "input {{ background-image: url(data:image/png;base64,{large}) }}"
    ));
    // Data that is not a picture.
    check_all_dropped("input { background-image: url(\"data:text/html,<p>\") }");
    check_all_dropped("input { background-image: url(\"data:image/svg+xml,\\a x\") }");
}
