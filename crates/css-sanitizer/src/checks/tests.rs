//! Broken twins: sheets with what the filter never lets through. The assertions have to find each.

use super::{assert_harmless, harm};

#[track_caller]
fn check(sheet: &str, expected: &str) {
    let harm = harm(sheet).unwrap_or_default();
    assert!(harm.starts_with(expected), "{sheet}: {harm:?}");
}

/// Wherever a value can be: of a property and of a variable, in media and nested rules, in functions, brackets and braces.
fn everywhere(value: &str) -> Vec<String> {
    [
        "input { background: X }",
        "input { --x: X }",
        "input{--x:X}",
        "input { --x: { a: X } }",
        "input { color: red; --x: a (X) }",
        "input { background: linear-gradient(red, X) }",
        "input { background: var(--x, calc(min(1px, X)))",
        "@media screen {\ninput { background: X }\n}",
        "@media screen { @media screen { input { a: X } } }",
        "@font-face { font-family: a; src: X }",
        "div { & input { span { background: X } } }",
        "input[type=X] { color: red }",
    ]
    .map(|sheet| sheet.replace('X', value))
    .into()
}

#[test]
fn functions_that_load_or_leak_are_found() {
    for name in [
        "image-set",
        "-webkit-image-set",
        "image",
        "cross-fade",
        "-webkit-cross-fade",
        "-moz-element",
        "element",
        "paint",
        "attr",
        "env",
        "expression",
        "src",
        "local",
        "url-prefix",
        "-moz-domain",
    ] {
        for name in [name.to_owned(), name.to_ascii_uppercase()] {
            for sheet in everywhere(&format!("{name}(a)")) {
                check(&sheet, &format!("the function {name}()"));
            }
        }
    }
}

#[test]
fn addresses_are_found() {
    for value in [
        "url(\"https://evil.example/a\")",
        "URL('//evil.example/a')",
        "url(\"a.png\")",
        "url(\"\")",
        "url(\"data:text/html,a\")",
        "url(\"data:application/font-woff,a\")",
        "url(\" data:image/png,a\")",
        "url(\"data:image/png,a b\")",
        "url(\"data:image/png,é\")",
        "url('data:image/png,a\"')",
        "url(\"data:image/png,>\")",
    ] {
        for sheet in everywhere(value) {
            check(&sheet, "an address outside of the sheet");
        }
    }
    for value in [
        "url(https://evil.example/a)",
        "UrL( //evil.example/a )",
        "url(data:image/png,a)",
        "url()",
    ] {
        for sheet in everywhere(value) {
            check(&sheet, "an address without quotes");
        }
    }
    for value in [
        "\"http://evil.example\"",
        "'//evil.example'",
        "'JAVASCRIPT:alert'",
        "'a/b.png'",
    ] {
        for sheet in everywhere(value) {
            check(&sheet, "an address in quotes");
        }
    }
    for value in ["http:a", "HTTPS:a", "data:a", "javascript:a", "a b wss:c"] {
        for sheet in everywhere(value) {
            check(&sheet, "an address of");
        }
    }
    for sheet in everywhere("//evil.example") {
        check(&sheet, "an address");
    }
    // More than an address, or none.
    for value in ["url(\"data:image/png,a\" a)", "url(var(--x))", "url(a b)"] {
        for sheet in everywhere(value) {
            assert!(harm(&sheet).is_some(), "{sheet}");
        }
    }
}

#[test]
fn broken_tokens_comments_and_escapes_are_found() {
    for value in ["url(a'b)", "'a\nb", "a /* b */ c", "/* a"] {
        for sheet in everywhere(value) {
            assert!(harm(&sheet).is_some(), "{sheet}");
        }
    }
    for value in ["a\\-b", "\\61 ttr(a)", "\"\\a\"", "</style"] {
        for sheet in everywhere(value) {
            check(&sheet, "the character");
        }
    }
    check("input { color: red } }", "a broken token");
    check("<!-- input { color: red } -->", "the character <");
    // A browser reads deeper than this parser.
    assert!(harm(&format!("a {{ b: {}", "(".repeat(1_000))).is_some());
}

#[test]
fn properties_that_write_or_run_are_found() {
    for property in ["content", "CONTENT", "behavior", "-moz-binding"] {
        for declaration in [format!("{property}: a"), format!("{property} :a")] {
            for sheet in [
                format!("input {{ {declaration} }}"),
                format!("input{{color:red;{declaration}}}"),
                format!("@media screen {{ div {{ span {{ {declaration} }} }} }}"),
                format!("input {{ --x: {{ {declaration} }} }}"),
                format!("@font-face {{ {declaration} }}"),
            ] {
                check(&sheet, &format!("the property {property}"));
            }
        }
    }
}

#[test]
fn selectors_that_tell_what_was_typed_are_found() {
    for (selector, expected) in [
        ("input[value]", "the attribute value"),
        ("input[VALUE^=\"4\"]", "the attribute VALUE"),
        ("input[ value$=\"4\"]", "the attribute value"),
        ("input[class=\"a\"]", "the attribute class"),
        ("div:not([value])", "the attribute value"),
        ("div:has(span)", "the function has()"),
        ("div:HAS(span)", "the function HAS()"),
        ("div:is(:not(:valid))", "the pseudo-class valid"),
        ("input:Valid", "the pseudo-class Valid"),
        ("input:user-invalid", "the pseudo-class user-invalid"),
        ("input:in-range", "the pseudo-class in-range"),
        ("input:checked:hover", "the pseudo-class checked"),
        (
            "input:-moz-user-invalid",
            "the pseudo-class -moz-user-invalid",
        ),
        ("a:visited", "the pseudo-class visited"),
    ] {
        for sheet in [
            format!("{selector} {{ color: red }}"),
            format!("span, {selector} > div {{ color: red }}"),
            format!("@media screen {{ {selector} {{ color: red }} }}"),
            format!("div {{ {selector} {{ color: red }} }}"),
        ] {
            check(&sheet, expected);
        }
    }
    for selector in ["[svg|value]", "[*|value]", "[]", "[\"value\"]"] {
        let sheet = format!("input{selector} {{ color: red }}");
        assert!(harm(&sheet).is_some(), "{sheet}");
    }
}

#[test]
fn rules_of_other_kinds_are_found() {
    for rule in ["import", "IMPORT", "charset", "namespace", "keyframes"] {
        for sheet in [
            format!("@{rule} \"a\";"),
            format!("input {{ color: red }}\n@{rule} a {{}}"),
            format!("@media screen {{ @{rule} \"a\"; }}"),
            format!("input {{ @{rule} \"a\"; }}"),
            format!("input {{ --x: @{rule} }}"),
        ] {
            check(&sheet, &format!("the rule @{rule}"));
        }
    }
}

#[test]
fn names_that_look_like_what_is_refused_do_no_harm() {
    for sheet in [
        "input { font: 12px simage-set }",
        "input { font: 12px image-set, attr, \"url attr\" }",
        ":root { --brahttp: 0; --http: 1px; --content: has; --x: content }",
        ".content:hover, .http:hover > .value { color: red }",
        "#CONTENT:hover { color: red }",
        "input { font: 12px / 1.5 a; background: url(\"data:image/png,/*a//b*/\") }",
        "@media (min-width: 1px) {\ninput[type=\"text\"]::placeholder { color: calc(1px / 2) }\n}",
        "input { transition: color 1s linear }",
        "",
    ] {
        assert_harmless(sheet);
    }
}
