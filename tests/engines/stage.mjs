/**
 * The set-up of a test file: one browser of each tested engine, each with servers of its own. A test
 * loads its page again; nothing of our frames outlives a document, so the tests of an engine share its browser.
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
   * A set-up in the same browser whose sessions end soon. Its servers end with the test.
   * @param {import('node:test').TestContext} t
   */
  async impatient(t) {
    const stage = new Stage(await Servers.plan(`${basename(this.folder)}-impatient`, { gateway: { PAYFRAME_IDLE_SECONDS: '12' } }), this.#browser);
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
   * Loads a page of the shop. Errors and warnings of Chromium fail the test, unless they are expected.
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

  /** The pause between two polls. */
  async pause() {
    await setTimeout(100);
  }

  /** Compares all operations that the gateway has recorded, as `TYPE RESULT`, oldest first. @param {string} orderId @param {string[]} expected */
  async recorded(orderId, ...expected) {
    const operations = await this.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationType, operationResult }) => `${operationType} ${operationResult}`), expected);
    return operations;
  }
}

/** Said by browsers that do not know these words of a frame's `allow` yet. */
const ALWAYS = /Unrecognized feature: '(shared-)?autofill'/;

/**
 * The same tests in every engine. The engines run at the same time, because a payment consists mostly of waits.
 * @param {string} name
 * @param {(stage: () => Stage) => void} tests gets the stage once a test runs
 * @param {import('./engine.mjs').Options} [options] how the browsers are started
 */
export function inEveryEngine(name, tests, options) {
  inEngines(ENGINES, name, tests, options);
}

/**
 * The same tests in the engines other than Chromium, in which `tests/e2e` shows the same.
 * @param {string} name
 * @param {(stage: () => Stage) => void} tests
 */
export function inOtherEngines(name, tests) {
  inEngines(ENGINES.filter((engine) => engine !== 'chromium'), name, tests);
}

/**
 * The same tests in WebKit, of the engines the least like Chromium, in which `tests/e2e` shows the same; or in all others that
 * `PAYFRAME_ENGINES` names.
 * @param {string} name
 * @param {(stage: () => Stage) => void} tests
 */
export function inOneOtherEngine(name, tests) {
  if (process.env.PAYFRAME_ENGINES) inOtherEngines(name, tests);
  else inEngines(['webkit'], name, tests);
}

/**
 * The same tests in some of the tested engines.
 * @param {readonly import('./engine.mjs').Engine[]} engines
 * @param {string} name
 * @param {(stage: () => Stage) => void} tests
 * @param {import('./engine.mjs').Options} [options]
 */
export function inEngines(engines, name, tests, options) {
  if (engines.length === 0) return;
  suite(name, { concurrency: engines.length }, () => {
    for (const engine of engines) {
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
