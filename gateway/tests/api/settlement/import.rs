//! The command that imports a file.

use super::differences::all;
use super::*;
use payframe_gateway::operator::CommandError;

#[tokio::test]
async fn a_file_is_matched_with_operations_and_what_differs_is_told() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let short = paid(&app, IMPLICIT, "A2", "EUR").await;
    let refund = done(&app, &sale, "refunds", 2500).await;
    let hold = paid(&app, EXPLICIT, "A3", "EUR").await;
    let captured = done(&app, &hold, "captures", 4000).await;
    let lines = [
        line("SALE", &sale, "100.00"),
        // The refund is found although the line names the payment, and the capture although it names the authorization.
        line("REFUND", &sale, "25.00"),
        line("SALE", &hold, "40.00"),
        line("SALE", &short, "99.99"),
        line("SALE", "100000000000000009", "5.00"),
        format!("SALE;{short};;again;100.00;;;EUR;P-1;2026-11-20"),
        String::from("FEE;;;F1;-2.00;;;EUR;P-1;2026-11-20"),
    ];
    let told = import(&app, "may.csv", &lines).await;
    let (first, rest) = told.split_once('\n').unwrap();
    assert!(first.starts_with("may.csv is settlement "), "{told}");
    assert_eq!(
        rest,
        "7 lines: 3 agree with an operation, 1 are fees or corrections\n\
         1 AMOUNT_DIFFERS: Ask the acquirer why it cleared another amount than it approved.\n\
         1 NOT_IN_BOOKS: Look for the reference with the acquirer: no operation that moved money fits this line.\n\
         1 BOOKED_TWICE: Ask the acquirer to take one of the lines back: another line has cleared this operation already.\n"
    );
    let matched = "SELECT line_number || ' ' || operation_id FROM settlement_line \
                   WHERE operation_id IS NOT NULL ORDER BY line_number";
    assert_eq!(
        app.texts(matched).await,
        [
            format!("2 {sale}"),
            format!("3 {refund}"),
            format!("4 {captured}"),
            format!("5 {short}"),
            format!("7 {short}"),
        ]
    );
    let entry = "SELECT act || ': ' || detail FROM audit_entry WHERE act = 'IMPORT_SETTLEMENT'";
    assert_eq!(
        app.texts(entry).await,
        ["IMPORT_SETTLEMENT: may.csv, 7 lines, 3 of them differ"]
    );
}

#[tokio::test]
async fn captures_are_matched_and_not_what_they_capture() {
    let app = TestApp::new().await;
    let whole = paid(&app, EXPLICIT, "A1", "EUR").await;
    let captured = done(&app, &whole, "captures", 10000).await;
    let released = paid(&app, EXPLICIT, "A2", "EUR").await;
    done(&app, &released, "refunds", 10000).await;
    let part = paid(&app, EXPLICIT, "A3", "EUR").await;
    let some = done(&app, &part, "captures", 4000).await;
    done(&app, &part, "refunds", 6000).await;
    // All of them name the authorization.
    let lines = [
        line("SALE", &whole, "100.00"),
        line("SALE", &released, "100.00"),
        line("SALE", &part, "40.00"),
    ];
    let told = import_for(&app, "91000002", "may.csv", &lines).await;
    assert!(
        told.contains("3 lines: 2 agree with an operation"),
        "{told}"
    );
    assert!(told.contains("\n1 NOT_IN_BOOKS: "), "{told}");
    let matched = "SELECT operation_id FROM settlement_line WHERE operation_id IS NOT NULL ORDER BY line_number";
    assert_eq!(app.texts(matched).await, [captured, some]);
    app.pass(6 * DAY).await;
    assert_eq!(all(&app).await, [format!("NOT_IN_BOOKS {released}")]);
}

#[tokio::test]
async fn of_two_imports_at_a_time_only_one_clears_an_operation() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let import = async |terminal: &str| {
        let row = format!("SALE;{sale};;{terminal};100.00;;;EUR;P-1;2026-11-20");
        let path = file(&app, &format!("{terminal}.csv"), &[row]);
        let words = ["settlement", "import", "--terminal", terminal];
        let words = [words.as_slice(), &["--mapping", MAPPING, &path]].concat();
        match Box::pin(command(&app, &words)).await {
            Ok(told) => told,
            Err(problem) => problem.to_string(),
        }
    };
    let (one, other) = tokio::join!(import("91000001"), import("91000002"));
    let both = format!("{one}{other}");
    assert_eq!(
        both.matches("1 agree with an operation").count(),
        1,
        "{both}"
    );
    assert!(
        both.contains("imported meanwhile") || both.contains("BOOKED_TWICE"),
        "{both}"
    );
}

#[tokio::test]
async fn the_same_file_and_the_same_line_book_nothing_twice() {
    let app = TestApp::new().await;
    let first = paid(&app, IMPLICIT, "A1", "EUR").await;
    let second = paid(&app, IMPLICIT, "A2", "EUR").await;
    let first = line("SALE", &first, "100.00");
    let told = import(&app, "a.csv", &[first.clone(), first.clone()]).await;
    assert!(told.contains("1 lines were read before"), "{told}");
    let id = id_of(&told);
    let again = import(&app, "b.csv", &[first.clone(), first.clone()]).await;
    assert_eq!(
        again,
        format!("b.csv was imported before, as settlement {id}; nothing was changed\n")
    );
    let more = import(&app, "c.csv", &[first, line("SALE", &second, "100.00")]).await;
    assert!(more.contains("1 lines: 1 agree with an operation\n1 lines were read before"));
    assert!(!more.contains("BOOKED_TWICE"), "{more}");
    assert_eq!(app.count("SELECT COUNT(*) FROM settlement_line").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM settlement_file").await, 2);
}

#[tokio::test]
async fn an_operation_is_found_by_its_retrieval_reference() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let rrn = app.order("A1").await["operations"][0]["additionalData"]["rrn"].clone();
    let by_rrn = format!(
        "SALE;;{};S1;100.00;;;EUR;P-1;2026-11-20",
        rrn.as_str().unwrap()
    );
    let told = import(&app, "a.csv", &[by_rrn]).await;
    assert!(told.contains("1 lines: 1 agree"), "{told}");
    let matched = "SELECT operation_id FROM settlement_line";
    assert_eq!(app.texts(matched).await, [sale]);
}

#[tokio::test]
async fn a_file_is_read_whole_or_not_at_all() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let lines = [line("SALE", &sale, "100.00"), line("SALE", &sale, "1,00")];
    let path = file(&app, "a.csv", &lines);
    let words = |terminal, mapping, more: &[&'static str]| {
        let words = [
            "settlement",
            "import",
            "--terminal",
            terminal,
            "--mapping",
            mapping,
        ];
        let words = words.iter().map(|word: &&str| (*word).to_owned());
        let more = more.iter().map(|word| (*word).to_owned());
        words
            .chain(more)
            .chain([path.clone()])
            .collect::<Vec<String>>()
    };
    let run = async |words: Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Box::pin(command(&app, &words)).await
    };
    let problem = run(words("91000001", MAPPING, &[])).await.unwrap_err();
    assert_eq!(
        problem.to_string(),
        format!(
            "{path}: line 3, column Gross: must be a number with at most 2 decimals, such as 12.50"
        )
    );
    let nobody = run(words("1", MAPPING, &[])).await.unwrap_err();
    assert!(matches!(nobody, CommandError::NoTerminal(_)), "{nobody}");
    let unread = run(words("91000001", "/nowhere.toml", &[]))
        .await
        .unwrap_err();
    assert!(
        unread.to_string().starts_with("/nowhere.toml: "),
        "{unread}"
    );
    let unknown = app.data().join("mapping.toml");
    let text = std::fs::read_to_string(MAPPING).unwrap();
    std::fs::write(&unknown, format!("acquirer = \"frist\"\n{text}")).unwrap();
    let unknown = unknown.to_str().unwrap();
    let problem = run(words("91000001", unknown, &[])).await.unwrap_err();
    assert!(
        problem.to_string().contains("name of an acquirer"),
        "{problem}"
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM audit_entry").await, 0);
    // A check writes nothing either.
    file(&app, "a.csv", &lines[..1]);
    let told = run(words("91000001", MAPPING, &["--check"])).await.unwrap();
    assert_eq!(
        told,
        "a.csv can be imported\n1 lines: 1 agree with an operation\n"
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM settlement_file").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM audit_entry").await, 0);
}

#[tokio::test]
async fn terminals_of_two_merchants_have_two_files() {
    let app = TestApp::new().await;
    command(&app, &["merchant", "add", "blumen", "Blumenladen"])
        .await
        .unwrap();
    command(&app, &["terminal", "add", "55000001", "blumen"])
        .await
        .unwrap();
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let path = file(&app, "a.csv", &[line("SALE", &sale, "100.00")]);
    let mut words = vec![
        "settlement",
        "import",
        "--mapping",
        MAPPING,
        "--terminal",
        "55000001",
    ];
    let both = [&words[..], &["--terminal", "91000001", &path]].concat();
    let problem = Box::pin(command(&app, &both)).await.unwrap_err();
    assert!(
        problem.to_string().contains("several merchants"),
        "{problem}"
    );
    // The operation of another merchant is not in this one's books.
    words.push(&path);
    let told = Box::pin(command(&app, &words)).await.unwrap();
    assert!(told.contains("1 NOT_IN_BOOKS"), "{told}");
}

/// The shipped example is what the documents say.
#[tokio::test]
async fn the_example_can_be_imported() {
    let app = TestApp::new().await;
    let example = MAPPING.replace("mapping.toml", "clearing.csv");
    let words = [
        "settlement",
        "import",
        "--terminal",
        "91000001",
        "--mapping",
        MAPPING,
        &example,
    ];
    let told = Box::pin(command(&app, &words)).await.unwrap();
    assert!(
        told.contains("4 lines: 0 agree with an operation, 1 are fees"),
        "{told}"
    );
    assert!(told.contains("3 NOT_IN_BOOKS"), "{told}");
}
