//! All encrypted values in the database, so that they can be encrypted again with another key.
//!
//! An [`EncryptedColumn`] is one column. Add every new column here: a test compares the list with the tables.

use super::{Connection, Row, StoreError, Value, query};

/// A column with encrypted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncryptedColumn {
    /// The vault's own values.
    Vault,
    /// Cards of sessions.
    Cards,
    /// Cards of contracts.
    Contracts,
    /// Cards of contract changes in progress.
    ContractChanges,
    /// Responses of validations of 3-step payments.
    Validations,
    /// Secrets that sign notifications.
    Secrets,
    /// Private keys for card data from the frames.
    CardKeys,
    /// Stored responses for repeated calls.
    Answers,
    /// Cards of messages to acquirers over ISO 8583.
    Iso8583Cards,
    /// Secrets of members' authenticator apps.
    SecondFactors,
    /// Answers of directory servers.
    Authentications,
    /// Texts of evidence for disputes.
    DisputeEvidence,
    /// Files of evidence for disputes.
    DisputeFiles,
}

/// An encrypted value, with its location.
pub struct EncryptedValue {
    key: Vec<Value>,
    /// The id of its owner.
    pub owner: String,
    /// The value, encrypted.
    pub encrypted: Vec<u8>,
}

/// The SQL statements for a column.
struct Statements {
    beginnings: &'static str,
    /// The next rows after a given row, in key order, that another key has encrypted.
    next: &'static str,
    put: &'static str,
}

impl EncryptedColumn {
    /// All columns.
    pub const ALL: [EncryptedColumn; 13] = [
        EncryptedColumn::Vault,
        EncryptedColumn::Cards,
        EncryptedColumn::Contracts,
        EncryptedColumn::ContractChanges,
        EncryptedColumn::Validations,
        EncryptedColumn::Secrets,
        EncryptedColumn::CardKeys,
        EncryptedColumn::Answers,
        EncryptedColumn::Iso8583Cards,
        EncryptedColumn::SecondFactors,
        EncryptedColumn::Authentications,
        EncryptedColumn::DisputeEvidence,
        EncryptedColumn::DisputeFiles,
    ];

    /// The name in progress messages.
    pub fn name(self) -> &'static str {
        match self {
            EncryptedColumn::Vault => "the keys of hashes",
            EncryptedColumn::Cards => "cards of sessions",
            EncryptedColumn::Contracts => "cards of contracts",
            EncryptedColumn::ContractChanges => "cards of contracts on their way",
            EncryptedColumn::Validations => "3-step validations",
            EncryptedColumn::Secrets => "notification secrets",
            EncryptedColumn::CardKeys => "card keys",
            EncryptedColumn::Answers => "stored answers",
            EncryptedColumn::Iso8583Cards => "cards of messages over ISO 8583",
            EncryptedColumn::SecondFactors => "second factors",
            EncryptedColumn::Authentications => "answers of directory servers",
            EncryptedColumn::DisputeEvidence => "evidence for disputes",
            EncryptedColumn::DisputeFiles => "files of evidence",
        }
    }

    fn statements(self) -> Statements {
        macro_rules! of {
            ($table:literal, $encrypted:literal, $owner:literal, $key:literal, $marks:literal, $is:expr, $most:literal) => {
                Statements {
                    beginnings: concat!(
                        "SELECT substr(",
                        $encrypted,
                        ", 1, 8) AS beginning, COUNT(*) AS number FROM ",
                        $table,
                        " WHERE ",
                        $encrypted,
                        " IS NOT NULL GROUP BY 1"
                    ),
                    next: concat!(
                        "SELECT ",
                        $key,
                        ", ",
                        $owner,
                        " AS owner, ",
                        $encrypted,
                        " AS sealed_value FROM ",
                        $table,
                        " WHERE (",
                        $key,
                        ") > (",
                        $marks,
                        ") AND substr(",
                        $encrypted,
                        ", 1, 8) <> ? ORDER BY ",
                        $key,
                        " LIMIT ",
                        $most
                    ),
                    put: concat!(
                        "UPDATE ",
                        $table,
                        " SET ",
                        $encrypted,
                        " = ? WHERE ",
                        $is,
                        " AND ",
                        $encrypted,
                        " = ?"
                    ),
                }
            };
            ($table:literal, $encrypted:literal, $owner:literal, $key:literal) => {
                of!($table, $encrypted, $owner, $key, "50")
            };
            ($table:literal, $encrypted:literal, $owner:literal, $key:literal, $most:literal) => {
                of!(
                    $table,
                    $encrypted,
                    $owner,
                    $key,
                    "?",
                    concat!($key, " = ?"),
                    $most
                )
            };
        }
        match self {
            EncryptedColumn::Vault => of!("vault_content", "sealed", "name", "name"),
            EncryptedColumn::Cards => of!("sealed_card", "sealed", "session_hash", "session_hash"),
            EncryptedColumn::Contracts => {
                of!("contract", "sealed_card", "card_from", "contract_key")
            }
            EncryptedColumn::ContractChanges => {
                of!(
                    "contract_change",
                    "sealed_card",
                    "operation_id",
                    "operation_id"
                )
            }
            EncryptedColumn::Validations => {
                of!("external_3ds", "validation", "operation_id", "operation_id")
            }
            EncryptedColumn::Secrets => {
                of!("notification_secret", "sealed", "secret_id", "secret_id")
            }
            EncryptedColumn::CardKeys => of!("card_key", "sealed", "key_id", "key_id"),
            EncryptedColumn::Answers => of!(
                "stored_answer",
                "sealed_body",
                "scope || ' ' || key",
                "scope, key",
                "?, ?",
                "scope = ? AND key = ?",
                "50"
            ),
            EncryptedColumn::Iso8583Cards => {
                of!("iso8583_exchange", "sealed_card", "reference", "reference")
            }
            EncryptedColumn::SecondFactors => {
                of!("second_factor", "sealed_secret", "member_id", "member_id")
            }
            EncryptedColumn::Authentications => {
                of!(
                    "three_ds_authentication",
                    "sealed_answer",
                    "reference",
                    "reference"
                )
            }
            EncryptedColumn::DisputeEvidence => {
                of!("dispute", "sealed_evidence", "dispute_id", "dispute_id")
            }
            // Files are large: few of them are in memory at a time.
            EncryptedColumn::DisputeFiles => {
                of!("dispute_file", "sealed_content", "file_id", "file_id", "3")
            }
        }
    }

    /// The position before the first row.
    fn before_all(self) -> Vec<Value> {
        match self {
            EncryptedColumn::Contracts => vec![Value::Integer(Some(0))],
            EncryptedColumn::Answers => vec![Value::from(""), Value::from("")],
            _ => vec![Value::from("")],
        }
    }

    fn read(self, row: &Row) -> Result<EncryptedValue, sqlx::Error> {
        let text = |column| {
            row.try_get(column)
                .map(|text: String| Value::Text(Some(text)))
        };
        let key = match self {
            EncryptedColumn::Vault => vec![text("name")?],
            EncryptedColumn::Cards => vec![text("session_hash")?],
            EncryptedColumn::Contracts => vec![Value::Integer(Some(row.try_get("contract_key")?))],
            EncryptedColumn::ContractChanges | EncryptedColumn::Validations => {
                vec![text("operation_id")?]
            }
            EncryptedColumn::Secrets => vec![text("secret_id")?],
            EncryptedColumn::CardKeys => vec![text("key_id")?],
            EncryptedColumn::Answers => vec![text("scope")?, text("key")?],
            EncryptedColumn::Iso8583Cards | EncryptedColumn::Authentications => {
                vec![text("reference")?]
            }
            EncryptedColumn::SecondFactors => vec![text("member_id")?],
            EncryptedColumn::DisputeEvidence => vec![text("dispute_id")?],
            EncryptedColumn::DisputeFiles => vec![text("file_id")?],
        };
        Ok(EncryptedValue {
            key,
            owner: row.try_get("owner")?,
            encrypted: row.try_get("sealed_value")?,
        })
    }

    /// The key ids at the start of the values, and the number of values for each; all from one point in time.
    pub async fn beginnings(
        self,
        connection: &mut Connection,
    ) -> Result<Vec<(Vec<u8>, i64)>, StoreError> {
        let rows = query(self.statements().beginnings)
            .fetch_all(connection)
            .await?;
        let read = |row: &Row| Ok((row.try_get("beginning")?, row.try_get("number")?));
        let read: Result<_, sqlx::Error> = rows.iter().map(read).collect();
        Ok(read?)
    }

    /// Some values after a given one that do not start with these bytes. Empty: there are no more.
    pub async fn next(
        self,
        connection: &mut Connection,
        behind: Option<&EncryptedValue>,
        start: &[u8],
    ) -> Result<Vec<EncryptedValue>, StoreError> {
        let mut next = query(self.statements().next);
        for value in behind.map_or_else(|| self.before_all(), |value| value.key.clone()) {
            next = next.bind(value);
        }
        let rows = next.bind(start).fetch_all(connection).await?;
        let values: Result<_, sqlx::Error> = rows.iter().map(|row| self.read(row)).collect();
        Ok(values?)
    }

    /// Replaces a value if it is unchanged. Returns whether it was replaced.
    pub async fn put(
        self,
        connection: &mut Connection,
        former: &EncryptedValue,
        encrypted: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let mut put = query(self.statements().put).bind(encrypted);
        for value in &former.key {
            put = put.bind(value.clone());
        }
        let done = put.bind(&former.encrypted).execute(connection).await?;
        Ok(done > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_scalar;

    #[tokio::test]
    async fn no_column_with_encrypted_values_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let settings = crate::StorageSettings {
            folder: folder.path().to_owned(),
            server_url: None,
        };
        let store = crate::Store::open(&settings).await.unwrap();
        let mut connection = store.read().await.unwrap();
        let mut there: Vec<String> = query_scalar(
            "SELECT t.name || ' ' || c.name FROM sqlite_master t, pragma_table_xinfo(t.name) c \
             WHERE t.type = 'table' AND c.type = 'BLOB' AND t.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        // Encrypted as well, in a column of type text.
        there.push(String::from("external_3ds validation"));
        // Not secret: every browser gets it.
        there.retain(|column| column != "font file");
        there.sort();
        let mut known: Vec<String> = EncryptedColumn::ALL
            .iter()
            .map(|column| {
                let words = column.statements().put.strip_prefix("UPDATE ").unwrap();
                let (table, rest) = words.split_once(" SET ").unwrap();
                format!("{table} {}", rest.split(' ').next().unwrap())
            })
            .collect();
        known.sort();
        assert_eq!(known, there);
    }
}
