//! The address of another session's page. Makes no request.

/// The address of this form's page for another session, with all other parameters. `query`: that of this page, with its question mark.
/// `follows`: the session that it replaces.
pub(super) fn of_session(path: &str, query: &str, session: &str, follows: &str) -> String {
    let mut address = [path, "?sessionid="].concat();
    push_escaped(&mut address, session);
    address.push_str("&follows=");
    push_escaped(&mut address, follows);
    let others = query.trim_start_matches('?').split('&').filter(|part| {
        let name = part.split('=').next();
        !part.is_empty() && !matches!(name, Some("sessionid" | "follows"))
    });
    for part in others {
        address.push('&');
        address.push_str(part);
    }
    address
}

/// As the value of a query: RFC 3986, 2.1 and 2.3.
fn push_escaped(address: &mut String, value: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let digit = |half| char::from(b"0123456789ABCDEF"[usize::from(half)]);
            address.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of_session;

    #[test]
    fn what_the_page_brings_stays_one_value() {
        assert_eq!(
            of_session("/form/", "", "a&follows=b c/é", "old"),
            "/form/?sessionid=a%26follows%3Db%20c%2F%C3%A9&follows=old"
        );
    }

    #[test]
    fn session_is_another_one_and_the_rest_stays() {
        for (query, expected) in [
            ("", "/form/?sessionid=new&follows=old"),
            ("?sessionid=old", "/form/?sessionid=new&follows=old"),
            (
                "?sessionid=old&lang=de&dressed=1",
                "/form/?sessionid=new&follows=old&lang=de&dressed=1",
            ),
            (
                "?lang=de&sessionid=old&follows=older&sessionid=again",
                "/form/?sessionid=new&follows=old&lang=de",
            ),
        ] {
            assert_eq!(of_session("/form/", query, "new", "old"), expected);
        }
    }
}
