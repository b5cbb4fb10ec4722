//! Likely typing mistakes in e-mail addresses, such as `ada@gmial.com`. Another address is only a proposal: many hosts differ from a frequent one
//! by a letter, and are meant.

/// Frequent hosts, and real hosts that differ from them by one letter.
const HOSTS: &str = "gmail.com googlemail.com hotmail.com outlook.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com me.com mac.com \
aol.com mail.com email.com gmx.com gmx.net gmx.de gmx.at gmx.ch web.de t-online.de freenet.de orange.fr wanadoo.fr free.fr laposte.net libero.it \
virgilio.it alice.it tiscali.it hotmail.it hotmail.fr hotmail.es hotmail.de hotmail.co.uk yahoo.it yahoo.fr yahoo.es yahoo.de yahoo.co.uk yahoo.co.jp \
yahoo.com.br outlook.it outlook.fr outlook.es outlook.de live.it live.fr live.de live.co.uk btinternet.com comcast.net verizon.net proton.me \
protonmail.com fastmail.com zoho.com uol.com.br bol.com.br terra.com.br seznam.cz centrum.cz wp.pl onet.pl o2.pl interia.pl ziggo.nl kpnmail.nl \
telenet.be skynet.be bluewin.ch mail.ru yandex.ru rambler.ru ukr.net abv.bg naver.com daum.net qq.com foxmail.com";

/// Shorter hosts are not corrected: with one letter changed they are often another real host.
const LONG: usize = 9;

/// Ends that no host has, with the frequent end that was probably meant.
const ENDS: [(&str, &str); 15] = [
    ("con", "com"),
    ("cmo", "com"),
    ("ocm", "com"),
    ("comm", "com"),
    ("coom", "com"),
    ("ccom", "com"),
    ("vom", "com"),
    ("xom", "com"),
    ("cpm", "com"),
    ("clm", "com"),
    ("nte", "net"),
    ("ent", "net"),
    ("nett", "net"),
    ("ogr", "org"),
    ("orgg", "org"),
];

/// The address that was probably meant. `None` if the typed one is as likely, or is none.
#[must_use]
pub fn likely_address(typed: &str) -> Option<String> {
    let (name, typed_host) = typed.trim().split_once('@')?;
    let is_part =
        |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '@');
    if !is_part(name) || !is_part(typed_host) {
        return None;
    }
    // The known hosts are ASCII.
    let typed_host = typed_host.to_ascii_lowercase();
    let host = with_single_dots(&typed_host);
    let likely = if hosts().any(|known| known == host) {
        host
    } else {
        nearest_host(&host).map_or_else(|| with_real_end(&host), str::to_owned)
    };
    (likely.contains('.') && likely != typed_host).then(|| [name, "@", &likely].concat())
}

fn hosts() -> impl Iterator<Item = &'static str> {
    HOSTS.split(' ')
}

/// The comma's key is beside that of the dot, and a dot at the end belongs to a sentence.
fn with_single_dots(host: &str) -> String {
    let mut written = String::with_capacity(host.len());
    for letter in host.chars() {
        let letter = if matches!(letter, ',' | ';') {
            '.'
        } else {
            letter
        };
        if letter != '.' || !written.ends_with('.') {
            written.push(letter);
        }
    }
    if written.ends_with('.') {
        written.pop();
    }
    written
}

fn with_real_end(host: &str) -> String {
    let meant = host.rsplit_once('.').and_then(|(before, end)| {
        let (_, meant) = ENDS.iter().find(|(wrong, _)| *wrong == end)?;
        (!before.is_empty()).then(|| [before, ".", meant].concat())
    });
    meant.unwrap_or_else(|| host.to_owned())
}

/// The one known host that differs from this one by a single typing mistake.
fn nearest_host(host: &str) -> Option<&'static str> {
    if !host.contains('.') {
        // The end is missing, or the dot.
        let begins = |known: &&str| {
            known.len() >= LONG
                && known
                    .strip_prefix(host)
                    .is_some_and(|end| end.starts_with('.'))
        };
        return hosts()
            .find(begins)
            .or_else(|| hosts().find(|known| known.replacen('.', "", 1) == host));
    }
    let mut near = hosts().filter(|known| {
        known.len() >= LONG && is_one_slip(host, known) && !is_other_country(host, known)
    });
    let found = near.next();
    near.next().is_none().then_some(found).flatten()
}

/// Whether they differ by one letter too many, too few, or different, or by two letters in the wrong order.
fn is_one_slip(typed: &str, right: &str) -> bool {
    let typed: Vec<char> = typed.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let same = typed.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let (typed, right) = (&typed[same..], &right[same..]);
    let ends_alike = |skipped: usize, missing: usize| {
        typed
            .get(skipped..)
            .is_some_and(|end| right.get(missing..) == Some(end))
    };
    let is_swapped = match (typed, right) {
        ([a, b, ..], [c, d, ..]) => a == d && b == c && ends_alike(2, 2),
        _ => false,
    };
    typed != right && (ends_alike(1, 0) || ends_alike(0, 1) || ends_alike(1, 1) || is_swapped)
}

/// Whether it is the same name with another country's end, which may be a real host.
fn is_other_country(typed: &str, right: &str) -> bool {
    let name = |host: &str| {
        let (name, end) = host.rsplit_once('.')?;
        (end.chars().count() == 2).then(|| name.to_owned())
    };
    name(typed).is_some_and(|typed| name(right) == Some(typed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(typed: &str, expected: Option<&str>) {
        assert_eq!(likely_address(typed).as_deref(), expected, "{typed}");
    }

    /// C12
    #[test]
    fn a_letter_too_many_too_few_another_one_or_two_in_the_wrong_order() {
        for host in [
            "gmial.com",
            "gmal.com",
            "gmaill.com",
            "gmaik.com",
            "gmail.co",
            "gmail.con",
            "gmail.cm",
            "GMIAL.com",
        ] {
            check(&format!("ada@{host}"), Some("ada@gmail.com"));
        }
        check("ada@hotnail.com", Some("ada@hotmail.com"));
        check("ada@outlok.com", Some("ada@outlook.com"));
        check("ada@iclud.com", Some("ada@icloud.com"));
        check(" Ada.L+shop@yaho.com ", Some("Ada.L+shop@yahoo.com"));
    }

    /// C12
    #[test]
    fn a_dot_that_is_missing_doubled_a_comma_or_one_too_many_and_an_end_that_was_forgotten() {
        check("ada@gmail,com", Some("ada@gmail.com"));
        check("ada@example,org", Some("ada@example.org"));
        check("ada@gmail..com", Some("ada@gmail.com"));
        check("ada@example.com.", Some("ada@example.com"));
        check("ada@gmailcom", Some("ada@gmail.com"));
        check("ada@yahoo", Some("ada@yahoo.com"));
    }

    /// C12
    #[test]
    fn an_end_that_no_host_has() {
        check("ada@shop.example.con", Some("ada@shop.example.com"));
        check("ada@example.cmo", Some("ada@example.com"));
        check("ada@example.nte", Some("ada@example.net"));
    }

    /// C12
    #[test]
    fn nothing_is_offered_in_place_of_an_address_that_is_as_likely() {
        for host in [
            "gmail.com",
            "Gmail.com",
            "ymail.com",
            "mail.com",
            "email.com",
            "gmx.at",
            "yahoo.se",
            "hotmail.be",
            "live.com",
            "love.com",
            "example.com",
            "example.co",
            "example.org",
            "con.example",
            "company.example",
            "web.de",
            "ver.de",
            "müller.example",
            "hmail.com",
        ] {
            check(&format!("ada@{host}"), None);
        }
    }

    /// C12
    #[test]
    fn nothing_is_offered_for_what_is_no_address() {
        let many = "@".repeat(100_000);
        for text in [
            "",
            " ",
            "ada",
            "ada@",
            "@gmial.com",
            "a b@gmial.com",
            "ada@eve@gmial.com",
            "ada@localhost",
            "ada@.",
            "ada@,",
            &many,
        ] {
            check(text, None);
        }
    }

    proptest! {
        #[test]
        fn what_is_offered_is_offered_once(typed in "[a-z]{0,3}@?[a-zé.,;@ ]{0,12}(con|com|\\.de)?") {
            if let Some(likely) = likely_address(&typed) {
                prop_assert_eq!(likely_address(&likely), None);
            }
        }
    }
}
