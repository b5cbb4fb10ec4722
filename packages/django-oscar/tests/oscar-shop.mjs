// @ts-check
/** A shop of django-oscar as its customers and its staff use it: over its pages. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run, start } from '../../frameworks/programs.mjs';
import { ROOT } from '../../../tests/plugins/install.mjs';

/** @typedef {import('../../../tests/plugins/stage.mjs').ShopStage} ShopStage */
/** @typedef {import('playwright-core').Page} Page */

/** What one shirt costs, in the minor unit. */
export const TOTAL = 3545;
/** Of every account that `tests/shop/furnish.py` makes. */
const PASSWORD = 'secret-word-of-tests';

export class OscarShop {
  /** @type {Awaited<ReturnType<typeof start>> | undefined} */
  #server;
  /** @type {Awaited<ReturnType<typeof start>> | undefined} */
  #follower;
  #product = '';

  /** @param {string} python interpreter that has the shop's packages @param {ShopStage} stage */
  constructor(python, stage) {
    this.python = python;
    this.stage = stage;
    const env = {
      SHOP_DATA: stage.folder,
      SHOP_ORIGIN: stage.shop,
      SHOP_NOTIFICATIONS: stage.relay,
      PAYFRAME_GATEWAY: stage.gatewayOrigin,
      PAYFRAME_API_KEY: stage.key,
      PAYFRAME_SECRET: stage.secret,
      PYTHONUNBUFFERED: '1',
    };
    this.place = { folder: join(ROOT, 'packages/django-oscar/tests'), env, log: join(stage.folder, 'shop.log') };
  }

  /** A command of the shop; what it wrote. @param {string[]} words */
  manage(...words) {
    return run(this.python, ['-m', 'shop.manage', ...words], this.place);
  }

  /** Makes the tables, and what a first sale needs. */
  async create() {
    await this.manage('migrate', '--verbosity', '0');
    this.#product = (await run(this.python, ['-m', 'shop.furnish'], this.place)).at(-1) ?? '';
    assert.match(this.#product, /^\/catalogue\//);
  }

  /** The server, and the command that follows the feed of events. */
  async start() {
    const server = ['-m', 'shop.manage', 'runserver', '--noreload', '--insecure', '--skip-checks', `127.0.0.1:${this.stage.shopPort}`];
    this.#server = await start(this.python, server, this.place, /Starting development server/);
    await this.follow();
  }

  async follow() {
    this.#follower = await start(this.python, ['-m', 'shop.manage', 'payframe_events', '--follow'], this.place, /following the feed/);
  }

  async unfollow() {
    await this.#follower?.stop();
  }

  async stop() {
    await this.#follower?.stop();
    await this.#server?.stop();
  }

  /** They have no chance to finish anything. */
  async kill() {
    await Promise.all([this.#follower?.kill(), this.#server?.kill()]);
  }

  /** Waits until the server, or the command that follows the feed, says so of a payment. @param {string} reference @param {'the order is placed' | 'is REFUNDED'} what */
  async becomes(reference, what) {
    const pattern = new RegExp(what === 'is REFUNDED' ? `Payment ${reference} is REFUNDED$` : `Payment ${reference}: the order \\S+ is placed$`);
    const found = new AbortController();
    try {
      await Promise.any([this.#server, this.#follower].map((program) => program?.hears(pattern, 0, found.signal)));
    } finally {
      found.abort();
    }
    return this.books(reference);
  }

  /** A page of a buyer, who has a shirt in the basket and is at the form. @param {{ login?: string, pay?: string }} [who] */
  async buyer({ login, pay = 'Pay €35.45' } = {}) {
    const opened = await this.stage.open({ pay });
    const { page } = opened;
    // The pages of django-oscar ask for scripts and fonts of others, and go on without.
    await page.context().route((url) => ![this.stage.shop, this.stage.gatewayOrigin].includes(url.origin), (route) => route.abort());
    if (login) {
      await page.goto(`${this.stage.shop}/dashboard/login/?next=/`);
      await this.#logIn(page, login);
    }
    await this.add(page);
    await page.goto(`${this.stage.shop}/checkout/`);
    if (!login) {
      await page.getByLabel('My email address is').fill('guest@example.com');
      await page.getByRole('button', { name: 'Continue' }).click();
    }
    await this.#address(page);
    await opened.payment.live();
    const reference = (await opened.payment.region.getAttribute('data-reference')) ?? '';
    return { ...opened, reference };
  }

  /** One more shirt. @param {Page} page */
  async add(page) {
    await page.goto(this.stage.shop + this.#product);
    await page.getByRole('button', { name: 'Add to basket' }).first().click();
    await page.getByText('has been added to your basket').first().waitFor();
  }

  /** The page with the form, again. @param {Page} page */
  async pay(page) {
    await page.goto(`${this.stage.shop}/checkout/payment-details/`);
  }

  /** Somebody of the staff, at the page of a payment. @param {string} reference */
  async staff(reference) {
    const { page, leave } = await this.stage.open({ pay: '' });
    await page.context().route((url) => url.origin !== this.stage.shop, (route) => route.abort());
    await page.goto(`${this.stage.shop}/dashboard/login/?next=/payframe/dashboard/payments/${reference}/`);
    await this.#logIn(page, 'staff@example.com');
    await page.getByRole('heading', { name: `Payment ${reference}` }).waitFor();
    /** Captures or refunds. @param {'Capture' | 'Refund'} what @param {string} amount @param {{ wentBack?: boolean }} [how] */
    const move = async (what, amount, { wentBack = false } = {}) => {
      const form = page.getByRole('form', { name: what });
      await form.getByLabel('Amount').fill(amount);
      if (wentBack) await form.getByRole('checkbox').check();
      await form.getByRole('button', { name: what }).click();
      await page.getByText(`${amount} EUR ${what === 'Capture' ? 'captured' : 'given back'}.`).waitFor();
    };
    return { page, leave, move };
  }

  /** What the shop's own books say of a payment. @param {string} reference @returns {Promise<{ status: string, orders: number, order: string | null, sums: string[], stock: number, needsPerson: string }>} */
  async books(reference) {
    const lines = await run(this.python, ['-m', 'shop.books', reference], this.place);
    return JSON.parse(lines.at(-1) ?? '');
  }

  /** @param {Page} page @param {string} email */
  async #logIn(page, email) {
    await page.getByLabel('Username').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
  }

  /** The address of a new customer, or the one that an account has. @param {Page} page */
  async #address(page) {
    const known = page.getByRole('button', { name: /^Ship to/ }).first();
    const first = page.getByLabel('First name');
    await known.or(first).first().waitFor();
    if (await known.isVisible()) return known.click();
    for (const [label, value] of [['First name', 'Ada'], ['Last name', 'Lovelace'], ['First line of address', 'Way 1'], ['City', 'Berlin'], ['Post/Zip-code', '10115']]) {
      await page.getByLabel(String(label), { exact: true }).fill(String(value));
    }
    return page.getByRole('button', { name: 'Continue' }).click();
  }
}
