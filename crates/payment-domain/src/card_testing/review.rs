//! What a merchant's staff decides about tries that a rule stopped: that they were of honest buyers, or of a bot. Until its end, a decision
//! takes the place of the rule's counts, for what the tries have in common: one card, one address, one kind of browser.

use super::Rule;

/// What the stopped tries were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Of honest buyers: the rule does not apply.
    Buyers,
    /// Of a bot: the rule holds, whatever is counted.
    Attack,
}

impl Verdict {
    /// Both.
    pub const ALL: [Verdict; 2] = [Verdict::Buyers, Verdict::Attack];

    /// The code in the database and in forms.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Buyers => "BUYERS",
            Verdict::Attack => "ATTACK",
        }
    }

    /// The verdict of a code.
    pub fn from_code(code: &str) -> Option<Verdict> {
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.code() == code)
    }
}

/// How long a decision is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A week.
    Week,
    /// Thirty days.
    Month,
}

impl Term {
    /// All of them, the shortest first.
    pub const ALL: [Term; 4] = [Term::Hour, Term::Day, Term::Week, Term::Month];

    /// The code in forms.
    pub fn code(self) -> &'static str {
        match self {
            Term::Hour => "hour",
            Term::Day => "day",
            Term::Week => "week",
            Term::Month => "month",
        }
    }

    /// The term of a code.
    pub fn from_code(code: &str) -> Option<Term> {
        Term::ALL.into_iter().find(|term| term.code() == code)
    }

    /// Its length.
    pub fn ms(self) -> i64 {
        let hours = match self {
            Term::Hour => 1,
            Term::Day => 24,
            Term::Week => 7 * 24,
            Term::Month => 30 * 24,
        };
        hours * 3_600_000
    }
}

/// The decisions in force about what a try has in common with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts(Vec<(Rule, Verdict)>);

impl Verdicts {
    /// Whether a rule holds that says so, or not, by its counts.
    pub(super) fn holds(&self, rule: Rule, by_counts: bool) -> bool {
        let found = self.0.iter().find(|(decided, _)| *decided == rule);
        match found {
            None => by_counts,
            Some((_, verdict)) => *verdict == Verdict::Attack,
        }
    }
}

impl FromIterator<(Rule, Verdict)> for Verdicts {
    /// Of several about one rule the last one counts.
    fn from_iter<I: IntoIterator<Item = (Rule, Verdict)>>(decisions: I) -> Verdicts {
        let mut all: Vec<(Rule, Verdict)> = decisions.into_iter().collect();
        all.reverse();
        Verdicts(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::from_code(verdict.code()), Some(verdict));
        }
        for term in Term::ALL {
            assert_eq!(Term::from_code(term.code()), Some(term));
        }
        assert_eq!(
            (Verdict::from_code(""), Term::from_code("year")),
            (None, None)
        );
    }

    #[test]
    fn a_verdict_takes_the_place_of_the_counts_of_its_own_rule() {
        let check = |decisions: &[(Rule, Verdict)], by_counts, expected| {
            let verdicts: Verdicts = decisions.iter().copied().collect();
            assert_eq!(verdicts.holds(Rule::Card, by_counts), expected);
        };
        let buyers = (Rule::Card, Verdict::Buyers);
        let attack = (Rule::Card, Verdict::Attack);
        for by_counts in [true, false] {
            check(&[], by_counts, by_counts);
            check(&[(Rule::Range, Verdict::Attack)], by_counts, by_counts);
            check(&[buyers], by_counts, false);
            check(&[attack], by_counts, true);
            check(&[buyers, attack], by_counts, true);
            check(&[attack, buyers], by_counts, false);
        }
    }
}
