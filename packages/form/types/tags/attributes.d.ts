/** The attributes of the two elements, as every framework's templates take them. An object has to be given as JSON: use the framework's package to give it as it is. */

import type { FieldId } from '../sdk/messages.js';

export interface PaymentFormAttributes {
  gateway?: string | undefined;
  session?: string | undefined;
  layout?: 'form' | 'fields' | undefined;
  label?: string | undefined;
  loadTimeoutMs?: number | string | undefined;
  theme?: 'auto' | 'light' | 'dark' | undefined;
  button?: 'auto' | 'hidden' | undefined;
  advance?: 'auto' | 'off' | undefined;
  challenge?: 'auto' | 'redirect' | undefined;
  locale?: string | undefined;
  appearance?: string | undefined;
  texts?: string | undefined;
  nonce?: string | undefined;
}

export interface PaymentFieldAttributes {
  name?: FieldId | undefined;
  for?: string | undefined;
  placeholder?: 'on' | 'off' | undefined;
  errors?: 'outside' | 'inside' | undefined;
  label?: string | undefined;
}
