//! Lists that are read page by page: the next page begins behind the last row of this one.

use std::fmt;

/// A place in a list that is ordered by time and id, newest first: behind this row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// The row's time.
    pub at_ms: i64,
    /// Its id.
    pub id: String,
}

impl RowPlace {
    /// The place of a text that [`std::fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<RowPlace> {
        let (at_ms, id) = text.split_once('-')?;
        Some(RowPlace {
            at_ms: at_ms.parse().ok()?,
            id: id.to_owned(),
        })
    }

    /// The time and the id before which rows are listed. Without a place, all are.
    pub(crate) fn bounds(behind: Option<&RowPlace>) -> (i64, &str) {
        behind.map_or((i64::MAX, ""), |place| (place.at_ms, place.id.as_str()))
    }
}

impl fmt::Display for RowPlace {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}-{}", self.at_ms, self.id)
    }
}

/// Makes a page of rows that were read with one more than it shows. Returns the last row of the page if there is a next one.
pub fn cut_page<T>(rows: &mut Vec<T>, size: usize) -> Option<&T> {
    let there_are_more = rows.len() > size;
    rows.truncate(size);
    rows.last().filter(|_| there_are_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let place = RowPlace {
            at_ms: 1_795_168_800_000,
            id: "a-b".to_owned(),
        };
        assert_eq!(RowPlace::parse(&place.to_string()), Some(place.clone()));
        for bad in ["", "-", "1", "x-1"] {
            assert_eq!(RowPlace::parse(bad), None, "{bad}");
        }
        assert_eq!(RowPlace::bounds(Some(&place)), (place.at_ms, "a-b"));
        assert_eq!(RowPlace::bounds(None), (i64::MAX, ""));
    }

    #[test]
    fn a_page_has_a_next_one_if_more_was_read_than_it_shows() {
        let mut rows = vec![3, 2, 1];
        assert_eq!(cut_page(&mut rows, 2), Some(&2));
        assert_eq!(rows, [3, 2]);
        assert_eq!(cut_page(&mut rows, 2), None);
        assert_eq!(cut_page(&mut Vec::<u8>::new(), 2), None);
    }
}
