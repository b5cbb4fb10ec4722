/**
 * Page objects: the shop's checkout page, a payment on it, and the pages nested in the form. They reach through frames by
 * role and accessible name, as a buyer with a screen reader does.
 */

import assert from 'node:assert/strict';

/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('./cards.mjs').Card} Card */

/** @typedef {Record<'number' | 'expiry' | 'code' | 'name' | 'cancel' | 'issuer', string> & { pay: string | RegExp }} Names */

/** Accessible names of the form, by language. @satisfies {Record<string, Names>} */
export const NAMES = {
  en: { number: 'Card number', expiry: 'Expiry date', code: 'Security code', name: 'Name on card', pay: 'Pay €35.45', cancel: 'Cancel payment', issuer: 'Page of your bank' },
  it: { number: 'Numero della carta', expiry: 'Data di scadenza', code: 'Codice di sicurezza', name: 'Nome sulla carta', pay: 'Paga 35,45 €', cancel: 'Annulla il pagamento', issuer: 'Pagina della tua banca' },
  ar: { number: 'رقم البطاقة', expiry: 'تاريخ الانتهاء', code: 'رمز الأمان', name: 'الاسم على البطاقة', pay: /^ادفع .*35[.,٫]45/, cancel: 'إلغاء الدفع', issuer: 'صفحة مصرفك' },
};

/** What is loaded by itself once the form is live: the lazy part of the SDK, the sandbox's diagnostics, the clickjacking guard, the late part of the widget with its texts, pictures of networks. */
export const IN_TIME = /\/((lazy|diagnostics|browser\.\w+|late\.\w+\.\w+)\.js|payment\.\w+\.wasm|methods\/\w+\.svg)$/;

export class Checkout {
  /** Errors and warnings on the console, and uncaught errors. @type {string[]} */
  complaints = [];
  /** Every request of the page and its frames, in order. @type {import('playwright-core').Request[]} */
  requests = [];
  /** The shop's answer. @type {import('playwright-core').Response | null} */
  answer = null;

  /** @param {{ api: import('./gateway-api.mjs').GatewayApi }} stage @param {import('playwright-core').Page} page */
  constructor(stage, page) {
    this.stage = stage;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(`uncaught: ${error}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('request', (request) => this.requests.push(request));
  }

  /** The only payment on the page, or one of several, or that of a nested page. @param {{ number?: number, locale?: keyof typeof NAMES, pay?: string, region?: Locator }} [which] */
  payment({ number, locale = 'en', pay, region } = {}) {
    region ??= this.page.getByRole('region', { name: number ? `Payment ${number}` : 'Payment', exact: true });
    return new Payment(this, region, { ...NAMES[locale], ...(pay && { pay }) });
  }

  /** How many requests went to an endpoint of the gateway. @param {string} path below /api */
  requestsTo(path) {
    return this.requests.filter((request) => new URL(request.url()).pathname === `/api/${path}`);
  }

  /** The document of the page, of the form or of the issuer's page, where a test needs more than its elements. @param {string} path */
  document(path) {
    const frame = this.page.frames().find((frame) => new URL(frame.url()).pathname.startsWith(path));
    assert.ok(frame, `no frame shows ${path}`);
    return frame;
  }
}

/** One form, with the shop's text beside it. */
export class Payment {
  /** @param {Checkout} checkout @param {Locator} region @param {Names} names */
  constructor(checkout, region, names) {
    this.checkout = checkout;
    this.region = region;
    /** The frame, whatever it is called. */
    this.element = region.locator('payment-form iframe');
    this.frame = this.element.contentFrame();
    /** @param {string} name */
    const field = (name) => this.frame.getByRole('textbox', { name, exact: true });
    this.number = field(names.number);
    this.expiry = field(names.expiry);
    this.code = field(names.code);
    this.name = field(names.name);
    this.pay = this.frame.getByRole('button', { name: names.pay, exact: true });
    this.cancel = this.frame.getByRole('button', { name: names.cancel, exact: true });
    /** What is announced at once. */
    this.alert = this.frame.getByRole('alert');
    /** What the shop says about the outcome. */
    this.status = region.getByRole('status');
    this.issuer = new IssuerPage(this.frame.getByTitle(names.issuer));
  }

  /** Waits until the element says that the form is live. Fields and button are there before. */
  async live() {
    await this.region.locator('payment-form:state(ready)').waitFor();
  }

  /** Waits for the heading of an outcome. @param {string} name */
  async ends(name) {
    await this.frame.getByRole('heading', { name, exact: true }).waitFor();
    await this.settled();
  }

  /** Waits until the frame has the height of its content, or all of a small screen, so that nothing below it moves. */
  async settled() {
    await this.caughtUp();
    const form = await this.document();
    await form.waitForFunction(() => 'full' in document.documentElement.dataset || Math.ceil(document.querySelector('main')?.getBoundingClientRect().height ?? 0) === innerHeight, undefined, SOON);
  }

  /** Waits until the effects of the last key are shown and reported: they wait for the paint of the key, like this, and were queued first. */
  async caughtUp() {
    const form = await this.document();
    await form.evaluate(() => {
      // A page that explains why there is no form has no widget.
      const afterPaint = Reflect.get(globalThis, 'payframeAfterPaint');
      return afterPaint && new Promise((resolve) => afterPaint(resolve));
    });
  }

  /** The form's document. */
  async document() {
    const frame = await (await this.element.elementHandle())?.contentFrame();
    assert.ok(frame, 'the form has a document');
    return frame;
  }

  /** @param {Card} card */
  async fill(card) {
    await this.live();
    await this.number.fill(card.number);
    await this.expiry.fill(card.expiry.replaceAll(' ', ''));
    await this.code.fill(card.code);
    await this.name.fill(card.name);
  }

  /** Fills the form and presses its button. @param {Card} card */
  async payWith(card) {
    await this.fill(card);
    await this.press();
  }

  /**
   * Presses a button at its final place: a message that is removed after the paint of the last key moves it.
   * @param {Locator} [button] ours, unless the page has its own
   */
  async press(button = this.pay) {
    await this.settled();
    await pointAt(button);
    await button.click();
  }

  /** Cancels, and confirms it when the form asks, because something was typed. */
  async giveUp() {
    await this.press(this.cancel);
    await this.frame.getByRole('alertdialog').waitFor();
    await this.press(this.cancel);
  }

  /** The form is shown again for another try, with everything that was typed except the security code. @param {Card} card */
  async keeps(card) {
    await this.pay.waitFor();
    await holds(this.number, card.shown);
    await holds(this.expiry, card.expiry);
    await holds(this.code, '');
    await holds(this.name, card.name);
    assert.ok(await this.number.isEditable(), 'the number can be edited');
  }

  /** @returns {Promise<string>} */
  async orderId() {
    const link = await this.region.getByRole('link', { name: /^Order / }).textContent();
    return (link ?? '').replace('Order ', '');
  }

  /** The session's id, which the shop wrote into its page. */
  async session() {
    return (await this.region.locator('payment-form').getAttribute('session')) ?? '';
  }

  /** Compares all operations that the gateway has recorded, as `TYPE RESULT`, oldest first. @param {string[]} expected */
  async recorded(...expected) {
    const operations = await this.checkout.stage.api.operations(await this.orderId());
    assert.deepEqual(operations.map(({ operationType, operationResult }) => `${operationType} ${operationResult}`), expected);
    return operations;
  }
}

/** The issuer's page, in the form's frame. */
export class IssuerPage {
  /** @param {Locator} element the frame that holds it */
  constructor(element) {
    this.element = element;
    const page = element.contentFrame();
    this.code = page.getByTestId('acs-otp');
    this.confirm = page.getByTestId('acs-submit');
    this.approve = page.getByTestId('acs-approve');
    this.reject = page.getByTestId('acs-reject');
    this.cancel = page.getByTestId('acs-cancel');
  }

  /** @param {string} code */
  async answer(code) {
    await this.code.fill(code);
    await this.code.press('Enter');
  }
}

const SOON = { timeout: 20_000 };

/**
 * Moves the mouse to an element of a frame until the frame knows it: after a scroll the browser gives the page what is meant for the frame
 * until it has painted both.
 * @param {Locator} element
 */
async function pointAt(element) {
  const end = performance.now() + SOON.timeout;
  do {
    assert.ok(performance.now() < end, 'the frame knows that the mouse is over its button');
    await element.hover();
  } while (!(await element.evaluate((shown) => shown.matches(':hover'))));
}

/**
 * The next `result` of the shop's page. The listener is added when this resolves.
 * @param {Payment} payment
 * @returns {Promise<{ told: Promise<any> }>}
 */
export async function result(payment) {
  const form = payment.region.locator('payment-form');
  await form.evaluate((form) => {
    /** @type {any} */ (form).told = new Promise((resolve) => form.addEventListener('result', (event) => resolve(/** @type {CustomEvent} */ (event).detail), { once: true }));
  });
  return { told: form.evaluate((form) => /** @type {any} */ (form).told) };
}

/**
 * Records a member of each event of this type from now on. The returned function gives the values so far, in order.
 * @param {Payment} payment @param {string} type @param {string} member of its detail
 * @returns {Promise<(() => Promise<any[]>) & { until(value: string): Promise<unknown> }>}
 */
export async function recordEvents(payment, type, member) {
  const heard = await payment.region.locator('payment-form').evaluateHandle((form, [type = '', member = '']) => {
    const heard = /** @type {any[]} */ ([]);
    form.addEventListener(type, (event) => heard.push(/** @type {CustomEvent} */ (event).detail[member]));
    return heard;
  }, [type, member]);
  /** Waits for a value, with the usual time limit. @param {string} value */
  const until = (value) => payment.region.page().waitForFunction(([heard, value]) => heard.includes(value), /** @type {const} */ ([heard, value]));
  return Object.assign(() => heard.jsonValue(), { until });
}

/** Waits until an element shows a text; the error contains the text of its document. @param {Locator} locator @param {string | RegExp} text */
export async function says(locator, text) {
  try {
    await locator.filter({ hasText: text }).waitFor();
  } catch (cause) {
    const instead = await locator.first().locator('xpath=ancestor::body').innerText({ timeout: 1000 }).catch(String);
    throw new Error(`not “${text}” but “${instead}”`, { cause });
  }
}

/** Waits until a field holds a value. @param {Locator} input @param {string} expected */
export async function holds(input, expected) {
  const { element, frame } = await inDocument(input);
  await frame.waitForFunction(([field, value]) => /** @type {HTMLInputElement} */ (field).value === value, /** @type {const} */ ([element, expected]), SOON).catch(() => {});
  assert.equal(await input.inputValue(), expected);
}

/** Waits until an element has the focus. @param {Locator} locator */
export async function hasFocus(locator) {
  const { element, frame } = await inDocument(locator);
  const focused = frame.waitForFunction((element) => element.ownerDocument.activeElement === element, element, SOON);
  await focused.catch(async () => assert.fail(`${locator} has no focus, but ${await frame.evaluate(() => document.activeElement?.outerHTML)}`));
}

/** @param {Locator} locator */
async function inDocument(locator) {
  const element = /** @type {import('playwright-core').ElementHandle<HTMLElement>} */ (await locator.elementHandle());
  const frame = await element.ownerFrame();
  assert.ok(frame, `${locator} is in no document`);
  return { element, frame };
}

/**
 * Holds the next request to an address, until the test continues it.
 * @param {import('playwright-core').Page} page
 * @param {string | RegExp} address glob
 * @returns {Promise<{ arrived: Promise<import('playwright-core').Route> }>}
 */
export async function hold(page, address) {
  /** @type {(route: import('playwright-core').Route) => void} */
  let arrive = () => {};
  const arrived = new Promise((/** @type {(route: import('playwright-core').Route) => void} */ resolve) => (arrive = resolve));
  await page.route(address, (route) => arrive(route), { times: 1 });
  return { arrived };
}
