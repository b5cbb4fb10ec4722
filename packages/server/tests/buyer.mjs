// @ts-check
/** What the form does for a buyer: it submits a card, and closes the payment if the session lets it. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/** @typedef {{ sessionId: string, card: import('../../../tests/e2e/cards.mjs').Card, shownSum?: string }} Payment `shownSum`: the form closes the payment */

/** @param {string} gateway @param {Payment} payment */
export async function enterCard(gateway, { sessionId, card, shownSum }) {
  const values = { CARD_NUMBER: card.number, EXPIRATION_DATE: card.expiry.replaceAll(/\D/g, ''), SECURITY_CODE: card.code, CARDHOLDER_NAME: card.name };
  await asFrame('fe/build/text', Object.entries(values).map(([id, value]) => ({ id, value })));
  // There is no device to check.
  await asFrame('fe/build/skip_gdi', {});
  if (shownSum) await asFrame('build/finalize_payment', { shownSum });

  /** @param {string} path @param {object} body */
  async function asFrame(path, body) {
    const headers = { session: sessionId, 'correlation-id': randomUUID(), 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const answer = await fetch(`${gateway}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
  }
}
