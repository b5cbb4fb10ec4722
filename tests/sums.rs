//! Sums that the gateway writes: they read as this browser would write them, in every language and currency.

#![cfg(target_arch = "wasm32")]
// A test stops if the browser is not as expected.
#![allow(clippy::unwrap_used)]

use js_sys::{Array, Intl, Object, Reflect};
use payframe_money::currency_format::{format_amount, languages};
use payframe_money::{Amount, currencies, minor_digits};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// From 0 to the largest amount on the wire, on both sides of the sizes at which groups begin.
const AMOUNTS: [u64; 9] = [
    0,
    5,
    3_545,
    99_999,
    123_456,
    1_234_567,
    12_345_678,
    123_456_789,
    999_999_999_999,
];

/// The visible text: releases of browsers differ in the kind of space and in invisible marks.
fn legible(text: &str) -> String {
    let unseen =
        |sign: &char| sign.is_whitespace() || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{61c}');
    text.chars().filter(|sign| !unseen(sign)).collect()
}

/// I7: right decimals, sign and separators for the locale, currencies with none or three decimals too.
#[wasm_bindgen_test]
fn sums_read_as_the_browser_writes_them() {
    let mut differing = Vec::new();
    for (code, tag) in languages() {
        for currency in currencies() {
            let digits = usize::from(minor_digits(currency).unwrap());
            let options = Object::new();
            for (name, value) in [
                ("style", JsValue::from("currency")),
                ("currency", currency.into()),
                ("minimumFractionDigits", digits.into()),
                ("maximumFractionDigits", digits.into()),
            ] {
                Reflect::set(&options, &name.into(), &value).unwrap();
            }
            let format = Intl::NumberFormat::new(&Array::of1(&tag.into()), &options).format();
            for minor in AMOUNTS {
                let text = format!("{minor:0>width$}", width = digits + 1);
                let (whole, fraction) = text.split_at(text.len() - digits);
                let decimal = JsValue::from(format!("{whole}.{fraction}"));
                let told = format.call1(&JsValue::UNDEFINED, &decimal).unwrap();
                let told = told.as_string().unwrap();
                let ours = format_amount(Amount::from_minor(minor).unwrap(), currency, code);
                if legible(&ours) != legible(&told) {
                    differing.push(format!("{tag} {currency}: {ours:?}, browser {told:?}"));
                }
            }
        }
    }
    assert!(
        differing.is_empty(),
        "`cargo xtask sums` asks this browser anew:\n{}",
        differing.join("\n")
    );
}
