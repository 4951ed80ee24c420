import { addPlugins, checkPlugin, type Registry } from "../plugins/plugin.ts";
import type { Target } from "../target/contract.ts";
import { didYouMean } from "../text/messages.ts";

/** The expected form of one option. */
export interface OptionRule {
  /** For messages: "a string". */
  readonly wanted: string;
  readonly isRequired?: boolean;
  fits(value: unknown): boolean;
}

/** The expected options of a function. */
export type OptionRules = { readonly [name: string]: OptionRule };

/**
 * Checks the options of an untyped caller. Mistakes in the options themselves are a `TypeError`; those in the files
 * that they contain are diagnostics.
 */
export function checkOptions(options: unknown, rules: OptionRules): void {
  if (!isRecord(options)) throw new TypeError("The options must be an object.");
  for (const [name, { wanted, isRequired, fits }] of Object.entries(rules)) {
    const value = options[name];
    if (value === undefined ? isRequired : !fits(value)) throw new TypeError(`\`${name}\` must be ${wanted}.`);
  }
  const known = Object.keys(rules);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? `Known options: ${known.map((each) => `\`${each}\``).join(", ")}.`;
    throw new TypeError(`Unknown option \`${name}\`. ${hint}`);
  }
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSource = (value: unknown): boolean =>
  isRecord(value) && typeof value["path"] === "string" && typeof value["text"] === "string";

const isNamed = (value: unknown): boolean => isRecord(value) && typeof value["name"] === "string";

const isMember = (value: unknown, name: string): boolean => isRecord(value) && typeof value[name] === "function";

/** An array of source files. */
export const sourcesRule: OptionRule = {
  wanted: "an array of `{ path, text }` objects",
  fits: (value) => Array.isArray(value) && value.every(isSource),
};

/** Names of definitions. */
export const namesRule: OptionRule = {
  wanted: "an array of strings",
  fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

/** A string. */
export const stringRule: OptionRule = { wanted: "a string", fits: (value) => typeof value === "string" };

/** True or false. */
export const booleanRule: OptionRule = { wanted: "true or false", fits: (value) => typeof value === "boolean" };

/** The name of a target, or a target. */
export const targetRule: OptionRule = {
  wanted: "the name of a target, or a target",
  fits: (value) => typeof value === "string" || isNamed(value),
};

/** A signal. */
export const signalRule: OptionRule = {
  wanted: "an AbortSignal",
  fits: (value) => isMember(value, "throwIfAborted"),
};

/** A host. */
export const hostRule: OptionRule = {
  wanted: "an object with a function `read`",
  fits: (value) => isMember(value, "read"),
};

/** Plug-ins; what is wrong with one is checked later. */
export const pluginsRule: OptionRule = {
  wanted: "an array of plug-ins",
  fits: (value) => Array.isArray(value) && value.every(isNamed),
};

/** The options of all functions that read definitions. */
export const programRules = {
  config: { wanted: "a `{ path, text }` object, or an object with the keys of a configuration", fits: isRecord },
  host: hostRule,
  plugins: pluginsRule,
  signal: signalRule,
} as const satisfies OptionRules;

/** The options of `check`. */
export const checkRules = {
  sources: { ...sourcesRule, isRequired: true },
  from: stringRule,
  pick: namesRule,
  placeholders: {
    wanted: "an object with strings",
    fits: (value) => isRecord(value) && Object.values(value).every((each) => typeof each === "string"),
  },
  options: { wanted: "an object", fits: isRecord },
  target: targetRule,
  ...programRules,
} as const satisfies OptionRules;

/** Adds plug-ins of the caller, which must be valid. */
export function withPluginOptions(registry: Registry, plugins: readonly unknown[]): Registry {
  let extended = registry;
  for (const [index, value] of plugins.entries()) {
    const checked = checkPlugin(value, extended);
    if ("reason" in checked) throw new TypeError(`\`plugins[${index}]\` is not a plug-in: ${checked.reason}.`);
    extended = addPlugins(extended, [checked.plugin]);
  }
  return extended;
}

/** Finds a target by its name; throws if it is unknown. */
export function targetNamed(given: string | Target, { targets }: Registry): Target {
  if (typeof given !== "string") return given;
  const found = targets.find(({ name }) => name === given);
  if (found) return found;
  throw new TypeError(unknownName("target", given, targets));
}

/** Checks the name of a language; throws if it is unknown. */
export function checkLanguageName(given: string | undefined, { languages }: Registry): void {
  if (given !== undefined && languages.every(({ name }) => name !== given))
    throw new TypeError(unknownName("language", given, languages));
}

function unknownName(noun: string, given: string, all: readonly { readonly name: string }[]): string {
  const names = all.map(({ name }) => name);
  const hint = didYouMean(given, names);
  return `Unknown ${noun} \`${given}\`. Known: ${names.join(", ")}.${hint ? ` ${hint}` : ""}`;
}
