// Made by `cargo xtask reference` from the types of `crates/protocol`; changes by hand are lost.
// What the gateway writes into the pages of frames.

/** Everything that the form of one session needs to start. Holds no card data and no API key. */
export type Boot = {
  /** Session id, the frame's credential. */
  session: string,
  /** The merchant's order. */
  orderId: string,
  /** Origin of the merchant's page: the only one that the frame talks to. */
  merchantOrigin: string,
  /** Build version, 2 or 3. */
  version: number,
  /** The session as it was when the page was made. */
  state: StateObject,
  /** Amount in minor units, digits only. */
  amount: string,
  /** ISO 4217 letters. */
  currency: string,
  /** How many of the amount's digits stand behind the decimal separator. */
  minorDigits: number,
  /** Name of the merchant, shown to the buyer. */
  merchant: string,
  /** `PAY`, `VERIFY` or `PREAUTH`. */
  actionType: string,
  /** `FRAME` or `SERVER` (3.7). */
  closing: string,
  /** `NONE`, `LAST4` or `BIN_LAST4` (3.7). */
  cardSummary: string,
  /** Network codes that the terminal takes (10.5). */
  networks: Array<string>,
  /** Input ids in the order in which they are shown (3.4). */
  fields: Array<string>,
  /** Name and e-mail that came with the order, by input id, for a page that shows those inputs; never card data. */
  defaults?: { [key in string]: string },
  /** The gateway's date, `YYYY-MM-DD`, in UTC−12, the last time zone of the world. */
  today: string,
  /** Instant at which the session ends at the latest. */
  expiresAt: string,
  /** Whether the page gets diagnostics of how it embeds the form. */
  diagnostics: boolean,
  /** Whether the page reports which scripts and security headers it has. */
  watch?: boolean,
  /**
   * What card number and security code are encrypted with: a point of P-256, uncompressed, in base64url. Its first 16
   * characters are its id.
   */
  cardKey: string,
  /** Whether the form looks up the first digits of every card, because the terminal offers to pay in the card's own currency. */
  lookUp?: boolean,
  /** The alternative methods that the buyer may choose, in the order in which they are shown. */
  methods?: Array<BootMethod>,
  /** `PAGE` where the merchant's page takes the buyer to a method's page, and not the frame (3.7). */
  redirect?: string,
  /** The numbers of instalments that the buyer may choose among (3.7). */
  installments?: Array<number>,
  /** The saved cards that the buyer may choose among. */
  saved?: BootSaved,
  /** What the buyer is asked to agree to before the card is saved. */
  consent?: BootConsent,
  /** What the buyer is asked of the billing address. */
  billing?: BootBilling,
  /** The sum in the card's own currency, once the buyer has chosen it and the gateway has accepted the card. */
  offer?: BootOffer,
};

/** The data of a form's page: that of every frame of the session, and the form's texts about the money, in its language. */
export type FormBoot = {
  /** What is to be paid, as buyers read it. */
  amountText: string,
  /** What the pay button says. */
  payText: string,
  /** Session id, the frame's credential. */
  session: string,
  /** The merchant's order. */
  orderId: string,
  /** Origin of the merchant's page: the only one that the frame talks to. */
  merchantOrigin: string,
  /** Build version, 2 or 3. */
  version: number,
  /** The session as it was when the page was made. */
  state: StateObject,
  /** Amount in minor units, digits only. */
  amount: string,
  /** ISO 4217 letters. */
  currency: string,
  /** How many of the amount's digits stand behind the decimal separator. */
  minorDigits: number,
  /** Name of the merchant, shown to the buyer. */
  merchant: string,
  /** `PAY`, `VERIFY` or `PREAUTH`. */
  actionType: string,
  /** `FRAME` or `SERVER` (3.7). */
  closing: string,
  /** `NONE`, `LAST4` or `BIN_LAST4` (3.7). */
  cardSummary: string,
  /** Network codes that the terminal takes (10.5). */
  networks: Array<string>,
  /** Input ids in the order in which they are shown (3.4). */
  fields: Array<string>,
  /** Name and e-mail that came with the order, by input id, for a page that shows those inputs; never card data. */
  defaults?: { [key in string]: string },
  /** The gateway's date, `YYYY-MM-DD`, in UTC−12, the last time zone of the world. */
  today: string,
  /** Instant at which the session ends at the latest. */
  expiresAt: string,
  /** Whether the page gets diagnostics of how it embeds the form. */
  diagnostics: boolean,
  /** Whether the page reports which scripts and security headers it has. */
  watch?: boolean,
  /**
   * What card number and security code are encrypted with: a point of P-256, uncompressed, in base64url. Its first 16
   * characters are its id.
   */
  cardKey: string,
  /** Whether the form looks up the first digits of every card, because the terminal offers to pay in the card's own currency. */
  lookUp?: boolean,
  /** The alternative methods that the buyer may choose, in the order in which they are shown. */
  methods?: Array<BootMethod>,
  /** `PAGE` where the merchant's page takes the buyer to a method's page, and not the frame (3.7). */
  redirect?: string,
  /** The numbers of instalments that the buyer may choose among (3.7). */
  installments?: Array<number>,
  /** The saved cards that the buyer may choose among. */
  saved?: BootSaved,
  /** What the buyer is asked to agree to before the card is saved. */
  consent?: BootConsent,
  /** What the buyer is asked of the billing address. */
  billing?: BootBilling,
  /** The sum in the card's own currency, once the buyer has chosen it and the gateway has accepted the card. */
  offer?: BootOffer,
};

/** The data of a page with one field: that of every frame of the session, and the field. */
export type FieldBoot = {
  /** The field of this page. */
  field: BootField,
  /** Session id, the frame's credential. */
  session: string,
  /** The merchant's order. */
  orderId: string,
  /** Origin of the merchant's page: the only one that the frame talks to. */
  merchantOrigin: string,
  /** Build version, 2 or 3. */
  version: number,
  /** The session as it was when the page was made. */
  state: StateObject,
  /** Amount in minor units, digits only. */
  amount: string,
  /** ISO 4217 letters. */
  currency: string,
  /** How many of the amount's digits stand behind the decimal separator. */
  minorDigits: number,
  /** Name of the merchant, shown to the buyer. */
  merchant: string,
  /** `PAY`, `VERIFY` or `PREAUTH`. */
  actionType: string,
  /** `FRAME` or `SERVER` (3.7). */
  closing: string,
  /** `NONE`, `LAST4` or `BIN_LAST4` (3.7). */
  cardSummary: string,
  /** Network codes that the terminal takes (10.5). */
  networks: Array<string>,
  /** Input ids in the order in which they are shown (3.4). */
  fields: Array<string>,
  /** Name and e-mail that came with the order, by input id, for a page that shows those inputs; never card data. */
  defaults?: { [key in string]: string },
  /** The gateway's date, `YYYY-MM-DD`, in UTC−12, the last time zone of the world. */
  today: string,
  /** Instant at which the session ends at the latest. */
  expiresAt: string,
  /** Whether the page gets diagnostics of how it embeds the form. */
  diagnostics: boolean,
  /** Whether the page reports which scripts and security headers it has. */
  watch?: boolean,
  /**
   * What card number and security code are encrypted with: a point of P-256, uncompressed, in base64url. Its first 16
   * characters are its id.
   */
  cardKey: string,
  /** Whether the form looks up the first digits of every card, because the terminal offers to pay in the card's own currency. */
  lookUp?: boolean,
  /** The alternative methods that the buyer may choose, in the order in which they are shown. */
  methods?: Array<BootMethod>,
  /** `PAGE` where the merchant's page takes the buyer to a method's page, and not the frame (3.7). */
  redirect?: string,
  /** The numbers of instalments that the buyer may choose among (3.7). */
  installments?: Array<number>,
  /** The saved cards that the buyer may choose among. */
  saved?: BootSaved,
  /** What the buyer is asked to agree to before the card is saved. */
  consent?: BootConsent,
  /** What the buyer is asked of the billing address. */
  billing?: BootBilling,
  /** The sum in the card's own currency, once the buyer has chosen it and the gateway has accepted the card. */
  offer?: BootOffer,
};

/** The data of the page that replaces a field which can not be shown. Contains no data of a session. */
export type UnavailableFieldBoot = {
  /** The requested field id; empty if it is no valid id. */
  id: string,
  /** Origin of the page that may be told. */
  origin: string | null,
  /** `HF0003`, `HF9002` or `HF9003` (7.5). */
  code: import('../sdk/build-messages.js').BuildErrorCode,
  /** English, for developers. */
  message: string,
};

/** The one field of a page, and how the merchant wants it. */
export type BootField = {
  /** Field id (2.10): of an input, of a button, or `GDI`. */
  id: string,
  /** Which frame runs the widget. */
  driver: Driver,
  /** Whether a placeholder is shown (3.5). */
  placeholder: boolean,
  /** Where the field's messages are read. */
  errors: ErrorsPlace,
  /** The merchant's own label of the field. Without it, our label is the accessible name. */
  label: string | null,
  /** Name or e-mail that came with the order (5.2); never card data. */
  defaultValue: string | null,
  /** The session's trace id. */
  correlationId: string,
};

/** Which frame of the session runs the widget. */
export type Driver = 'self' | 'form';

/** Where a field's messages are read. */
export type ErrorsPlace = 'inside' | 'outside';

/** An alternative method, as the form shows it. */
export type BootMethod = {
  /** Its code (10.3), and the id of its button. */
  id: string,
  /** What buyers read. */
  label: string,
  /** Path of its picture; absent where there is none. */
  picture?: string,
};

/** The saved cards of the order's customer. */
export type BootSaved = {
  /** Newest first. */
  cards: Array<SavedCard>,
  /** Whether the buyer may have one removed. */
  removable: boolean,
};

/** The parts of a billing address beside country and postal code. */
export type BootAddress = {
  /** Street and house number, if they came with the order. */
  line1?: string,
  /** The second line that came with the order. */
  line2?: string,
  /** The city that came with the order. */
  city?: string,
  /** The state that came with the order. */
  state?: string,
  /**
   * The format of each country's addresses, as in `ACSZ ACSZ state`, by its two letters: the parts in their order (`A` two lines, `C` the
   * city, `S` the state, `Z` the postal code), those that are needed, and what a state is called.
   */
  formats: { [key in string]: string },
  /** The states of each country that lists them, by its two letters: `AL Alabama|AK Alaska`. */
  states: { [key in string]: string },
};

/** The billing address that the form asks for: a country, its postal code, and all else if it is asked for. */
export type BootBilling = {
  /** Two letters of the country that is chosen at first: that of the order, or else of the browser. */
  country?: string,
  /** The postal code that came with the order. */
  postalCode?: string,
  /** The rule of each country's postal codes, as in `zip required #####|#####-####`, by its two letters. Empty: it has none. */
  countries: { [key in string]: string },
  /** What is asked beside country and postal code. Absent if nothing is. */
  address?: BootAddress,
};

/** The consent to saving the card. */
export type BootConsent = {
  /** Whether the payment needs it. */
  required: boolean,
  /** Who pays with the card later. */
  kind: ConsentKind,
  /** The smallest number of days between charges. */
  gapDays?: number,
  /** The last day, `YYYY-MM-DD`. */
  lastDay?: string,
  /** How to stop it, in the merchant's words. */
  text?: string,
};

/** Who starts later payments with a saved card (2.5). */
export type ConsentKind = 'CIT' | 'MIT_UNSCHEDULED' | 'MIT_SCHEDULED';

/** A currency offer that was taken. */
export type BootOffer = {
  /** Minor units of `currency`. */
  amount: string,
  /** ISO 4217 letters. */
  currency: string,
  /** How many of the amount's digits stand behind the decimal separator. */
  minorDigits: number,
};

/** A saved card, as the buyer recognises it. */
export type SavedCard = {
  /** The id with which it is chosen and removed: opaque, valid for this customer only. */
  id: string,
  /** Code of its network (10.5). */
  network: string,
  /** Name of its network, as buyers read it. */
  brand: string,
  /** Its last four digits. */
  last4: string,
  /** The month in which it ends, `YYYY-MM`. */
  expires: string,
  /** Whether that month is over: then the card is shown, but can not be chosen. */
  expired?: boolean,
};

/** Answer of `GET /build/state` and of the completion calls, as a frame sees it (2.10). */
export type StateObject = {
  /** Where the session stands. */
  state: BuildState,
  /** With `REDIRECTED_TO_EXTERNAL_DOMAIN`. */
  url?: string,
  /** With `PAYMENT_COMPLETE`, and with a refusal that may be tried again. */
  operation?: OperationSummary,
  /** With the two collecting states. */
  fieldSet?: FieldSet,
  /** With a redirect to an alternative method: its code. Without it `url` is the issuer's page. */
  method?: string,
  /** While the session is open: what it charges. The merchant's server may have changed it since the form showed it. */
  sum?: SessionSum,
  /** What the buyer pays in its place, once an offer in the card's own currency was taken with the card. */
  offer?: SessionSum,
  /** Whole seconds until an open session, or its challenge, ends: an extension of ours, for frames. */
  secondsLeft?: number,
};

/** A sum, as a frame needs it to show it: an extension of ours, for frames. */
export type SessionSum = {
  /** Minor units of `currency`, digits only. */
  amount: string,
  /** ISO 4217 letters. */
  currency: string,
  /** How many of the amount's digits stand behind the decimal separator. */
  minorDigits: number,
};

/** Where a build session stands (2.10). */
export type BuildState =
  | 'PAYMENT_METHOD_SELECTION'
  | 'CARD_DATA_COLLECTION'
  | 'READY_FOR_PAYMENT'
  | 'REDIRECTED_TO_EXTERNAL_DOMAIN'
  | 'PAYMENT_COMPLETE'
  | 'GDI_VERIFICATION';

/** The fields of a session (2.10). `fields` is `[]` when there is nothing to show. */
export type FieldSet = {
  /** The session that the fields belong to. */
  sessionId: string,
  /** In the order in which they are shown. */
  fields: Array<Field>,
};

/** One thing that the page must show (2.10). */
export type Field = {
  /** `TEXT`, `ACTION` or `GDI`. */
  type: 'TEXT' | 'ACTION' | 'GDI',
  /** `CARD_FIELD`, `CARD`, `APM` or `GDI`. */
  class: string,
  /** Field id, e.g. `CARD_NUMBER`. */
  id: string,
  /** Address of the frame. */
  src: string,
};

/** What a frame needs to know of an operation (2.7). Everything else stays with the merchant's server. */
export type OperationSummary = {
  /** The merchant's order. */
  orderId: string,
  /** 18 digits. */
  operationId: string,
  /** E.g. `AUTHORIZATION`, `CANCEL`. */
  operationType: string,
  /** E.g. `EXECUTED`, `DECLINED`. An unlisted spelling is treated as unknown, never as a success. */
  operationResult: string,
  /** Instant, UTC with milliseconds. */
  operationTime: string,
  /** Only the members that a frame may show. */
  additionalData?: FrameAdditionalData,
};

/** The one member of `additionalData` that a frame reads: why the issuer refused. */
export type FrameAdditionalData = {
  /** ISO response code (10.6), e.g. `116`. */
  authorizationStatus?: string,
};
