//! How often the flow asks, and how long it waits.

/// 0.5 s, 1 s, 2 s, 4 s, then 8 s each.
pub(super) fn backoff_ms(tries: u8) -> u32 {
    500 << tries.min(4)
}

/// How often the device check is asked for: contract 5.5, once per second.
pub(super) const DEVICE_INTERVAL_MS: u32 = 1_000;
/// The question after which the gateway ends the check: contract 4.1, `deviceCheck.attempts`. A form stops before it.
pub(super) const DEVICE_QUESTIONS: u8 = 10;
/// Unanswered device questions in a row before the session is read instead.
pub(super) const DEVICE_LOST: u8 = 5;
/// How often the form asks whether the merchant's server has made the completion call.
pub(super) const SERVER_INTERVAL_MS: u32 = 1_500;
/// How long the form waits for that server.
pub(super) const SERVER_LIMIT_MS: u32 = 300_000;
/// How often the form asks for the result of a challenge, in case the hint is lost.
pub(super) const CHALLENGE_INTERVAL_MS: u32 = 3_000;
/// Tries of sending the card data before the buyer is asked: about 4 s.
pub(super) const SEND_TRIES: u8 = 4;
/// How many proofs of work are computed for one press: each is good for ten minutes, so a second one is rare.
pub(super) const PROOFS: u8 = 3;
/// Tries of a completion call before the outcome is called unknown: about 40 s.
pub(super) const COMPLETION_TRIES: u8 = 8;
/// How often and how long an unknown outcome is asked for: ten minutes.
pub(super) const UNKNOWN_INTERVAL_MS: u32 = 5_000;
pub(super) const UNKNOWN_QUESTIONS: u16 = 120;
/// Questions for the device check of version 2: the gateway ends the check with the last one.
pub(super) const VERIFY_QUESTIONS: u8 = 10;
/// Longest wait that a busy gateway can ask for.
pub(super) const BUSY_LIMIT_MS: u32 = 60_000;
