//! Sums, rates, dates and lists in the buyer's language, written by the browser's `Intl`, so that no rules of languages are downloaded.
//!
//! Creating a format is slow, so callers decide when to do it. A format that the browser refuses gives an empty text.

use crate::wire::{self, Json};
use js_sys::{Array, Date, Function};
use leptos::prelude::{document, window};
use payframe_checkout_flow::sum::Sum;
use wasm_bindgen::{JsCast, JsValue};

/// A sum of money.
pub fn money(sum: &Sum) -> String {
    let places = digits(sum.minor_digits.into());
    let options = wire::object(&[
        ("style", "currency"),
        ("currency", &sum.currency),
        ("minimumFractionDigits", &places),
        ("maximumFractionDigits", &places),
    ]);
    // A decimal text, not a float: no amount is ever rounded.
    let decimal = decimal(&sum.amount_minor, sum.minor_digits.into());
    formatted("NumberFormat", &options, &decimal.into())
}

/// This amount in the currency of the sum.
pub fn money_of(sum: &Sum, amount_minor: u64) -> String {
    money(&Sum {
        amount_minor: digits(amount_minor),
        ..sum.clone()
    })
}

/// How much of one currency a unit of another one is: "USD 1 = EUR 0.897".
pub fn rate(currency: &str, shop_currency: &str, rate: &str) -> String {
    let coded = |currency: &str, value: &str| {
        let options = wire::object(&[
            ("style", "currency"),
            ("currency", currency),
            ("currencyDisplay", "code"),
            ("minimumFractionDigits", "0"),
            ("maximumFractionDigits", "9"),
        ]);
        formatted("NumberFormat", &options, &value.into())
    };
    [&*coded(currency, "1"), " = ", &*coded(shop_currency, rate)].concat()
}

/// A number of percent, with two decimals.
pub fn percent(decimal: &str) -> String {
    let options = wire::object(&[("style", "percent"), ("minimumFractionDigits", "2")]);
    let hundredth = [decimal, "e-2"].concat();
    formatted("NumberFormat", &options, &hundredth.into())
}

/// A number of days: "30 days".
pub fn days(count: &str) -> String {
    let options = wire::object(&[("style", "unit"), ("unit", "day"), ("unitDisplay", "long")]);
    formatted("NumberFormat", &options, &count.into())
}

/// The time of day in this device's time zone.
pub fn time(ms: u64) -> String {
    #[allow(clippy::cast_precision_loss)]
    // A float is exact until the year 287396.
    let ms = ms as f64;
    formatted(
        "DateTimeFormat",
        &wire::object(&[("timeStyle", "short")]),
        &ms.into(),
    )
}

/// A day, from `YYYY-MM-DD`.
pub fn day(day: &str) -> String {
    date(day, &[("dateStyle", "long"), ("timeZone", "UTC")])
}

/// A month as it stands on cards, from `YYYY-MM`.
pub fn month(month: &str) -> String {
    let options = [
        ("year", "numeric"),
        ("month", "2-digit"),
        ("timeZone", "UTC"),
    ];
    date(&[month, "-01"].concat(), &options)
}

fn date(day: &str, options: &[(&str, &str)]) -> String {
    let ms = Date::parse(&[day, "T00:00:00Z"].concat());
    formatted("DateTimeFormat", &wire::object(options), &ms.into())
}

/// One or the other.
pub fn either(texts: [String; 2]) -> String {
    let list = Array::new();
    for text in texts {
        list.push(&text.into());
    }
    let options = wire::object(&[("type", "disjunction")]);
    formatted("ListFormat", &options, &list)
}

/// The name of each country, given as two letters, with them: in the order of the language.
pub fn countries(codes: Vec<String>) -> Vec<(String, String)> {
    let of = |kind: &str, options: &[(&str, &str)]| {
        let class = Json(window().into()).member("Intl").member(kind);
        class.construct(&[language().into(), wire::object(options)])
    };
    let names = of("DisplayNames", &[("type", "region")]);
    let named = |code: String| match names.call("of", &code.as_str().into()).text() {
        Some(name) => (name, code),
        // Where the browser has no names, the letters have to do.
        None => (code.clone(), code),
    };
    let mut named: Vec<_> = codes.into_iter().map(named).collect();
    let order = of("Collator", &[]).member("compare");
    named.sort_by(|(one, _), (other, _)| {
        // The browser refuses what is no function.
        let order: &Function = order.0.unchecked_ref();
        let order = order.call2(&JsValue::UNDEFINED, &one.into(), &other.into());
        match order.ok().and_then(|order| order.as_f64()) {
            Some(order) => order.total_cmp(&0.0),
            None => one.cmp(other),
        }
    });
    named
}

/// The language that the page has now.
pub fn language() -> String {
    let root = document().document_element();
    let language = root.and_then(|root| root.get_attribute("lang"));
    language
        .filter(|language| !language.is_empty())
        .unwrap_or_else(|| "en".into())
}

/// The value as this kind of format writes it in the page's language. `kind`: a member of `Intl`.
fn formatted(kind: &str, options: &JsValue, value: &JsValue) -> String {
    let class = Json(window().into()).member("Intl").member(kind);
    let format = class.construct(&[language().into(), options.clone()]);
    format.call("format", value).text_or_empty()
}

/// Minor units as a decimal number.
fn decimal(minor: &str, places: usize) -> String {
    let mut padded = String::new();
    for _ in minor.len()..=places {
        padded.push('0');
    }
    padded.push_str(minor);
    padded.insert(padded.len() - places, '.');
    padded
}

/// A number in decimal digits.
pub fn digits(number: u64) -> String {
    let mut digits = String::new();
    let mut rest = number;
    loop {
        #[allow(clippy::cast_possible_truncation)]
        // The remainder is one digit.
        digits.insert(0, char::from(b'0' + (rest % 10) as u8));
        rest /= 10;
        if rest == 0 {
            return digits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{decimal, digits};

    #[test]
    fn minor_units_are_written_as_decimals() {
        for (minor, places, expected) in [
            ("3545", 2, "35.45"),
            ("5", 2, "0.05"),
            ("0", 2, "0.00"),
            ("3545", 0, "3545."),
            ("1234", 3, "1.234"),
        ] {
            assert_eq!(decimal(minor, places), expected);
        }
    }

    #[test]
    fn numbers_are_written_in_digits() {
        for number in [0, 7, 10, 1_772, 999_999_999_999, u64::MAX] {
            assert_eq!(digits(number), number.to_string());
        }
    }
}
