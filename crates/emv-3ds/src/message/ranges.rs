//! PReq and PRes: which cards take part, in which versions, and where their issuers' 3DS method is.
//!
//! Version 2.2.0 has one range for each entry and the first and last version; version 2.3.1 has a list of ranges and a list of versions.
//! Both are read as [`PublishedRange`].

use super::{Fields, Version, message};
use crate::element::{Digits, Element, Text, TransactionId, WebAddress, codes};
use crate::fault::{Fault, FaultCode};
use serde_json::{Map, Value, json};

codes! {
    /// `actionInd`: what to do with a range.
    RangeAction {
        /// Add it.
        Add = "A",
        /// Delete it.
        Delete = "D",
        /// Replace what is known of it.
        Modify = "M",
    }
}

codes! {
    /// `readOrder`: which entry comes first. Version 2.3.1.
    ReadOrder {
        /// The first one.
        Direct = "01",
        /// The last one.
        Reverse = "02",
    }
}

message! {
    /// PReq: the directory server is asked for its card ranges.
    RangesCall = "PReq" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The reference number of this server.
        server_reference: Text<1, 32> = "threeDSServerRefNumber",
        @optional
        /// The operator of this server.
        server_operator: Text<1, 32> = "threeDSServerOperatorID",
        /// What the last answer said: only changes since then are wanted.
        serial_number: Text<1, 20> = "serialNum",
    }
}

message! {
    /// PRes: the card ranges, or what changed since a serial number.
    RangesAnswer = "PRes" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The directory server's id of the transaction.
        ds_transaction_id: TransactionId = "dsTransID",
        /// The state of the ranges that this answer leads to.
        serial_number: Text<1, 20> = "serialNum",
        @optional
        /// The ranges. Missing: nothing has changed.
        ranges: Entries = "cardRangeData",
        /// Which entry comes first. Version 2.3.1.
        read_order: ReadOrder = "readOrder",
    }
}

/// What a directory server says about some ranges of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRange {
    /// The first and the last number of each range.
    pub bounds: Vec<(Digits<13, 19>, Digits<13, 19>)>,
    /// What to do with it.
    pub action: RangeAction,
    /// The versions that the issuer and this server support, and the address of the 3DS method in each.
    pub versions: Vec<(Version, Option<WebAddress<2048>>)>,
}

/// All entries of a PRes.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    ranges: Vec<PublishedRange>,
    layout: Layout,
}

/// How a version writes entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Version 2.2.0: one range with its first and last version.
    Span,
    /// Version 2.3.1: a list of ranges with a list of versions.
    Lists,
}

impl RangesCall {
    /// A message of these values.
    pub fn new(
        version: Version,
        server_transaction_id: TransactionId,
        server_reference: Text<1, 32>,
        server_operator: Option<Text<1, 32>>,
        serial_number: Option<Text<1, 20>>,
    ) -> RangesCall {
        RangesCall {
            version,
            server_transaction_id,
            server_reference,
            server_operator,
            serial_number,
        }
    }

    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}

impl RangesAnswer {
    /// The answer to `asked`. `ranges`: `None` if nothing has changed.
    pub fn to(
        asked: &RangesCall,
        ds_transaction_id: TransactionId,
        serial_number: Text<1, 20>,
        ranges: Option<Vec<PublishedRange>>,
    ) -> RangesAnswer {
        let layout = match asked.version {
            Version::V2_2_0 => Layout::Span,
            Version::V2_3_1 => Layout::Lists,
        };
        RangesAnswer {
            version: asked.version,
            server_transaction_id: asked.server_transaction_id.clone(),
            ds_transaction_id,
            serial_number,
            ranges: ranges.map(|ranges| Entries { ranges, layout }),
            read_order: None,
        }
    }

    /// The ranges in the order in which they count, none if nothing has changed.
    pub fn entries(&self) -> Vec<&PublishedRange> {
        let entries = self.ranges.iter().flat_map(|entries| &entries.ranges);
        let mut entries: Vec<_> = entries.collect();
        if self.read_order == Some(ReadOrder::Reverse) {
            entries.reverse();
        }
        entries
    }

    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}

impl Element for Entries {
    fn read(value: &Value) -> Option<Entries> {
        let values = value.as_array()?;
        let entries = values.iter().map(|entry| {
            let entry = Fields::of(entry.as_object()?.clone());
            PublishedRange::read(&entry).ok()
        });
        let is_list = |entry: &Value| entry.get("ranges").is_some();
        Some(Entries {
            ranges: entries.collect::<Option<_>>()?,
            layout: match values.iter().any(is_list) {
                true => Layout::Lists,
                false => Layout::Span,
            },
        })
    }

    fn write(&self) -> Value {
        let ranges = self.ranges.iter();
        match self.layout {
            Layout::Span => ranges.flat_map(PublishedRange::write_spans).collect(),
            Layout::Lists => ranges.map(PublishedRange::write).collect(),
        }
    }
}

impl PublishedRange {
    fn read(entry: &Fields) -> Result<PublishedRange, Fault> {
        let bounds = match entry.get("ranges") {
            None => vec![bounds(entry, ("startRange", "endRange"))?],
            Some(ranges) => {
                let ranges = ranges.as_array();
                let ranges = ranges.ok_or(Fault::new(FaultCode::Format, "ranges"))?;
                let ranges = ranges.iter().map(|range| match range.as_object() {
                    Some(range) => bounds(&Fields::of(range.clone()), ("start", "end")),
                    None => Err(Fault::new(FaultCode::Format, "ranges")),
                });
                ranges.collect::<Result<_, _>>()?
            }
        };
        Ok(PublishedRange {
            bounds,
            action: entry.optional("actionInd")?.unwrap_or(RangeAction::Add),
            versions: match entry.get("acsProtocolVersions") {
                None => versions_between(entry)?,
                Some(_) => entry.required::<Versions>("acsProtocolVersions")?.0,
            },
        })
    }

    /// As version 2.2.0 writes it: an entry for each range.
    fn write_spans(&self) -> Vec<Value> {
        let versions = || self.versions.iter();
        let (first, last) = (
            versions().min_by_key(|(version, _)| *version),
            versions().max_by_key(|(version, _)| *version),
        );
        let (Some((first, _)), Some((last, address))) = (first, last) else {
            return Vec::new();
        };
        let entries = self.bounds.iter().map(|(start, end)| {
            let mut entry = Map::new();
            let mut put = |name: &str, value: Value| entry.insert(name.to_owned(), value);
            put("startRange", start.write());
            put("endRange", end.write());
            put("actionInd", self.action.write());
            put("acsStartProtocolVersion", first.write());
            put("acsEndProtocolVersion", last.write());
            if let Some(address) = address {
                put("threeDSMethodURL", address.write());
            }
            Value::Object(entry)
        });
        entries.collect()
    }

    fn write(&self) -> Value {
        let ranges = self
            .bounds
            .iter()
            .map(|(start, end)| json!({ "start": start.write(), "end": end.write() }));
        json!({
            "ranges": ranges.collect::<Vec<Value>>(),
            "actionInd": self.action.code(),
            "acsProtocolVersions": Versions(self.versions.clone()).write(),
        })
    }
}

/// `acsProtocolVersions`, without the versions that are not supported here.
struct Versions(Vec<(Version, Option<WebAddress<2048>>)>);

impl Element for Versions {
    fn read(value: &Value) -> Option<Versions> {
        let mut versions = Vec::new();
        for entry in value.as_array()? {
            let number = entry.get("version")?.as_str()?;
            let address = match entry.get("threeDSMethodURL") {
                None => None,
                Some(address) => Some(WebAddress::read(address)?),
            };
            if let Some(version) = Version::parse(number) {
                versions.push((version, address));
            }
        }
        Some(Versions(versions))
    }

    fn write(&self) -> Value {
        let entries = self.0.iter().map(|(version, address)| {
            let mut entry = Map::new();
            entry.insert(String::from("version"), version.write());
            if let Some(address) = address {
                entry.insert(String::from("threeDSMethodURL"), address.write());
            }
            Value::Object(entry)
        });
        entries.collect()
    }
}

fn bounds(
    entry: &Fields,
    (first, last): (&'static str, &'static str),
) -> Result<(Digits<13, 19>, Digits<13, 19>), Fault> {
    let (start, end): (Digits<13, 19>, Digits<13, 19>) =
        (entry.required(first)?, entry.required(last)?);
    if start.len() != end.len() || *start > *end {
        return Err(Fault::new(FaultCode::Format, last));
    }
    Ok((start, end))
}

/// The supported versions from the first to the last one of the issuer.
fn versions_between(entry: &Fields) -> Result<Vec<(Version, Option<WebAddress<2048>>)>, Fault> {
    let first: Text<5, 8> = entry.required("acsStartProtocolVersion")?;
    let last: Text<5, 8> = entry.required("acsEndProtocolVersion")?;
    let address: Option<WebAddress<2048>> = entry.optional("threeDSMethodURL")?;
    let supported = Version::NEWEST_FIRST.into_iter();
    let between = supported.filter(|version| (&*first..=&*last).contains(&version.code()));
    Ok(between.map(|version| (version, address.clone())).collect())
}
