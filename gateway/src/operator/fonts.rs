//! The command that gives a terminal's forms a font.

use super::{CommandContext, CommandError, must_exist};
use payframe_merchant_font::{Outlines, rebuild};
use payframe_storage::{StoreError, Subject, fonts};
use payframe_vault::hex;
use sha2::{Digest, Sha256};

impl CommandContext<'_> {
    /// Rebuilds the font of a file, and draws the terminal's forms in it. `none` removes the terminal's font.
    pub(super) async fn font(&self, terminal_id: &str, path: &str) -> Result<String, CommandError> {
        let font = match path {
            "none" => None,
            path => Some(read(path)?),
        };
        let hash = font.as_deref().map(hash);
        let mut change = self.store.write(Subject::Gateway).await?;
        must_exist(&mut change, terminal_id).await?;
        let named = hash.as_deref().zip(font.as_deref());
        fonts::put(&mut change, terminal_id, named, self.now_ms).await?;
        let detail = match &hash {
            Some(hash) => format!("font {}", &hash[..12]),
            None => String::from("the system's font"),
        };
        self.log_terminal_change(&mut change, terminal_id, &detail)
            .await?;
        change.commit().await.map_err(StoreError::from)?;
        Ok(match (hash, font) {
            (Some(hash), Some(font)) => format!(
                "forms of terminal {terminal_id} are drawn in the font {}, {} bytes\n",
                &hash[..12],
                font.len()
            ),
            _ => format!("forms of terminal {terminal_id} are drawn in the system's font\n"),
        })
    }
}

/// The font of a file, without rules.
fn read(path: &str) -> Result<Vec<u8>, CommandError> {
    let failed = |problem: &dyn std::fmt::Display| {
        CommandError::Failed(format!(
            "{path}: {problem}; a font is a .ttf, .otf, .woff or .woff2 file of at most 2 MiB"
        ))
    };
    let file = std::fs::read(path).map_err(|problem| failed(&problem))?;
    rebuild(&file, Outlines::All).map_err(|problem| failed(&problem))
}

fn hash(font: &[u8]) -> String {
    hex(&Sha256::digest(font))
}
