// @ts-check
/** Disputes and settlements: files are bytes, and lists are read to their end. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, GATEWAY, refusal, stage } from './stage.mjs';

/** @template T @param {AsyncIterable<T>} rows */
async function all(rows) {
  const read = [];
  for await (const row of rows) read.push(row);
  return read;
}

test('every byte of a file arrives as it was', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7 + (index >> 8)) % 256);
  const { payframe, calls } = stage([{ json: { fileId: 'f' } }]);
  assert.deepEqual(await payframe.disputes.addFile('d', { name: 'a.pdf', content: bytes }), { fileId: 'f' });
  assert.equal(calls[0]?.body.content, Buffer.from(bytes).toString('base64'));
  // A part of a larger piece of memory is sent alone.
  await payframe.disputes.addFile('d', { name: 'a.pdf', content: bytes.subarray(1, 3) });
  assert.equal(calls[1]?.body.content, Buffer.from([bytes[1] ?? 0, bytes[2] ?? 0]).toString('base64'));

  const answering = stage([{ json: { file: { fileId: 'f' }, content: Buffer.from(bytes).toString('base64') } }]);
  const { file, content } = await answering.payframe.disputes.readFile('f');
  assert.deepEqual([file.fileId, Buffer.compare(content, bytes)], ['f', 0]);
});

test('a content that is no bytes is not sent, and one that is no base64 is not the gateway\'s', async () => {
  const { payframe, calls } = stage([]);
  for (const content of ['%PDF-', new ArrayBuffer(1), undefined]) {
    await assert.rejects(payframe.disputes.addFile('d', { name: 'a.pdf', content: /** @type {any} */ (content) }), { code: 'bad_value', member: 'content' });
  }
  assert.equal(calls.length, 0);
  for (const content of ['%', undefined, 7]) {
    await assert.rejects(stage([{ json: { file: {}, content } }]).payframe.disputes.readFile('f'), { kind: 'gateway', code: 'unreadable_answer' });
  }
});

test('a file that the gateway refuses: the error has the member', async () => {
  const { payframe } = stage([refusal(400, 'PS0026', 'content is refused: the file must be a PDF document, or a PNG or JPEG picture')]);
  const error = await errorOf(payframe.disputes.addFile('d', { name: 'a.txt', content: new Uint8Array(1) }, { idempotencyKey: 'k' }));
  assert.deepEqual([error.kind, error.code, error.member, error.idempotencyKey, error.outcomeUnknown], ['caller', 'PS0026', 'content', 'k', false]);
});

test('evidence without texts is an object, and a removed file answers nothing', async () => {
  const { payframe, calls } = stage([{}]);
  await payframe.disputes.submitEvidence('d');
  assert.deepEqual(calls[0]?.body, {});
  assert.equal(await payframe.disputes.removeFile('f'), undefined);
});

test('disputes are read page by page until there is none', async () => {
  const { payframe, calls } = stage([
    { json: { disputes: [{ disputeId: 'c' }, { disputeId: 'b' }], hasMore: true } },
    { json: { disputes: [{ disputeId: 'a' }], hasMore: false } },
  ]);
  const read = await all(payframe.disputes.all({ state: 'NEEDS_RESPONSE' }));
  assert.deepEqual(read.map(({ disputeId }) => disputeId), ['c', 'b', 'a']);
  assert.deepEqual(calls.map(({ url }) => url), ['', '&after=b'].map((rest) => `${GATEWAY}/api/disputes?state=NEEDS_RESPONSE${rest}`));
  assert.deepEqual(await all(stage([{ json: { disputes: [], hasMore: false } }]).payframe.disputes.all()), []);
});

test('settlements, and the lines of one, are read page by page until there is none', async () => {
  const files = stage([{ json: { settlements: [{ settlementId: '2' }], nextCursor: '5-2' } }, { json: { settlements: [{ settlementId: '1' }] } }]);
  assert.deepEqual((await all(files.payframe.settlements.all())).map(({ settlementId }) => settlementId), ['2', '1']);
  assert.deepEqual(files.calls.map(({ url }) => url), ['', '?after=5-2'].map((rest) => `${GATEWAY}/api/settlements${rest}`));
  const lines = stage([{ json: { lines: [{ line: 2 }, { line: 3 }], nextCursor: '3' } }, { json: { lines: [{ line: 4 }] } }]);
  assert.deepEqual((await all(lines.payframe.settlements.lines('2', { limit: 2 }))).map(({ line }) => line), [2, 3, 4]);
  assert.deepEqual(lines.calls.map(({ url }) => url), ['', '&after=3'].map((rest) => `${GATEWAY}/api/settlements/2?limit=2${rest}`));
});
