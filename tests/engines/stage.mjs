/**
 * The stage of a test file: one browser of each engine that is tested, each with servers of its own. A test
 * loads a page anew; nothing that our frames do outlives a document, so the tests of an engine share its browser.
 */

import { after, before, suite } from 'node:test';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import assert from 'node:assert/strict';
import { Servers } from '../e2e/servers.mjs';
import { ENGINES, RunningBrowser } from './engine.mjs';
import { Place } from './page.mjs';

export class Stage extends Servers {
  /** @type {RunningBrowser} */
  #browser;

  /** @param {import('../e2e/servers.mjs').Plan} plan @param {RunningBrowser} browser */
  constructor(plan, browser) {
    super(plan);
    this.#browser = browser;
  }

  /** @param {string} name @param {import('./engine.mjs').Engine} engine @param {import('./engine.mjs').Options} [options] */
  static async open(name, engine, options) {
    const [plan, browser] = await Promise.all([Servers.plan(`${name}-${engine}`, {}), RunningBrowser.start(engine, options)]);
    const stage = new Stage(plan, browser);
    try {
      await stage.startServers();
    } catch (problem) {
      await stage.close();
      throw problem;
    }
    return stage;
  }

  async close() {
    await Promise.all([this.#browser.close(), this.stopServers()]);
  }

  /**
   * A stage in the same browser whose sessions end soon. Its servers end with the test.
   * @param {import('node:test').TestContext} t
   */
  async impatient(t) {
    const stage = new Stage(await Servers.plan(`${basename(this.folder)}-impatient`, { gateway: { PAYFRAME_IDLE_SECONDS: '4' } }), this.#browser);
    t.after(() => stage.stopServers());
    await stage.startServers();
    return stage;
  }

  get engine() {
    return this.#browser.engine;
  }

  get driver() {
    return this.#browser.driver;
  }

  /**
   * Loads a page of the shop. What Chromium then complains about fails the test, unless it is expected noise.
   * @param {import('node:test').TestContext} t
   * @param {string} path
   * @param {{ noise?: RegExp }} [expected]
   */
  async page(t, path, { noise } = {}) {
    t.after(async () => {
      const complaints = (await this.#browser.complaints()).filter((complaint) => !ALWAYS.test(complaint) && !noise?.test(complaint));
      assert.deepEqual(complaints, [], 'the page complained');
    });
    await this.driver.get(new URL(path, this.shopOrigin).href);
    return new Place(this.driver);
  }

  /** Between two looks at something that changes by itself. */
  async pause() {
    await setTimeout(100);
  }

  /** Asks the gateway what it has recorded, as `TYPE RESULT`, oldest first, and that this is all. @param {string} orderId @param {string[]} expected */
  async recorded(orderId, ...expected) {
    const operations = await this.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationType, operationResult }) => `${operationType} ${operationResult}`), expected);
    return operations;
  }
}

/** Said by browsers that do not know these words of a frame's `allow` yet. */
const ALWAYS = /Unrecognized feature: '(shared-)?autofill'/;

/**
 * The same tests in every engine. The engines work at the same time, for much of a payment is waiting.
 * @param {string} name
 * @param {(stage: () => Stage) => void} tests gets the stage once a test runs
 * @param {import('./engine.mjs').Options} [options] how the browsers are started
 */
export function inEveryEngine(name, tests, options) {
  suite(name, { concurrency: ENGINES.length }, () => {
    for (const engine of ENGINES) {
      suite(`in ${engine}`, { concurrency: 1 }, () => {
        /** @type {Stage} */
        let stage;
        before(async () => {
          stage = await Stage.open(name.replaceAll(' ', '-'), engine, options);
        });
        after(() => stage?.close());
        tests(() => stage);
      });
    }
  });
}
