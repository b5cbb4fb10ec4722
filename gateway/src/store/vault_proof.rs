//! What shows whether a vault's key is the one that the database is written with.

use super::{Connection, StoreProblem, query, query_scalar};

/// The proof, sealed with that key.
pub(crate) async fn find(connection: &mut Connection) -> Result<Option<Vec<u8>>, StoreProblem> {
    Ok(
        query_scalar("SELECT sealed FROM vault_proof WHERE name = ?")
            .bind(NAME)
            .fetch_optional(connection)
            .await?,
    )
}

/// Writes the first one.
pub(crate) async fn put(connection: &mut Connection, sealed: &[u8]) -> Result<(), StoreProblem> {
    query("INSERT INTO vault_proof (name, sealed) VALUES (?, ?)")
        .bind(NAME)
        .bind(sealed)
        .execute(connection)
        .await?;
    Ok(())
}

const NAME: &str = "vault";
