// @ts-check
// What some payments ask beside the card: a method that is paid elsewhere, the currency, the number of instalments, a kept card, a
// consent. Loaded when there is something to choose. It draws, and keeps what was chosen until the widget sends it; what is asked of
// the gateway is the widget's business, but for the removal of a kept card, which is no part of a payment. No card data comes here.

import style from './choices.css';
import { fill, money, price } from './money.js';

/** @typedef {import('./money.js').Sum} Sum */
/** @typedef {Sum & { offerId: string, exchangeRate: string, markUpPercent: string, expiresInSeconds: number }} Offer of the gateway, for the card that is typed */
/** @typedef {{ value: string, title: string, about?: string, disabled?: boolean }} Option */
/** @typedef {{ id: string, network: string, brand: string, last4: string, expires: string, expired?: boolean }} Card that was kept */
/** @typedef {{ decided: (subject: string, value: string) => void }} Widget */

/** What is asked of a kept card too. */
const ASKED_AGAIN = ['SECURITY_CODE', 'PRIVACY_CONDITIONS'];

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
    this.#drawConsent();
    // What stands outside the widget's place for choices rests when that does.
    new MutationObserver(() => {
      const saved = this.#group('saved');
      if (saved) saved.inert = this.#place.inert;
    }).observe(this.#place, { attributeFilter: ['inert'] });
    if (this.#boot.saved) {
      this.#drawSaved();
      document.documentElement.classList.remove('concealed');
    }
  }

  /**
   * What the widget tells or asks.
   * @param {string} subject @param {any} told
   * @returns {unknown}
   */
  onMessage(subject, told) {
    switch (subject) {
      case 'offer':
        return this.#propose(told);
      case 'answers':
        return told.push(...this.#answers());
      case 'missing':
        return this.#missing();
      case 'texts':
        return this.#setTexts(told);
      case 'refused':
        if (told === 'CURRENCY_OFFER') this.#over();
        if (told === 'SAVED_CARD') this.#gone(this.#saved?.id);
        if (told === 'CONTRACT_CONSENT') this.#urge(this.#unagreed());
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
    // A kept card is paid in the shop's currency.
    if (offer && this.#saved) return;
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
  #setTexts(texts) {
    this.#texts = texts;
    this.#drawMethods();
    this.#drawConsent();
    if (this.#group('saved')) this.#drawSaved();
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
    this.#urge(this.#text('choice_currency_over'));
    this.#changed();
    this.#widget.decided('range', '');
  }

  /** Both sums while the buyer has to choose, so that the button speaks for neither. */
  get #eitherSum() {
    if (!this.#offer || this.#chosen('currency')) return;
    const sums = [/** @type {any} */ (this.#boot), this.#offer].map(money);
    return new Intl.ListFormat(document.documentElement.lang, { type: 'disjunction' }).format(sums);
  }

  /** What is paid, as it stands now. @returns {Sum} */
  get #sum() {
    return this.#offer && this.#chosen('currency') === 'card' ? this.#offer : /** @type {any} */ (this.#boot);
  }

  #price() {
    price(this.#boot, this.#texts, this.#sum, this.#eitherSum);
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

  // ---- Kept cards ----

  /** The kept card that is chosen. @returns {Card | undefined} */
  get #saved() {
    const chosen = this.#chosen('saved');
    return chosen ? this.#boot.saved?.cards.find((/** @type {Card} */ { id }) => id === chosen) : undefined;
  }

  /** All of them above the inputs, with what was chosen before or else the first that can be. @param {string} [note] what became of another one */
  #drawSaved(note) {
    const { cards, removable } = /** @type {{ cards: Card[], removable: boolean }} */ (this.#boot.saved);
    const before = this.#chosen('saved');
    /** @type {Option[]} */
    const options = cards.map((card) => ({
      value: card.id,
      title: this.#named(card),
      about: this.#text(card.expired ? 'choice_saved_over' : 'choice_saved_ends', { date: this.#month(card.expires) }),
      disabled: card.expired,
    }));
    if (cards.length) options.push({ value: 'other', title: this.#text('choice_saved_other') });
    const group = this.#draw('saved', this.#text('choice_saved'), options, () => this.#turn());
    for (const card of cards) this.#dressCard(card, group, removable);
    const former = this.#group('saved');
    if (former) former.replaceWith(group);
    else document.getElementById('card')?.prepend(group);
    if (note) group.querySelector('.note')?.replaceChildren(make('span', { textContent: note }));
    const inputs = /** @type {HTMLInputElement[]} */ ([...group.querySelectorAll('input:enabled')]);
    const chosen = inputs.find(({ value }) => value === before) ?? inputs[0];
    if (chosen) chosen.checked = true;
    if (!before || chosen?.value !== before) this.#turn();
  }

  /** Mark and way out of a card. @param {Card} card @param {HTMLElement} group @param {boolean} removable */
  #dressCard(card, group, removable) {
    const label = /** @type {HTMLElement} */ (group.querySelector(`[for="choice-saved-${card.id}"]`));
    label.id = `choice-saved-${card.id}-name`;
    label.prepend(make('img', { src: `/assets/methods/${card.network}.svg`, alt: '', width: 34, height: 24 }));
    const option = /** @type {HTMLElement} */ (label.parentElement);
    option.classList.add('kept');
    if (!removable) return;
    const remove = make('button', { type: 'button', className: 'quiet', id: `choice-saved-${card.id}-remove`, textContent: this.#text('choice_saved_remove') });
    remove.setAttribute('aria-labelledby', `${remove.id} ${label.id}`);
    remove.addEventListener('click', () => this.#ask(card, option, remove));
    option.append(remove);
  }

  /** Asks once more. @param {Card} card @param {HTMLElement} option @param {HTMLElement} remove */
  #ask(card, option, remove) {
    const question = make('p', { id: 'choice-saved-question', textContent: this.#text('choice_saved_sure', { card: this.#named(card) }) });
    const sure = make('div', { className: 'sure', role: 'group' });
    sure.setAttribute('aria-labelledby', question.id);
    const keep = make('button', { type: 'button', className: 'method', textContent: this.#text('choice_saved_keep') });
    const yes = make('button', { type: 'button', className: 'method', textContent: this.#text('choice_saved_remove') });
    const back = () => {
      sure.remove();
      remove.hidden = false;
      remove.focus();
    };
    keep.addEventListener('click', back);
    sure.addEventListener('keydown', ({ key }) => key === 'Escape' && back());
    yes.addEventListener('click', () => this.#remove(card, sure), { once: true });
    // One question at a time.
    document.getElementById(question.id)?.nextElementSibling?.querySelector('button')?.click();
    const answers = make('div', { className: 'answers' });
    // The way back first: who pressed twice keeps the card.
    answers.append(keep, yes);
    sure.append(question, answers);
    option.append(sure);
    remove.hidden = true;
    keep.focus();
  }

  /** @param {Card} card @param {HTMLElement} sure */
  async #remove(card, sure) {
    sure.inert = true;
    const headers = { session: this.#boot.session, 'Correlation-Id': crypto.randomUUID(), 'Idempotency-Key': crypto.randomUUID() };
    const answer = await fetch(`/api/fe/build/remove_saved_card/${card.id}`, { method: 'POST', headers }).catch(() => undefined);
    const told = await answer?.json().catch(() => undefined);
    if (answer?.ok && told) {
      this.#boot.saved.cards = told.cards;
      this.#left(this.#text('choice_saved_removed', { card: this.#named(card) }));
    } else if (told?.errors?.[0]?.code === 'PS0017') this.#gone(card.id);
    else {
      const failed = this.#text('choice_saved_failed');
      this.#drawSaved();
      say(/** @type {HTMLElement} */ (this.#group('saved')), failed);
      this.#urge(failed);
      document.getElementById(`choice-saved-${card.id}-remove`)?.focus();
    }
  }

  /** A card is there no more, or can be used no more. @param {string} [id] */
  #gone(id) {
    if (!id) return;
    const { saved } = this.#boot;
    saved.cards = saved.cards.filter((/** @type {Card} */ card) => card.id !== id);
    const sentence = this.#text('choice_saved_gone');
    this.#left(sentence);
    say(/** @type {HTMLElement} */ (this.#group('saved')), sentence);
    this.#urge(sentence);
  }

  /** One card less. @param {string} sentence */
  #left(sentence) {
    this.#drawSaved(sentence);
    this.#status.textContent = sentence;
    const next = this.#group('saved')?.querySelector('input:checked') ?? document.getElementById('CARD_NUMBER');
    /** @type {HTMLElement | null} */ (next)?.focus();
  }

  /** A kept card makes the inputs go, another one brings them back with what was in them. */
  #turn() {
    const saved = this.#saved;
    const focused = document.activeElement;
    for (const id of this.#boot.fields) {
      if (ASKED_AGAIN.includes(id)) continue;
      const field = /** @type {HTMLElement | null | undefined} */ (document.getElementById(id)?.closest('.field'));
      if (field) field.hidden = !!saved;
    }
    const consent = this.#group('consent');
    if (consent) consent.hidden = !!saved;
    if (saved && this.#offer) this.#propose();
    this.#widget.decided('saved', saved?.network ?? '');
    // The cards may come when the buyer, or the page's script, is in the first input already.
    if (focused?.closest('.field[hidden]')) document.getElementById(ASKED_AGAIN.find((id) => this.#asks(id)) ?? `choice-saved-${saved?.id}`)?.focus();
    if (!saved) this.#widget.decided('range', '');
  }

  /** Whether the field is there to be entered. @param {string} id */
  #asks(id) {
    return this.#boot.fields.includes(id) && !document.getElementById(id)?.closest('.field[hidden]');
  }

  /** As the gateway's outcome names it. @param {Card} card */
  #named({ brand, last4 }) {
    return this.#text('card_used', { brand, last4 });
  }

  /** @param {string} month `YYYY-MM` */
  #month(month) {
    return new Intl.DateTimeFormat(document.documentElement.lang, { year: 'numeric', month: '2-digit', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
  }

  // ---- Consent to the keeping of the card ----

  #drawConsent() {
    const { consent, merchant } = this.#boot;
    if (!consent) return;
    const former = this.#group('consent');
    const box = make('input', { type: 'checkbox', id: 'choice-consent-box', checked: this.#agrees });
    const note = make('p', { className: 'note', id: 'choice-consent-note' });
    const terms = make('p', { className: 'about', id: 'choice-consent-terms', textContent: this.#agreement().join(' ') });
    const label = make('label', { className: 'tick', htmlFor: box.id });
    label.append(box, this.#text('choice_consent', { merchant }));
    box.setAttribute('aria-describedby', `${terms.id} ${note.id}`);
    box.required = consent.required;
    box.addEventListener('change', () => {
      note.replaceChildren();
      box.removeAttribute('aria-invalid');
      this.#changed();
    });
    const group = make('div', { className: 'field', id: 'choice-consent', hidden: !!this.#saved });
    group.append(label, terms, note);
    if (former) former.replaceWith(group);
    else this.#place.append(group);
  }

  /** Who charges, how often, until when, and how to stop it. @returns {string[]} */
  #agreement() {
    const { consent, merchant } = this.#boot;
    const { lang } = document.documentElement;
    const { kind, gapDays, lastDay, text, required } = consent;
    const sentences = [this.#text(kind === 'CIT' ? 'choice_consent_with' : 'choice_consent_alone', { merchant })];
    if (gapDays) {
      const days = new Intl.NumberFormat(lang, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(gapDays);
      sentences.push(this.#text('choice_consent_gap', { days }));
    } else if (kind !== 'CIT') sentences.push(this.#text('choice_consent_when', { merchant }));
    const date = lastDay && new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${lastDay}T00:00:00Z`));
    sentences.push(date ? this.#text('choice_consent_until', { date }) : this.#text('choice_consent_endless'));
    sentences.push(text ?? this.#text('choice_consent_stop', { merchant }));
    if (!required) sentences.push(this.#text('choice_consent_optional'));
    return sentences;
  }

  get #agrees() {
    return /** @type {HTMLInputElement | null} */ (document.getElementById('choice-consent-box'))?.checked ?? false;
  }

  /** The sentence of a consent that is needed and was not given. */
  #unagreed() {
    const group = this.#group('consent');
    if (!group || !this.#boot.consent.required || this.#agrees || this.#saved) return;
    const sentence = this.#text('choice_consent_missing');
    say(group, sentence);
    const box = group.querySelector('input');
    box?.setAttribute('aria-invalid', 'true');
    box?.focus();
    return sentence;
  }

  // ---- All of them ----

  /** @returns {{ id: string, value: string }[]} what goes with the card */
  #answers() {
    const answers = [];
    const count = this.#chosen('installments');
    if (count) answers.push({ id: 'INSTALLMENTS', value: count });
    const saved = this.#saved;
    if (saved) answers.push({ id: 'SAVED_CARD', value: saved.id });
    else if (this.#boot.consent) answers.push({ id: 'CONTRACT_CONSENT', value: `${this.#agrees}` });
    if (this.#offer) {
      answers.push({ id: 'CURRENCY_OFFER', value: this.#chosen('currency') === 'card' ? this.#offer.offerId : '' });
      this.#sent = true;
    }
    return answers;
  }

  /** The sentence of what is still to be chosen, which is shown and gets the focus. */
  #missing() {
    return this.#undecided() ?? this.#unagreed();
  }

  /** That of the currency. */
  #undecided() {
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
    return document.getElementById(`choice-${name}`);
  }

  /** @param {string} name */
  #chosen(name) {
    return /** @type {HTMLInputElement | null} */ (document.querySelector(`[name="choice-${name}"]:checked`))?.value;
  }

  /** To be heard at once. @param {string} [sentence] */
  #urge(sentence) {
    const urgent = document.getElementById('urgent');
    if (urgent && sentence) urgent.textContent = sentence;
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
    for (const { value, title, about, disabled = false } of options) {
      const id = `choice-${name}-${value}`;
      const radio = make('input', { type: 'radio', name: `choice-${name}`, id, value, disabled });
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
