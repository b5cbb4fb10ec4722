/** A test reporter: one line of JSON for each finished test, with file, name, depth, and whether it passed. */

import { relative } from 'node:path';

/** @param {AsyncIterable<import('node:test/reporters').TestEvent>} events */
export default async function* outcomes(events) {
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, nesting, file, skip } = event.data;
    if (skip === undefined) yield `${JSON.stringify({ file: relative(process.cwd(), file ?? ''), name, nesting, passed: event.type === 'test:pass' })}\n`;
  }
}
