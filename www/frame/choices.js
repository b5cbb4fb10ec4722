// @ts-check
// What some payments ask beside the card: a method that is paid elsewhere, the currency, the number of instalments. Loaded
// when there is something to choose. It draws, and keeps what was chosen until the widget sends it; what is asked of the gateway
// is the widget's business. No card data comes here.

import style from './choices.css';
import { fill, money, price } from './money.js';

/** @typedef {import('./money.js').Sum} Sum */
/** @typedef {Sum & { offerId: string, exchangeRate: string, markUpPercent: string, expiresInSeconds: number }} Offer of the gateway, for the card that is typed */
/** @typedef {{ value: string, title: string, about?: string }} Option */
/** @typedef {{ decided: (subject: string, value: string) => void }} Widget */

/** Before the gateway stops taking an offer, so that nobody chooses one that is over on arrival. */
const LEEWAY_MS = 2000;

export class Choices {
  #boot;
  #texts;
  #widget;
  #place = /** @type {HTMLElement} */ (document.getElementById('choices'));
  /** Announces politely. */
  #status = make('div', { className: 'heard', role: 'status' });
  /** @type {Offer | undefined} */
  #offer;
  #overAt = 0;
  /** The offer went to the gateway with the card: once taken, it does not run out. */
  #sent = false;
  /** The last offer ran out while the buyer could still choose. */
  #ranOut = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Record<string, any>} boot @param {Record<string, string>} texts of the page and of this script @param {Widget} widget */
  constructor(boot, texts, widget) {
    this.#boot = boot;
    this.#texts = texts;
    this.#widget = widget;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
    document.body.append(this.#status);
    this.#drawMethods();
    this.#drawInstallments();
  }

  /**
   * What the widget tells or asks.
   * @param {string} subject @param {any} told
   * @returns {unknown}
   */
  take(subject, told) {
    switch (subject) {
      case 'offer':
        return this.#propose(told);
      case 'answers':
        return told.push(...this.#answers());
      case 'missing':
        return this.#missing();
      case 'words':
        return this.#reword(told);
      case 'refused':
        return told === 'CURRENCY_OFFER' && this.#over();
    }
  }

  // ---- Methods that are paid elsewhere ----

  #drawMethods() {
    const others = document.getElementById('others');
    if (!this.#boot.methods || !others) return;
    const heading = make('p', { className: 'others', id: 'others-title', textContent: this.#text('choice_methods') });
    const list = make('div', { className: 'methods', role: 'group' });
    list.setAttribute('aria-labelledby', heading.id);
    for (const { id, label, picture } of this.#boot.methods) {
      const button = make('button', { className: 'method', type: 'button', textContent: label });
      // Begins with what is seen, so that it can be called by that.
      button.setAttribute('aria-label', this.#text('choice_method', { method: label }));
      if (picture) button.prepend(make('img', { src: picture, alt: '', width: 34, height: 24 }));
      button.addEventListener('click', () => this.#widget.decided('method', id));
      list.append(button);
    }
    others.replaceChildren(heading, list);
  }

  // ---- Currency ----

  /** @param {Offer} [offer] without one, a former one is withdrawn */
  #propose(offer) {
    clearTimeout(this.#timer);
    const former = this.#offer;
    if (former) {
      this.#group('currency')?.remove();
      if (!offer && !this.#ranOut) this.#status.textContent = this.#text('choice_currency_gone');
    }
    this.#offer = offer;
    this.#sent = false;
    this.#price();
    if (!offer) return;
    this.#overAt = Date.now() + offer.expiresInSeconds * 1000 - LEEWAY_MS;
    this.#watch();
    const [group, titles] = this.#drawCurrency(offer);
    this.#place.prepend(group);
    if (this.#ranOut) say(group, this.#text('choice_currency_over'));
    this.#ranOut = false;
    this.#status.textContent = `${this.#text('choice_currency')}: ${titles}`;
  }

  /**
   * The shop's currency first, and both alike; gives the sums too, to be heard.
   * @param {Offer} offer @returns {[HTMLElement, string]}
   */
  #drawCurrency(offer) {
    /** @type {Option[]} */
    const options = [
      { value: 'shop', title: money(/** @type {any} */ (this.#boot)), about: this.#text('choice_currency_own') },
      { value: 'card', title: money(offer), about: this.#text('choice_currency_card', this.#terms(offer)) },
    ];
    const group = this.#draw('currency', this.#text('choice_currency'), options, () => this.#price());
    return [group, options.map(({ title }) => title).join(', ')];
  }

  /** The page speaks otherwise now. What was chosen stays. @param {Record<string, string>} texts */
  #reword(texts) {
    this.#texts = texts;
    this.#drawMethods();
    const former = this.#group('currency');
    const chosen = this.#chosen('currency');
    if (this.#offer && former) {
      const [group] = this.#drawCurrency(this.#offer);
      former.replaceWith(group);
      const radio = /** @type {HTMLInputElement | null} */ (group.querySelector(`[value="${chosen}"]`));
      if (radio) radio.checked = true;
    }
    this.#price();
  }

  /** What the buyer must know before choosing. @param {Offer} offer */
  #terms({ currency, exchangeRate, markUpPercent }) {
    const { lang } = document.documentElement;
    /** @param {string} code @param {string} value */
    const coded = (code, value) =>
      new Intl.NumberFormat(lang, { style: 'currency', currency: code, currencyDisplay: 'code', minimumFractionDigits: 0, maximumFractionDigits: 9 }).format(/** @type {any} */ (value));
    return {
      rate: `${coded(currency, '1')} = ${coded(this.#boot.currency, exchangeRate)}`,
      percent: new Intl.NumberFormat(lang, { style: 'percent', minimumFractionDigits: 2 }).format(/** @type {any} */ (`${markUpPercent}e-2`)),
      time: new Intl.DateTimeFormat(lang, { timeStyle: 'short' }).format(this.#overAt + LEEWAY_MS),
    };
  }

  #watch() {
    this.#timer = setTimeout(() => {
      if (this.#sent) return;
      // What is on its way is judged by the gateway.
      if (document.getElementById('pay')?.ariaDisabled || Date.now() < this.#overAt) return this.#watch();
      this.#over();
    }, Math.max(this.#overAt - Date.now(), 500));
  }

  /** The offer ran out: it goes, and the gateway is asked for another. Without one the shop's currency is paid. */
  #over() {
    this.#ranOut = true;
    this.#propose();
    const urgent = document.getElementById('urgent');
    if (urgent) urgent.textContent = this.#text('choice_currency_over');
    this.#changed();
    this.#widget.decided('range', '');
  }

  /** What is paid, as it stands now. @returns {Sum} */
  get #sum() {
    return this.#offer && this.#chosen('currency') === 'card' ? this.#offer : /** @type {any} */ (this.#boot);
  }

  #price() {
    price(this.#boot, this.#texts, this.#sum);
    this.#drawInstallments();
  }

  // ---- Instalments ----

  #drawInstallments() {
    const counts = /** @type {number[]} */ (this.#boot.installments ?? []);
    if (!counts.length) return;
    const sum = this.#sum;
    const total = this.#text('choice_installments_total', { amount: money(sum) });
    const former = this.#group('installments');
    const chosen = this.#chosen('installments') ?? '1';
    const focused = former?.contains(document.activeElement);
    const options = counts.map((count) => ({
      value: `${count}`,
      title: this.#parts(sum, count),
      about: `${this.#text('choice_installments_count', { count: `${count}` })} · ${total}`,
    }));
    const group = this.#draw('installments', this.#text('choice_installments'), [{ value: '1', title: this.#text('choice_installments_once'), about: total }, ...options], () => {});
    const radio = /** @type {HTMLInputElement} */ (group.querySelector(`[value="${chosen}"]`));
    radio.checked = true;
    if (former) former.replaceWith(group);
    else this.#place.append(group);
    if (focused) radio.focus();
  }

  /** So many equal parts; what does not divide comes with the first. @param {Sum} sum @param {number} count */
  #parts(sum, count) {
    const [whole, parts] = [BigInt(sum.amount), BigInt(count)];
    const each = whole / parts;
    const first = whole - each * (parts - 1n);
    /** @param {bigint} amount */
    const shown = (amount) => money({ ...sum, amount: `${amount}` });
    return first === each ? `${count} × ${shown(each)}` : `${shown(first)} + ${count - 1} × ${shown(each)}`;
  }

  // ---- All of them ----

  /** @returns {{ id: string, value: string }[]} what goes with the card */
  #answers() {
    const answers = [];
    const count = this.#chosen('installments');
    if (count) answers.push({ id: 'INSTALLMENTS', value: count });
    if (this.#offer) {
      answers.push({ id: 'CURRENCY_OFFER', value: this.#chosen('currency') === 'card' ? this.#offer.offerId : '' });
      this.#sent = true;
    }
    return answers;
  }

  /** The sentence of what is still to be chosen, which is shown and gets the focus. */
  #missing() {
    if (!this.#offer || this.#sent) return;
    if (Date.now() >= this.#overAt) {
      this.#over();
      return this.#text('choice_currency_over');
    }
    const group = this.#group('currency');
    if (!group || this.#chosen('currency')) return;
    const sentence = this.#text('choice_currency_missing');
    say(group, sentence);
    group.querySelector('input')?.focus();
    return sentence;
  }

  /** @param {string} name */
  #group(name) {
    return /** @type {HTMLElement | null} */ (this.#place.querySelector(`#choice-${name}`));
  }

  /** @param {string} name */
  #chosen(name) {
    return /** @type {HTMLInputElement | null} */ (this.#place.querySelector(`[name="choice-${name}"]:checked`))?.value;
  }

  #changed() {
    this.#widget.decided('choice', '');
  }

  /** @param {string} key @param {Record<string, string>} [values] */
  #text(key, values) {
    return fill(this.#texts[key], values);
  }

  /**
   * A named group of which one is chosen; none is at first.
   * @param {string} name @param {string} legend @param {Option[]} options @param {() => void} then
   */
  #draw(name, legend, options, then) {
    const group = make('fieldset', { id: `choice-${name}`, className: 'choice' });
    const note = make('p', { id: `choice-${name}-note`, className: 'note' });
    group.setAttribute('aria-describedby', note.id);
    group.append(make('legend', { textContent: legend }));
    for (const { value, title, about } of options) {
      const id = `choice-${name}-${value}`;
      const radio = make('input', { type: 'radio', name: `choice-${name}`, id, value });
      const option = make('div', { className: 'option' });
      option.append(radio, make('label', { htmlFor: id, textContent: title }));
      if (about) {
        radio.setAttribute('aria-describedby', `${id}-about`);
        option.append(make('p', { id: `${id}-about`, className: 'about', textContent: about }));
      }
      group.append(option);
    }
    group.append(note);
    group.addEventListener('change', () => {
      note.replaceChildren();
      this.#sent = false;
      this.#changed();
      then();
    });
    return group;
  }
}

/** @param {HTMLElement} group @param {string} sentence */
function say(group, sentence) {
  group.querySelector('.note')?.replaceChildren(make('span', { className: 'bad', textContent: sentence }));
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} members
 * @returns {HTMLElementTagNameMap[T]}
 */
function make(tag, members) {
  const element = document.createElement(tag);
  Object.assign(element, members);
  return element;
}
