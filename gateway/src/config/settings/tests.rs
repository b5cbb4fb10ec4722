//! Settings are documented, and their variables and keys are one list.

use super::*;

#[test]
fn the_documentation_has_the_table_of_all_settings() {
    let documented = include_str!("../../../../docs/operations.md");
    let table = in_markdown();
    assert!(
        documented.contains(&table),
        "docs/operations.md is to hold what `payframe-gateway settings` prints:\n{table}"
    );
}

#[test]
fn no_two_settings_have_one_name() {
    let mut names: Vec<&str> = all().map(|setting| setting.variable).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().count());
}
