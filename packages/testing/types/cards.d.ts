/**
 * The sandbox as `docs/testing.md` has it: its test cards by name, its keys, the faults that a call can ask for, and the test ids of the bank's page.
 * A sandbox accepts these numbers and no other; no real account has one of them.
 */
export type Card = {
    number: string;
    expiry: string;
    code: string;
    name: string;
};
export type CaseName = keyof typeof CASES;
export type KindName = keyof typeof KINDS;
/** @typedef {{ number: string, expiry: string, code: string, name: string }} Card what a buyer types; the expiry date is `MM/YY` */
/** @typedef {keyof typeof CASES} CaseName */
/** @typedef {keyof typeof KINDS} KindName */
/** What becomes of a payment, by name: the three digits before the last one of a number. Every kind of card has every case. */
export declare const CASES: Readonly<{
    approved: "000";
    /** The bank asks for a code, which is 123456. */
    challenged: "300";
    challengeFails: "301";
    challengeEndless: "302";
    deviceCheckEndless: "303";
    noDeviceCheck: "304";
    authenticationDown: "305";
    authenticationRefused: "306";
    authenticationAttempted: "307";
    challengedNoFunds: "308";
    deviceCheckSlow: "309";
    /** As `challenged`, and also where the merchant asks for an exemption. */
    challengeInsisted: "310";
    /** Declined without an authentication; the gateway asks the buyer, and the issuer again. */
    authenticationDemanded: "311";
    authenticationDemandedAgain: "312";
    authenticationDemandedInVain: "313";
    /** The issuer asks an enrolled device, where the browser can; else as `challenged`. */
    confirmed: "314";
    /** The form waits, and the bank's app confirms after three seconds. */
    confirmedInApp: "315";
    riskRefused: "600";
    laterCardExpired: "701";
    laterNoFunds: "716";
    refundFails: "730";
    /** The bank disputes what is captured, a minute later. */
    disputed: "750";
    doNotHonour: "100";
    cardExpired: "101";
    fraudSuspected: "102";
    restricted: "104";
    tooManyPins: "106";
    merchantNotValid: "109";
    amountNotValid: "110";
    numberNotValid: "111";
    functionNotSupported: "115";
    noFunds: "116";
    wrongPin: "117";
    unknownCard: "118";
    cardholderMayNot: "119";
    terminalMayNot: "120";
    overLimit: "121";
    notPermitted: "122";
    tooOften: "123";
    againstLaw: "124";
    notActive: "125";
    wrongPinBlock: "126";
    /** Shown at the field of the security code. */
    wrongCode: "129";
    issuerRefuses: "200";
    issuerSuspectsFraud: "202";
    cardNotValid: "204";
    lost: "208";
    stolen: "209";
    counterfeit: "210";
    /** The issuer compares what is typed beside the number: `COMPARED`. */
    compared: "400";
    triedTooOften: "413";
    /** Pending, and approved half a minute later. */
    pending: "888";
    pendingThenDeclined: "907";
    issuerTimedOut: "911";
    transactionNotValid: "902";
    enterAgain: "903";
    wrongFormat: "904";
    cutOver: "906";
    noRoute: "908";
    malfunction: "909";
    duplicate: "913";
    merchantMisconfigured: "999";
}>;
/** Kinds of cards, by name: how their numbers begin, their networks, and country, funding and currency of the issuer. */
export declare const KINDS: Readonly<{
    visa: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visa13: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visa19: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    mastercard: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    mastercard2: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    amex: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    diners: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    maestro: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    unionpay: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    jcb: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    discover: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visaCartesBancaires: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    mastercardCartesBancaires: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    maestroBancontact: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visaPrepaid: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    mastercardPrepaid: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visaDebit: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    mastercardDebit: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visaUsd: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visaGbp: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    mastercardJpy: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
    visaKwd: Readonly<{
        prefix: string;
        networks: readonly string[];
        country: string;
        funding: string;
        currency: string;
    }>;
}>;
/** Widely known numbers, and the case that each of them has. @type {readonly Readonly<{ number: string, network: string, which: CaseName }>[]} */
export declare const KNOWN: readonly Readonly<{
    number: string;
    network: string;
    which: CaseName;
}>[];
/** Numbers that are refused in the field. */
export declare const REFUSED_IN_FIELD: Readonly<{
    checkDigit: "4761730000000004";
    tooShort: "476173000000000";
    unknownNetwork: "9000000000000001";
}>;
/** Of the case `compared`: what is typed in place of a good value, and the case of the refusal. @type {readonly Readonly<{ typed: Readonly<Partial<Card>>, which: CaseName }>[]} */
export declare const COMPARED: readonly Readonly<{
    typed: Readonly<Partial<Card>>;
    which: CaseName;
}>[];
/** What the bank's page asks for in the case `challenged`. */
export declare const CHALLENGE_CODE = "123456";
/** Test ids of the simulated pages of banks and of alternative methods. */
export declare const TEST_IDS: Readonly<{
    bank: Readonly<{
        code: "acs-otp";
        approve: "acs-approve";
        reject: "acs-reject";
        cancel: "acs-cancel";
    }>;
    method: Readonly<{
        approve: "apm-approve";
        refuse: "apm-refuse";
        pending: "apm-pending";
        cancel: "apm-cancel";
    }>;
}>;
/** The sandbox's keys and terminals, which are public. */
export declare const KEYS: Readonly<{
    implicit: Readonly<{
        key: string;
        terminal: string;
    }>;
    explicit: Readonly<{
        key: string;
        terminal: string;
    }>;
    noToken: Readonly<{
        key: string;
        terminal: string;
    }>;
    cardsOnly: Readonly<{
        key: string;
        terminal: string;
    }>;
    bin8: Readonly<{
        key: string;
        terminal: string;
    }>;
    sixFields: Readonly<{
        key: string;
        terminal: string;
    }>;
    everyNetwork: Readonly<{
        key: string;
        terminal: string;
    }>;
    localFirst: Readonly<{
        key: string;
        terminal: string;
    }>;
    pointOfSale: Readonly<{
        key: string;
        terminal: string;
    }>;
    privacy: Readonly<{
        key: string;
        terminal: string;
    }>;
    oddName: Readonly<{
        key: string;
        terminal: string;
    }>;
    otherMerchant: Readonly<{
        key: string;
        terminal: string;
    }>;
}>;
/** The header that causes a fault for the one call that has it. */
export declare const FAULT_HEADER = "x-sandbox-fault";
/** The faults: values of that header. */
export declare const FAULTS: Readonly<{
    /** No answer for 65 seconds, then the connection closes. It was done. */
    timeout: "timeout";
    /** Status 500, `GW9005`. It was not done. */
    serverError: "500";
    /** The connection closes. It was not done. */
    drop: "drop";
    /** The answer is late. It was done. @param {number} ms 1 to 60000 */
    slow(ms: number): string;
}>;
/**
 * A test card of the sandbox that is valid for another year: by its case, or by its number.
 * @param {CaseName | (string & {})} [which]
 * @param {{ kind?: KindName }} [options] the kind of card; not with a number
 * @returns {Card}
 */
export declare function testCard(which?: CaseName | (string & {}), { kind }?: {
    kind?: KindName;
}): Card;
