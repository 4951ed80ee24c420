import { readDocuments } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Language } from "../language.ts";
import { mergeOptions, parseOption } from "../languages/options.ts";
import type { Options } from "../options.ts";
import { createValidator } from "../schema/index.ts";
import { emptySettings, type Target, type TargetSettings } from "../target/contract.ts";
import { nearestName } from "../text/messages.ts";
import { namesOf, type Registry } from "./registry.ts";
import { usageError } from "./terminal.ts";

/** The flags that `compile`, `check` and `run` share. */
export interface CommonFlags {
  readonly target?: string;
  readonly from?: string;
  /** Each `key=value` or `language.key=value`. */
  readonly option?: readonly string[];
  /** Each `target.name=value`. */
  readonly set?: readonly string[];
  /** The names of definitions in files with several; default: all. */
  readonly pick?: readonly string[];
  /** Default: the nearest configuration above each definition. */
  readonly config?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly quiet?: boolean;
  readonly strict?: boolean;
  readonly format: string;
  readonly color?: boolean;
  readonly maxBytes?: string;
  readonly verifyEach?: boolean;
  /** The most diagnostics to print; default: all. */
  readonly maxDiagnostics?: string;
}

/** Returns the value of a flag that must be one of several words. */
export function requireOneOf<Word extends string>(option: string, value: string, known: readonly Word[]): Word {
  const found = known.find((word) => word === value);
  if (found !== undefined) return found;
  if (known.length === 1) throw usageError(`${option} must be ${known[0]}, not \`${value}\`.`);
  throw usageError(`${option} must be one of ${known.join(", ")}, not \`${value}\`.${suggest(value, known)}`);
}

/** The only word that begins with what was given, the nearest one, or those that contain it. */
function suggest(value: string, known: readonly string[]): string {
  const wanted = value.toLowerCase();
  const parts = value.length < 3 ? [] : known.filter((word) => word.toLowerCase().includes(wanted));
  const begun = parts.filter((word) => word.toLowerCase().startsWith(wanted));
  const near = begun.length === 1 ? begun[0] : nearestName(value, known);
  const found = near === undefined ? parts : [near];
  return found.length === 0 ? "" : ` Did you mean ${found.map((word) => `\`${word}\``).join(" or ")}?`;
}

/** Returns the name of a language for a flag that may be an alias. */
export function requireLanguage(option: string, value: string, languages: readonly Language[]): string {
  const found = languages.find(({ name, aliases = [] }) => [name, ...aliases].includes(value.toLowerCase()));
  return found?.name ?? requireOneOf(option, value, namesOf(languages));
}

/** Parses `--max-bytes`. */
export function parseMaxBytes({ maxBytes }: Pick<CommonFlags, "maxBytes">): number | undefined {
  if (maxBytes === undefined) return undefined;
  const count = Number(maxBytes);
  if (/^\d+$/.test(maxBytes) && Number.isSafeInteger(count) && count > 0) return count;
  throw usageError(`--max-bytes must be a positive integer, not \`${maxBytes}\`.`);
}

/** Parses a flag that is a positive integer. */
export function parseCount(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw usageError(`${option} must be a positive integer, not \`${value}\`.`);
}

/** Parses `--option` flags. `from` is the language of `--from`. */
export function parseLanguageOptions(
  flags: readonly string[] = [],
  from: string | undefined,
  { languages }: Registry,
): Options {
  return mergeOptions(
    ...flags.map((text) => {
      if (text.indexOf("=") < 1) throw usageError(`--option must have the form \`key=value\`, not \`${text}\`.`);
      const parsed = parseOption(withLanguageName(text, languages), languages, from);
      if (!("fault" in parsed)) return parsed.options;
      const { message, hint } = parsed.fault;
      throw usageError(`--option ${text}: ${hint === undefined ? message : `${message} ${hint}`}`);
    }),
  );
}

/** Replaces the alias of a language before an option: `swf.timeout=fail`. */
function withLanguageName(text: string, languages: readonly Language[]): string {
  const [key = ""] = text.split("=");
  const found = languages.find(({ aliases = [] }) => aliases.some((alias) => key.startsWith(`${alias}.`)));
  const alias = found?.aliases?.find((each) => key.startsWith(`${each}.`) && !key.startsWith(`${found.name}.`));
  return found && alias !== undefined ? found.name + text.slice(alias.length) : text;
}

/** Merges `--set` flags into configured settings. A key with dots is a path of members. */
export function mergeSettings(
  flags: readonly string[] = [],
  configured: ReadonlyMap<string, TargetSettings>,
  registry: Registry,
): ReadonlyMap<string, TargetSettings> {
  const settings = new Map(configured);
  for (const text of flags) {
    const target = parseSettingTarget(text, registry);
    const [key, value] = [text.slice(target.name.length + 1, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    const path = key.split(".");
    const { values, spanOf } = settings.get(target.name) ?? emptySettings;
    settings.set(target.name, {
      values: addSetting(values, path, value, text, target),
      spanOf: (...other) => (path.every((name, i) => other[i] === name) ? undefined : spanOf(...other)),
    });
  }
  return settings;
}

/** Returns the target of a `--set` flag. */
export function parseSettingTarget(text: string, { targets }: Registry): Target {
  const [, name] = /^([^.=]+)\.[^=]+=/.exec(text) ?? [];
  if (name === undefined) throw usageError(`--set must have the form \`target.name=value\`, not \`${text}\`.`);
  const known = requireOneOf("The target of --set", name, namesOf(targets));
  return targets.find((target) => target.name === known)!;
}

/** Adds a setting as a string, or as JSON if only that matches the schema. */
function addSetting(
  before: JsonObject,
  path: readonly string[],
  value: string,
  text: string,
  { settings, name: target }: Target,
): JsonObject {
  const asString = withMember(before, path, value);
  const asJson = withMember(before, path, parseScalar(value));
  const valid = [asString, asJson].find((candidate) => settings?.validate(candidate));
  if (valid) return valid;
  const unknown = unknownSetting(path, settings?.schema());
  if (unknown) {
    const { name, known } = unknown;
    const hint = suggest(name, known) || ` Its settings are ${known.join(", ")}.`;
    throw usageError(`--set ${text}: Unknown setting \`${name}\` of ${target}.${known.length === 0 ? "" : hint}`);
  }
  const messages: string[] = [];
  const source = { path: "--set", text: JSON.stringify(asString) };
  const [document] = readDocuments(source, () => undefined);
  if (settings && document)
    createValidator(settings.validate, settings.schema)(document, ({ message, hint }) =>
      messages.push(hint === undefined ? message : `${message} ${hint}`),
    );
  throw usageError(`--set ${text}: ${messages[0] ?? "This target has no settings."}`);
}

/** The first name of a path that a schema of objects does not list, and those that it does. */
function unknownSetting(
  [name, ...rest]: readonly string[],
  schema: Json | undefined,
): { readonly name: string; readonly known: readonly string[] } | undefined {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  if (name === undefined || !isObject(properties)) return undefined;
  const property = own(properties, name);
  return property === undefined ? { name, known: Object.keys(properties) } : unknownSetting(rest, property);
}

function withMember(before: JsonObject, [key = "", ...path]: readonly string[], value: Json): JsonObject {
  if (path.length === 0) return { ...before, [key]: value };
  const inner = own(before, key);
  return { ...before, [key]: withMember(isObject(inner) ? inner : {}, path, value) };
}

function parseScalar(text: string): Json {
  return /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? (JSON.parse(text) as Json) : text;
}
