// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stage } from './stage.mjs';

test('a span of time is added to what the clock is ahead already', async () => {
  const { payframe, calls } = stage([{ json: { secondsAhead: 60 } }, { json: { secondsAhead: 90_061 } }]);
  const reading = await payframe.testClock.advance({ days: 1, hours: 1, minutes: 0, seconds: 1 });
  assert.equal(reading.secondsAhead, 90_061);
  assert.deepEqual(calls.map(({ verb, body }) => [verb, body]), [['GET', null], ['POST', { secondsAhead: 60 + 90_001 }]]);
});

test('time neither goes back nor in parts of a second', async () => {
  const { payframe, calls } = stage([]);
  for (const span of [{ days: -1 }, { seconds: 0.5 }, { hours: NaN }, { days: Infinity }]) {
    await assert.rejects(payframe.testClock.advance(span), { kind: 'caller', code: 'bad_value', member: 'by' });
  }
  assert.equal(calls.length, 0);
});
