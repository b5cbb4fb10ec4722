/** Page object: the back office, with a member of its own. */

import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';

/** @typedef {'viewer' | 'operator' | 'administrator'} Role */

/** The windows in which every page is looked at: each size once, each scheme once. */
export const WINDOWS = /** @type {const} */ ([
  { name: '1280-light', context: { colorScheme: 'light', viewport: { width: 1280, height: 900 } } },
  { name: '360-dark', context: { colorScheme: 'dark', viewport: { width: 360, height: 800 } } },
]);

export class Office {
  /** @param {import('./checkout.mjs').Checkout} checkout @param {string} email @param {string} password */
  constructor(checkout, email, password) {
    this.stage = checkout.stage;
    this.page = checkout.page;
    this.email = email;
    this.password = password;
    this.main = this.page.getByRole('main');
  }

  /**
   * Adds a member to the demo merchant by the gateway's command, and opens the log-in for them.
   * @param {import('./stage.mjs').Stage} stage
   * @param {import('node:test').TestContext} t
   * @param {Role} role
   * @param {import('./stage.mjs').Opening} [opening]
   */
  static async atDoor(stage, t, role, opening = {}) {
    const email = `${randomUUID()}@shop.example`;
    const told = await stage.gateway.command('members', 'add', 'demo', email, role, `Ada ${role}`);
    const [, made = ''] = told.split('\n');
    const password = await choosePassword(`${stage.gatewayOrigin}/office`, email, made);
    const checkout = await stage.checkout(t, {}, { ...opening, path: `${stage.gatewayOrigin}/office` });
    return new Office(checkout, email, password);
  }

  /**
   * The same, logged in.
   * @param {import('./stage.mjs').Stage} stage
   * @param {import('node:test').TestContext} t
   * @param {Role} role
   * @param {import('./stage.mjs').Opening} [opening]
   */
  static async open(stage, t, role, opening = {}) {
    const office = await Office.atDoor(stage, t, role, opening);
    await office.logIn(office.email, office.password);
    await office.heading('Overview');
    return office;
  }

  /** @param {string} email @param {string} password */
  async logIn(email, password) {
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Log in' }).click();
  }

  /** Goes to a section by the navigation. @param {string} name */
  async go(name) {
    await this.openMenu();
    await this.page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name, exact: true }).click();
    await this.heading(name);
  }

  /** In narrow windows the navigation is behind a button. */
  async openMenu() {
    const menu = this.page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
  }

  /** Tabs on to an element. @param {import('playwright-core').Locator} target */
  async tabTo(target) {
    await target.waitFor();
    const isFocused = () => target.evaluate((element) => element === document.activeElement);
    for (let stops = 0; !(await isFocused()); stops += 1) {
      assert.ok(stops < 60, `${target} can be reached`);
      await this.page.keyboard.press('Tab');
    }
  }

  /** Tabs on to a link or a button, and presses Enter there. @param {import('playwright-core').Locator} target */
  async press(target) {
    await this.tabTo(target);
    await this.page.keyboard.press('Enter');
  }

  async logOut() {
    await this.openMenu();
    await this.page.getByRole('button', { name: 'Log out' }).click();
    await this.heading('Log in');
  }

  /** Waits for the page with this heading. @param {string} name */
  async heading(name) {
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** What a page shows once. */
  async secret() {
    return this.main.getByRole('status').textContent();
  }
}

/**
 * Saves a picture of a page for people. Nothing is tested with it, so a test does not fail where Chromium refuses one, which it does now and then.
 * @param {import('playwright-core').Page} page @param {string} path
 */
export const picture = async (page, path) => {
  try {
    await page.screenshot({ path, fullPage: true, animations: 'disabled' });
  } catch (problem) {
    if (!String(problem).includes('Unable to capture screenshot')) throw problem;
    console.log(`no picture: ${path}`);
  }
};

/** The code that an authenticator app shows now (RFC 6238). @param {string} typed the secret in base32, as the page shows it */
export const code = (typed) => {
  const bits = [...typed.replaceAll(' ', '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', secret).update(step).digest();
  return String((hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};

/**
 * Logs in with the password that was made for a member and chooses another one, as members have to. Returns that one.
 * @param {string} office @param {string} email @param {string} made
 */
const choosePassword = async (office, email, made) => {
  /** @param {string} path @param {Record<string, string>} fields @param {string} [cookie] */
  const send = (path, fields, cookie = '') =>
    fetch(`${office}/${path}`, { method: 'POST', body: new URLSearchParams(fields), headers: { cookie }, redirect: 'manual' });
  const [cookie = ''] = (await send('login', { email, password: made })).headers.getSetCookie().map((set) => set.split(';')[0]);
  const page = await (await fetch(`${office}/password`, { headers: { cookie } })).text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? [];
  const chosen = randomUUID();
  const changed = await send('password', { token, current: made, new: chosen, again: chosen }, cookie);
  assert.equal(changed.status, 303);
  return chosen;
};

/**
 * Elements that are wider than their sheet, or that make the page scroll sideways.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export const jutting = (page) =>
  page.evaluate(() => {
    const whole = document.documentElement.scrollWidth > innerWidth ? ['the whole page'] : [];
    const out = [...document.querySelectorAll('.sheet *')].filter((part) => {
      if (part.closest('.sr-only, svg') || !part.checkVisibility()) return false;
      const [own, sheet] = [part, /** @type {Element} */ (part.closest('.sheet'))].map((element) => element.getBoundingClientRect());
      return own && sheet && (own.right > sheet.right + 0.5 || own.left < sheet.left - 0.5);
    });
    return [...whole, ...out.map((part) => `${part.localName}: ${part.textContent?.trim().slice(0, 40)}`)];
  });
