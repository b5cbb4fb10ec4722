//! Card information by first digits, and offers to pay in the card's own currency (contract 5.6).

use super::Sessions;
use super::error::PaymentError;
use super::form::is_collecting;
use payframe_card_rules::network::{Network, SecurityCodePolicy, taken_as};
use payframe_money::minor_digits;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_ports::bin_lookup::Issuer;
use payframe_payment_ports::clock::millis;
use payframe_payment_ports::currency_conversion::Quote;
use payframe_protocol::build::{BinAnswer, CurrencyOffer};
use payframe_storage::Subject;
use payframe_storage::cards::{self, OfferRow};
use payframe_storage::sessions::{self, SessionRow};

/// The maximum number of look-ups of a session (contract 1.10).
pub(crate) const BIN_LOOKUPS: i64 = 30;

impl Sessions<'_> {
    /// The information on these first digits. `None` if the session has no look-ups left. Nothing is known of them unless the buyer can
    /// still enter a card: a form's look-up may arrive after its card.
    pub async fn look_up_bin(
        &self,
        row: &SessionRow,
        terminal: &Terminal,
        digits: &str,
    ) -> Result<Option<BinAnswer>, PaymentError> {
        if !is_collecting(&row.session.state) {
            return Ok(Some(unknown_range()));
        }
        let mut transaction = self.context.store().write(Subject::Statement).await?;
        let count = sessions::count_bin_lookup(&mut transaction, &row.hash).await?;
        transaction.commit().await?;
        if count > BIN_LOOKUPS {
            return Ok(None);
        }
        let issuer = self.context.bin_lookup().issuer_of(digits);
        let mut networks: Vec<Network> = issuer
            .networks
            .intersection(terminal.networks)
            .iter()
            .collect();
        if networks.is_empty() {
            // The network that processes the card as one of its own, if there is one.
            networks.extend(taken_as(digits, terminal.networks));
        }
        let first = networks.first().copied();
        let preferred = networks
            .iter()
            .find(|network| networks.len() > 1 && terminal.preferred_networks.contains(**network));
        let policy = networks
            .iter()
            .map(|network| network.security_code_policy())
            .max();
        let mut lengths: Vec<u8> = networks
            .iter()
            .flat_map(|network| network.lengths())
            .collect();
        if networks.len() > 1 {
            // The number of a co-badged card must be valid for both networks.
            lengths.retain(|length| {
                networks
                    .iter()
                    .all(|network| network.lengths().contains(usize::from(*length)))
            });
        }
        lengths.sort_unstable();
        lengths.dedup();
        let currency_offer = match first {
            Some(network) => {
                self.make_offer(row, terminal, digits, &issuer, network)
                    .await?
            }
            None => None,
        };
        Ok(Some(BinAnswer {
            networks: networks
                .iter()
                .map(|network| network.code().to_owned())
                .collect(),
            preferred_network: preferred.map(|network| network.code().to_owned()),
            pan_lengths: lengths,
            security_code_length: first.map_or(3, Network::security_code_length),
            security_code_policy: String::from(match policy {
                None | Some(SecurityCodePolicy::Required) => "REQUIRED",
                Some(SecurityCodePolicy::Optional) => "OPTIONAL",
                Some(SecurityCodePolicy::None) => "NONE",
            }),
            issuer_country: issuer.country.map(str::to_owned),
            funding: issuer.funding.map(|funding| funding.code().to_owned()),
            currency_offer,
        }))
    }

    async fn make_offer(
        &self,
        row: &SessionRow,
        terminal: &Terminal,
        digits: &str,
        issuer: &Issuer,
        network: Network,
    ) -> Result<Option<CurrencyOffer>, PaymentError> {
        let wanted = terminal.currency_conversion
            && matches!(network, Network::Visa | Network::Mastercard)
            && row.terms.action != ActionType::Verify
            && !row.amount.is_zero();
        let (true, Some(currency)) = (wanted, issuer.currency) else {
            return Ok(None);
        };
        if !self.context.converts_for(&row.terms, network, digits) {
            return Ok(None);
        }
        let quote = self
            .context
            .currency_conversion()
            .quote(&row.terms.currency, currency);
        let Some(Quote {
            rate,
            mark_up_percent,
        }) = quote
        else {
            return Ok(None);
        };
        let Some(amount) = rate.convert(row.amount, &row.terms.currency, currency) else {
            return Ok(None);
        };
        let offer = OfferRow {
            offer_id: format!("of_{}", payframe_vault::random_token()?),
            session_hash: row.hash.clone(),
            bin: digits.to_owned(),
            merchant_amount: row.amount,
            offer: AcceptedOffer {
                amount,
                currency: currency.to_owned(),
                exchange_rate: rate.to_string(),
            },
            expires_ms: self.context.clock().now_ms() + millis(self.context.settings().offer),
            accepted: false,
        };
        let mut transaction = self.context.store().write(Subject::Statement).await?;
        cards::keep_offer(&mut transaction, &offer).await?;
        transaction.commit().await?;
        Ok(Some(CurrencyOffer {
            offer_id: offer.offer_id,
            amount: amount.to_string(),
            currency: offer.offer.currency,
            exchange_rate: offer.offer.exchange_rate,
            mark_up_percent: mark_up_percent.to_owned(),
            expires_at: instant(offer.expires_ms),
            expires_in_seconds: u32::try_from(self.context.settings().offer.as_secs())
                .unwrap_or(u32::MAX),
            minor_digits: minor_digits(currency).unwrap_or(2),
        }))
    }
}

/// The answer about first digits that nothing is known of.
fn unknown_range() -> BinAnswer {
    BinAnswer {
        networks: Vec::new(),
        preferred_network: None,
        pan_lengths: Vec::new(),
        security_code_length: 3,
        security_code_policy: String::from("REQUIRED"),
        issuer_country: None,
        funding: None,
        currency_offer: None,
    }
}
