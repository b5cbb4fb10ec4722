// @ts-check
/** The rows of the order book in Medusa's PostgreSQL, and what the provider has to know of Medusa's own tables. The table is made when it is first needed. */

/** @import { BookStore } from '@payframe/server/order-book' */

/** The part of knex that is used. @typedef {{ raw: (sql: string, values?: readonly unknown[]) => Promise<{ rows: any[], rowCount: number }> }} Database */

const TABLE = `create table if not exists payframe_payment (
  reference text primary key, revision integer not null, wake_at_ms bigint, needs_person text, created_at timestamptz not null default now(), book_row jsonb not null
)`;
const INDEX = 'create index if not exists payframe_payment_wake on payframe_payment (wake_at_ms)';

export class Rows {
  #database;
  /** @type {Promise<unknown> | undefined} */
  #ready;

  /** @param {Database} database */
  constructor(database) {
    this.#database = database;
  }

  /** @returns {BookStore} */
  store() {
    return {
      read: async (reference) => (await this.#ask('select book_row from payframe_payment where reference = ?', [reference])).rows[0]?.book_row,
      insert: async (row) => {
        const { rowCount } = await this.#ask(
          'insert into payframe_payment (reference, revision, wake_at_ms, book_row) values (?, ?, ?, ?) on conflict do nothing',
          [row.id, row.revision, row.wakeAtMs, JSON.stringify(row)],
        );
        return rowCount === 1;
      },
      replace: async (row, revision) => {
        const { rowCount } = await this.#ask(
          'update payframe_payment set revision = ?, wake_at_ms = ?, book_row = ? where reference = ? and revision = ?',
          [row.revision, row.wakeAtMs, JSON.stringify(row), row.id, revision],
        );
        return rowCount === 1;
      },
      waiting: async (nowMs) => {
        const { rows } = await this.#ask('select reference from payframe_payment where wake_at_ms <= ? order by wake_at_ms limit 100', [nowMs]);
        return rows.map(({ reference }) => reference);
      },
    };
  }

  /** @param {string} reference @param {string} why */
  async needsPerson(reference, why) {
    await this.#ask('update payframe_payment set needs_person = ? where reference = ?', [why, reference]);
  }

  /** Whether Medusa has the payment of a session, or can still make it. @param {string} sessionId @returns {Promise<'PAID' | 'OPEN' | 'GONE'>} */
  async standing(sessionId) {
    const payments = await this.#ask('select 1 from payment where payment_session_id = ? and deleted_at is null', [sessionId]);
    if (payments.rows.length > 0) return 'PAID';
    const sessions = await this.#ask('select 1 from payment_session where id = ? and deleted_at is null', [sessionId]);
    return sessions.rows.length > 0 ? 'OPEN' : 'GONE';
  }

  /** A capture, and those of the same payment before it. @param {string} id of the capture @returns {Promise<{ amount: string, before: string[] } | undefined>} sums in the major unit */
  async capture(id) {
    const { rows } = await this.#ask(
      'select id, amount::text as amount from capture where payment_id = (select payment_id from capture where id = ?) and deleted_at is null',
      [id],
    );
    const own = rows.find((row) => row.id === id);
    return own && { amount: String(own.amount), before: rows.filter((row) => row !== own).map(({ amount }) => String(amount)) };
  }

  /** How many refunds of a session's payment Medusa has kept, besides this one. @param {string} sessionId @param {string} id of the refund */
  async refundsBefore(sessionId, id) {
    const { rows } = await this.#ask(
      'select count(*)::int as refunds from refund join payment on payment.id = refund.payment_id where payment.payment_session_id = ? and refund.deleted_at is null and refund.id <> ?',
      [sessionId, id],
    );
    return Number(rows[0]?.refunds ?? 0);
  }

  /** @param {string} sql @param {readonly unknown[]} values */
  async #ask(sql, values) {
    this.#ready ??= this.#database.raw(TABLE).then(() => this.#database.raw(INDEX));
    try {
      await this.#ready;
    } catch (problem) {
      this.#ready = undefined;
      throw problem;
    }
    return this.#database.raw(sql, values);
  }
}
