//! Each form of the back office leaves an entry in the audit log, or is listed here with the reason why it leaves none.
//!
//! All tests of the office send forms by [`super::Person`], who asks here whether a form that was carried out left its entry. A test compares
//! the list with the routes of the back office, so a new form cannot be missing.

use crate::harness::{Answer, TestApp};
use std::collections::BTreeMap;
use std::path::Path;

/// What a form leaves in the audit log when it was carried out.
enum Leaves {
    /// An entry with one of these acts.
    One(&'static [&'static str]),
    /// Nothing, for this reason.
    Nothing(&'static str),
}

use Leaves::{Nothing, One};

const FORMS: &[(&str, Leaves)] = &[
    ("/office/approvals/rules", One(&["CHANGE_MERCHANT"])),
    (
        "/office/approvals/{id}/approve",
        One(&["APPROVE_REFUND", "DECLINE_REFUND"]),
    ),
    ("/office/approvals/{id}/decline", One(&["DECLINE_REFUND"])),
    (
        "/office/card-testing/decided/{review}",
        One(&["END_REVIEW"]),
    ),
    (
        "/office/card-testing/reviews/{operation}",
        One(&["REVIEW_TRIES"]),
    ),
    ("/office/card-testing/{terminal}", One(&["CHANGE_TERMINAL"])),
    (
        "/office/confirm",
        Nothing(
            "it opens the form that follows, and that leaves an entry; a refused one leaves one",
        ),
    ),
    (
        "/office/confirm/passkey",
        Nothing(
            "it opens the form that follows, and that leaves an entry; a refused one leaves one",
        ),
    ),
    ("/office/contracts/{key}/end", One(&["END_CONTRACT"])),
    (
        "/office/disputes/files/{file_id}/remove",
        One(&["REMOVE_EVIDENCE_FILE"]),
    ),
    ("/office/disputes/{id}/accept", One(&["ACCEPT_DISPUTE"])),
    ("/office/disputes/{id}/evidence", One(&["SUBMIT_EVIDENCE"])),
    ("/office/disputes/{id}/files", One(&["ADD_EVIDENCE_FILE"])),
    ("/office/keys", One(&["MAKE_KEY"])),
    ("/office/keys/{id}/revoke", One(&["REVOKE_KEY"])),
    ("/office/keys/{id}/rotate", One(&["ROTATE_KEY"])),
    (
        "/office/links/{link_id}/{act}",
        One(&["REVOKE_LINK", "RENEW_LINK"]),
    ),
    ("/office/log-ins/end-others", One(&["END_LOG_INS"])),
    ("/office/log-ins/{id}/end", One(&["END_LOG_INS"])),
    ("/office/login", One(&["LOG_IN"])),
    ("/office/login/code", One(&["LOG_IN"])),
    ("/office/login/code/passkey", One(&["LOG_IN"])),
    (
        "/office/login/passkey",
        Nothing("it asks the browser of somebody who is not known yet"),
    ),
    ("/office/login/passkey/answer", One(&["LOG_IN"])),
    (
        "/office/login/provider/{id}",
        Nothing("it leads to the provider; the way back leaves the entry"),
    ),
    (
        "/office/login/provider/{id}/back-channel-logout",
        Nothing("each log-in that it ends leaves an entry, and it may end none"),
    ),
    ("/office/logout", One(&["LOG_OUT"])),
    ("/office/members", One(&["ADD_MEMBER"])),
    ("/office/members/{id}/account", One(&["FORGET_ACCOUNT"])),
    ("/office/members/{id}/disable", One(&["DISABLE_MEMBER"])),
    ("/office/members/{id}/enable", One(&["ENABLE_MEMBER"])),
    ("/office/members/{id}/factor", One(&["RESET_SECOND_FACTOR"])),
    ("/office/members/{id}/log-out", One(&["END_LOG_INS"])),
    ("/office/members/{id}/password", One(&["RESET_PASSWORD"])),
    ("/office/members/{id}/role", One(&["CHANGE_ROLE"])),
    (
        "/office/notifications/{event_id}/again",
        One(&["SEND_AGAIN"]),
    ),
    (
        "/office/orders/{order_id}/{operation_id}/{act}",
        One(&["REFUND", "ASK_FOR_REFUND", "CAPTURE", "CANCEL", "INCREMENT"]),
    ),
    ("/office/page-watch/{terminal}", One(&["CHANGE_TERMINAL"])),
    (
        "/office/page-watch/{terminal}/entries/{entry}",
        One(&["AUTHORIZE_PAGE_ENTRY", "WITHDRAW_PAGE_ENTRY"]),
    ),
    ("/office/password", One(&["CHANGE_PASSWORD"])),
    (
        "/office/reservations/{reservation_id}/cancel",
        One(&["CANCEL_RESERVATION"]),
    ),
    (
        "/office/reservations/{reservation_id}/charges/{charge}",
        One(&["CHARGE_RESERVATION"]),
    ),
    ("/office/second-factor/new", One(&["SET_UP_SECOND_FACTOR"])),
    ("/office/second-factor/passkeys/new", One(&["ADD_PASSKEY"])),
    (
        "/office/second-factor/passkeys/{id}/remove",
        One(&["REMOVE_PASSKEY"]),
    ),
    (
        "/office/second-factor/recovery-codes",
        One(&["MAKE_RECOVERY_CODES"]),
    ),
    (
        "/office/second-factor/remove",
        One(&["REMOVE_SECOND_FACTOR"]),
    ),
    (
        "/office/settlement/differences/{target}",
        One(&["CLEAR_DIFFERENCE"]),
    ),
];

/// Forms that answer with a page when they were carried out: it shows something once. Of the others a page asks again, or for a confirmation.
const SHOWN: [&str; 7] = [
    "/office/keys",
    "/office/keys/{id}/rotate",
    "/office/members",
    "/office/members/{id}/password",
    "/office/second-factor/new",
    "/office/second-factor/passkeys/new",
    "/office/second-factor/recovery-codes",
];

/// Where somebody is sent who has to do something else first.
const FIRST: [&str; 5] = [
    "/office/login",
    "/office/login/code",
    "/office/confirm",
    "/office/password",
    "/office/second-factor/new",
];

/// The acts in the log, oldest first.
pub(super) async fn acts(app: &TestApp) -> Vec<String> {
    app.texts("SELECT act FROM audit_entry ORDER BY seq").await
}

/// Panics if a form was carried out and is not among the acts since `before`.
pub(super) async fn assert_written_down(
    app: &TestApp,
    path: &str,
    before: &[String],
    answer: &Answer,
) {
    let Some((form, One(expected))) = FORMS.iter().find(|(form, _)| fits(form, path)) else {
        return;
    };
    if !is_carried_out(form, answer) {
        return;
    }
    let all = acts(app).await;
    let new = &all[before.len()..];
    assert!(
        new.iter().any(|act| expected.contains(&act.as_str())),
        "{form} was carried out ({}, {:?}) and left {new:?} in place of one of {expected:?}",
        answer.status,
        answer.header("location")
    );
}

fn is_carried_out(form: &str, answer: &Answer) -> bool {
    if form == "/office/logout" {
        // It leads to the log-in, as the way out of everything else does.
        let cookie = answer.header("set-cookie").unwrap_or_default();
        return cookie.ends_with("Max-Age=0");
    }
    match answer.header("location") {
        // The same form came a second time, or what it would end has ended.
        Some(next) if next.ends_with("done=before") || next.ends_with("done=over") => false,
        Some(next) => {
            let page = next.split('?').next().unwrap();
            !FIRST.contains(&page) || page == form
        }
        None => answer.status == 200 && SHOWN.contains(&form),
    }
}

/// Whether an address is one of a route. Literal parts come before parameters, as in a router.
fn fits(route: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap();
    let literal = FORMS.iter().any(|(other, _)| *other == path);
    if literal {
        return route == path;
    }
    let (route, path) = (route.split('/'), path.split('/'));
    route.clone().count() == path.clone().count()
        && route
            .zip(path)
            .all(|(part, given)| part == given || part.starts_with('{'))
}

#[test]
fn every_form_is_on_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/back-office/src");
    let mut sources = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            sources.insert(path, text);
        }
    }
    let mut found = Vec::new();
    for text in sources.values() {
        for (first, rest) in routes(text) {
            if rest.contains("post(") {
                found.push(address(&first, text, &sources));
            }
        }
    }
    found.sort();
    let listed: Vec<&str> = FORMS.iter().map(|(form, _)| *form).collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(found, sorted);
    for (form, leaves) in FORMS {
        if let Nothing(reason) = leaves {
            assert!(!reason.is_empty(), "{form}");
        }
    }
}

/// The two arguments of each `.route(…)`.
fn routes(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in text.split(".route(").skip(1) {
        let mut depth = 1;
        let end = part.find(|character| {
            depth += match character {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth == 0
        });
        // A path has no comma.
        let (first, rest) = part[..end.unwrap()].split_once(',').unwrap();
        found.push((first.trim().to_owned(), rest.to_owned()));
    }
    found
}

/// The address of a route: a literal, a constant, or a constant with something behind it.
fn address(written: &str, text: &str, sources: &BTreeMap<std::path::PathBuf, String>) -> String {
    if let Some(literal) = written.strip_prefix('"') {
        return literal.trim_end_matches('"').to_owned();
    }
    let (name, rest) = match written.strip_prefix("&format!(\"{") {
        Some(format) => format.split_once('}').unwrap(),
        None => (written, ""),
    };
    // A file may call a constant of another one by a name of its own.
    let renamed = format!(" as {name}");
    let name = match text.split_once(&renamed) {
        Some((before, _)) => before.rsplit([' ', '{', ':']).next().unwrap(),
        None => name,
    };
    let mark = format!("const {name}: &str = \"");
    let all = std::iter::once(text).chain(sources.values().map(String::as_str));
    let value = all.filter_map(|text| text.split_once(&mark)).next();
    let (_, value) = value.unwrap_or_else(|| panic!("there is no constant {name}"));
    let value = value.split_once('"').unwrap().0;
    let rest = rest.trim_end_matches(['"', ')']);
    // A brace in a format is written twice.
    format!("{value}{}", rest.replace("{{", "{").replace("}}", "}"))
}
