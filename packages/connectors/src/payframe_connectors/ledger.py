"""What was asked and what became of it, in SQLite. It has no card data.

An operation is written before its processor is asked, and its outcome before the gateway is answered. A final outcome
never changes.
"""

import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .messages import Terms
from .processor import Answer

FINAL = ("APPROVED", "DECLINED", "FAILED")
REFUSED = ("DECLINED", "FAILED")


@dataclass(frozen=True)
class Operation:
    """A row of the ledger."""

    processor: str
    reference: str
    authorization: str
    """The reference of the authorization; its own, for an authorization."""
    target: str
    operation: str
    capture: str
    amount_minor: int
    currency: str
    minor_digits: int
    begun_seconds: int
    result: str | None
    """Approved, declined or failed; none while it is not known."""
    response_code: str | None
    transaction_id: str | None
    state: str | None
    authorization_code: str | None
    scheme_id: str | None
    decline_reason: str | None
    """Why the issuer declined, in the protocol's words; none if it gave no reason that the gateway acts on."""
    is_undone: int
    """Whether a part was approved, which is being released."""

    @property
    def terms(self) -> Terms:
        """What a copy of the request must not change."""
        return Terms(self.operation, self.capture, self.amount_minor, self.currency, self.minor_digits)

    @property
    def is_final(self) -> bool:
        """Whether the outcome is known."""
        return self.result in FINAL


class Ledger:
    """The operations of all processors of one adapter."""

    _TABLE = """CREATE TABLE IF NOT EXISTS operation (
        processor TEXT NOT NULL,
        reference TEXT NOT NULL,
        authorization TEXT NOT NULL,
        target TEXT NOT NULL,
        operation TEXT NOT NULL,
        capture TEXT NOT NULL,
        amount_minor INTEGER NOT NULL,
        currency TEXT NOT NULL,
        minor_digits INTEGER NOT NULL,
        begun_seconds INTEGER NOT NULL,
        result TEXT,
        response_code TEXT,
        transaction_id TEXT,
        state TEXT,
        authorization_code TEXT,
        scheme_id TEXT,
        is_undone INTEGER NOT NULL DEFAULT 0,
        decline_reason TEXT,
        PRIMARY KEY (processor, reference)
    ) STRICT"""
    _INDEX = "CREATE INDEX IF NOT EXISTS operation_of_authorization ON operation (processor, authorization)"

    def __init__(self, database: Path) -> None:
        self._database = database
        self._threads = threading.local()
        with self._transaction() as tables:
            tables.execute("PRAGMA journal_mode = WAL")
            tables.execute(self._TABLE)
            columns = [column["name"] for column in tables.execute("PRAGMA table_info(operation)")]
            if "decline_reason" not in columns:
                tables.execute("ALTER TABLE operation ADD COLUMN decline_reason TEXT")
            tables.execute(self._INDEX)

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection]:
        """Each thread has a connection of its own."""
        tables: sqlite3.Connection | None = getattr(self._threads, "tables", None)
        if tables is None:
            tables = sqlite3.connect(self._database, timeout=30)
            tables.row_factory = sqlite3.Row
            # What is written survives a power cut: an intent that is lost could be sent twice.
            tables.execute("PRAGMA synchronous = FULL")
            self._threads.tables = tables
        with tables:
            yield tables

    def find(self, processor: str, reference: str) -> Operation | None:
        """The operation with a reference."""
        rows = self._select("processor = ? AND reference = ?", (processor, reference))
        return rows[0] if rows else None

    def of_authorization(self, processor: str, authorization: str) -> list[Operation]:
        """An authorization and what was asked of it, in the order in which it was asked."""
        return self._select("processor = ? AND authorization = ?", (processor, authorization))

    def unknown(self, processor: str) -> list[Operation]:
        """The operations whose outcome is not known, the oldest first."""
        return self._select("processor = ? AND result IS NULL", (processor,))

    def _select(self, where: str, values: tuple[str, ...]) -> list[Operation]:
        with self._transaction() as tables:
            rows = tables.execute(f"SELECT * FROM operation WHERE {where} ORDER BY rowid", values).fetchall()
        return [Operation(**dict(row)) for row in rows]

    def intend(
        self, processor: str, reference: str, authorization: str, target: str, terms: Terms, refusal: Answer | None
    ) -> bool:
        """Writes a new operation, with its outcome if it is not asked for. Says no if the reference is used."""
        values = {
            "processor": processor,
            "reference": reference,
            "authorization": authorization,
            "target": target,
            "operation": terms.operation,
            "capture": terms.capture,
            "amount_minor": terms.amount_minor,
            "currency": terms.currency,
            "minor_digits": terms.minor_digits,
            "begun_seconds": int(time.time()),
            "result": refusal.result.value if refusal else None,
            "response_code": refusal.response_code if refusal else None,
        }
        columns, places = ", ".join(values), ", ".join(":" + column for column in values)
        with self._transaction() as tables:
            written = tables.execute(f"INSERT OR IGNORE INTO operation ({columns}) VALUES ({places})", values)
            return written.rowcount == 1

    def learn(self, processor: str, reference: str, answer: Answer) -> None:
        """Writes what the processor told about an operation whose outcome is not known yet."""
        with self._transaction() as tables:
            tables.execute(
                """UPDATE operation SET transaction_id = COALESCE(?, transaction_id), state = COALESCE(?, state)
                   WHERE processor = ? AND reference = ? AND result IS NULL""",
                (answer.transaction, answer.state, processor, reference),
            )

    def undo(self, processor: str, reference: str) -> None:
        """Writes that a part was approved and is to be released."""
        with self._transaction() as tables:
            tables.execute(
                "UPDATE operation SET is_undone = 1 WHERE processor = ? AND reference = ? AND result IS NULL",
                (processor, reference),
            )

    def conclude(self, processor: str, reference: str, answer: Answer) -> bool:
        """Writes a final outcome. Says no if there was one."""
        with self._transaction() as tables:
            written = tables.execute(
                """UPDATE operation SET result = ?, response_code = ?, authorization_code = ?, scheme_id = ?,
                       decline_reason = ?, transaction_id = COALESCE(?, transaction_id), state = COALESCE(?, state)
                   WHERE processor = ? AND reference = ? AND result IS NULL""",
                (
                    answer.result.value,
                    answer.response_code,
                    answer.authorization_code,
                    answer.scheme_id,
                    answer.decline_reason,
                    answer.transaction,
                    answer.state,
                    processor,
                    reference,
                ),
            )
            return written.rowcount == 1

    def remember_state(self, processor: str, authorization: str, state: str) -> None:
        """Writes what the library wants back with the next request about a payment, after it was changed."""
        with self._transaction() as tables:
            tables.execute(
                "UPDATE operation SET state = ? WHERE processor = ? AND reference = ?",
                (state, processor, authorization),
            )


def available(rows: list[Operation], authorization: str, reference: str) -> dict[str, int] | None:
    """What may still be captured, released or given back, without the operation with this reference.

    None says that there is no approved authorization. What is not known yet counts where it uses money up, and not
    where it brings some, so no amount is used twice.
    """
    first = next((row for row in rows if row.reference == authorization), None)
    if first is None or first.result != "APPROVED" or first.operation == "VERIFY":
        return None
    others = [row for row in rows if row.reference != reference]

    def total(operation: str, is_certain: bool = False) -> int:
        counts = [row for row in others if row.operation == operation and row.result not in REFUSED]
        return sum(row.amount_minor for row in counts if not is_certain or row.result == "APPROVED")

    is_captured = first.capture == "IMPLICIT"
    held = 0 if is_captured else first.amount_minor - total("CAPTURE") - total("VOID")
    captured = first.amount_minor if is_captured else total("CAPTURE", is_certain=True)
    return {"CAPTURE": held, "VOID": held, "REFUND": captured - total("REFUND")}
