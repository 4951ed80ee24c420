/**
 * Language options (`--option timeout=fail`, or `options` in the configuration). Options of one language are grouped under its name; an option at the top
 * level applies to every language that has one of that name.
 */
export interface Options {
  readonly [name: string]: OptionValue | LanguageOptions;
}

/** The options of one language. */
export interface LanguageOptions {
  readonly [name: string]: OptionValue;
}

/** The value of an option. */
export type OptionValue = string | number | boolean;

/** An option as its language declares it. */
export interface OptionDefinition {
  readonly name: string;
  /** The values it accepts; if omitted, those that `text` accepts, or any string. */
  readonly values?: readonly string[] | undefined;
  readonly text?: TextOption | undefined;
  readonly fallback?: string | undefined;
  readonly summary: string;
}

/** Which strings an option accepts. */
export interface TextOption {
  /** One word, such as `instant`. */
  readonly noun: string;
  /** For messages, at the end of a sentence: "an instant, such as `2026-01-01T00:00:00Z`". */
  readonly wanted: string;
  readonly accepts: (text: string) => boolean;
}
