import { ambiguousOption, duplicateOption, unknownOption, unknownOptionValue } from "../diagnostics/configuration.ts";
import { unknownLanguage } from "../diagnostics/reading.ts";
import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import type { Language } from "../language.ts";
import type { LanguageOptions, Options, OptionValue } from "../options.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";

/** The part of a language that defines options. */
export type LanguageWithOptions = Pick<Language, "name" | "options">;

/** The options that apply to a language, under its name or at top level. */
export function optionsFor({ name, options: known }: LanguageWithOptions, options: Options): LanguageOptions {
  const chosen: { [name: string]: OptionValue } = {};
  for (const option of known) {
    const value = own(options, option.name);
    if (value !== undefined && typeof value !== "object") setOwn(chosen, option.name, value);
  }
  const under = own(options, name);
  return typeof under === "object" ? { ...chosen, ...under } : chosen;
}

/** Merges options; the last value wins. */
export function mergeOptions(...all: readonly Options[]): Options {
  const merged: { [name: string]: OptionValue | LanguageOptions } = {};
  for (const options of all) {
    for (const [name, value] of Object.entries(options)) {
      const before = own(merged, name);
      setOwn(merged, name, typeof value === "object" && typeof before === "object" ? { ...before, ...value } : value);
    }
  }
  return merged;
}

/** The source of options, and its diagnostics. */
export interface OptionReader {
  readonly document: Document;
  readonly languages: readonly LanguageWithOptions[];
  /** The only language of top-level options; any if undefined. */
  readonly from?: string | undefined;
  readonly report: Report;
  readonly invalid: (span: Span, name: string, wanted: string) => Diagnostic;
}

/** Reads options; reports and drops invalid ones. */
export function readOptions(source: JsonObject, reader: OptionReader): Options {
  const { document, languages, from, report, invalid } = reader;
  const read: Options[] = [];
  const readOption = (owner: JsonObject, name: string, among: readonly LanguageWithOptions[]) => {
    const spans = { name: document.spanOf(owner, name, "key"), value: document.spanOf(owner, name) };
    const value = owner[name]!;
    if (!isScalar(value)) report(invalid(spans.value, name, "a text, a number or a boolean"));
    else {
      const choice = resolveOption(name, value, among, spans);
      if ("fault" in choice) report(choice.fault);
      else if (isRepeated(choice.options, read)) report(duplicateOption(spans.name, { name }));
      else read.push(choice.options);
    }
  };
  for (const [name, value] of Object.entries(source)) {
    const language = languages.find((each) => each.name === name);
    const known = languages.map((each) => each.name);
    if (language && isObject(value)) for (const option of Object.keys(value)) readOption(value, option, [language]);
    else if (language) report(invalid(document.spanOf(source, name), name, "an object of options"));
    else if (isObject(value)) report(unknownLanguage(document.spanOf(source, name, "key"), { name, known }));
    else readOption(source, name, languagesFor(languages, from));
  }
  return mergeOptions(...read);
}

/** Parses `timeout=fail`, or `sm4c.timeout=fail` for one language. */
export function parseOption(
  text: string,
  languages: readonly LanguageWithOptions[],
  from?: string | undefined,
): { readonly options: Options } | { readonly fault: Diagnostic } {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const span = { source: { path: "--option", text }, start: 0, end: text.length };
  const dot = name.indexOf(".");
  if (dot < 0) return resolveOption(name, value, languagesFor(languages, from), { name: span, value: span });
  const language = name.slice(0, dot);
  const known = languages.map((each) => each.name);
  if (!known.includes(language)) return { fault: unknownLanguage(span, { name: language, known }) };
  const among = languages.filter((each) => each.name === language);
  return resolveOption(name.slice(dot + 1), value, among, { name: span, value: span });
}

function isRepeated(choice: Options, earlier: readonly Options[]): boolean {
  const namesIn = (options: Options): readonly string[] =>
    Object.entries(options).flatMap(([language, chosen]) => Object.keys(chosen).map((name) => `${language}.${name}`));
  const taken = new Set(earlier.flatMap(namesIn));
  return namesIn(choice).some((name) => taken.has(name));
}

const languagesFor = (
  languages: readonly LanguageWithOptions[],
  from: string | undefined,
): readonly LanguageWithOptions[] => languages.filter(({ name }) => from === undefined || name === from);

function resolveOption(
  name: string,
  value: OptionValue,
  among: readonly LanguageWithOptions[],
  spans: { readonly name: Span; readonly value: Span },
): { readonly options: Options } | { readonly fault: Diagnostic } {
  const owners = among.flatMap(({ name: language, options }) =>
    options.filter((option) => option.name === name).map((option) => ({ language, option })),
  );
  const [owner] = owners;
  if (owners.length > 1)
    return { fault: ambiguousOption(spans.name, { name, languages: owners.map(({ language }) => language) }) };
  if (!owner) {
    const known = [...new Set(among.flatMap(({ options }) => options.map((option) => option.name)))];
    return { fault: unknownOption(spans.name, { name, known }) };
  }
  const { values = [], text } = owner.option;
  const isKnown = values.length > 0 ? values.includes(String(value)) : !text || text.accepts(String(value));
  if (!isKnown)
    return {
      fault: unknownOptionValue(spans.value, { name, value: String(value), known: values, wanted: text?.wanted }),
    };
  return { options: { [owner.language]: { [name]: value } } };
}

const isScalar = (value: Json): value is OptionValue => ["string", "number", "boolean"].includes(typeof value);
