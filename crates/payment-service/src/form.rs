//! What the form page and every other frame of a session need to start.

use super::error::{PaymentError, report};
use super::page_views::{FormError, FormPass, FormRequest, FormView};
use super::session_status::{taken_offer, wire_state};
use super::{CardKeys, Contracts, PaymentContext, Sessions, Transitions};
use payframe_money::minor_digits;
use payframe_payment_domain::billing_address::{BillingAddressFields, Country};
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::card_on_file::{Consent, SavedCards};
use payframe_payment_domain::contract::{ContractIntent, Kind};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::{RedirectHandler, Terminal, Terms};
use payframe_protocol::api::BuildState;
use payframe_protocol::boot::{
    Boot, BootAddress, BootBilling, BootConsent, BootMethod, BootOffer, BootSaved, ConsentKind,
};
use payframe_storage::contracts::date_text;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{merchants, orders};
use std::collections::BTreeMap;

/// What the form's page and its fields need to start.
#[derive(Clone, Copy)]
pub struct Forms<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) contracts: Contracts<'a>,
    pub(super) transitions: Transitions<'a>,
    pub(super) sessions: Sessions<'a>,
}

impl<'a> Forms<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> Forms<'a> {
        Forms {
            context,
            contracts: Contracts::new(context),
            transitions: Transitions::new(context),
            sessions: Sessions::new(context),
        }
    }
}

impl Forms<'_> {
    /// The form of a session. Counts as activity of the buyer.
    pub async fn form(&self, ask: FormRequest<'_>) -> Result<FormView, FormError> {
        match self.find_form(ask).await {
            Ok(found) => found,
            Err(problem) => {
                report("a form page", &problem);
                Err(FormError::Failed)
            }
        }
    }

    async fn find_form(
        &self,
        ask: FormRequest<'_>,
    ) -> Result<Result<FormView, FormError>, PaymentError> {
        let session_id = ask.session_id;
        let hash = payframe_vault::hash(session_id);
        let Some(row) = self.transitions.find(&hash).await? else {
            return Ok(Err(FormError::Unknown));
        };
        if let Some(former) = ask.former
            && !self.may_follow(&row, former).await?
        {
            return Ok(Err(FormError::Unknown));
        }
        if row.session.state == State::Dead {
            return Ok(Err(FormError::Dead));
        }
        self.sessions.buyer_seen(&row).await?;
        let (mut boot, terminal) = self.boot(&row, session_id).await?;
        for field in &terminal.card_fields {
            let value = self.default_value(&row.terms, *field).await?;
            boot.defaults
                .extend(value.map(|value| (field.id().to_owned(), value)));
        }
        let mut pass = FormPass::None;
        if is_collecting(&row.session.state) {
            let cards = self.contracts.saved_cards(&row, &terminal).await?;
            if !cards.is_empty() {
                pass = self.claim_document(&row, ask.asker).await?;
            }
            boot.saved = matches!(pass, FormPass::Kept(_)).then_some(BootSaved {
                cards,
                removable: row.terms.card_on_file.saved == SavedCards::UseAndRemove,
            });
            boot.consent = asked_consent(&row.terms);
            boot.billing = self.asked_billing(&row.terms).await?;
        }
        let (amount, currency) = match taken_offer(&row.session.state) {
            Some(offer) => (offer.amount, offer.currency.clone()),
            None => (row.amount, row.terms.currency),
        };
        Ok(Ok(FormView {
            boot,
            action: row.terms.action,
            amount,
            currency,
            language: row.terms.language,
            framing: row.terms.framing,
            font: terminal.font,
            pass,
        }))
    }

    /// The billing address that the form asks for, with what the order says of it.
    async fn asked_billing(&self, terms: &Terms) -> Result<Option<BootBilling>, PaymentError> {
        if terms.billing_address == BillingAddressFields::None {
            return Ok(None);
        }
        let mut connection = self.context.store().read().await?;
        let order = orders::find(&mut connection, &terms.merchant_id, &terms.order_id).await?;
        let address = order
            .as_ref()
            .and_then(|order| order.document.get("customerInfo")?.get("billingAddress"));
        let member = |name: &str| address?.get(name)?.as_str();
        let country = member("country").and_then(Country::from_alpha3);
        let each = |fact: fn(Country) -> &'static str| {
            Country::all()
                .map(|country| (country.code().to_owned(), fact(country).to_owned()))
                .collect::<BTreeMap<_, _>>()
        };
        Ok(Some(BootBilling {
            country: country.map(|country| country.code().to_owned()),
            // Without its country, nobody knows what a code means.
            postal_code: country.and_then(|_| member("postCode").map(str::to_owned)),
            countries: each(Country::postal_codes),
            address: (terms.billing_address == BillingAddressFields::Full).then(|| {
                // A part of an address without its country is not shown: it may not be one of the country that the buyer chooses.
                let part = |name| country.and_then(|_| member(name)).map(str::to_owned);
                let mut states = each(Country::states);
                states.retain(|_, states| !states.is_empty());
                BootAddress {
                    line1: part("street"),
                    line2: part("additionalInfo"),
                    city: part("city"),
                    state: part("province"),
                    formats: each(Country::format),
                    states,
                }
            }),
        }))
    }

    /// Whether a session may take over the form of another session: only for the same order of the same terminal. Otherwise a page could
    /// load another shop's session, and the buyer would pay it with a card that was typed for this one.
    async fn may_follow(&self, row: &SessionRow, former: &str) -> Result<bool, PaymentError> {
        let former = self.transitions.find(&payframe_vault::hash(former)).await?;
        Ok(former.is_some_and(|former| {
            let (now, before) = (&row.terms, &former.terms);
            now.merchant_id == before.merchant_id
                && now.terminal_id == before.terminal_id
                && now.order_id == before.order_id
                && now.framing.merchant == before.framing.merchant
                // Every page that may contain the former form may also contain the new one.
                && before
                    .framing
                    .ancestors
                    .iter()
                    .all(|origin| now.framing.ancestors.contains(origin))
        }))
    }

    /// The data for every frame of a session, and the session's terminal.
    pub async fn boot(
        &self,
        row: &SessionRow,
        session_id: &str,
    ) -> Result<(Boot, Terminal), PaymentError> {
        let status = self.sessions.status(row, session_id).await?;
        let terms = &row.terms;
        let (merchant, terminal) = {
            let mut connection = self.context.store().read().await?;
            let merchant = merchants::name(&mut connection, &terms.merchant_id).await?;
            (
                merchant,
                merchants::terminal(&mut connection, &terms.terminal_id).await?,
            )
        };
        let today = self.context.today();
        let boot = Boot {
            session: session_id.to_owned(),
            order_id: terms.order_id.clone(),
            merchant_origin: terms.framing.merchant.clone(),
            version: terms.version.number(),
            state: status.for_frame(),
            amount: row.amount.to_string(),
            minor_digits: minor_digits(&terms.currency).unwrap_or(2),
            currency: terms.currency.clone(),
            merchant,
            action_type: terms.action.code().to_owned(),
            closing: terms.capture_initiator.code().to_owned(),
            card_summary: terms.card_summary.clone(),
            networks: terminal
                .networks
                .iter()
                .map(|network| network.code().to_owned())
                .collect(),
            fields: terminal
                .card_fields
                .iter()
                .map(|field| field.id().to_owned())
                .collect(),
            defaults: BTreeMap::new(),
            today: format!("{:04}-{:02}-{:02}", today.year, today.month, today.day),
            expires_at: instant(row.ends_ms),
            diagnostics: self.context.settings().with_diagnostics,
            watch: terminal.page_watch.takes(&row.hash),
            card_key: CardKeys::of(self.context).current().await?,
            look_up: terminal.currency_conversion
                && terms.action != ActionType::Verify
                && !row.amount.is_zero(),
            methods: self.shown_methods(row),
            redirect: (terms.redirect_handler == RedirectHandler::Page)
                .then(|| terms.redirect_handler.code().to_owned()),
            installments: terms.installments.clone(),
            saved: None,
            consent: None,
            billing: None,
            offer: taken_offer(&row.session.state).map(|offer| BootOffer {
                amount: offer.amount.to_string(),
                currency: offer.currency.clone(),
                minor_digits: minor_digits(&offer.currency).unwrap_or(2),
            }),
        };
        Ok((boot, terminal))
    }

    /// The alternative methods, without their pictures, while the buyer can choose from them.
    fn shown_methods(&self, row: &SessionRow) -> Vec<BootMethod> {
        if row.session.state != State::ChoosingMethod {
            return Vec::new();
        }
        row.terms
            .methods
            .iter()
            .map(|method| BootMethod {
                id: method.code().to_owned(),
                label: method.name().to_owned(),
                picture: None,
            })
            .collect()
    }
}

/// Whether the buyer can still enter or choose a card.
pub(super) fn is_collecting(state: &State) -> bool {
    matches!(
        wire_state(state),
        BuildState::PaymentMethodSelection | BuildState::CardDataCollection
    )
}

/// The consent that the form requests, if the card is to be stored.
fn asked_consent(terms: &Terms) -> Option<BootConsent> {
    let Some(ContractIntent::Create { rules, .. }) = &terms.contract else {
        return None;
    };
    let required = match terms.card_on_file.consent {
        Consent::None => return None,
        Consent::Optional => false,
        Consent::Required => true,
    };
    Some(BootConsent {
        required,
        kind: match rules.kind {
            Kind::WithBuyer => ConsentKind::WithBuyer,
            Kind::Unscheduled => ConsentKind::Unscheduled,
            Kind::Scheduled => ConsentKind::Scheduled,
        },
        gap_days: rules.gap_days,
        last_day: rules.last_day.map(date_text),
        text: terms.card_on_file.text.clone(),
    })
}
