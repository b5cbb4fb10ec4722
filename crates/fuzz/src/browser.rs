//! What browsers send beside forms: cookies, addresses that proxies add, reports, uploads, passkeys, confirmations of payments.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use payframe_payment_ports::three_ds_server::Assertion;
use payframe_web_pages::{caller_address, cookie_value, reports, upload};
use std::task::{Context, Poll, Waker};

/// Headers with cookies, one in each line. What is read stands in one of them, behind its name.
pub(crate) fn cookies(bytes: &[u8]) {
    let headers = headers(header::COOKIE, bytes);
    for name in ["payframe-office", "__Secure-payframe-office", ""] {
        let Some(value) = cookie_value(&headers, name) else {
            continue;
        };
        assert!(!value.contains(';'), "{value}");
        let pair = format!("{name}={value}");
        let holds = |header: &HeaderValue| header.to_str().is_ok_and(|text| text.contains(&pair));
        assert!(headers.get_all(header::COOKIE).iter().any(holds), "{pair}");
    }
}

pub(crate) fn cookie_samples() -> Vec<Vec<u8>> {
    samples(&[
        "payframe-office=abc-_1; other=2",
        "a=b;payframe-office=1;payframe-office=2\npayframe-office=3",
        "__Secure-payframe-office = x; =y; payframe-office",
    ])
}

/// Lists of addresses, one header in each line. Whatever a caller writes on the left, our proxies' word counts.
pub(crate) fn forwarded(bytes: &[u8]) {
    let name = HeaderName::from_static("x-forwarded-for");
    let mut headers = headers(name.clone(), bytes);
    for proxies in 0..4 {
        let found = caller_address(proxies, None, &headers);
        let is_there = |ip| {
            let text = String::from_utf8_lossy(bytes);
            text.split([',', '\n'])
                .any(|part| part.trim().parse() == Ok(ip))
        };
        assert!(found.is_none_or(is_there), "{found:?}");
    }
    headers.append(name, HeaderValue::from_static("192.0.2.1, 192.0.2.2"));
    for (proxies, expected) in [(1, "192.0.2.2"), (2, "192.0.2.1")] {
        let found = caller_address(proxies, None, &headers);
        assert_eq!(found, expected.parse().ok());
    }
}

pub(crate) fn forwarded_samples() -> Vec<Vec<u8>> {
    samples(&[
        "6.6.6.6, 1.2.3.4\n10.0.0.2",
        "2001:db8::1,::ffff:1.2.3.4, unknown",
        "[::1]:80, \"_hidden\", ,",
    ])
}

/// A report of a browser. No digit of a host is kept, and everything else is a word of ours.
pub(crate) fn report(bytes: &[u8]) {
    for stopped in reports::read(bytes).unwrap_or_default() {
        let reports::Stopped {
            page,
            directive,
            source,
            host,
        } = stopped;
        assert!(!host.contains(|c: char| c.is_ascii_digit()), "{host}");
        assert!(!host.contains(char::is_control), "{host:?}");
        for word in [page, directive, source] {
            let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(!word.is_empty() && word.chars().all(is_word), "{word}");
        }
    }
}

pub(crate) fn report_samples() -> Vec<Vec<u8>> {
    samples(&[
        r#"[{"type":"csp-violation","body":{"documentURL":"https://pay.example/form/?session=a","effectiveDirective":"script-src-elem","blockedURL":"https://e4111.example/a.js"}},{"type":"focus-taken","body":{"documentURL":"https://pay.example/form/"}}]"#,
        r#"{"type":"integrity-violation","body":{"documentURL":"https://pay.example/office","blockedURL":"https://pay.example/office/office.js"}}"#,
        r#"{"csp-report":{"document-uri":"https://pay.example/pay/t","violated-directive":"script-src 'self'","blocked-uri":"inline"}}"#,
    ])
}

/// A form with a file, behind its content type and a line break. The same parts come out each time, and none is longer than the body.
pub(crate) fn uploaded(bytes: &[u8]) {
    let place = bytes.iter().position(|byte| *byte == b'\n');
    let (kind, body) = bytes.split_at(place.unwrap_or(bytes.len()));
    let body = Bytes::copy_from_slice(body.get(1..).unwrap_or_default());
    let Some(separator) = upload::separator(&headers(header::CONTENT_TYPE, kind)) else {
        return;
    };
    let read = || at_once(upload::parts(separator.clone(), body.clone()));
    let parts = read();
    assert_eq!(parts, read());
    let lengths = parts.iter().flatten().map(|part| part.content.len());
    assert!(lengths.sum::<usize>() <= body.len());
}

pub(crate) fn uploads() -> Vec<Vec<u8>> {
    samples(&[
        "multipart/form-data; boundary=limit\n--limit\r\ncontent-disposition: form-data; name=\"token\"\r\n\r\nabc\r\n--limit\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7\r\n--limit--\r\n",
        "multipart/form-data; boundary=\"a b\"\n--a b\r\ncontent-disposition: form-data; name=file; filename*=UTF-8''%e2%82%ac.png\r\n\r\n\r\n--a b--",
        "multipart/form-data; boundary=\n--\r\n\r\n----",
    ])
}

/// What the buyer's device signed. What is read is written so that it is read as the same.
pub(crate) fn confirmation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(assertion) = Assertion::read(text) else {
        return;
    };
    let written = serde_json::to_string(&assertion).unwrap_or_default();
    assert!(Assertion::read(&written).is_ok_and(|again| again == assertion));
    // Nothing in it can end a text that it is put into.
    let response = &assertion.response;
    for part in [
        &assertion.id,
        &response.client_data,
        &response.authenticator_data,
        &response.signature,
    ] {
        assert!(
            part.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        );
    }
}

pub(crate) fn confirmations() -> Vec<Vec<u8>> {
    samples(&[
        r#"{"id":"AA-_","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA"}}"#,
        r#"{"id":"AA","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA","userHandle":"AA"}}"#,
        r#"{"id":"A=","response":{}}"#,
    ])
}

/// One header for each line that can be one.
fn headers(name: HeaderName, bytes: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        if let Ok(value) = HeaderValue::from_bytes(line) {
            headers.append(name.clone(), value);
        }
    }
    headers
}

/// The outcome of what waits for nothing, because all of its bytes are there.
fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("it waits"),
    }
}

fn samples(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
