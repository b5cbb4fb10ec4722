//! The terminals of the file, each with one acquirer or with routes to several.

use crate::routes::{CardRange, Choice, Conditions, Routes, Share, WHOLE};
use payframe_card_rules::network::Network;
use payframe_money::minor_digits;
use serde::Deserialize;

/// A terminal as it stands in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TerminalMember {
    pub(super) id: String,
    acquirer: Option<String>,
    fallback: Option<String>,
    #[serde(default)]
    route: Vec<RouteMember>,
    #[serde(default)]
    pub(super) without_authentication: bool,
}

/// A route as it stands in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RouteMember {
    networks: Option<Vec<String>>,
    currencies: Option<Vec<String>>,
    ranges: Option<Vec<String>>,
    share: Option<i64>,
    acquirer: String,
    fallback: Option<String>,
}

/// A terminal, and where its payments go.
#[derive(Debug)]
pub(super) struct Terminal {
    pub(super) id: String,
    pub(super) routes: Routes,
    pub(super) without_authentication: bool,
}

/// What cannot be used: the member, and what it must be.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) member: String,
    pub(super) accepts: String,
}

impl TerminalMember {
    /// The terminal, if its routes can be used. `acquirers`: the names in the file.
    pub(super) fn read(self, acquirers: &[&str]) -> Result<Terminal, Refusal> {
        let routes = self.routes(acquirers)?;
        Ok(Terminal {
            id: self.id,
            routes,
            without_authentication: self.without_authentication,
        })
    }

    fn routes(&self, acquirers: &[&str]) -> Result<Routes, Refusal> {
        let place = format!("terminal {}", self.id);
        if self.route.is_empty() {
            let Some(acquirer) = &self.acquirer else {
                let member = format!("acquirer of {place}");
                return Err(refusal(
                    member,
                    "given, as the name of an [[acquirer]] of this file, unless there is a [[terminal.route]]",
                ));
            };
            names_fit(&place, acquirer, self.fallback.as_ref(), acquirers)?;
            return Ok(Routes::to(acquirer.clone(), self.fallback.clone()));
        }
        for (key, given) in [("acquirer", &self.acquirer), ("fallback", &self.fallback)] {
            if given.is_some() {
                let member = format!("{key} of {place}");
                return Err(refusal(
                    member,
                    "left out beside a [[terminal.route]]: each route has its own",
                ));
            }
        }
        let mut choices: Vec<Choice> = Vec::new();
        for (number, route) in (1..).zip(&self.route) {
            let place = format!("route {number} of {place}");
            let conditions = route.conditions(&place)?;
            let share = route.share(&place, acquirers)?;
            let former = choices.last_mut().filter(|former| {
                former.conditions == conditions && (share.percent < WHOLE || former.is_shared())
            });
            match former {
                Some(former) => former.shares.push(share),
                None => choices.push(Choice {
                    conditions,
                    shares: vec![share],
                }),
            }
        }
        let routes = Routes(choices);
        shares_fit(&routes, &place)?;
        if let Some(unreachable) = routes.unreachable() {
            let number = first_route(&routes, unreachable);
            return Err(refusal(
                format!("route {number} of {place}"),
                "reached by a payment: the routes before it take all that it could take",
            ));
        }
        match routes.0.last() {
            Some(last) if last.conditions != Conditions::default() => Err(refusal(
                format!("route {} of {place}", self.route.len()),
                "without networks, currencies and ranges: the last route takes what the others leave",
            )),
            _ => Ok(routes),
        }
    }
}

impl RouteMember {
    fn conditions(&self, place: &str) -> Result<Conditions, Refusal> {
        let codes = || Network::ALL.map(Network::code).join(", ");
        Ok(Conditions {
            networks: list(self.networks.as_deref(), Network::from_code)
                .map_err(|()| refusal_of("networks", place, format!("a list of {}", codes())))?,
            currencies: list(self.currencies.as_deref(), |code| {
                minor_digits(code).map(|_| code.to_owned())
            })
            .map_err(|()| refusal_of("currencies", place, CURRENCIES))?,
            ranges: list(self.ranges.as_deref(), CardRange::parse)
                .map_err(|()| refusal_of("ranges", place, RANGES))?,
        })
    }

    fn share(&self, place: &str, acquirers: &[&str]) -> Result<Share, Refusal> {
        names_fit(place, &self.acquirer, self.fallback.as_ref(), acquirers)?;
        let percent = match self.share {
            None => Some(WHOLE),
            Some(share) => u8::try_from(share)
                .ok()
                .filter(|share| (1..WHOLE).contains(share)),
        };
        let percent = percent.ok_or_else(|| refusal_of("share", place, SHARES))?;
        Ok(Share {
            percent,
            acquirer: self.acquirer.clone(),
            fallback: self.fallback.clone(),
        })
    }
}

impl Choice {
    /// Whether its routes say which part they take.
    fn is_shared(&self) -> bool {
        self.shares.iter().all(|share| share.percent < WHOLE)
    }
}

/// A list whose members can all be read, and that has one.
fn list<T>(
    texts: Option<&[String]>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<Vec<T>>, ()> {
    let Some(texts) = texts else {
        return Ok(None);
    };
    let read: Option<Vec<T>> = texts.iter().map(|text| read(text)).collect();
    let is_long_enough = |read: &Vec<T>| !read.is_empty();
    read.filter(is_long_enough).map(Some).ok_or(())
}

fn names_fit(
    place: &str,
    acquirer: &str,
    fallback: Option<&String>,
    acquirers: &[&str],
) -> Result<(), Refusal> {
    if !acquirers.contains(&acquirer) {
        return Err(refusal_of("acquirer", place, KNOWN));
    }
    let Some(fallback) = fallback else {
        return Ok(());
    };
    if !acquirers.contains(&fallback.as_str()) {
        return Err(refusal_of("fallback", place, KNOWN));
    }
    if fallback == acquirer {
        return Err(refusal_of("fallback", place, "another one than acquirer"));
    }
    Ok(())
}

/// Routes that follow each other with the same conditions share the payments among them, all of them.
fn shares_fit(routes: &Routes, place: &str) -> Result<(), Refusal> {
    for (number, choice) in routes.0.iter().enumerate() {
        let first = first_route(routes, number);
        let sum: u32 = choice
            .shares
            .iter()
            .map(|share| u32::from(share.percent))
            .sum();
        if sum == u32::from(WHOLE) {
            continue;
        }
        if let Some(whole) = choice.shares.iter().position(|one| one.percent == WHOLE) {
            let member = format!("share of route {} of {place}", first + whole);
            return Err(refusal(
                member,
                "given: it has the conditions of a neighbour with a share",
            ));
        }
        let last = first + choice.shares.len() - 1;
        return Err(refusal(
            format!("share of route {last} of {place}"),
            &format!(
                "such that the shares of the routes with its conditions ({first} to {last}) add up to 100; now it is {sum}"
            ),
        ));
    }
    Ok(())
}

/// The number of the first route of a choice, as the file has them.
fn first_route(routes: &Routes, choice: usize) -> usize {
    let before = routes.0.iter().take(choice);
    1 + before.map(|choice| choice.shares.len()).sum::<usize>()
}

fn refusal_of(key: &str, place: &str, accepts: impl AsRef<str>) -> Refusal {
    refusal(format!("{key} of {place}"), accepts.as_ref())
}

fn refusal(member: String, accepts: &str) -> Refusal {
    Refusal {
        member,
        accepts: accepts.to_owned(),
    }
}

const KNOWN: &str = "the name of an [[acquirer]] of this file";
const CURRENCIES: &str = "a list of currencies that the gateway knows, as in [\"EUR\", \"USD\"]";
const RANGES: &str =
    "a list of beginnings of card numbers with 1 to 8 digits, as in [\"4\", \"510000-559999\"]";
const SHARES: &str = "a percentage from 1 to 99, or left out";

#[cfg(test)]
mod tests;
