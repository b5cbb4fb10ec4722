//! Where a message begins and ends in a stream: a length, and bytes before the message such as a TPDU.

use serde::Deserialize;
use std::io;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt};
use zeroize::Zeroizing;

/// What is before each message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framing {
    /// How the length is written.
    pub length: LengthHeader,
    /// Whether the length counts its own bytes.
    pub includes_itself: bool,
    /// The bytes between length and message, as a TPDU. Those of the host's messages have the same number, and are not looked at.
    pub before: Vec<u8>,
}

/// How the length is written.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum LengthHeader {
    /// Two bytes, the high one first.
    #[serde(rename = "binary-2")]
    Binary2,
    /// Four digits.
    #[serde(rename = "ascii-4")]
    Ascii4,
}

/// The stream cannot be divided into messages any more.
#[derive(Debug, Error)]
pub enum FramingError {
    /// It ended, or failed.
    #[error("the connection ended: {0}")]
    Ended(#[from] io::Error),
    /// The length is no number, or is too small for what has to be there.
    #[error("the length before a message is not possible")]
    Length,
}

impl Framing {
    /// The message with what is before it. `None`: it is too long for its length.
    pub fn frame(&self, message: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let own = if self.includes_itself {
            self.length.size()
        } else {
            0
        };
        let length = own + self.before.len() + message.len();
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.length.size() + length));
        match self.length {
            LengthHeader::Binary2 => {
                bytes.extend_from_slice(&u16::try_from(length).ok()?.to_be_bytes());
            }
            LengthHeader::Ascii4 if length > 9_999 => return None,
            LengthHeader::Ascii4 => bytes.extend_from_slice(format!("{length:04}").as_bytes()),
        }
        bytes.extend_from_slice(&self.before);
        bytes.extend_from_slice(message);
        Some(bytes)
    }

    /// The next message of a stream, without what is before it. Messages of length zero keep some connections alive, and are left out.
    ///
    /// # Errors
    /// The stream ended, or cannot be divided any more.
    pub async fn read(
        &self,
        stream: &mut (impl AsyncRead + Unpin),
    ) -> Result<Zeroizing<Vec<u8>>, FramingError> {
        loop {
            let mut header = [0; 4];
            let header = &mut header[..self.length.size()];
            stream.read_exact(header).await?;
            let own = if self.includes_itself {
                header.len()
            } else {
                0
            };
            let length = self
                .length
                .read(header)
                .and_then(|length| length.checked_sub(own));
            let length = length.ok_or(FramingError::Length)?;
            if length == 0 {
                continue;
            }
            let message = length.checked_sub(self.before.len());
            let message = message.ok_or(FramingError::Length)?;
            let mut before = vec![0; self.before.len()];
            stream.read_exact(&mut before).await?;
            let mut bytes = Zeroizing::new(vec![0; message]);
            stream.read_exact(&mut bytes).await?;
            return Ok(bytes);
        }
    }
}

impl LengthHeader {
    fn size(self) -> usize {
        match self {
            LengthHeader::Binary2 => 2,
            LengthHeader::Ascii4 => 4,
        }
    }

    fn read(self, header: &[u8]) -> Option<usize> {
        match self {
            LengthHeader::Binary2 => Some(usize::from(u16::from_be_bytes(header.try_into().ok()?))),
            LengthHeader::Ascii4 => {
                let text = std::str::from_utf8(header).ok()?;
                let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
                is_number.then(|| text.parse().ok())?
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(length: LengthHeader, includes_itself: bool, before: &[u8], bytes: &[u8]) {
        let framing = Framing {
            length,
            includes_itself,
            before: before.to_vec(),
        };
        assert_eq!(framing.frame(b"0800").unwrap().as_slice(), bytes);
        let twice = [bytes, bytes].concat();
        let mut stream = &twice[..];
        for _ in 0..2 {
            assert_eq!(framing.read(&mut stream).await.unwrap().as_slice(), b"0800");
        }
        let ended = framing.read(&mut stream).await.unwrap_err();
        assert!(matches!(ended, FramingError::Ended(_)), "{ended}");
    }

    #[tokio::test]
    async fn a_stream_is_divided_into_messages() {
        check(LengthHeader::Binary2, false, b"", b"\x00\x040800").await;
        check(LengthHeader::Binary2, true, b"", b"\x00\x060800").await;
        check(LengthHeader::Ascii4, false, b"", b"00040800").await;
        check(LengthHeader::Ascii4, true, b"", b"00080800").await;
        check(
            LengthHeader::Binary2,
            false,
            b"\x60\x00\x01\x00\x00",
            b"\x00\x09\x60\x00\x01\x00\x000800",
        )
        .await;
    }

    #[tokio::test]
    async fn an_impossible_length_ends_the_stream_and_an_empty_message_does_not() {
        let framing = |length, includes_itself| Framing {
            length,
            includes_itself,
            before: vec![0x60],
        };
        let ascii = framing(LengthHeader::Ascii4, true);
        for bytes in ["00x50800", "00020800", "+0090800"] {
            let read = ascii.read(&mut bytes.as_bytes()).await.unwrap_err();
            assert!(matches!(read, FramingError::Length), "{bytes}");
        }
        let binary = framing(LengthHeader::Binary2, false);
        let read = binary.read(&mut &b"\x00\x00\x00\x05\x600800"[..]).await;
        assert_eq!(read.unwrap().as_slice(), b"0800");
        assert_eq!(ascii.frame(&[0; 10_000]), None);
        assert_eq!(binary.frame(&[0; 65_535]), None);
    }
}
