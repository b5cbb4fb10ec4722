//! `payframe-gateway privacy`: what is stored of a buyer, and its erasure.

use super::{CommandContext, CommandError};
use clap::{ArgGroup, Args, Subcommand};
use payframe_payment_domain::back_office::Act;
use payframe_payment_service::privacy::{Buyer, BuyerKey, Hindrance, Privacy};
use payframe_storage::{StoreError, Write, merchants};
use std::fmt::Write as _;

/// What can be done with a buyer's data.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum PrivacyCommand {
    /// Prints everything that is stored of a buyer, as JSON. Of cards it has the network, the last four digits and the expiry.
    Export(BuyerNamed),
    /// Erases what is stored of a buyer: names, addresses, descriptions, stored cards. Without --confirm it only prints what it would erase.
    ///
    /// Money stays: amounts, times, results, ids, and the card as lists show it. What is being paid, held or disputed is refused, and
    /// nothing is erased then. It works while gateways serve, and may be interrupted and given again.
    #[command(verbatim_doc_comment)]
    Erase(Erasure),
}

/// Which buyer.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(group(ArgGroup::new("buyer").required(true).args(["customer", "email", "order"])))]
pub struct BuyerNamed {
    /// The merchant whose buyer it is.
    #[arg(long, value_name = "ID")]
    pub merchant: String,
    /// The merchant's id of the customer: the orders and the stored cards that name it.
    #[arg(long, value_name = "ID")]
    pub customer: Option<String>,
    /// An e-mail address, in any letter case: the orders that name it. All orders of the merchant are read.
    #[arg(long, value_name = "ADDRESS")]
    pub email: Option<String>,
    /// The id of one order.
    #[arg(long, value_name = "ID")]
    pub order: Option<String>,
}

/// Whose data is erased, and how far.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// Which buyer.
    #[command(flatten)]
    pub buyer: BuyerNamed,
    /// Erases. Without it nothing is changed.
    #[arg(long)]
    pub confirm: bool,
    /// Also writes the file of the tables anew, so that none of its unused parts has a remnant. Changes of the gateway wait meanwhile.
    #[arg(long, requires = "confirm")]
    pub vacuum: bool,
}

impl BuyerNamed {
    fn key(&self) -> BuyerKey<'_> {
        match (&self.customer, &self.email, &self.order) {
            (Some(customer), _, _) => BuyerKey::Customer(customer),
            (_, Some(email), _) => BuyerKey::Email(email),
            (_, _, Some(order)) => BuyerKey::Order(order),
            // One of them is required.
            (None, None, None) => BuyerKey::Order(""),
        }
    }
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `privacy`.
    pub(super) async fn privacy(&self, command: PrivacyCommand) -> Result<String, CommandError> {
        match command {
            PrivacyCommand::Export(named) => self.export_buyer(&named).await,
            PrivacyCommand::Erase(erasure) => self.erase_buyer(&erasure).await,
        }
    }

    async fn found(
        &self,
        privacy: &Privacy<'_>,
        named: &BuyerNamed,
    ) -> Result<Buyer, CommandError> {
        let all = merchants::all(&mut *self.store.read().await?).await?;
        let merchant_id = &named.merchant;
        if !all.iter().any(|(known, _)| known == merchant_id) {
            return Err(CommandError::Failed(format!(
                "there is no merchant {merchant_id}"
            )));
        }
        // How far it is goes beside the answer, which may be written into a file.
        let progress = |read: u64| {
            if read.is_multiple_of(TELL_EVERY) {
                eprintln!("{read} orders read");
            }
        };
        let buyer = privacy.find(merchant_id, named.key(), &progress).await?;
        if buyer.orders.is_empty() && buyer.contracts.is_empty() {
            return Err(CommandError::Failed(String::from(
                "nothing is stored of such a buyer",
            )));
        }
        Ok(buyer)
    }

    async fn export_buyer(&self, named: &BuyerNamed) -> Result<String, CommandError> {
        let privacy = Privacy::new(&self.store, &self.vault, &self.clock);
        let buyer = self.found(&privacy, named).await?;
        let exported = privacy.export(&buyer).await?;
        let mut change = self.store.write(payframe_storage::Subject::Gateway).await?;
        let what = orders(buyer.orders.len());
        self.log_of(
            &mut change,
            &buyer.merchant_id,
            Act::ExportBuyer,
            (&what, ""),
        )
        .await?;
        change.commit().await.map_err(StoreError::from)?;
        Ok(format!("{exported:#}\n"))
    }

    async fn erase_buyer(&self, erasure: &Erasure) -> Result<String, CommandError> {
        if erasure.vacuum && self.store.is_shared() {
            return Err(CommandError::Failed(String::from(
                "--vacuum is for files; a database server removes old versions of rows by itself (autovacuum)",
            )));
        }
        let privacy = Privacy::new(&self.store, &self.vault, &self.clock);
        let buyer = self.found(&privacy, &erasure.buyer).await?;
        let hindrances = privacy.hindrances(&buyer).await?;
        if !hindrances.is_empty() {
            return Err(CommandError::Failed(refused(&hindrances)));
        }
        let erased = privacy.erased(&buyer).await?;
        if !erasure.confirm {
            return Ok(preview(&buyer, erased));
        }
        // The copies name orders only in their texts. They come first, so that an erasure that is interrupted finds them again.
        privacy.erase_copies(&buyer).await?;
        for order_id in &buyer.orders {
            let erased = privacy.erase_order(&buyer, order_id).await?;
            self.end_erasure(&buyer, &format!("order {order_id}"), erased)
                .await?;
        }
        let cards = buyer.contracts.len();
        if cards > 0 {
            let erased = privacy.erase_contracts(&buyer).await?;
            self.end_erasure(&buyer, &stored_cards(cards), erased)
                .await?;
        }
        // What was written while it ran: an event tells of an operation as it was before.
        privacy.erase_copies(&buyer).await?;
        let remnants = self.store.forget_remnants(erasure.vacuum).await?;
        Ok(format!(
            "erased the buyer of {} and {}\n{remnants}",
            orders(buyer.orders.len()),
            stored_cards(cards)
        ))
    }

    /// Commits the erasure of one part together with its entry of the audit log.
    async fn end_erasure(
        &self,
        buyer: &Buyer,
        subject: &str,
        erased: Result<Write, Vec<Hindrance>>,
    ) -> Result<(), CommandError> {
        let mut change =
            erased.map_err(|why| CommandError::Failed(refused(&[(subject.to_owned(), why)])))?;
        self.log_of(
            &mut change,
            &buyer.merchant_id,
            Act::EraseBuyer,
            (subject, ""),
        )
        .await?;
        Ok(change.commit().await.map_err(StoreError::from)?)
    }
}

fn refused(hindrances: &[(String, Vec<Hindrance>)]) -> String {
    let mut text = String::from("the buyer cannot be erased now, and this changed nothing more:");
    for (what, why) in hindrances {
        for hindrance in why {
            let _ = write!(text, "\n  {what}: {}", hindrance.sentence());
        }
    }
    text
}

fn preview(buyer: &Buyer, erased: usize) -> String {
    let mut text = String::from("nothing is erased yet. With --confirm this erases for ever:\n");
    let _ = writeln!(
        text,
        "  of {}: names, addresses, telephone numbers, e-mail addresses, customer ids, descriptions, notes, evidence for disputes",
        orders(buyer.orders.len())
    );
    for order_id in buyer.orders.iter().take(SHOWN) {
        let _ = writeln!(text, "    {order_id}");
    }
    if buyer.orders.len() > SHOWN {
        let _ = writeln!(text, "    and {} more", buyer.orders.len() - SHOWN);
    }
    if erased > 0 {
        let _ = writeln!(text, "  {erased} of them were erased before");
    }
    for contract in buyer.contracts.values() {
        let active = if contract.is_active {
            "active: nothing can be charged to it any more"
        } else {
            "ended"
        };
        let _ = writeln!(
            text,
            "  stored card {} {} ***{} ({active})",
            contract.contract_id, contract.network, contract.last_four
        );
    }
    text.push_str("  Amounts, times, results, ids and the last four digits of cards stay.\n");
    text
}

fn orders(count: usize) -> String {
    match count {
        1 => String::from("1 order"),
        _ => format!("{count} orders"),
    }
}

fn stored_cards(count: usize) -> String {
    match count {
        1 => String::from("1 stored card"),
        _ => format!("{count} stored cards"),
    }
}

/// How many orders are read between two lines that say how far it is. A multiple of a page.
const TELL_EVERY: u64 = 50_000;

/// How many orders are named.
const SHOWN: usize = 20;
