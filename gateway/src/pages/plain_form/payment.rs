//! A session, as the pages of the plain form need it.

use crate::App;
use crate::pages::billing_country::choose_country;
use crate::pages::error_page::ErrorPage;
use axum::http::HeaderMap;
use payframe_payment_domain::session::State;
use payframe_payment_service::{Asker, FormError, FormRequest, FormView, report};
use payframe_storage::sessions::SessionRow;

/// A session, as the form with scripts is told of it, and its row.
pub(super) struct Payment {
    pub(super) view: FormView,
    pub(super) row: SessionRow,
}

impl Payment {
    /// The present session, without the customer's saved cards: a page that covers a button could have one pressed that needs no typing. Counts
    /// as activity of the buyer. The error is the page that says why there is nothing to show.
    pub(super) async fn find(
        app: &App,
        session_id: &str,
        headers: &HeaderMap,
    ) -> Result<Payment, ErrorPage> {
        let mut view = match app
            .forms()
            .form(FormRequest {
                session_id,
                former: None,
                asker: Asker::Other,
            })
            .await
        {
            Ok(view) => view,
            Err(FormError::Unknown) => return Err(ErrorPage::FormUnknown),
            Err(FormError::Dead) => return Err(ErrorPage::FormDead),
            Err(FormError::Failed) => return Err(ErrorPage::Failed),
        };
        choose_country(&mut view.boot, headers);
        match app.sessions().find(&payframe_vault::hash(session_id)).await {
            Ok(Some(row)) if row.session.state != State::Dead => Ok(Payment { view, row }),
            Ok(_) => Err(ErrorPage::FormDead),
            Err(problem) => {
                report("a plain form", &problem);
                Err(ErrorPage::Failed)
            }
        }
    }

    /// The sum that a page shows, as its forms send it.
    pub(super) fn sum(&self) -> String {
        format!("{} {}", self.view.amount, self.view.currency)
    }
}
