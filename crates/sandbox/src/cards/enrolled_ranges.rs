//! The ranges of cards that take part in 3-D Secure, as a directory server publishes them.
//!
//! A 3DS method learns no card number. So a range has one behaviour of the method, and an address of its own for it.

use super::{AccessControl, DeviceCheckScript, KNOWN, RANGES, Scenario, TestCards};
use payframe_card_rules::network::Network;
use payframe_payment_ports::bin_lookup::BinLookup;
use payframe_payment_ports::three_ds_server::Enrollment;

/// Cards that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnrolledRange {
    /// The first number, whatever its check digit is.
    pub(crate) first: String,
    /// The last number, whatever its check digit is.
    pub(crate) last: String,
    /// The behaviour of the 3DS method.
    pub(crate) method: DeviceCheckScript,
    /// Whether their issuer asks the buyer's device, which the newest version of the protocol alone can.
    pub(crate) asks_device: bool,
    /// Whose cards these are.
    pub(crate) network: Option<Network>,
}

/// All of them.
pub(crate) fn enrolled_ranges() -> Vec<EnrolledRange> {
    let mut ranges = Vec::new();
    for range in RANGES {
        for prefix in range.prefixes {
            add_ranges_of(prefix, range.networks.first().copied(), &mut ranges);
        }
    }
    for (number, scenario) in KNOWN {
        ranges.push(EnrolledRange {
            first: (*number).to_owned(),
            last: (*number).to_owned(),
            method: Scenario(*scenario).device_check(),
            asks_device: asks_device(Scenario(*scenario)),
            network: network_of(number),
        });
    }
    ranges
}

/// The network of a test card.
pub(crate) fn network_of(number: &str) -> Option<Network> {
    let issuer = TestCards.issuer_of(number.get(..8)?);
    issuer.networks.iter().next()
}

/// The cards with this prefix, without those of issuers that do not take part.
fn add_ranges_of(prefix: &str, network: Option<Network>, ranges: &mut Vec<EnrolledRange>) {
    let mut open: Option<EnrolledRange> = None;
    for case in 0..=LAST_CASE {
        let scenario = Scenario(case);
        let method = scenario.device_check();
        if scenario.enrollment() == Enrollment::NotEnrolled {
            ranges.extend(open.take());
            continue;
        }
        let asks_device = asks_device(scenario);
        let last = format!("{prefix}{case:03}9");
        match &mut open {
            Some(range) if (range.method, range.asks_device) == (method, asks_device) => {
                range.last = last;
            }
            _ => {
                let first = format!("{prefix}{case:03}0");
                ranges.extend(open.replace(EnrolledRange {
                    first,
                    last,
                    method,
                    asks_device,
                    network,
                }));
            }
        }
    }
    ranges.extend(open);
}

fn asks_device(scenario: Scenario) -> bool {
    scenario.access_control() == AccessControl::Confirmation
}

const LAST_CASE: u16 = 999;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers_that_take_part_are_published_with_their_method() {
        let ranges = enrolled_ranges();
        let range_of = |number: &str| {
            let mut found = ranges.iter().filter(|range| {
                range.first.len() == number.len()
                    && (&*range.first..=&*range.last).contains(&number)
            });
            let range = found.next();
            assert_eq!(found.next(), None, "{number} is in two ranges");
            range.map(|range| (range.method, range.asks_device))
        };
        for (number, published) in [
            ("4761730000000003", Some((DeviceCheckScript::Quick, false))),
            ("4761730000003031", Some((DeviceCheckScript::Silent, false))),
            ("4761730000003049", None),
            ("4761730000003130", Some((DeviceCheckScript::Quick, false))),
            ("4761730000003148", Some((DeviceCheckScript::Quick, true))),
            ("5413330000003146", Some((DeviceCheckScript::Quick, true))),
            ("4761730000003155", Some((DeviceCheckScript::Quick, false))),
            ("4761730000003056", Some((DeviceCheckScript::Quick, false))),
            ("4761730000003098", Some((DeviceCheckScript::Slow, false))),
            ("4761730000009996", Some((DeviceCheckScript::Quick, false))),
            ("5413330000003047", None),
            ("4111111111111111", Some((DeviceCheckScript::Quick, false))),
            ("4012888888881881", None),
        ] {
            assert_eq!(range_of(number), published, "{number}");
        }
        let mastercard = ranges
            .iter()
            .find(|range| range.first.starts_with("541333000000"));
        assert_eq!(
            mastercard.and_then(|range| range.network),
            Some(Network::Mastercard)
        );
    }
}
