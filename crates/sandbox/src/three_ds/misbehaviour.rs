//! How an issuer's access control server breaks the rules, to try what a gateway does about it.

/// A way to break the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misbehaviour {
    /// The answer to AReq comes too late.
    Late,
    /// The answer to AReq is no message.
    Malformed,
    /// RReq comes twice.
    Doubled,
    /// RReq refuses, whatever the buyer does; a second RReq and the browser's CRes say that all is well.
    Contradicting,
    /// RReq names another transaction first, then the right one.
    WrongTransaction,
    /// RReq never comes; the browser's CRes says that all is well.
    NoResult,
}

impl Misbehaviour {
    /// All of them.
    pub const ALL: [Misbehaviour; 6] = [
        Misbehaviour::Late,
        Misbehaviour::Malformed,
        Misbehaviour::Doubled,
        Misbehaviour::Contradicting,
        Misbehaviour::WrongTransaction,
        Misbehaviour::NoResult,
    ];

    /// How a command names it.
    pub fn code(self) -> &'static str {
        match self {
            Misbehaviour::Late => "late",
            Misbehaviour::Malformed => "malformed",
            Misbehaviour::Doubled => "doubled",
            Misbehaviour::Contradicting => "contradicting",
            Misbehaviour::WrongTransaction => "wrong-transaction",
            Misbehaviour::NoResult => "no-result",
        }
    }

    /// The one with this code.
    pub fn parse(code: &str) -> Option<Misbehaviour> {
        Misbehaviour::ALL.into_iter().find(|one| one.code() == code)
    }
}
