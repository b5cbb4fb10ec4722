//! Authenticator apps: the secret that an app shares with the gateway, and the codes that both compute from it and the time (RFC 6238).
//!
//! The codes have six digits, change every 30 seconds, and are made with SHA-1, because many apps ignore other settings and then show
//! wrong codes. HMAC does not depend on what is broken in SHA-1. A code is accepted from one step before to one step after the present
//! one, because telephones' clocks differ.

use payframe_vault::KeyringError;
use qrcode::QrCode;
use qrcode::render::svg;
use subtle::ConstantTimeEq;
use totp_rs::{Algorithm, TOTP};
use zeroize::Zeroizing;

/// One member's app.
pub(crate) struct Authenticator(TOTP);

impl Authenticator {
    /// The app with this secret. It shows the codes under the names of the gateway and of the member.
    pub(crate) fn new(secret: &[u8], gateway: &str, email: &str) -> Authenticator {
        Authenticator(TOTP::new_unchecked(
            Algorithm::SHA1,
            DIGITS,
            0,
            STEP_S,
            secret.to_vec(),
            Some(gateway.to_owned()),
            email.to_owned(),
        ))
    }

    /// The step of a typed code, if it is one of the codes that are accepted now.
    pub(crate) fn step_of(&self, code: &str, now_ms: i64) -> Option<i64> {
        let present = u64::try_from(now_ms).ok()? / 1000 / STEP_S;
        let steps = present.saturating_sub(1)..=present + 1;
        // All are computed, so that the time does not tell which one it is.
        let found = steps.fold(None, |found, step| {
            let is_it = self
                .0
                .generate(step * STEP_S)
                .as_bytes()
                .ct_eq(code.as_bytes());
            if bool::from(is_it) { Some(step) } else { found }
        });
        found.and_then(|step| i64::try_from(step).ok())
    }

    /// The secret for typing, in groups of four letters.
    pub(crate) fn secret_text(&self) -> String {
        let letters: Vec<char> = self.0.get_secret_base32().chars().collect();
        let groups: Vec<String> = letters
            .chunks(4)
            .map(|group| group.iter().collect())
            .collect();
        groups.join(" ")
    }

    /// The QR code that apps read, as SVG without styles. Empty if the names are too long for one.
    pub(crate) fn picture(&self) -> String {
        let Ok(code) = QrCode::new(self.0.get_url()) else {
            return String::new();
        };
        let drawn = code
            .render()
            .dark_color(svg::Color("#000"))
            .light_color(svg::Color("#fff"))
            .build();
        // Without the declaration of XML, which does not belong into a page.
        drawn.split_once("<svg ").map_or_else(String::new, |(_, rest)| {
            format!("<svg class=\"qr\" role=\"img\" aria-label=\"QR code for the authenticator app\" {rest}")
        })
    }
}

/// The secret of a new app.
pub(crate) fn new_secret() -> Result<Zeroizing<[u8; 20]>, KeyringError> {
    Ok(Zeroizing::new(payframe_vault::random()?))
}

/// Whom the vault encrypts a member's secret for.
pub fn belongs_to(member_id: &str) -> String {
    format!("second factor of member {member_id}")
}

const DIGITS: usize = 6;
const STEP_S: u64 = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B: the last six of the eight digits.
        let app = Authenticator::new(b"12345678901234567890", "gateway.example", "a@b");
        for (second, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            assert_eq!(
                app.step_of(code, second * 1000),
                Some(second / 30),
                "{second}"
            );
        }
    }

    #[test]
    fn a_code_is_good_one_step_early_and_one_step_late() {
        let app = Authenticator::new(b"12345678901234567890", "gateway.example", "a@b");
        for (second, expected) in [(29, None), (30, Some(2)), (119, Some(2)), (120, None)] {
            // The code of the seconds 60 to 89.
            assert_eq!(app.step_of("359152", second * 1000), expected, "{second}");
        }
        for other in ["", "35915", "3591522", "359 152", "abcdef"] {
            assert_eq!(app.step_of(other, 60_000), None, "{other}");
        }
    }

    #[test]
    fn the_picture_is_plain_markup_and_the_secret_can_be_typed() {
        let app = Authenticator::new(b"12345678901234567890", "gateway.example", "a@b.example");
        assert_eq!(app.secret_text(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        let picture = app.picture();
        assert!(
            picture.starts_with("<svg class=\"qr\" role=\"img\""),
            "{picture}"
        );
        assert!(!picture.contains("style") && !picture.contains("<?xml"));
        let long = Authenticator::new(&[7; 20], &"g".repeat(3000), "a@b");
        assert_eq!(long.picture(), "");
    }
}
