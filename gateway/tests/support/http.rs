//! A minimal HTTP client that shows what a connection does: one request, read until it closes.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The answer. Without a status: the connection was closed without an answer.
pub(crate) struct Response {
    pub(crate) status: Option<u16>,
    /// The address of a redirect.
    #[allow(dead_code, reason = "not every test program asks")]
    pub(crate) location: Option<String>,
    /// The cookie that a browser would store.
    #[allow(dead_code, reason = "not every test program asks")]
    pub(crate) cookie: Option<String>,
    /// The lines before the body.
    #[allow(dead_code, reason = "not every test program asks")]
    pub(crate) head: String,
    pub(crate) text: String,
}

/// Sends a request and reads until the connection closes. The error: there was no connection, or it broke.
pub(crate) fn send(
    server: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> std::io::Result<Response> {
    let mut connection = TcpStream::connect_timeout(&server, Duration::from_secs(2))?;
    connection.set_read_timeout(Some(Duration::from_secs(15)))?;
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    connection.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    connection.read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(Response {
            status: None,
            location: None,
            cookie: None,
            head: String::new(),
            text: String::new(),
        });
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text
        .split_once("\r\n\r\n")
        .ok_or_else(|| Error::from(ErrorKind::UnexpectedEof))?;
    let length = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length: ")?
            .trim()
            .parse::<usize>()
            .ok()
    });
    if length.is_some_and(|length| body.len() < length) {
        return Err(Error::from(ErrorKind::UnexpectedEof));
    }
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let header = |wanted: &str| {
        head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case(wanted)
                .then(|| value.trim().to_owned())
        })
    };
    Ok(Response {
        status,
        location: header("location"),
        cookie: header("set-cookie"),
        head: head.to_owned(),
        text: body.to_owned(),
    })
}
