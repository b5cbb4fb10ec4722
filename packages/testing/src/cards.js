// @ts-check
/**
 * The sandbox as `docs/testing.md` has it: its test cards by name, its keys, the faults that a call can ask for, and the test ids of the bank's page.
 * A sandbox accepts these numbers and no other; no real account has one of them.
 */

/** @typedef {{ number: string, expiry: string, code: string, name: string }} Card what a buyer types; the expiry date is `MM/YY` */
/** @typedef {keyof typeof CASES} CaseName */
/** @typedef {keyof typeof KINDS} KindName */

/** What becomes of a payment, by name: the three digits before the last one of a number. Every kind of card has every case. */
export const CASES = Object.freeze({
  approved: '000',
  // 3-D Secure.
  /** The bank asks for a code, which is 123456. */
  challenged: '300',
  challengeFails: '301',
  challengeEndless: '302',
  deviceCheckEndless: '303',
  noDeviceCheck: '304',
  authenticationDown: '305',
  authenticationRefused: '306',
  authenticationAttempted: '307',
  challengedNoFunds: '308',
  deviceCheckSlow: '309',
  /** As `challenged`, and also where the merchant asks for an exemption. */
  challengeInsisted: '310',
  /** Declined without an authentication; the gateway asks the buyer, and the issuer again. */
  authenticationDemanded: '311',
  authenticationDemandedAgain: '312',
  authenticationDemandedInVain: '313',
  /** The issuer asks an enrolled device, where the browser can; else as `challenged`. */
  confirmed: '314',
  /** The form waits, and the bank's app confirms after three seconds. */
  confirmedInApp: '315',
  riskRefused: '600',
  // Approved, and refused later on.
  laterCardExpired: '701',
  laterNoFunds: '716',
  refundFails: '730',
  /** The bank disputes what is captured, a minute later. */
  disputed: '750',
  // Declined.
  doNotHonour: '100',
  cardExpired: '101',
  fraudSuspected: '102',
  restricted: '104',
  tooManyPins: '106',
  merchantNotValid: '109',
  amountNotValid: '110',
  numberNotValid: '111',
  functionNotSupported: '115',
  noFunds: '116',
  wrongPin: '117',
  unknownCard: '118',
  cardholderMayNot: '119',
  terminalMayNot: '120',
  overLimit: '121',
  notPermitted: '122',
  tooOften: '123',
  againstLaw: '124',
  notActive: '125',
  wrongPinBlock: '126',
  /** Shown at the field of the security code. */
  wrongCode: '129',
  issuerRefuses: '200',
  issuerSuspectsFraud: '202',
  cardNotValid: '204',
  lost: '208',
  stolen: '209',
  counterfeit: '210',
  /** The issuer compares what is typed beside the number: `COMPARED`. */
  compared: '400',
  triedTooOften: '413',
  // Pending, and failed.
  /** Pending, and approved half a minute later. */
  pending: '888',
  pendingThenDeclined: '907',
  issuerTimedOut: '911',
  transactionNotValid: '902',
  enterAgain: '903',
  wrongFormat: '904',
  cutOver: '906',
  noRoute: '908',
  malfunction: '909',
  duplicate: '913',
  merchantMisconfigured: '999',
});

/** Kinds of cards, by name: how their numbers begin, their networks, and country, funding and currency of the issuer. */
export const KINDS = Object.freeze({
  visa: kind('476173000000', ['VISA'], 'ITA, CREDIT, EUR'),
  visa13: kind('476173000', ['VISA'], 'ITA, CREDIT, EUR'),
  visa19: kind('476173000000000', ['VISA'], 'ITA, CREDIT, EUR'),
  mastercard: kind('541333000000', ['MC'], 'ITA, CREDIT, EUR'),
  mastercard2: kind('222300000000', ['MC'], 'ITA, CREDIT, EUR'),
  amex: kind('37424500000', ['AMEX'], 'ITA, CREDIT, EUR'),
  diners: kind('3614890000', ['DINERS'], 'ITA, CREDIT, EUR'),
  maestro: kind('679999000000000', ['MAESTRO'], 'ITA, DEBIT, EUR'),
  unionpay: kind('620000000000000', ['UNIONPAY'], 'CHN, CREDIT, CNY'),
  jcb: kind('353011000000', ['JCB'], 'JPN, CREDIT, JPY'),
  discover: kind('651000000000', ['DISCOVER'], 'USA, CREDIT, USD'),
  visaCartesBancaires: kind('476173250000', ['VISA', 'CARTES_BANCAIRES'], 'FRA, DEBIT, EUR'),
  mastercardCartesBancaires: kind('541333250000', ['MC', 'CARTES_BANCAIRES'], 'FRA, DEBIT, EUR'),
  maestroBancontact: kind('670300000000', ['MAESTRO', 'BANCONTACT'], 'BEL, DEBIT, EUR'),
  visaPrepaid: kind('476173500000', ['VISA'], 'ITA, PREPAID, EUR'),
  mastercardPrepaid: kind('541333500000', ['MC'], 'ITA, PREPAID, EUR'),
  visaDebit: kind('476173560000', ['VISA'], 'ITA, DEBIT, EUR'),
  mastercardDebit: kind('541333560000', ['MC'], 'ITA, DEBIT, EUR'),
  visaUsd: kind('476173840000', ['VISA'], 'USA, CREDIT, USD'),
  visaGbp: kind('476173826000', ['VISA'], 'GBR, CREDIT, GBP'),
  mastercardJpy: kind('541333392000', ['MC'], 'JPN, CREDIT, JPY'),
  visaKwd: kind('476173414000', ['VISA'], 'KWT, CREDIT, KWD'),
});

/** Widely known numbers, and the case that each of them has. @type {readonly Readonly<{ number: string, network: string, which: CaseName }>[]} */
export const KNOWN = Object.freeze([
  { number: '4349940199004549', network: 'VISA', which: 'approved' },
  { number: '5186151650005008', network: 'MC', which: 'approved' },
  { number: '4349940199997007', network: 'VISA', which: 'doNotHonour' },
  { number: '5533893874304465', network: 'MC', which: 'doNotHonour' },
  { number: '4111111111111111', network: 'VISA', which: 'approved' },
  { number: '5555555555554444', network: 'MC', which: 'approved' },
  { number: '2223003122003222', network: 'MC', which: 'approved' },
  { number: '378282246310005', network: 'AMEX', which: 'approved' },
  { number: '371449635398431', network: 'AMEX', which: 'approved' },
  { number: '30569309025904', network: 'DINERS', which: 'approved' },
  { number: '38520000023237', network: 'DINERS', which: 'approved' },
  { number: '6759649826438453', network: 'MAESTRO', which: 'approved' },
  { number: '6205500000000000004', network: 'UNIONPAY', which: 'approved' },
  { number: '3530111333300000', network: 'JCB', which: 'approved' },
  { number: '6011111111111117', network: 'DISCOVER', which: 'approved' },
]);

/** Numbers that are refused in the field. */
export const REFUSED_IN_FIELD = Object.freeze({ checkDigit: '4761730000000004', tooShort: '476173000000000', unknownNetwork: '9000000000000001' });

/** Of the case `compared`: what is typed in place of a good value, and the case of the refusal. @type {readonly Readonly<{ typed: Readonly<Partial<Card>>, which: CaseName }>[]} */
export const COMPARED = Object.freeze([
  { typed: { expiry: '12/40' }, which: 'cardExpired' },
  { typed: { code: '999' }, which: 'wrongCode' },
  { typed: { code: '9999' }, which: 'wrongCode' },
  { typed: { name: 'NO MATCH' }, which: 'cardholderMayNot' },
]);

/** What the bank's page asks for in the case `challenged`. */
export const CHALLENGE_CODE = '123456';

/** Test ids of the simulated pages of banks and of alternative methods. */
export const TEST_IDS = Object.freeze({
  bank: Object.freeze({ code: 'acs-otp', approve: 'acs-approve', reject: 'acs-reject', cancel: 'acs-cancel' }),
  method: Object.freeze({ approve: 'apm-approve', refuse: 'apm-refuse', pending: 'apm-pending', cancel: 'apm-cancel' }),
});

/** The sandbox's keys and terminals, which are public. */
export const KEYS = Object.freeze({
  implicit: terminal('sandbox-implicit', '91000001'),
  explicit: terminal('sandbox-explicit', '91000002'),
  noToken: terminal('sandbox-no-token', '91000003'),
  cardsOnly: terminal('sandbox-cards-only', '91000004'),
  bin8: terminal('sandbox-bin8', '91000005'),
  sixFields: terminal('sandbox-six-fields', '91000006'),
  everyNetwork: terminal('sandbox-every-network', '91000007'),
  localFirst: terminal('sandbox-local-first', '91000008'),
  pointOfSale: terminal('sandbox-point-of-sale', '91000009'),
  privacy: terminal('sandbox-privacy', '91000010'),
  oddName: terminal('sandbox-odd-name', '93000001'),
  otherMerchant: terminal('sandbox-other-merchant', '92000001'),
});

/** The header that causes a fault for the one call that has it. */
export const FAULT_HEADER = 'x-sandbox-fault';

/** The faults: values of that header. */
export const FAULTS = Object.freeze({
  /** No answer for 65 seconds, then the connection closes. It was done. */
  timeout: 'timeout',
  /** Status 500, `GW9005`. It was not done. */
  serverError: '500',
  /** The connection closes. It was not done. */
  drop: 'drop',
  /** The answer is late. It was done. @param {number} ms 1 to 60000 */
  slow(ms) {
    if (!Number.isInteger(ms) || ms < 1 || ms > 60_000) throw new RangeError(`A slow answer is 1 to 60000 ms late, not ${ms}.`);
    return `slow:${ms}`;
  },
});

/**
 * A test card of the sandbox that is valid for another year: by its case, or by its number.
 * @param {CaseName | (string & {})} [which]
 * @param {{ kind?: KindName }} [options] the kind of card; not with a number
 * @returns {Card}
 */
export function testCard(which = 'approved', { kind = 'visa' } = {}) {
  const number = Object.hasOwn(CASES, which) ? numberOf(kind, CASES[/** @type {CaseName} */ (which)]) : which.replaceAll(' ', '');
  if (!/^\d{12,19}$/.test(number)) throw new TypeError(`There is no test card "${which}"; there are ${Object.keys(CASES).join(', ')}, and card numbers.`);
  const year = (new Date().getFullYear() + 1) % 100;
  return { number, expiry: `12/${String(year).padStart(2, '0')}`, code: /^3[47]/.test(number) ? '1234' : '123', name: 'Ada Lovelace' };
}

/** @param {KindName} kind @param {string} digits of the case */
function numberOf(kind, digits) {
  if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`There is no kind of card "${kind}"; there are ${Object.keys(KINDS).join(', ')}.`);
  const start = KINDS[kind].prefix + digits;
  return start + checkDigit(start);
}

/** The last digit of a number (ISO/IEC 7812-1, annex B). @param {string} start */
function checkDigit(start) {
  let sum = 0;
  for (const [at, digit] of [...start].reverse().entries()) {
    const value = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10;
}

/** @param {string} prefix @param {readonly string[]} networks @param {string} issuer */
function kind(prefix, networks, issuer) {
  const [country = '', funding = '', currency = ''] = issuer.split(', ');
  return Object.freeze({ prefix, networks: Object.freeze(networks), country, funding, currency });
}

/** @param {string} key @param {string} id */
function terminal(key, id) {
  return Object.freeze({ key, terminal: id });
}
