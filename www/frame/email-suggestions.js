// @ts-check
// Finds likely typing mistakes in an e-mail address, such as `ada@gmial.com`: the form suggests another address, and enters it if the
// buyer accepts. Otherwise what was typed stays; nothing is refused. Loaded when a buyer leaves the field. The address is sent to nobody.

import { fill } from './money.js';

/** Frequent hosts, and real hosts that differ from them by one letter. */
const HOSTS =
  'gmail.com googlemail.com hotmail.com outlook.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com me.com mac.com aol.com mail.com email.com ' +
  'gmx.com gmx.net gmx.de gmx.at gmx.ch web.de t-online.de freenet.de orange.fr wanadoo.fr free.fr laposte.net libero.it virgilio.it alice.it tiscali.it ' +
  'hotmail.it hotmail.fr hotmail.es hotmail.de hotmail.co.uk yahoo.it yahoo.fr yahoo.es yahoo.de yahoo.co.uk yahoo.co.jp yahoo.com.br outlook.it outlook.fr outlook.es outlook.de ' +
  'live.it live.fr live.de live.co.uk btinternet.com comcast.net verizon.net proton.me protonmail.com fastmail.com zoho.com uol.com.br bol.com.br terra.com.br ' +
  'seznam.cz centrum.cz wp.pl onet.pl o2.pl interia.pl ziggo.nl kpnmail.nl telenet.be skynet.be bluewin.ch mail.ru yandex.ru rambler.ru ukr.net abv.bg naver.com daum.net qq.com foxmail.com';
const KNOWN = HOSTS.split(' ');
/** Shorter hosts are not corrected: with one letter changed they are often another real host. */
const LONG = 9;

/** Ends that no host has, with the frequent end that was probably meant. @type {Record<string, string>} */
const ENDS = { con: 'com', cmo: 'com', ocm: 'com', comm: 'com', coom: 'com', ccom: 'com', vom: 'com', xom: 'com', cpm: 'com', clm: 'com', nte: 'net', ent: 'net', nett: 'net', ogr: 'org', orgg: 'org' };

/**
 * The address that was probably meant; `undefined` if the typed one is as likely.
 * @param {string} address
 */
export function likelyAddress(address) {
  const [, name, typed = ''] = /^\s*([^\s@]+)@([^\s@]+?)\s*$/.exec(address) ?? [];
  if (!name) return undefined;
  // The comma key is beside the dot key, and a dot at the end belongs to a sentence.
  const host = typed.toLowerCase().replace(/[,;]/g, '.').replace(/\.{2,}/g, '.').replace(/\.$/, '');
  const likely = KNOWN.includes(host) ? host : nearestHost(host) ?? host.replace(/(?<=.\.)[a-z]+$/, (end) => ENDS[end] ?? end);
  return likely.includes('.') && likely !== typed.toLowerCase() ? `${name}@${likely}` : undefined;
}

/** The one known host that differs from this one by a single typing mistake. @param {string} host */
function nearestHost(host) {
  // The end is missing.
  if (!host.includes('.')) return KNOWN.find((known) => known.length >= LONG && known.startsWith(`${host}.`)) ?? KNOWN.find((known) => known.replace('.', '') === host);
  const found = KNOWN.filter((known) => known.length >= LONG && isOneSlip(host, known) && !isOtherCountry(host, known));
  return found.length === 1 ? found[0] : undefined;
}

/** Whether they differ by one letter too many, too few, or different, or by two letters in the wrong order. @param {string} typed @param {string} right */
function isOneSlip(typed, right) {
  let start = 0;
  while (start < typed.length && typed[start] === right[start]) start++;
  const ends = (/** @type {number} */ skipped, /** @type {number} */ missing) => typed.slice(start + skipped) === right.slice(start + missing);
  const swapped = typed[start] === right[start + 1] && typed[start + 1] === right[start] && ends(2, 2);
  return typed !== right && (ends(1, 0) || ends(0, 1) || ends(1, 1) || swapped);
}

/** Whether it is the same name with another country's end, which may be a real host. @param {string} typed @param {string} right */
function isOtherCountry(typed, right) {
  const [one, other] = [typed, right].map((host) => host.split(/\.(?=[^.]{2}$)/));
  return one?.length === 2 && other?.length === 2 && one[0] === other[0];
}

/** The style of a link below the message of the field. */
const STYLE = `.meant { display: block; min-height: 24px; margin-top: 4px; padding: 0; border: 0; color: var(--accent); background: none; font-size: 14px;
line-height: 20px; text-align: start; text-decoration: underline; text-underline-offset: 3px; overflow-wrap: anywhere; }`;
/** Set with the first suggestion. @type {CSSStyleSheet | undefined} */
let style;
/** The suggestion that is shown. @type {HTMLElement | undefined} */
let offer;

/**
 * The buyer left the field: suggests another address, if one is likely.
 * @param {Record<string, string>} texts of the form
 */
export async function suggestEmail(texts) {
  const words = { ...texts, ...(await import(texts.$choices ?? '')).default };
  offer?.remove();
  const input = /** @type {HTMLInputElement} */ (payframeFind('CARDHOLDER_EMAIL'));
  const address = likelyAddress(input.value);
  if (!address || input.readOnly) return;
  if (!style) {
    style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    document.adoptedStyleSheets.push(style);
  }
  // Isolated, so that the address is shown from left to right in every language.
  const question = fill(words.choice_email_meant, { email: `\u2066${address}\u2069` });
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'meant', textContent: question });
  const shown = (offer = button);
  const withdraw = () => (shown.remove(), input.removeEventListener('input', withdraw));
  input.addEventListener('input', withdraw);
  button.addEventListener('click', () => {
    input.value = address;
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
    input.focus();
  });
  // A field in a frame of its own has no room for the suggestion; the form has.
  const place = input.ownerDocument === document ? input.closest('.field') : undefined;
  if (place) place.append(button);
  else /** @type {Element} */ (document.getElementById('message')).before(button);
  /** @type {Element} */ (document.getElementById('polite')).textContent = question;
}
