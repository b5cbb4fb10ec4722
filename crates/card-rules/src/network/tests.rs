//! Compares the table of networks with `docs/networks.md`, which is read here in the simplest way.

use super::*;
use proptest::prelude::*;

/// A row of the page: code, first digits from and to, lengths, security code, check digit.
struct Row {
    network: Network,
    name: String,
    prefixes: Vec<(String, String)>,
    lengths: Vec<usize>,
    gaps: String,
    security_code: String,
    check_digit: String,
}

fn page() -> Vec<Row> {
    let page = include_str!("../../../../docs/networks.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let cells: Vec<_> = row
            .split('|')
            .map(|cell| cell.trim().trim_end_matches('`'))
            .collect();
        let [
            code,
            name,
            prefixes,
            lengths,
            gaps,
            security_code,
            check_digit,
            source,
            "",
        ] = cells[..]
        else {
            panic!("{row}");
        };
        assert!(!source.is_empty(), "{code}: nobody decides");
        let spans = |cell: &str| -> Vec<(String, String)> {
            let span = |text: &str| {
                let (from, to) = text.split_once('–').unwrap_or((text, text));
                (from.to_owned(), to.to_owned())
            };
            cell.split(", ")
                .filter(|text| *text != "none")
                .map(span)
                .collect()
        };
        let counts = spans(lengths).into_iter();
        Row {
            network: Network::from_code(code).unwrap_or_else(|| panic!("{code}")),
            name: name.to_owned(),
            prefixes: spans(prefixes),
            lengths: counts
                .flat_map(|(from, to)| from.parse().unwrap()..=to.parse().unwrap())
                .collect(),
            gaps: gaps.to_owned(),
            security_code: security_code.to_owned(),
            check_digit: check_digit.to_owned(),
        }
    })
    .collect()
}

/// Every range of the page: eight digits from and to, how many digits it is written with, its network.
fn written_ranges() -> Vec<(u32, u32, usize, Network)> {
    let fill = |digits: &str, filler: &str| -> u32 {
        let missing = 8 - digits.len();
        [digits, &filler.repeat(missing)].concat().parse().unwrap()
    };
    let of_row = |row: Row| {
        let of_span = move |(from, to): (String, String)| {
            (fill(&from, "0"), fill(&to, "9"), from.len(), row.network)
        };
        row.prefixes.into_iter().map(of_span).collect::<Vec<_>>()
    };
    page().into_iter().flat_map(of_row).collect()
}

/// The network of a number with these eight first digits, by the page.
fn owner_by_the_page(ranges: &[(u32, u32, usize, Network)], digits: u32) -> Option<Network> {
    let holding = ranges
        .iter()
        .filter(|(from, to, ..)| (*from..=*to).contains(&digits));
    let strongest = holding.clone().map(|range| range.2).max()?;
    let owners: Vec<_> = holding
        .filter(|range| range.2 == strongest)
        .map(|range| range.3)
        .collect();
    assert_eq!(owners.len(), 1, "{digits}: two ranges of one strength");
    Some(owners[0])
}

/// Every place where the owner may change: both edges of every range, and what lies just outside of them.
fn edges(ranges: &[(u32, u32, usize, Network)]) -> Vec<u32> {
    let mut edges: Vec<u32> = ranges
        .iter()
        .flat_map(|(from, to, ..)| {
            [
                from.saturating_sub(1),
                *from,
                *to,
                (*to + 1).min(99_999_999),
            ]
        })
        .collect();
    edges.extend([0, 99_999_999]);
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// B1: no digit string is misjudged at a range's edge, however many of its digits are there.
/// B4: no digit string is misjudged at a range's edge, however many of its digits are there.
#[test]
fn every_edge_of_every_range_is_where_the_page_has_it() {
    let ranges = written_ranges();
    let edges = edges(&ranges);
    assert!(edges.len() > 150, "{}", edges.len());
    for edge in &edges {
        let digits = format!("{edge:08}");
        assert_eq!(
            network_of(&digits),
            owner_by_the_page(&ranges, *edge),
            "{digits}"
        );
        for length in 1..8_usize {
            let beginning = &digits[..length];
            let width = 10_u32.pow(8 - length as u32);
            let (low, high) = (edge / width * width, edge / width * width + (width - 1));
            // Between two edges the network does not change, so the beginning and the edges inside are enough.
            let inside = edges
                .iter()
                .copied()
                .filter(|edge| (low..=high).contains(edge));
            let expected: NetworkSet = inside
                .chain([low])
                .filter_map(|place| owner_by_the_page(&ranges, place))
                .collect();
            assert_eq!(candidates(beginning), expected, "{beginning}");
        }
    }
}

#[test]
fn the_ranges_told_apart_are_those_of_the_page() {
    let written = written_ranges();
    let mut last = None;
    for (from, to, network) in ranges() {
        assert!(from <= to && last.is_none_or(|last| last < from), "{from}");
        for place in [from, to] {
            assert_eq!(owner_by_the_page(&written, place), Some(network), "{place}");
        }
        last = Some(to);
    }
    let held = |digits: u32| ranges().any(|(from, to, _)| (from..=to).contains(&digits));
    for edge in edges(&written) {
        assert_eq!(
            held(edge),
            owner_by_the_page(&written, edge).is_some(),
            "{edge}"
        );
    }
}

#[test]
fn edges_of_the_ranges() {
    let check = |digits: &str, expected: &str| {
        let names: Vec<_> = candidates(digits).iter().map(Network::code).collect();
        assert_eq!(names.join(" "), expected, "{digits}");
    };
    check(
        "",
        "VISA MC AMEX DINERS DISCOVER JCB UNIONPAY MAESTRO MIR ELO HIPER HIPERCARD VERVE RUPAY TROY DANKORT",
    );
    check("2", "MC MIR");
    check("22", "MC MIR");
    check("220", "MIR");
    check("2204", "MIR");
    check("2205", "");
    check("222", "MC");
    check("2220", "");
    check("2221", "MC");
    check("2720", "MC");
    check("2721", "");
    check("3", "AMEX DINERS JCB HIPERCARD");
    check("30", "DINERS");
    check("306", "");
    check("3094", "");
    check("3095", "DINERS");
    check("3096", "");
    check("3527", "");
    check("3528", "JCB");
    check("3589", "JCB");
    check("3590", "");
    check("38414", "DINERS HIPERCARD");
    check("384139", "DINERS");
    check("384140", "HIPERCARD");
    check("384141", "DINERS");
    check("4", "VISA ELO");
    check("47", "VISA");
    check("401177", "VISA");
    check("401178", "ELO");
    check("401179", "ELO");
    check("401180", "VISA");
    check("5", "MC MAESTRO ELO VERVE RUPAY DANKORT");
    check("50", "MAESTRO ELO VERVE RUPAY DANKORT");
    check("5018", "MAESTRO");
    check("5019", "DANKORT");
    check("5020", "MAESTRO");
    check("506098", "MAESTRO");
    check("506099", "VERVE");
    check("506698", "MAESTRO");
    check("506699", "ELO");
    check("508499", "MAESTRO");
    check("508500", "RUPAY");
    check("508999", "RUPAY");
    check("509", "ELO");
    check("51", "MC");
    check("55", "MC");
    check("56", "MAESTRO");
    check("59", "");
    check("6304", "MAESTRO");
    check("637374", "HIPER");
    check("63737422", "");
    check("63737423", "HIPER");
    check("63737424", "");
    check("643", "");
    check("644", "DISCOVER");
    check("650034", "DISCOVER");
    check("650035", "ELO");
    check("627779", "UNIONPAY");
    check("627780", "ELO");
    check("817199", "UNIONPAY");
    check("817200", "RUPAY");
    check("820199", "RUPAY");
    check("8202", "");
    check("9791", "");
    check("979200", "TROY");
    check("979290", "");
}

/// B1: what a form may claim, by the networks that its session takes.
/// B2: what a form may claim, by the networks that its session takes.
/// B8: what a form may claim, by the networks that its session takes.
#[test]
fn a_network_is_claimed_once_no_other_is_taken() {
    let check = |accepted: &str, digits: &str, expected: Option<&str>| {
        let accepted = NetworkSet::from_codes(accepted.split(' '));
        assert_eq!(
            claimed_network(digits, accepted).map(Network::code),
            expected,
            "{accepted:?} {digits}"
        );
    };
    check("VISA", "", None);
    check("VISA MC", "4", Some("VISA"));
    check("VISA ELO", "4", None);
    check("VISA ELO", "4011", None);
    check("VISA ELO", "401178", Some("ELO"));
    check("VISA ELO", "401177", Some("VISA"));
    check("VISA", "401178", Some("ELO"));
    check("MC MAESTRO", "5", None);
    check("MC AMEX", "5", Some("MC"));
    check("MC CARTES_BANCAIRES", "4", Some("VISA"));
    check("MC", "4", None);
    check("MC", "47", Some("VISA"));
    check("VISA", "1", None);
    // Troy may stand beside Discover, so both are possible for whoever takes one of them.
    check("DISCOVER", "6", Some("DISCOVER"));
    check("TROY", "97", Some("TROY"));
}

#[test]
fn what_follows_the_eighth_digit_changes_nothing() {
    for tail in ["", "0", "99999999999", " and more"] {
        assert_eq!(network_of(&format!("63743358{tail}")), Some(Network::Hiper));
        assert_eq!(network_of(&format!("63743359{tail}")), None);
    }
}

#[test]
fn text_that_is_not_digits_fits_everything_and_does_no_harm() {
    assert_eq!(candidates("x4"), candidates(""));
    assert_eq!(candidates("4\u{661}"), candidates("4"));
    assert!(!is_certainly_full("five hundred and x"));
}

/// B4: what the page says of lengths, check digit and security code is what is checked.
/// B6: what the page says of lengths, check digit and security code is what is checked.
/// B9: what the page says of lengths, check digit and security code is what is checked.
/// B10: what the page says of lengths, check digit and security code is what is checked.
#[test]
fn every_network_is_as_the_page_describes_it() {
    let page = page();
    assert_eq!(page.len(), Network::ALL.len());
    for (row, network) in page.iter().zip(Network::ALL) {
        assert_eq!(row.network, network, "in the order of the list");
        assert_eq!(row.name, network.name());
        assert!(Network::ALL[network as usize] == network);
        let lengths: Vec<_> = network.lengths().map(usize::from).collect();
        assert_eq!(lengths, row.lengths, "{network:?}");
        for length in 0..40 {
            assert_eq!(
                network.lengths().contains(length),
                row.lengths.contains(&length),
                "{network:?} {length}"
            );
        }
        assert_eq!(usize::from(network.lengths().shortest()), row.lengths[0]);
        assert_eq!(
            usize::from(network.lengths().longest()),
            row.lengths[row.lengths.len() - 1]
        );
        assert!(
            network
                .lengths()
                .all(|length| (SHORTEST..=LONGEST).contains(&length))
        );
        let policy = match network.security_code_policy() {
            SecurityCodePolicy::None => "none",
            SecurityCodePolicy::Optional => "optional",
            SecurityCodePolicy::Required => "required",
        };
        let code = format!("{}, {policy}", network.security_code_length());
        assert_eq!(code, row.security_code, "{network:?}");
        let check_digit = if network.has_check_digit() {
            "yes"
        } else {
            "no"
        };
        assert_eq!(check_digit, row.check_digit, "{network:?}");
        for length in network.lengths() {
            let mut groups = Vec::new();
            let (length, mut before) = (usize::from(length), 0);
            for place in gaps(Some(network), length)
                .iter()
                .map(|place| usize::from(*place))
                .chain([length])
            {
                let place = place.min(length);
                if place > before {
                    groups.push((place - before).to_string());
                    before = place;
                }
            }
            let groups = groups.join("-");
            // The page has the grouping of the longest number: shorter numbers end earlier.
            let (head, last) = groups.rsplit_once('-').unwrap();
            let fits = |written: &str| {
                let rest = written
                    .strip_prefix(head)
                    .and_then(|rest| rest.strip_prefix('-'));
                rest.and_then(|rest| rest.split('-').next()?.parse::<usize>().ok())
                    .is_some_and(|group| last.parse::<usize>().unwrap() <= group)
            };
            assert!(
                row.gaps.split(", ").any(fits),
                "{network:?} of {length}: {groups}"
            );
        }
    }
    assert!(
        SecurityCodePolicy::None < SecurityCodePolicy::Optional,
        "the stricter of two is the greater"
    );
    assert!(SecurityCodePolicy::Optional < SecurityCodePolicy::Required);
}

/// The contract's table (10.5), as far as no network beyond it has a range inside.
#[test]
fn the_contracts_networks_are_as_the_contract_has_them() {
    let check = |code: &str, prefixes: &[&str], lengths: &[u8]| {
        for prefix in prefixes {
            let network = Network::from_code(code).unwrap();
            assert!(candidates(prefix).contains(network), "{prefix}");
            let beyond: Vec<_> = candidates(prefix)
                .iter()
                .filter(|other| (*other as u8) < 10 && *other != network)
                .collect();
            assert!(beyond.is_empty(), "{prefix}: {beyond:?}");
            assert_eq!(network.lengths().collect::<Vec<_>>(), lengths, "{code}");
        }
    };
    check("VISA", &["4"], &[13, 16, 19]);
    check(
        "MC",
        &["51", "52", "53", "54", "55", "2221", "2300", "2699", "2720"],
        &[16],
    );
    check("AMEX", &["34", "37"], &[15]);
    check(
        "DINERS",
        &["300", "305", "3095", "36", "38", "39"],
        &[14, 15, 16, 17, 18, 19],
    );
    check("DISCOVER", &["6011", "644", "649", "65"], &[16, 17, 18, 19]);
    check("JCB", &["3528", "3589"], &[16, 17, 18, 19]);
    check("UNIONPAY", &["62", "81"], &[16, 17, 18, 19]);
    check(
        "MAESTRO",
        &["50", "56", "57", "58", "6304", "67"],
        &[13, 14, 15, 16, 17, 18, 19],
    );
}

#[test]
fn codes_lead_back_to_their_network() {
    for network in Network::ALL {
        assert_eq!(Network::from_code(network.code()), Some(network));
    }
    for code in ["", "visa", "Visa", "VISA ", "MASTERCARD"] {
        assert_eq!(Network::from_code(code), None, "{code}");
    }
}

/// B12: which networks can stand on one card; the gateway's look-up says whether they do.
#[test]
fn companions_are_those_of_the_page() {
    for network in Network::ALL {
        let companions: Vec<_> = network.companions().iter().map(Network::code).collect();
        let expected: &[&str] = match network.code() {
            "VISA" => &["CARTES_BANCAIRES", "DANKORT", "GIROCARD", "PAGOBANCOMAT"],
            "MC" => &["CARTES_BANCAIRES", "GIROCARD", "PAGOBANCOMAT"],
            "MAESTRO" => &["BANCONTACT", "GIROCARD", "PAGOBANCOMAT"],
            "DISCOVER" => &["TROY"],
            _ => &[],
        };
        assert_eq!(companions, expected, "{network:?}");
        assert!(network.is_taken(NetworkSet::of(network)));
        assert!(
            network
                .companions()
                .iter()
                .all(|companion| network.is_taken(NetworkSet::of(companion)))
        );
        assert!(!network.is_taken(NetworkSet::empty()));
    }
    assert!(!Network::Amex.is_taken(NetworkSet::of(Network::CartesBancaires)));
}

/// E3: only at its longest length is a number certainly at its end.
#[test]
fn a_number_is_full_at_its_longest_length_only() {
    let check = |first: &str, max: u8| {
        assert_eq!(max_length(first), max, "{first}");
        for length in first.len()..=22 {
            let digits = format!("{first:0<length$}");
            assert_eq!(
                is_certainly_full(&digits),
                length == usize::from(max),
                "{digits}"
            );
        }
    };
    check("4761", 19);
    check("5413", 16);
    check("2223", 16);
    check("3742", 15);
    check("3614", 19);
    check("6799", 19);
    check("22001", 19);
    check("401178", 16);
    check("506099", 19);
    check("979200", 16);
    assert_eq!(
        (
            max_length(""),
            max_length("5"),
            max_length("3"),
            max_length("9000")
        ),
        (19, 19, 19, 19)
    );
    assert!(
        !is_certainly_full("9000000000000000000"),
        "a network that is not known is never certain"
    );
}

proptest! {
    /// B1: candidates shrink while a number is typed, and never to a network that was none before.
    #[test]
    fn candidates_only_ever_shrink(digits in "[0-9]{1,12}") {
        let mut before = candidates("");
        for length in 1..=digits.len() {
            let now = candidates(&digits[..length]);
            prop_assert_eq!(now.intersection(before), now, "{}", &digits[..length]);
            before = now;
        }
        prop_assert!(before.len() <= 1 || digits.len() < 8);
    }

    #[test]
    fn the_table_and_the_page_name_the_same_owner(digits in 0_u32..100_000_000) {
        let ranges = written_ranges();
        prop_assert_eq!(network_of(&format!("{digits:08}")), owner_by_the_page(&ranges, digits));
    }
}
