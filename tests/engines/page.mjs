/**
 * What is on a page, for all engines: documents within documents, and elements in them by what a buyer sees. WebDriver knows
 * one current document only, so every action says again where it happens, and is tried again while the page is still moving.
 */

import { setTimeout as pause } from 'node:timers/promises';
import assert from 'node:assert/strict';
import { By, Key, error } from 'selenium-webdriver';

/** @typedef {import('selenium-webdriver').WebDriver} WebDriver */
/** @typedef {import('selenium-webdriver').WebElement} WebElement */

const LIMIT_MS = 20_000;

/** WebDriver's errors about a page that is not there yet, or that is changing. */
const PASSING = [
  error.NoSuchElementError, error.StaleElementReferenceError, error.NoSuchFrameError, error.ElementNotInteractableError,
  error.ElementClickInterceptedError, error.JavascriptError, error.NoSuchWindowError,
];

/** A document: the page's own, or one nested in it. */
export class Place {
  /**
   * @param {WebDriver} driver
   * @param {string[]} [frames] from the page inwards: what makes the frame in its document, as JavaScript
   */
  constructor(driver, frames = []) {
    this.driver = driver;
    this.frames = frames;
  }

  /** The document of a frame in this one. @param {string} frame an expression */
  within(frame) {
    return new Place(this.driver, [...this.frames, frame]);
  }

  /** The document of the frame with this accessible name. @param {string} title */
  titled(title) {
    return this.within(`document.querySelector('iframe[title=${JSON.stringify(title)}]')`);
  }

  /** Runs a script in this document. @param {string} script with `return` @param {unknown[]} args @returns {Promise<any>} */
  async run(script, ...args) {
    return this.#here(`run ${script}`, async () => ({ value: await this.driver.executeScript(script, ...args) })).then(({ value }) => value);
  }

  /** Waits until a script returns something truthy. @param {string} script @param {unknown[]} args @returns {Promise<any>} */
  async until(script, ...args) {
    return this.#here(`wait for ${script}`, () => this.driver.executeScript(script, ...args));
  }

  /** Waits until the text of an element fits, and returns it. @param {string} selector @param {RegExp} pattern @returns {Promise<string>} */
  async says(selector, pattern) {
    let last = '';
    try {
      return await this.#here(`${selector} saying ${pattern}`, async () => {
        last = await this.driver.executeScript('return document.querySelector(arguments[0])?.textContent.trim() ?? ""', selector);
        return pattern.test(last) && (last || 'nothing');
      });
    } catch (problem) {
      const page = await this.driver.executeScript('return document.body.innerText').catch(String);
      throw new Error(`${selector} says "${last}", not ${pattern}; its document reads:\n${page}`, { cause: problem });
    }
  }

  /** The control of a label. @param {string} label */
  field(label) {
    return new Control(this, `the field ${label}`, By.xpath(`//*[@id = //label[normalize-space(.) = ${quoted(label)}]/@for]`));
  }

  /** @param {string} name */
  button(name) {
    return new Control(this, `the button ${name}`, By.xpath(`//button[normalize-space(.) = ${quoted(name)}]`));
  }

  /** @param {string} id of a test */
  testId(id) {
    return new Control(this, id, By.css(`[data-testid="${id}"]`));
  }

  /** @param {string} selector */
  control(selector) {
    return new Control(this, selector, By.css(selector));
  }

  /**
   * Tries something in this document until it has a result.
   * @template T
   * @param {string} what for messages
   * @param {() => Promise<T | false | null | undefined | ''>} attempt
   * @returns {Promise<T>}
   */
  async #here(what, attempt) {
    const limit = performance.now() + LIMIT_MS;
    for (;;) {
      let problem;
      try {
        await this.#enter();
        const found = await attempt();
        if (found) return found;
      } catch (caught) {
        problem = caught;
        if (!PASSING.some((kind) => caught instanceof kind)) throw caught;
      }
      if (performance.now() > limit) throw new Error(`${what}: not within ${LIMIT_MS} ms`, { cause: problem });
      await pause(50);
    }
  }

  async #enter() {
    await this.driver.switchTo().defaultContent();
    for (const frame of this.frames) {
      const element = await this.driver.executeScript(`return ${frame}`);
      if (!element) throw new error.NoSuchFrameError(frame);
      await this.driver.switchTo().frame(/** @type {WebElement} */ (element));
    }
  }

  /** Presses keys in whatever has the focus here. @param {string[]} keys */
  async type(...keys) {
    await this.#enter();
    await this.driver.actions().sendKeys(...keys).perform();
  }

  /** The same by somebody who takes a pause after each key. @param {number} ms @param {string[]} keys */
  async typeSlowly(ms, ...keys) {
    await this.#enter();
    const actions = this.driver.actions();
    for (const key of keys.join('')) actions.sendKeys(key).pause(ms);
    await actions.perform();
  }

  /** Whether no such element is in sight. @param {By} by */
  async none(by) {
    const { shown } = await this.#here('look around', async () => {
      const elements = await this.driver.findElements(by);
      return { shown: await Promise.all(elements.map((element) => element.isDisplayed())) };
    });
    return !shown.includes(true);
  }

  /** Waits until an element is in sight, and in the same place for a time. @param {string} what @param {By} by @param {number} ms */
  async lyingStill(what, by, ms) {
    let last = '';
    let since = 0;
    await this.#here(`${what} lying still`, async () => {
      const place = await this.act(what, by, (element) => this.driver.executeScript(WHERE, element));
      const moved = place !== last;
      if (moved) since = performance.now();
      last = place;
      return !moved && performance.now() - since >= ms;
    });
  }

  /** Does something with one element that is in sight. @template T @param {string} what @param {By} by @param {(element: WebElement) => Promise<T>} action */
  async act(what, by, action) {
    return (await this.#here(what, async () => {
      const elements = await this.driver.findElements(by);
      for (const element of elements) if (await element.isDisplayed()) return { done: await action(element) };
      return undefined;
    })).done;
  }
}

/** One element in a document. */
export class Control {
  /** @param {Place} place @param {string} what @param {By} by */
  constructor(place, what, by) {
    this.place = place;
    this.what = what;
    this.by = by;
  }

  /** Until it is in sight. */
  async shown() {
    await this.place.act(this.what, this.by, async () => true);
  }

  /** Whether nothing of it is visible now. @returns {Promise<boolean>} */
  async absent() {
    return this.place.none(this.by);
  }

  /**
   * Presses it where it lies still: a frame that grows moves what is in it, and a press on the way would miss.
   * @param {number} [ms] how long it lies still before. A form asks again for a press on what has come into view within the last half second.
   */
  async click(ms = 0) {
    await this.place.lyingStill(this.what, this.by, ms);
    await this.place.act(`press ${this.what}`, this.by, (element) => element.click());
  }

  /**
   * Replaces the value by typing. WebKit gives the focus to a frame of another site only by a click.
   * @param {string} text
   */
  async fill(text) {
    await this.place.act(`type into ${this.what}`, this.by, async (element) => {
      await element.click();
      if (await element.getAttribute('value')) await element.sendKeys(Key.chord(Key.CONTROL, 'a'), Key.BACK_SPACE);
      await element.sendKeys(text);
    });
  }

  /** @param {string[]} keys */
  async press(...keys) {
    await this.place.act(`press keys in ${this.what}`, this.by, (element) => element.sendKeys(...keys));
  }

  /** @returns {Promise<string>} */
  async value() {
    return this.place.act(this.what, this.by, async (element) => (await element.getAttribute('value')) ?? '');
  }

  /** Runs a script that gets the element and these arguments. @param {string} script @param {unknown[]} args @returns {Promise<any>} */
  async run(script, ...args) {
    return this.place.act(`run a script on ${this.what}`, this.by, (element) => this.place.driver.executeScript(script, element, ...args));
  }

  /** @param {string} expected */
  async holds(expected) {
    assert.equal(await this.value(), expected, this.what);
  }

  /** Waits until it has a value, without the parts that do not count. @param {string} expected @param {RegExp} [but] @param {string} [what] for the message */
  async comesToHold(expected, but = /(?!)/g, what = '') {
    const limit = performance.now() + LIMIT_MS;
    for (;;) {
      /** @type {string} */
      const held = (await this.value()).replaceAll(but, '');
      if (held === expected) return;
      if (performance.now() > limit) assert.equal(held, expected, `${what}: ${this.what}`);
      await pause(50);
    }
  }
}

/** Where an element is in its document, and how large that document's window is. */
const WHERE = `
  arguments[0].scrollIntoView({ block: 'nearest' });
  const { x, y } = arguments[0].getBoundingClientRect();
  return [x, y, innerWidth, innerHeight].join(' ');`;

/** A text in XPath, which has no escapes. @param {string} text */
const quoted = (text) => (text.includes('"') ? `'${text}'` : `"${text}"`);
