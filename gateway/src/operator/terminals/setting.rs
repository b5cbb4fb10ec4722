//! What every setting of a terminal has, and how lists are read.

use payframe_payment_domain::terms::Terminal;

/// A setting of terminals.
pub(super) struct Setting {
    /// Its name.
    pub(super) name: &'static str,
    /// The accepted values, in words.
    pub(super) accepts: fn() -> String,
    /// False: the value is not accepted.
    pub(super) put: fn(&mut Terminal, &str) -> bool,
    /// The value, as `put` takes it.
    pub(super) shown: fn(&Terminal) -> String,
}

/// The values of a list of codes, each once; `none` for an empty list.
pub(super) fn listed<T: PartialEq>(
    value: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Option<Vec<T>> {
    let mut list = Vec::new();
    for code in value.split(',').filter(|_| value != NONE) {
        let one = read(code)?;
        if list.contains(&one) {
            return None;
        }
        list.push(one);
    }
    Some(list)
}

/// Words separated by commas, for sentences.
pub(super) fn one_of<'a>(codes: impl IntoIterator<Item = &'a str>) -> String {
    codes.into_iter().collect::<Vec<_>>().join(", ")
}

/// The word for an empty list.
pub(super) const NONE: &str = "none";
