//! The rows of a list, one after the other. Which list it is, and what a cursor means in it, is not known here.

use crate::errors::PayframeError;
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// The rows of a list, read page by page: see [`crate::Events::since`], [`crate::Disputes::all`] and [`crate::Settlements::all`].
pub struct Rows<T> {
    read: Box<dyn Fn(Option<String>) -> Reading<T> + Send + Sync>,
    /// What is read, and not handed over yet.
    page: VecDeque<T>,
    place: Place,
}

/// A page of a list.
pub(crate) struct Page<T> {
    pub(crate) rows: Vec<T>,
    /// Where the next page begins; `None`: this is the last one.
    pub(crate) next: Option<String>,
}

/// Where a list goes on.
enum Place {
    /// Behind a row, or at the beginning.
    Behind(Option<String>),
    /// It is read to its end.
    End,
}

type Reading<T> = Pin<Box<dyn Future<Output = Result<Page<T>, PayframeError>> + Send>>;

impl<T> Rows<T> {
    /// The rows behind `after`; without it all rows. `read` reads the page behind a cursor.
    pub(crate) fn new<F>(
        after: Option<String>,
        read: impl Fn(Option<String>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Page<T>, PayframeError>> + Send + 'static,
    {
        Self {
            read: Box::new(move |after| Box::pin(read(after))),
            page: VecDeque::new(),
            place: Place::Behind(after),
        }
    }

    /// The next row; `None` if there is none now. A page that could not be read is read again by the next call.
    ///
    /// # Errors
    ///
    /// Those of the call that reads a page.
    pub async fn next(&mut self) -> Result<Option<T>, PayframeError> {
        while self.page.is_empty() {
            let Place::Behind(after) = &self.place else {
                return Ok(None);
            };
            let page = (self.read)(after.clone()).await?;
            self.place = match page.next {
                Some(cursor) => Place::Behind(Some(cursor)),
                None => Place::End,
            };
            self.page = page.rows.into();
        }
        Ok(self.page.pop_front())
    }
}

impl<T> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}
