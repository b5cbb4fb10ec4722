/**
 * The stage of a test file: the two servers, and one browser of each engine that is tested, one after the other. A test
 * loads a page anew; nothing that our frames do outlives a document, so the tests of an engine share its browser.
 */

import { after, before, suite } from 'node:test';
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

  /** @param {string} name @param {import('./engine.mjs').Engine} engine @param {import('../e2e/servers.mjs').Settings} settings */
  static async open(name, engine, settings) {
    const [plan, browser] = await Promise.all([Servers.plan(`${name}-${engine}`, settings), RunningBrowser.start(engine)]);
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
 * The same tests in every engine.
 * @param {string} name
 * @param {(stage: () => Stage) => void} tests gets the stage once a test runs
 * @param {import('../e2e/servers.mjs').Settings} [settings]
 */
export function inEveryEngine(name, tests, settings = {}) {
  for (const engine of ENGINES) {
    suite(`${name} in ${engine}`, () => {
      /** @type {Stage} */
      let stage;
      before(async () => {
        stage = await Stage.open(name.replaceAll(' ', '-'), engine, settings);
      });
      after(() => stage?.close());
      tests(() => stage);
    });
  }
}
