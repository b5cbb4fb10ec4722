/**
 * The states of the form that the gallery shows: what the page says at the start, what the gateway would answer, and what is
 * done in the form. A state's name is the id of its session.
 */

/**
 * @typedef {object} State
 * @property {string} title
 * @property {Record<string, unknown>} [boot] what differs from `BOOT`
 * @property {Record<string, object>} [answers] by path below /api; beside state and card there are none but these, and no answer ever comes
 * @property {Record<string, unknown>} [follows] another session takes over when this one is over: what differs in it
 * @property {[verb: 'type' | 'leave' | 'press' | 'focus', id: string, text?: string][]} [acts]
 * @property {string} [until] the form says that it is in this state
 * @property {string} [shows] what comes after that: a selector
 * @property {string} [focuses] the id of what takes the focus in the end; such a state is shown before the others
 * @property {boolean} [isFocused] it has the focus when the sheet is drawn
 * @property {boolean} [wasNarrow] its frame was laid out narrower than any form, as in a collapsed panel
 * @property {boolean} [brief] its text changes after some seconds: it is shown after the others
 * @property {[verb: 'press', id: string][]} [last] and is done then
 * @property {boolean} [broken] its program is not there
 * @property {boolean} [awaited] its page is still on its way
 * @property {Record<string, string>} [attributes] of the element
 */

const operation = (/** @type {string} */ operationResult, /** @type {string} */ authorizationStatus = '00') => ({ operationId: '112233445566778899', orderId: 'A-1', operationResult, additionalData: { authorizationStatus } });
const complete = (/** @type {string} */ result, /** @type {string} */ status = '00') => ({ state: { state: 'PAYMENT_COMPLETE', operation: operation(result, status) } });

export const BOOT = {
  session: '', orderId: 'A-1', merchantOrigin: '', version: 3, state: { state: 'CARD_DATA_COLLECTION' }, amount: '3545', currency: 'EUR', minorDigits: 2, merchant: 'Demo shop',
  actionType: 'PAY', closing: 'FRAME', cardSummary: 'NONE', networks: ['VISA', 'MC', 'AMEX', 'MAESTRO', 'JCB', 'DINERS', 'DISCOVER', 'UNIONPAY'],
  fields: ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'], today: '2026-11-20', expiresAt: '2026-11-20T10:30:00.000Z', diagnostics: true,
  cardKey: 'BGHTSSEJoOJePBBD-4YFiIGwifQA9eUSaB0Nh7gIUP7llX7EULnMCHcbIPmaveLESBYCb63g6aszr__l-gsgyOY',
};

/** The gateway's data of a submitted card. */
export const CARD_DATA = { bin: '476173', lastFourDigits: '0003', expiringDate: '1230', circuit: 'VISA' };

/** @type {NonNullable<State['acts']>} */
const CARD = [['type', 'CARD_NUMBER', '4761730000000003'], ['type', 'EXPIRATION_DATE', '1230'], ['type', 'SECURITY_CODE', '123'], ['type', 'CARDHOLDER_NAME', 'Ada Lovelace']];

const OVER = { errors: [{ code: 'PS0061', description: 'over' }] };

/** States in which the buyer enters something. @type {Record<string, State>} */
export const ENTRY = {
  awaited: { title: 'On its way', awaited: true, attributes: { loadtimeoutms: '600000' } },
  empty: { title: 'Empty' },
  filled: { title: 'Filled', acts: CARD },
  brand: { title: 'Network found, longer code', acts: [['type', 'CARD_NUMBER', '374245']] },
  missing: { title: 'Submitted empty', acts: [['press', 'pay']] },
  wrong: { title: 'Wrong in every way', acts: [['type', 'CARD_NUMBER', '4761730000000004'], ['type', 'EXPIRATION_DATE', '0120'], ['type', 'SECURITY_CODE', '1'], ['leave', 'CARD_NUMBER'], ['leave', 'EXPIRATION_DATE'], ['leave', 'SECURITY_CODE']] },
  long: { title: 'All inputs that there are', boot: { fields: [...BOOT.fields, 'CARDHOLDER_SURNAME', 'CARDHOLDER_EMAIL', 'PRIVACY_CONDITIONS'] } },
  emailSuggestion: { title: 'Another e-mail address is offered', boot: { fields: [...BOOT.fields, 'CARDHOLDER_EMAIL'] }, acts: [['type', 'CARDHOLDER_EMAIL', 'ada@gmial.com'], ['leave', 'CARDHOLDER_EMAIL']], shows: '.meant' },
  declined: { title: 'Declined, may be tried again', boot: { state: { state: 'CARD_DATA_COLLECTION', operation: operation('DECLINED', '51') } } },
  busy: { title: 'At work', acts: [...CARD, ['press', 'pay']], until: 'PROCESSING', brief: true },
  asked: { title: 'Asked before the payment is given up', acts: [...CARD, ['press', 'cancel']], shows: '#question:not([hidden])' },
  hold: { title: 'A sum is held', boot: { actionType: 'PREAUTH' } },
  verify: { title: 'A card is checked', boot: { actionType: 'VERIFY', amount: '0' } },
  followed: { title: 'Another session took over, with another sum', acts: [...CARD, ['press', 'pay']], answers: { 'fe/build/text': OVER }, follows: { amount: '4000' }, shows: '#message:not([hidden])' },
  both: { title: 'A card of two networks', boot: { networks: ['VISA', 'MC', 'CARTES_BANCAIRES'] }, answers: { 'fe/build/bin': { networks: ['VISA', 'CARTES_BANCAIRES'] } }, acts: [['type', 'CARD_NUMBER', '4761732500000004']], shows: '#networks:not([hidden])', last: [['press', 'network-1']] },
  focused: { title: 'Focused', acts: [['focus', 'CARD_NUMBER']], isFocused: true },
};

/** States in which the form shows a message or an outcome. @type {Record<string, State>} */
export const ENDS = {
  method: { title: 'Choice of method', boot: { state: { state: 'PAYMENT_METHOD_SELECTION' } } },
  review: { title: 'Back at a card that is known', boot: { state: { state: 'READY_FOR_PAYMENT' } } },
  challenge: { title: 'Challenge of the bank', boot: { state: { state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', url: '/threeds/challenge/bank' } } },
  approved: { title: 'Paid', boot: complete('AUTHORIZED') },
  held: { title: 'Held', boot: { ...complete('AUTHORIZED'), actionType: 'PREAUTH' } },
  verified: { title: 'Card checked', boot: { ...complete('AUTHORIZED'), actionType: 'VERIFY', amount: '0' } },
  pending: { title: 'In progress', boot: complete('PENDING') },
  refused: { title: 'Declined for good', boot: complete('DECLINED', '51') },
  cancelled: { title: 'Cancelled', boot: complete('CANCELED') },
  failed: { title: 'Failed', boot: complete('FAILED') },
  reversed: { title: 'Given back', boot: complete('VOIDED') },
  unknown: { title: 'Not known', boot: complete('SOMETHING_NEW') },
  expired: { title: 'Time is over', acts: [...CARD, ['press', 'pay']], answers: { 'fe/build/text': OVER }, until: 'EXPIRED' },
  broken: { title: 'The program did not start', broken: true },
};

const METHODS = Object.entries({ PAYPAL: 'PayPal', KLARNA: 'Klarna', IDEAL: 'iDEAL', BLIK: 'BLIK', PAY_BY_BANK: 'Pay by Bank' }).map(([id, label]) => ({ id, label, picture: `/assets/methods/${id}.svg` }));
const SAVED = {
  cards: [
    { id: 'a', network: 'VISA', brand: 'Visa', last4: '0003', expires: '2030-12' },
    { id: 'b', network: 'AMEX', brand: 'American Express', last4: '0009', expires: '2028-03' },
    { id: 'c', network: 'MC', brand: 'Mastercard', last4: '0001', expires: '2026-05', expired: true },
  ],
  removable: true,
};
const BILLING = { country: 'US', countries: { AE: '', DE: 'postal required #####', GB: 'postal required @@#*_#@@|@#_#@@', US: 'zip required #####|#####-####' } };
const ADDRESS = {
  ...BILLING,
  address: {
    line1: '1 Infinite Loop', formats: { AE: 'AS AS emirate', DE: 'AZC AZC', GB: 'ACZ ACZ', US: 'ACSZ ACSZ state' },
    states: { AE: 'AZ أبو ظبي (Abu Dhabi)|DU دبي (Dubai)', US: 'CA California|NY New York' },
  },
};
const CONSENT = { required: true, kind: 'MIT_SCHEDULED', gapDays: 30, lastDay: '2027-12-31' };
const OFFER = { currencyOffer: { offerId: 'o', amount: '3952', currency: 'USD', minorDigits: 2, exchangeRate: '0.897085020', markUpPercent: '3.00', expiresInSeconds: 300 } };

/** What is asked beside the card. @type {Record<string, State>} */
export const CHOICES = {
  methods: { title: 'Other methods than the card', boot: { state: { state: 'PAYMENT_METHOD_SELECTION' }, methods: METHODS }, shows: '.method img' },
  elsewhere: { title: 'Paid on another page', boot: { state: { state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', url: '/threeds/challenge/bank', method: 'IDEAL' }, redirect: 'PAGE' } },
  billing: { title: 'Country and postal code of the billing address', boot: { billing: BILLING }, acts: CARD, shows: '#choice-billing' },
  unbilled: { title: 'Pressed without a postal code', boot: { billing: { ...BILLING, country: 'GB' } }, acts: CARD, shows: '#choice-billing', last: [['press', 'pay']] },
  address: { title: 'The whole billing address', boot: { billing: ADDRESS }, acts: CARD, shows: '#choice-billing' },
  unaddressed: { title: 'Pressed with parts of the address missing', boot: { billing: ADDRESS }, acts: CARD, shows: '#choice-billing', last: [['press', 'pay']] },
  elsewhere_billed: { title: 'An address with the postal code before the city', boot: { billing: { ...ADDRESS, country: 'DE' } }, acts: CARD, shows: '#choice-billing' },
  installments: { title: 'Instalments', boot: { installments: [3, 6] }, acts: CARD, shows: '#choice-installments' },
  offer: { title: 'An offer in the card\'s currency', boot: { lookUp: true }, answers: { 'fe/build/bin': OFFER }, acts: CARD, shows: '#choice-currency' },
  undecided: { title: 'Pressed without a choice of currency', boot: { lookUp: true }, answers: { 'fe/build/bin': OFFER }, acts: CARD, shows: '#choice-currency', last: [['press', 'pay']] },
  decided: { title: 'Choices made', boot: { lookUp: true, installments: [3] }, answers: { 'fe/build/bin': OFFER }, acts: CARD, shows: '#choice-currency', last: [['press', 'choice-currency-card'], ['press', 'choice-installments-3']] },
  repriced: { title: 'The shop asks for another sum', boot: { state: { state: 'READY_FOR_PAYMENT' }, closing: 'SERVER' }, answers: { 'build/state': { state: 'READY_FOR_PAYMENT', sum: { amount: '4000', currency: 'EUR', minorDigits: 2 } } }, shows: '#press:not([hidden])', focuses: 'title' },
  saved: { title: 'Saved cards', boot: { saved: SAVED }, shows: '#choice-saved' },
  removing: { title: 'A saved card is about to be removed', boot: { saved: { ...SAVED, cards: SAVED.cards.slice(0, 2) } }, shows: '#choice-saved', last: [['press', 'choice-saved-b-remove']] },
  another: { title: 'Another card than the saved ones', boot: { saved: { cards: SAVED.cards.slice(1), removable: false } }, shows: '#choice-saved', last: [['press', 'choice-saved-other']] },
  keeping: { title: 'Asked whether the card may be saved', boot: { consent: CONSENT }, acts: CARD, shows: '#choice-consent' },
  unkept: { title: 'Pressed without a consent that is needed', boot: { consent: { required: true, kind: 'CIT', text: 'To stop, write to stop@shop.example.' } }, acts: CARD, shows: '#choice-consent', last: [['press', 'pay']] },
  consent: { title: 'Privacy notice', boot: { fields: [...BOOT.fields, 'PRIVACY_CONDITIONS'] }, acts: [...CARD, ['press', 'pay']] },
};

/** Focus, direction and height after what buyers and pages do. @type {Record<string, State>} */
export const DETAILS = {
  retried: { title: 'Tried again after a refusal: the focus is in the card number', boot: complete('DECLINED', '51'), follows: { state: BOOT.state }, shows: '#panel:not([hidden]) #press:not([hidden]):not(:empty)', last: [['press', 'press']], focuses: 'CARD_NUMBER', isFocused: true },
  month: { title: 'Arabic: the month alone', attributes: { locale: 'ar' }, acts: [['type', 'EXPIRATION_DATE', '12']] },
  year: { title: 'Arabic: half of the year, and the month at the same place', attributes: { locale: 'ar' }, acts: [['type', 'EXPIRATION_DATE', '123']] },
  opened: { title: 'Opened after it was narrower than any form', wasNarrow: true },
};

/** All of them. */
export const STATES = { ...ENTRY, ...ENDS, ...CHOICES, ...DETAILS };
