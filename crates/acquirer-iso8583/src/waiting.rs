//! Who waits for which answer. An answer belongs to a message by its type, trace number, retrieval reference and terminal.
//!
//! An answer that nobody waits for is counted and dropped: its message has an outcome already, or will be reversed.

use crate::error::ExchangeError;
use crate::message::{Message, field};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The messages that wait for an answer.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<State>);

#[derive(Default)]
struct State {
    /// By trace number.
    waiters: HashMap<String, Waiter>,
    /// How many answers nobody waited for.
    late: u64,
}

struct Waiter {
    /// The connection that the message was sent on.
    connection: u64,
    answer_type: String,
    /// What an answer repeats, if it has the field.
    repeated: Vec<(u8, String)>,
    tell: oneshot::Sender<Result<Message, ExchangeError>>,
}

/// Waits for one answer. Dropped, nobody waits for it any more.
pub(crate) struct Wait<'a> {
    waiting: &'a Waiting,
    trace_number: String,
    pub(crate) answer: oneshot::Receiver<Result<Message, ExchangeError>>,
}

impl Waiting {
    /// Waits for the answer to a message.
    pub(crate) fn enter(&self, message: &Message, answer_type: &str, connection: u64) -> Wait<'_> {
        let (tell, answer) = oneshot::channel();
        let trace_number = message.field(field::TRACE_NUMBER).unwrap_or_default();
        let repeated = [field::RETRIEVAL_REFERENCE, field::TERMINAL];
        let repeated = repeated.into_iter().filter_map(|number| {
            let value = message.field(number)?.trim_end();
            Some((number, value.to_owned()))
        });
        let waiter = Waiter {
            connection,
            answer_type: answer_type.to_owned(),
            repeated: repeated.collect(),
            tell,
        };
        let mut state = self.state();
        state.waiters.insert(trace_number.to_owned(), waiter);
        Wait {
            waiting: self,
            trace_number: trace_number.to_owned(),
            answer,
        }
    }

    /// Passes an answer to whoever waits for it. Returns whether anybody did.
    pub(crate) fn tell(&self, answer: Message) -> bool {
        let mut state = self.state();
        let trace_number = answer.field(field::TRACE_NUMBER).unwrap_or_default();
        let is_awaited = state.waiters.get(trace_number).is_some_and(|waiter| {
            waiter.answer_type == answer.message_type
                && waiter.repeated.iter().all(|(number, sent)| {
                    answer
                        .field(*number)
                        .is_none_or(|value| value.trim_end() == sent)
                })
        });
        let waiter = match is_awaited {
            true => state.waiters.remove(trace_number),
            false => None,
        };
        let told = waiter.is_some_and(|waiter| waiter.tell.send(Ok(answer)).is_ok());
        if !told {
            state.late += 1;
        }
        told
    }

    /// Tells everybody who waits for a connection that it has ended.
    pub(crate) fn interrupt(&self, connection: u64) {
        let mut state = self.state();
        let ended = |_: &String, waiter: &mut Waiter| waiter.connection == connection;
        for (_, waiter) in state.waiters.extract_if(ended) {
            // Nobody hears it if the wait has just ended by itself.
            let _ = waiter.tell.send(Err(ExchangeError::Interrupted));
        }
    }

    /// How many answers nobody waited for.
    pub(crate) fn late(&self) -> u64 {
        self.state().late
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic during the lock cannot leave the state inconsistent: each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.waiting.state().waiters.remove(&self.trace_number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeroize::Zeroizing;

    fn message(message_type: &str, fields: &[(u8, &str)]) -> Message {
        let mut message = Message::new(message_type);
        for (number, value) in fields {
            message.put(*number, Zeroizing::new((*value).to_owned()));
        }
        message
    }

    fn sent() -> Message {
        message(
            "0100",
            &[(11, "000001"), (37, "633010000001"), (41, "55000001")],
        )
    }

    #[test]
    fn an_answer_is_told_once_and_to_its_own_message() {
        let waiting = Waiting::default();
        let mut wait = waiting.enter(&sent(), "0110", 1);
        for other in [
            message("0110", &[(11, "000002")]),
            message("0210", &[(11, "000001")]),
            message("0110", &[(11, "000001"), (37, "633009000001")]),
            message("0110", &[(11, "000001"), (41, "55000002")]),
            message("0110", &[]),
        ] {
            assert!(!waiting.tell(other));
        }
        assert!(wait.answer.try_recv().is_err());
        let answer = message("0110", &[(11, "000001"), (41, "55000001"), (39, "00")]);
        assert!(waiting.tell(answer.clone()));
        assert_eq!(wait.answer.try_recv().unwrap().unwrap(), answer);
        assert!(!waiting.tell(answer), "the second one is late");
        assert_eq!(waiting.late(), 6);
    }

    #[test]
    fn nobody_waits_after_the_wait() {
        let waiting = Waiting::default();
        drop(waiting.enter(&sent(), "0110", 1));
        assert!(!waiting.tell(message("0110", &[(11, "000001")])));
    }

    #[test]
    fn the_end_of_a_connection_ends_its_waits_alone() {
        let waiting = Waiting::default();
        let mut ended = waiting.enter(&sent(), "0110", 1);
        let other = message("0100", &[(11, "000002")]);
        let mut going_on = waiting.enter(&other, "0110", 2);
        waiting.interrupt(1);
        assert!(matches!(
            ended.answer.try_recv(),
            Ok(Err(ExchangeError::Interrupted))
        ));
        assert!(going_on.answer.try_recv().is_err());
        assert!(waiting.tell(message("0110", &[(11, "000002")])));
        assert!(going_on.answer.try_recv().unwrap().is_ok());
    }
}
