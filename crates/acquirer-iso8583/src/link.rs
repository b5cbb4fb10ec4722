//! Persistent connections to a host: several at a time, signed on, kept alive by echoes, made again when they end.
//!
//! A message is sent on one of the connections, and its answer may come on any of them. Which answer belongs to which message is decided in
//! [`crate::waiting`].

mod socket;

pub(crate) use socket::{Endpoint, Tls};

use crate::dialect::{Dialect, MessageForm, MessageName};
use crate::error::ExchangeError;
use crate::framing::FramingError;
use crate::journal::{Journal, time};
use crate::mac::{self, MacKey};
use crate::message::{Message, field};
use crate::response::Meaning;
use crate::template::{Value, Values};
use crate::waiting::Waiting;
use payframe_storage::iso8583_exchanges::ExchangeNumbers;
use socket::Stream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use zeroize::Zeroizing;

/// The connections to a host. Dropped, they are closed.
pub(crate) struct Link {
    lines: Arc<Lines>,
    tasks: Vec<JoinHandle<()>>,
}

/// What the connections of a host share.
struct Lines {
    host: Host,
    waiting: Waiting,
    ready: Mutex<Vec<Line>>,
    /// Wakes those who wait for a connection.
    became_ready: Notify,
    next: AtomicU64,
}

/// How a host is reached, and spoken to.
pub(crate) struct Host {
    pub(crate) name: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) dialect: Arc<Dialect>,
    pub(crate) mac: Option<MacKey>,
    pub(crate) journal: Journal,
    pub(crate) connections: usize,
    pub(crate) connect_limit: Duration,
    pub(crate) answer_limit: Duration,
    pub(crate) echo_interval: Duration,
}

/// A connection that is signed on.
#[derive(Clone)]
pub(crate) struct Line {
    number: u64,
    send: mpsc::Sender<Zeroizing<Vec<u8>>>,
}

impl Line {
    /// Whether it is the same connection.
    pub(crate) fn is_same(&self, other: &Line) -> bool {
        self.number == other.number
    }
}

/// Why a connection is not there, or ended.
#[derive(Debug, Error)]
enum LineError {
    #[error("it can not be made: {0}")]
    Connect(#[from] socket::ConnectError),
    #[error(transparent)]
    Framing(#[from] FramingError),
    #[error("the host did not accept the sign-on: {0}")]
    SignOn(ExchangeError),
    #[error("an echo has no answer: {0}")]
    Echo(ExchangeError),
    #[error("it is closed")]
    Closed,
}

impl Link {
    /// Begins to connect. Returns at once: messages wait for the first connection.
    pub(crate) fn open(host: Host) -> Link {
        let connections = host.connections;
        let lines = Arc::new(Lines {
            host,
            waiting: Waiting::default(),
            ready: Mutex::default(),
            became_ready: Notify::new(),
            next: AtomicU64::new(0),
        });
        let keep = |_| tokio::spawn(lines.clone().keep());
        Link {
            tasks: (0..connections).map(keep).collect(),
            lines,
        }
    }

    /// A connection that is signed on, after a wait of at most the connection's time limit.
    pub(crate) async fn line(&self) -> Result<Line, ExchangeError> {
        let limit = self.lines.host.connect_limit;
        let line = tokio::time::timeout(limit, self.lines.line());
        line.await.map_err(|_| ExchangeError::Unreachable)
    }

    /// The same connection as before while it lives, else the next one.
    pub(crate) async fn line_after(&self, former: Option<&Line>) -> Result<Line, ExchangeError> {
        let same = former.filter(|line| self.lines.is_ready(line.number));
        match same {
            Some(line) => Ok(line.clone()),
            None => self.line().await,
        }
    }

    /// Sends a message, and waits for its answer.
    pub(crate) async fn exchange(
        &self,
        line: &Line,
        message: &Message,
        answer_type: &str,
    ) -> Result<Message, ExchangeError> {
        self.lines.exchange(line, message, answer_type).await
    }

    /// Sends an echo on one of the connections, and waits for its answer.
    pub(crate) async fn echo(&self) -> Result<(), ExchangeError> {
        let line = self.line().await?;
        self.lines.manage(&line, MessageName::Echo).await
    }

    /// How many answers nobody waited for.
    pub(crate) fn late_answers(&self) -> u64 {
        self.lines.waiting.late()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Lines {
    /// Keeps one connection for as long as the process runs.
    async fn keep(self: Arc<Self>) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let mut was_ready = false;
            let problem = match self.run(&mut was_ready).await {
                Ok(never) => match never {},
                Err(problem) => problem,
            };
            if was_ready {
                pause = SHORTEST_PAUSE;
            }
            let (acquirer, pause_ms) = (&self.host.name, pause.as_millis());
            tracing::warn!(%acquirer, %problem, pause_ms, "a connection to an acquirer's host is made again");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Runs one connection until it ends.
    async fn run(&self, was_ready: &mut bool) -> Result<std::convert::Infallible, LineError> {
        let connected = self.host.endpoint.connect(self.host.connect_limit).await?;
        let (read, write) = tokio::io::split(connected);
        let (send, outgoing) = mpsc::channel(OUTGOING);
        let line = Line {
            number: self.next.fetch_add(1, Ordering::Relaxed),
            send,
        };
        let _ended = Ended {
            lines: self,
            number: line.number,
        };
        tokio::select! {
            problem = self.receive(read, &line) => Err(problem),
            problem = self.send(write, outgoing) => Err(problem),
            problem = self.stay_signed_on(&line, was_ready) => Err(problem),
        }
    }

    /// Signs on, offers the connection to others, and sends echoes.
    async fn stay_signed_on(&self, line: &Line, was_ready: &mut bool) -> LineError {
        if let Err(problem) = self.manage(line, MessageName::SignOn).await {
            return LineError::SignOn(problem);
        }
        *was_ready = true;
        self.ready().push(line.clone());
        self.became_ready.notify_waiters();
        tracing::info!(acquirer = %self.host.name, "signed on to an acquirer's host");
        loop {
            tokio::time::sleep(self.host.echo_interval).await;
            if let Err(problem) = self.manage(line, MessageName::Echo).await {
                return LineError::Echo(problem);
            }
        }
    }

    /// A message of network management.
    async fn manage(&self, line: &Line, name: MessageName) -> Result<(), ExchangeError> {
        // Every dialect has both.
        let form = self
            .host
            .dialect
            .message(name)
            .ok_or(ExchangeError::Unreachable)?;
        let numbers = self.host.journal.numbers().await?;
        let mut values = Values::default();
        put_numbers(&mut values, &numbers);
        let answer = self
            .exchange(line, &form.fill(&values), &form.answer)
            .await?;
        let code = answer.field(field::RESPONSE_CODE).unwrap_or_default();
        match self.host.dialect.responses.meaning(code).0 {
            Meaning::Approved => Ok(()),
            _ => Err(ExchangeError::NoOutcome(code.to_owned())),
        }
    }

    async fn exchange(
        &self,
        line: &Line,
        message: &Message,
        answer_type: &str,
    ) -> Result<Message, ExchangeError> {
        let bytes = self.written(message)?;
        let mut wait = self.waiting.enter(message, answer_type, line.number);
        let sent = line.send.send(bytes).await;
        sent.map_err(|_| ExchangeError::Interrupted)?;
        let answer = tokio::time::timeout(self.host.answer_limit, &mut wait.answer).await;
        match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(ExchangeError::Interrupted),
            Err(_) => Err(ExchangeError::Timeout),
        }
    }

    /// The bytes of a message, with what is before it.
    fn written(&self, message: &Message) -> Result<Zeroizing<Vec<u8>>, ExchangeError> {
        let Host { dialect, mac, .. } = &self.host;
        let bytes = mac::encode(&dialect.layout, message, mac.as_ref())?;
        let framed = dialect.framing.frame(&bytes);
        Ok(framed.ok_or(crate::codec::CodecError::TooLong(bytes.len()))?)
    }

    async fn receive(&self, mut stream: ReadHalf<Box<dyn Stream>>, line: &Line) -> LineError {
        let Host {
            name, dialect, mac, ..
        } = &self.host;
        loop {
            let bytes = match dialect.framing.read(&mut stream).await {
                Ok(bytes) => bytes,
                Err(problem) => return problem.into(),
            };
            let message = match mac::decode(&dialect.layout, &bytes, mac.as_ref()) {
                Ok(message) => message,
                Err(problem) => {
                    tracing::warn!(acquirer = %name, %problem, "a message of an acquirer's host can not be read");
                    continue;
                }
            };
            if let Some(answer) = self.answer_to(&message) {
                // A full queue means that the host does not read. Then it gets no answer, either.
                if let Ok(bytes) = self.written(&answer) {
                    let _ = line.send.try_send(bytes);
                }
                continue;
            }
            let message_type = message.message_type.clone();
            if !self.waiting.tell(message) {
                tracing::warn!(acquirer = %name, message_type, "an acquirer's host answers what nobody waits for");
            }
        }
    }

    /// The answer to a message of network management that the host begins with.
    fn answer_to(&self, message: &Message) -> Option<Message> {
        let dialect = &self.host.dialect;
        let names = [MessageName::Echo, MessageName::SignOn];
        let mut forms = names.into_iter().filter_map(|name| dialect.message(name));
        let is_asked = |form: &&MessageForm| form.message_type == message.message_type;
        let form = forms.find(is_asked)?;
        let mut answer = message.clone();
        answer.message_type.clone_from(&form.answer);
        let code = dialect.responses.approval().to_owned();
        answer.put(field::RESPONSE_CODE, Zeroizing::new(code));
        Some(answer)
    }

    async fn send(
        &self,
        mut stream: WriteHalf<Box<dyn Stream>>,
        mut outgoing: mpsc::Receiver<Zeroizing<Vec<u8>>>,
    ) -> LineError {
        while let Some(bytes) = outgoing.recv().await {
            let written = async {
                stream.write_all(&bytes).await?;
                stream.flush().await
            };
            if let Err(problem) = written.await {
                return FramingError::Ended(problem).into();
            }
        }
        LineError::Closed
    }

    /// The next connection that is signed on.
    async fn line(&self) -> Line {
        loop {
            let mut woken = std::pin::pin!(self.became_ready.notified());
            // Before the look at the list, so that a connection in between is not missed.
            woken.as_mut().enable();
            let line = {
                let mut ready = self.ready();
                let first = (!ready.is_empty()).then(|| ready.remove(0));
                ready.extend(first.clone());
                first
            };
            if let Some(line) = line {
                return line;
            }
            woken.await;
        }
    }

    fn is_ready(&self, number: u64) -> bool {
        self.ready().iter().any(|line| line.number == number)
    }

    fn ready(&self) -> MutexGuard<'_, Vec<Line>> {
        // A panic during the lock cannot leave the list inconsistent: each change is one call.
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a connection out of the list when it ends, and ends its waits.
struct Ended<'a> {
    lines: &'a Lines,
    number: u64,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.lines.ready().retain(|line| line.number != self.number);
        self.lines.waiting.interrupt(self.number);
    }
}

/// The values that every message has.
pub(crate) fn put_numbers(values: &mut Values, numbers: &ExchangeNumbers) {
    let at = |format| time(numbers.sent_ms, format);
    values.put(Value::TraceNumber, format!("{:06}", numbers.trace_number));
    values.put(
        Value::RetrievalReference,
        numbers.retrieval_reference.as_str(),
    );
    values.put(Value::TransmissionTime, at(TRANSMISSION_TIME));
    values.put(Value::LocalTime, at("%H%M%S"));
    values.put(Value::LocalDate, at("%m%d"));
    values.put(Value::LocalDateTime, at(LOCAL_DATE_TIME));
}

/// `MMDDhhmmss`
pub(crate) const TRANSMISSION_TIME: &str = "%m%d%H%M%S";

/// `YYMMDDhhmmss`
pub(crate) const LOCAL_DATE_TIME: &str = "%y%m%d%H%M%S";

/// How many messages wait to be written to one connection.
const OUTGOING: usize = 64;

/// Between the end of a connection and the next attempt.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);

/// It doubles up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
