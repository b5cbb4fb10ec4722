//! Compares the gateway with the model after a step: the session, operations, charges, and what a form reads.

use super::*;
use payframe_checkout_flow::choices::ChoiceId;

impl Replay {
    pub(super) async fn compare(&mut self, view: &GatewayView) -> Result<(), String> {
        let sessions =
            query("SELECT state, attempts_left, submissions FROM build_session WHERE order_id = ?");
        let sessions = sessions.bind(ORDER);
        let sessions = self.app().app.store().ask(sessions).await.unwrap();
        let session = &sessions[0];
        let state: String = session.try_get("state").unwrap();
        let attempts_left: i64 = session.try_get("attempts_left").unwrap();
        let submissions: i64 = session.try_get("submissions").unwrap();
        let expected = (
            view.state,
            i64::from(view.attempts_left),
            i64::from(view.submissions),
        );
        let seen = (state.as_str(), attempts_left, submissions);
        if seen != expected {
            return Err(format!(
                "the session is {seen:?}, in the model {expected:?}"
            ));
        }
        let operations = query("SELECT operation_id, result FROM operation WHERE order_id = ?");
        let operations = operations.bind(ORDER);
        let operations = self.app().app.store().ask(operations).await.unwrap();
        let operations = operations.iter().map(|row| {
            let id: String = row.try_get("operation_id").unwrap();
            (id, row.try_get::<String>("result").unwrap())
        });
        let expected = view.operations.iter();
        let expected = expected.map(|(id, result)| (id.clone(), (*result).to_owned()));
        self.pair("operations", expected.collect(), operations.collect())?;
        let charges = query(
            "SELECT reference, CASE WHEN final_ms = 0 THEN final_settlement ELSE settlement END AS settlement FROM charge",
        );
        let charges = self.acquirer.ask(charges).await.unwrap();
        let charges = charges.iter().map(|row| {
            let reference: String = row.try_get("reference").unwrap();
            (reference, row.try_get::<String>("settlement").unwrap())
        });
        let earlier = &self.beside.earlier_charges;
        let charges: Vec<_> = charges.filter(|(id, _)| !earlier.contains(id)).collect();
        let expected = view.charges.iter();
        let expected = expected
            .map(|(reference, result)| (reference.clone(), format!("{result:?}").to_uppercase()));
        self.pair("charges", expected.collect(), charges.into_iter().collect())?;
        let path = format!("/build/state?sessionId={}", self.session);
        let answer = self.app().merchant().get(&path).await;
        let snapshot = answer_of(Ask::ReadState, &answer);
        self.same("GET /build/state", &view.snapshot, &snapshot)?;
        self.compare_offer(view.taken_offer, &path).await
    }

    /// Compares the sum of the offer that the card was taken with, as the form is told of it.
    async fn compare_offer(&self, expected: Option<u8>, path: &str) -> Result<(), String> {
        if expected.is_none() {
            return Ok(());
        }
        let state = self.app().frame(&self.session).get(path).await;
        let told = &state.body["offer"];
        let expected = expected.map(sum_of).map(|sum| json!({ "amount": sum.amount.to_string(), "currency": sum.currency, "minorDigits": 2 }));
        if expected.as_ref() == Some(told) {
            Ok(())
        } else {
            Err(format!("the offer is {told}, in the model {expected:?}"))
        }
    }

    /// Compares objects with ids. An id that is new on both sides belongs to the same object.
    fn pair(
        &mut self,
        what: &str,
        mut expected: BTreeMap<String, String>,
        mut seen: BTreeMap<String, String>,
    ) -> Result<(), String> {
        let new: Vec<String> = expected
            .keys()
            .filter(|id| !self.ids.contains_key(*id))
            .cloned()
            .collect();
        let known: Vec<&String> = self.ids.values().collect();
        let unknown: Vec<String> = seen
            .keys()
            .filter(|id| !known.contains(id))
            .cloned()
            .collect();
        if let ([new], [unknown]) = (new.as_slice(), unknown.as_slice()) {
            self.ids.insert(new.clone(), unknown.clone());
        }
        let mut differs = false;
        for (id, value) in std::mem::take(&mut expected) {
            let found = self.ids.get(&id).and_then(|id| seen.remove(id));
            if found.as_ref() != Some(&value) {
                differs = true;
                expected.insert(id, value);
            }
        }
        if differs || !seen.is_empty() {
            return Err(format!("{what}: {seen:?}, in the model {expected:?}"));
        }
        Ok(())
    }

    pub(super) fn same(&self, what: &str, expected: &Answer, seen: &Answer) -> Result<(), String> {
        let expected = self.in_gateways_words(expected.clone());
        if expected == *seen {
            Ok(())
        } else {
            Err(format!("{what} is {seen:?}, in the model {expected:?}"))
        }
    }

    /// An answer of the model with the gateway's ids, and without addresses, which the model does not have.
    fn in_gateways_words(&self, answer: Answer) -> Answer {
        let verdict = |verdict: Verdict| Verdict {
            operation_id: match self.ids.get(&verdict.operation_id) {
                Some(id) => id.clone(),
                None => verdict.operation_id,
            },
            decline: None,
            ..verdict
        };
        match answer {
            Answer::State(SessionSnapshot::Collecting(Some(refusal))) => {
                Answer::State(SessionSnapshot::Collecting(Some(verdict(refusal))))
            }
            Answer::State(SessionSnapshot::Complete(outcome)) => {
                Answer::State(SessionSnapshot::Complete(verdict(outcome)))
            }
            Answer::State(SessionSnapshot::Challenge(_)) => {
                Answer::State(SessionSnapshot::Challenge(String::new()))
            }
            Answer::CardTaken(_) => Answer::CardTaken(String::new()),
            Answer::DeviceFailed(outcome) => Answer::DeviceFailed(verdict(outcome)),
            other => other,
        }
    }
}

/// The meaning of the gateway's answer for a form, as `src/wire.rs` reads it; without addresses.
pub(super) fn answer_of(ask: Ask, heard: &HttpAnswer) -> Answer {
    if heard.status != 200 {
        return Answer::Failed(match heard.refusal().as_str() {
            "401" | "400 PS0061" => Failure::Expired,
            "400 GW9003" | "400 PS0026" => Failure::WrongState,
            _ => Failure::Service,
        });
    }
    let body = &heard.body;
    match ask {
        Ask::SendCard { .. } => match body["workflowState"].as_str() {
            _ if body["gdiStatus"]["gdiUrl"].is_string() => Answer::CardTaken(String::new()),
            Some("READY_FOR_PAYMENT") => Answer::CardTakenNoCheck,
            Some("CARD_DATA_COLLECTION") => Answer::CardRefused(refused_choices(body)),
            _ => Answer::Failed(Failure::WrongState),
        },
        Ask::CheckDevice { .. } => match body["result"].as_str() {
            Some("OK") => Answer::DevicePassed,
            _ => verdict_of(&body["operation"]).map_or(Answer::DevicePending, Answer::DeviceFailed),
        },
        _ => Answer::State(match body["state"].as_str() {
            Some("PAYMENT_METHOD_SELECTION") => SessionSnapshot::MethodSelection,
            Some("CARD_DATA_COLLECTION") => {
                SessionSnapshot::Collecting(verdict_of(&body["operation"]))
            }
            Some("READY_FOR_PAYMENT") => SessionSnapshot::Ready,
            Some("REDIRECTED_TO_EXTERNAL_DOMAIN") => SessionSnapshot::Challenge(String::new()),
            Some("PAYMENT_COMPLETE") => match verdict_of(&body["operation"]) {
                Some(verdict) => SessionSnapshot::Complete(verdict),
                None => return Answer::Failed(Failure::Service),
            },
            _ => return Answer::Failed(Failure::Service),
        }),
    }
}

/// The choices among what the gateway refused.
fn refused_choices(body: &Value) -> Vec<ChoiceId> {
    let statuses = body["fieldStatus"].as_array().into_iter().flatten();
    statuses
        .filter(|status| status["event"] == "BUILD_ERROR")
        .filter_map(|status| match status["id"].as_str()? {
            "CURRENCY_OFFER" => Some(ChoiceId::CurrencyOffer),
            "SAVED_CARD" => Some(ChoiceId::SavedCard),
            "CONTRACT_CONSENT" => Some(ChoiceId::Consent),
            _ => None,
        })
        .collect()
}

fn verdict_of(operation: &Value) -> Option<Verdict> {
    Some(Verdict {
        outcome: Outcome::from_operation_result(operation["operationResult"].as_str()?),
        decline: None,
        operation_id: operation["operationId"].as_str()?.to_owned(),
    })
}
