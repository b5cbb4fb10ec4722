//! The statements of clearing files whose plans are asked for.

use super::rows::ROWS;
use crate::settlements::{DifferenceFilter, DifferencePlace, DifferenceState, Target};
use crate::{Connection, RowPlace, StoreError, settlements};
use payframe_payment_domain::settlement::Difference;

/// Asks for clearing files, their lines and their differences. The last orders are missed after a day.
pub(super) async fn ask(connection: &mut Connection) -> Result<(), StoreError> {
    let merchant = ("demo", NOW_MS);
    let operation = "100000000000000077";
    settlements::booked_of_payment(connection, "demo", operation).await?;
    settlements::booked_of_order(connection, "demo", "o77").await?;
    settlements::expected(connection, "t1", (77_000, 78_000)).await?;
    settlements::imported_before(connection, "demo", "f7").await?;
    settlements::count_files(connection, "demo").await?;
    settlements::known_lines(connection, "demo", (77_000, 78_000)).await?;
    settlements::payments_by_retrieval(connection, "demo", (77_000, 78_000)).await?;
    let behind = RowPlace {
        at_ms: 7_700_000,
        id: String::from("f77"),
    };
    for behind in [None, Some(&behind)] {
        settlements::files(connection, "demo", behind, 25).await?;
    }
    settlements::file(connection, "demo", "f7").await?;
    settlements::sums(connection, "f7").await?;
    settlements::payout_sums(connection, "f7").await?;
    settlements::lines(connection, ("demo", "f7"), 650, 25).await?;
    let line = Target::Line {
        file_id: String::from("f7"),
        number: 640,
    };
    let missing = Target::Operation {
        operation_id: String::from("100000000000000150"),
    };
    for target in [&line, &missing] {
        assert!(
            settlements::difference(connection, merchant, target)
                .await?
                .is_some()
        );
    }
    let filters = [
        DifferenceFilter::default(),
        DifferenceFilter {
            state: Some(DifferenceState::Open),
            ..DifferenceFilter::default()
        },
        DifferenceFilter {
            state: Some(DifferenceState::Cleared),
            ..DifferenceFilter::default()
        },
        DifferenceFilter {
            difference: Some(Difference::AmountDiffers),
            ..DifferenceFilter::default()
        },
        DifferenceFilter {
            file_id: Some("f8"),
            ..DifferenceFilter::default()
        },
    ];
    let places = [&line, &missing].map(|target| DifferencePlace {
        at_ms: 15_000_000,
        target: target.clone(),
    });
    for filter in &filters {
        for behind in [None, Some(&places[0]), Some(&places[1])] {
            settlements::differences(connection, merchant, filter, behind, 25).await?;
        }
    }
    assert_eq!(
        settlements::open_differences(connection, merchant, 25)
            .await?
            .len(),
        2
    );
    settlements::piece_end_ms(connection, "demo", (77_000, 78_000), 7).await?;
    Ok(())
}

/// Compares the operations that came due, and notes that somebody cleared a difference.
pub(super) async fn change(change: &mut Connection) -> Result<(), StoreError> {
    let scopes = settlements::scopes(change, None).await?;
    let due = scopes[0].due(NOW_MS).unwrap();
    assert_eq!(due, (ROWS * 1000 - 10_000, (ROWS + 1) * 1000));
    assert!(settlements::keep(change, &scopes[0], due).await?);
    settlements::forget(change, "demo", NOW_MS).await?;
    settlements::sum_files(change).await?;
    let line = Target::Line {
        file_id: String::from("f8"),
        number: 800,
    };
    assert!(settlements::resolve(change, &line, ("m1", 1, "")).await?);
    Ok(())
}

/// A day after the last operation, when it is missed.
const NOW_MS: i64 = (ROWS + 1) * 1000 + 86_400_000;
