/** Test cards of the sandbox, by their result. The expiry date is always a year ahead. */

const inOneYear = String((new Date().getFullYear() + 1) % 100).padStart(2, '0');

export const HOLDER = 'Ada Lovelace';

/** @typedef {{ number: string, shown: string, expiry: string, code: string, name: string }} Card */

/** @param {string} shown with gaps, as the form shows it @param {string} [code] @returns {Card} */
const card = (shown, code = '123') => ({ number: shown.replaceAll(' ', ''), shown, expiry: `12 / ${inOneYear}`, code, name: HOLDER });

export const APPROVED = card('4761 7300 0000 0003');
export const CHALLENGED = card('4761 7300 0000 3007');
/** Declined without an authentication, approved after a challenge. */
export const DEMANDING = card('4761 7300 0000 3114');
/** Declined for want of an authentication, also after a challenge. */
export const UNCONVINCED = card('4761 7300 0000 3122');
/** Confirmed by the device, or challenged. */
export const CONFIRMED = card('4761 7300 0000 3148');
/** Confirmed in the bank's app after three seconds. */
export const IN_APP = card('4761 7300 0000 3155');
export const CHALLENGE_FAILS = card('4761 7300 0000 3015');
export const NO_FUNDS = card('4761 7300 0000 1167');
export const WRONG_CODE = card('4761 7300 0000 1290');
export const OTHER_NETWORK = card('5413 3300 0000 0001');
export const AMEX = card('3742 450000 00009', '1234');
export const DEVICE_CHECK_FAILS = card('4761 7300 0000 3031');
/** Refused in the field. */
export const WRONG_CHECK_DIGIT = card('4761 7300 0000 0004');
export const UNKNOWN_NETWORK = card('9000 0000 0000 0001');
export const OUT_OF_DATE = { ...APPROVED, expiry: '01 / 20' };
/** Digits without long repetitions, so that a part of the number is not found by chance. */
export const DISTINCT_APPROVED = card('4349 9401 9900 4549', '739');
export const DISTINCT_DECLINED = card('4349 9401 9999 7007', '846');

/** How numbers of each network begin, and how long they are (`docs/networks.md`). */
const NETWORKS = /** @type {[string, number[]][]} */ ([
  ['400000', [13, 16, 19]], // Visa
  ['541333', [16]], // Mastercard
  ['374245', [15]], // American Express
  ['361489', [14, 15, 16, 17, 18, 19]], // Diners Club
  ['601100', [16, 17, 18, 19]], // Discover
  ['353011', [16, 17, 18, 19]], // JCB
  ['620000', [16, 17, 18, 19]], // UnionPay
  ['670300', [13, 14, 15, 16, 17, 18, 19]], // Maestro
]);

/** Adds the check digit. @param {string} digits */
function withCheckDigit(digits) {
  const sum = Array.from(digits, Number).reverse().reduce((sum, digit, place) => sum + (place % 2 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** A number of each network and length, with a code of the network. */
export const EVERY_LENGTH = NETWORKS.flatMap(([first, lengths]) => lengths.map((length) => /** @type {const} */ ([withCheckDigit(first.padEnd(length - 1, '0')), first === '374245' ? '1234' : '123'])));

/** The longest number of each network, with a code of the network. */
export const EVERY_NETWORK = EVERY_LENGTH.filter(([number], place) => EVERY_LENGTH[place + 1]?.[0].slice(0, 4) !== number.slice(0, 4));

/** A card of each network that the sandbox approves; of Visa, each length. Any other number is refused. */
export const APPROVED_OF_EVERY_NETWORK = /** @type {const} */ ([
  { network: 'VISA', number: '4349940199004549', code: '739' },
  { network: 'MC', number: '5186151650005008', code: '123' },
  { network: 'AMEX', number: '371449635398431', code: '1234' },
  { network: 'DINERS', number: '30569309025904', code: '123' },
  { network: 'MAE', number: '6759649826438453', code: '123' },
  { network: 'UPI', number: '6205500000000000004', code: '123' },
  { network: 'JCB', number: '3530111333300000', code: '123' },
  { network: 'DISCOVER', number: '6011111111111117', code: '123' },
  { network: 'VISA', number: '4761730000000', code: '123' },
  { network: 'VISA', number: '4761730000000000000', code: '123' },
]);
