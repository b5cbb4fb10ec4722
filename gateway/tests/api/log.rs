//! What the thread of a test logs while the test runs. Tests of the router do all their work in one thread.
//!
//! One subscriber listens for the whole process and writes into the running thread's lines. A subscriber for each test would lose lines:
//! whether a log statement is active is stored once for all threads, and changes when subscribers come and go.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Once;

thread_local! {
    static LINES: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Stops listening when the test ends.
pub(crate) struct Log;

impl Log {
    /// Listens from now on.
    pub(crate) fn of_this_thread() -> Log {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            tracing_subscriber::fmt()
                .with_max_level(tracing::Level::DEBUG)
                .with_ansi(false)
                .with_writer(|| Lines)
                .init();
        });
        LINES.set(Some(Vec::new()));
        Log
    }

    pub(crate) fn text(&self) -> String {
        let lines = LINES.with_borrow(|lines| lines.clone().unwrap_or_default());
        String::from_utf8(lines).unwrap()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        LINES.set(None);
    }
}

/// Writes into the lines of the thread, if its test listens.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LINES.with_borrow_mut(|lines| {
            if let Some(lines) = lines {
                lines.extend_from_slice(bytes);
            }
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
