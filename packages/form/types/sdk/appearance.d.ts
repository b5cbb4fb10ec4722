/**
 * How a form looks: the option `appearance` of `<payment-form>`, for TypeScript. `docs/appearance.md` shows it.
 *
 * ```ts
 * form.update({ appearance: { theme: 'minimal', variables: { colorAccent: '#0a7', radius: 4 } } });
 * ```
 *
 * A change replaces the whole appearance. Values are read by type and written again; what is not known or does not
 * fit is dropped with one warning on the console, and stops no payment.
 */

/** The themes. `auto` follows the page: dark if its text is light. */
export type AppearanceTheme = 'auto' | 'light' | 'dark' | 'minimal' | 'high-contrast';

/** A colour in any notation of CSS, without variables and without functions that compute colours: `#1c2230`, `rgb(28 34 48 / .5)`, `oklch(…)`, `navy`. */
export type Colour = string;
/** `8`, `'8px'`, `'0.5rem'`, `'0.5em'`; a number is pixels. */
export type Length = string | number;

export interface AppearanceColours {
  colorText?: Colour;
  /** Hints and other secondary text. */
  colorMuted?: Colour;
  colorLabel?: Colour;
  colorPlaceholder?: Colour;
  /** Border of an input. */
  colorBorder?: Colour;
  /** Background of an input. */
  colorField?: Colour;
  /** Button, focus ring. */
  colorAccent?: Colour;
  /** Text of the button. Default: white or black, whichever can be read. */
  colorOnAccent?: Colour;
  /** Button under the pointer. Default: a shade of `colorAccent`. */
  colorAccentHover?: Colour;
  colorError?: Colour;
  colorSuccess?: Colour;
  /** Background of messages. */
  colorSurface?: Colour;
}

export interface AppearanceVariables extends AppearanceColours {
  /** Of labels, messages, buttons. Inputs use only those of these names that are fonts of operating systems. */
  fontFamily?: string;
  /** Of inputs: names of fonts of operating systems, such as `'Georgia, serif'`. Fonts of the page never draw what is typed. */
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
  /** Width of the focus ring, 2 to 3 px. */
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
  /** 2 to 3 px: the focus ring can not be removed, and is not cut off. */
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
  /** Up to 500 ms; none if the buyer has asked for reduced motion. */
  transitionDuration?: string;
}

/** A font for `fontFamily`, which draws everything but what is typed. At most four. */
export interface AppearanceFont {
  family: string;
  /**
   * Either an address, `https:` or of the page's own origin: the *page* loads it (its `connect-src` must allow that, and the server must allow
   * the page, by CORS) and passes on the bytes, at most 256 KiB. Or the bytes themselves, as `data:font/woff2;base64,…`.
   * The frame fetches no font.
   */
  src: string;
  /** Default 400; a variable font has two: `'100 900'`. */
  weight?: string | number;
  style?: 'normal' | 'italic';
}

export interface Appearance {
  /** Default: `auto`. */
  theme?: AppearanceTheme;
  /** `floating`: labels are inside of empty fields, and above what is typed. Default `above`. With `layout="fields"` the page has the labels. */
  labels?: 'above' | 'floating';
  density?: 'compact' | 'normal' | 'spacious';
  variables?: AppearanceVariables;
  /** Colours for the dark theme, where they differ from those in `variables`. */
  darkVariables?: AppearanceColours;
  rules?: { [selector in `.${AppearancePart}` | `.${AppearancePart}:${AppearanceState}`]?: AppearanceRule };
  fonts?: AppearanceFont[];
  /** Selector of an input of the page whose font, colours, size and radius the form copies; `''`: the first input of the page. */
  inherit?: string;
  /** Class names that the element has during a state: `{ focused: 'ring', invalid: 'shake' }`. */
  classes?: { [state in 'loading' | 'ready' | 'failed' | 'busy' | 'complete' | 'empty' | 'filled' | 'invalid' | 'focused']?: string };
}

/** As an attribute: the name of a theme, `inherit`, `inherit` with a selector, or the object as JSON. */
export type AppearanceOption = AppearanceTheme | 'inherit' | `inherit ${string}` | Appearance;
