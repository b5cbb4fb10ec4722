/**
 * How a form looks: the option `appearance` of `<payment-form>`, for TypeScript. `docs/appearance.md` shows it.
 *
 * ```ts
 * form.update({ appearance: { theme: 'minimal', variables: { colorAccent: '#0a7', radius: 4 } } });
 * ```
 *
 * A change replaces the former appearance as a whole. Values are read by type and written anew; what is not known or does not
 * fit is dropped with one warning on the console, and stops no payment.
 */

/** Looks with a name. `auto` follows the page: dark where its text is light. */
export type AppearanceTheme = 'auto' | 'light' | 'dark' | 'minimal' | 'high-contrast';

/** A colour in any notation of CSS without variables and functions of colours: `#1c2230`, `rgb(28 34 48 / .5)`, `oklch(…)`, `navy`. */
export type Colour = string;
/** `8`, `'8px'`, `'0.5rem'`, `'0.5em'`; a number is pixels. */
export type Length = string | number;

export interface AppearanceColours {
  colorText?: Colour;
  /** Hints and everything quiet. */
  colorMuted?: Colour;
  colorLabel?: Colour;
  colorPlaceholder?: Colour;
  /** Border of an input. */
  colorBorder?: Colour;
  /** Ground of an input. */
  colorField?: Colour;
  /** Button, ring of the focus. */
  colorAccent?: Colour;
  /** Text of the button. Default: white or black, whichever can be read. */
  colorOnAccent?: Colour;
  /** Button under the pointer. Default: a shade of `colorAccent`. */
  colorAccentHover?: Colour;
  colorError?: Colour;
  colorSuccess?: Colour;
  /** Ground of messages. */
  colorSurface?: Colour;
}

export interface AppearanceVariables extends AppearanceColours {
  /** Of labels, messages, buttons; inputs take of these names those that systems come with. */
  fontFamily?: string;
  /** Of inputs: names of fonts that systems come with, such as `'Georgia, serif'`. Fonts of the page never draw what is typed. */
  fontFamilyInput?: string;
  /** 14 to 24 px. On phones an input has at least 16 px: browsers zoom into smaller ones. */
  fontSize?: Length;
  /** 11 to 20 px. */
  fontSizeLabel?: Length;
  /** 12 to 20 px. */
  fontSizeMessage?: Length;
  fontWeight?: string | number;
  fontWeightLabel?: string | number;
  fontWeightButton?: string | number;
  /** -1 to 4 px. */
  letterSpacing?: Length;
  /** 0 to 32 px. */
  radius?: Length;
  /** Default: `radius`. */
  radiusButton?: Length;
  /** 0 to 4 px. */
  borderWidth?: Length;
  /** Ring of the focus, 2 to 3 px. */
  focusWidth?: Length;
  /** 32 to 72 px. */
  fieldHeight?: Length;
  /** 0 to 32 px. */
  fieldPadding?: Length;
  /** Between fields, 8 to 40 px. */
  gap?: Length;
  /** Between a label and its input, 0 to 16 px. */
  gapLabel?: Length;
}

/** Parts that rules can be for. */
export type AppearancePart = 'Input' | 'Placeholder' | 'Label' | 'Checkbox' | 'Error' | 'Message' | 'Button' | 'Link' | 'Title' | 'Text';
/** `filled`, `empty` and `invalid` are states of inputs. */
export type AppearanceState = 'hover' | 'active' | 'filled' | 'empty' | 'focus' | 'invalid' | 'disabled';

/**
 * Also with dashes: `background-color`. `.Input` takes no `textTransform`, `textDecorationLine` and `transitionDuration`; with a state it takes
 * colours, `borderRadius`, `boxShadow`, `outlineWidth`, `outlineOffset` and `opacity`.
 */
export interface AppearanceRule {
  color?: Colour;
  backgroundColor?: Colour;
  borderColor?: Colour;
  /** 0 to 4 px. */
  borderWidth?: Length;
  borderStyle?: 'none' | 'solid' | 'dashed' | 'dotted' | 'double';
  /** 0 to 48 px. */
  borderRadius?: Length;
  /** `none`, or up to three shadows. */
  boxShadow?: string;
  outlineColor?: Colour;
  /** 2 to 3 px: a ring can not be taken away, and not be cut off. */
  outlineWidth?: Length;
  /** -3 to 1 px. */
  outlineOffset?: Length;
  caretColor?: Colour;
  accentColor?: Colour;
  fontFamily?: string;
  /** 11 to 32 px. */
  fontSize?: Length;
  fontStyle?: 'normal' | 'italic';
  fontWeight?: string | number;
  letterSpacing?: Length;
  /** 1 to 2, without a unit. */
  lineHeight?: string | number;
  textAlign?: 'start' | 'center' | 'end';
  textDecorationLine?: 'none' | 'underline';
  textTransform?: 'none' | 'uppercase' | 'capitalize';
  paddingInline?: Length;
  paddingBlock?: Length;
  marginBlock?: Length;
  /** 0.5 to 1. */
  opacity?: string | number;
  /** Up to 500 ms; none where the buyer asked for less motion. */
  transitionDuration?: string;
}

/** A font for `fontFamily`, which draws everything but what is typed. At most four. */
export interface AppearanceFont {
  family: string;
  /**
   * Either an address, `https:` or of the page's own origin, that the *page* loads (its `connect-src` must allow that, and the server must allow
   * the page, by CORS) and whose bytes, at most 256 KiB, it hands over; or those bytes themselves, as `data:font/woff2;base64,…`.
   * The frame asks no address.
   */
  src: string;
  /** Default 400; a variable font has two: `'100 900'`. */
  weight?: string | number;
  style?: 'normal' | 'italic';
}

export interface Appearance {
  /** Default `auto`. */
  theme?: AppearanceTheme;
  /** `floating`: labels stand in empty fields, and above what is typed. Default `above`. For `layout="fields"` labels are the page's. */
  labels?: 'above' | 'floating';
  density?: 'compact' | 'normal' | 'spacious';
  variables?: AppearanceVariables;
  /** Colours for the dark theme, where they differ from those in `variables`. */
  darkVariables?: AppearanceColours;
  rules?: { [selector in `.${AppearancePart}` | `.${AppearancePart}:${AppearanceState}`]?: AppearanceRule };
  fonts?: AppearanceFont[];
  /** Selector of an input of the page whose font, colours, size and radius the form takes over; `''`: the first one of the page. */
  inherit?: string;
  /** Class names that the element wears while it has a state: `{ focused: 'ring', invalid: 'shake' }`. */
  classes?: { [state in 'loading' | 'ready' | 'failed' | 'busy' | 'complete' | 'empty' | 'filled' | 'invalid' | 'focused']?: string };
}

/** As an attribute: the name of a theme, `inherit`, `inherit` with a selector, or the object as JSON. */
export type AppearanceOption = AppearanceTheme | 'inherit' | `inherit ${string}` | Appearance;
