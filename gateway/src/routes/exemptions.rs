//! The member `exemptions` of a payment (contract 2.4): what the merchant asks of 3-D Secure.

use super::error::RequestErrors;
use super::fields::Section;
use super::requests::Member;
use super::requests::forms::ChallengeWishes;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::exemption::{NoChallengeRequest, UnchallengedPayment};
use payframe_payment_domain::terms::Terminal;

/// Reads the member `exemptions` of `section`. `payment`: what decides whether an exemption is possible; `None` if it could not be read,
/// and then the request is refused anyway.
pub(super) fn read(
    section: &mut Section,
    member: &Member,
    payment: Option<&UnchallengedPayment<'_>>,
    terminal: &Terminal,
    findings: &mut RequestErrors,
) -> &'static str {
    let wish = section.one_of("exemptions", member, ChallengeWishes::CODES, findings);
    let wish = wish.unwrap_or(NO_PREFERENCE);
    let Some(asked) = NoChallengeRequest::from_code(wish) else {
        return wish;
    };
    let path = section.path_of("exemptions");
    if !terminal.exemptions.contains(&asked) {
        findings.add(
            PS0026,
            format!(
                "{path} {wish} is not enabled on this terminal, which takes {}: the merchant would be liable for frauds, so whoever operates the \
                 gateway allows it with `terminal set`",
                accepted(terminal)
            ),
        );
    } else if let Some(obstacle) = payment.and_then(|payment| asked.obstacle(payment)) {
        findings.add(PS0026, format!("{path} {wish} {obstacle}"));
    }
    wish
}

fn accepted(terminal: &Terminal) -> String {
    let wishes = ChallengeWishes::CODES.iter().copied();
    let accepted = wishes.filter(|wish| {
        NoChallengeRequest::from_code(wish)
            .is_none_or(|exemption| terminal.exemptions.contains(&exemption))
    });
    accepted.collect::<Vec<_>>().join(", ")
}

/// What is asked for by default: nothing.
pub(super) const NO_PREFERENCE: &str = "NO_PREFERENCE";
