import {
  invalidTime,
  missingScenarioKey,
  unknownScenarioKey,
  unknownScenarioValue,
  wrongScenarioValue,
} from "../diagnostics/scenario.ts";
import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { isTimeSyntaxError, parseDuration, secondsOf } from "../text/iso8601.ts";

/** Reads the keys of an object of a scenario file and reports invalid ones. */
export interface Fields {
  /** The value of a key, if present and valid; reports an invalid one. */
  get<T extends Json>(key: string, wanted: string, passes: (value: Json) => value is T): T | undefined;
  /** Reports a missing key. */
  require(key: string): void;
  /** A string that is one of several words. */
  word<Word extends string>(key: string, known: readonly Word[]): Word | undefined;
  /** An ISO 8601 duration, in seconds. */
  seconds(key: string): number | undefined;
  wrong(key: string, wanted: string): void;
  readonly owner: JsonObject;
}

/** Creates a reader of an object's fields; reports keys that are not `known`. `noun` names the object in messages. */
export function fieldsOf(
  owner: JsonObject,
  noun: string,
  known: readonly string[],
  document: Document,
  report: Report,
): Fields {
  for (const name of Object.keys(owner)) {
    if (!known.includes(name))
      report(unknownScenarioKey(document.spanOf(owner, name, "key"), { name, owner: noun, known }));
  }
  const wrong = (key: string, wanted: string) =>
    report(wrongScenarioValue(document.spanOf(owner, key), { subject: quoted(key), wanted }));
  const get = <T extends Json>(key: string, wanted: string, passes: (value: Json) => value is T): T | undefined => {
    const value = own(owner, key);
    if (value === undefined || passes(value)) return value;
    wrong(key, wanted);
    return undefined;
  };
  const require = (key: string) => {
    if (own(owner, key) === undefined) report(missingScenarioKey(document.spanOf(owner), { name: key, owner: noun }));
  };
  const fields = { owner, wrong, get, require };
  return { ...fields, word: wordIn(fields, document, report), seconds: secondsIn(fields, document, report) };
}

type Basic = Pick<Fields, "owner" | "get">;

const wordIn =
  ({ owner, get }: Basic, document: Document, report: Report): Fields["word"] =>
  (key, known) => {
    const text = get(key, `one of ${known.join(", ")}`, isText);
    const found = known.find((word) => word === text);
    if (text !== undefined && !found)
      report(unknownScenarioValue(document.spanOf(owner, key), { name: key, word: text, known }));
    return found;
  };

const secondsIn =
  ({ owner, get }: Basic, document: Document, report: Report): Fields["seconds"] =>
  (key) => {
    const text = get(key, "an ISO 8601 duration, such as `PT5M`", isText);
    if (text === undefined) return undefined;
    const duration = parseDuration(text);
    if (!isTimeSyntaxError(duration)) return secondsOf(duration).seconds;
    report(invalidTime(document.spanOf(owner, key), duration));
    return undefined;
  };

/** The valid items of a list or values of an object; others are reported. `subject` begins the message about one. */
export function passing<T extends Json>(
  owner: readonly Json[] | JsonObject,
  [subject, wanted]: readonly [subject: (key: string) => string, wanted: string],
  passes: (value: Json) => value is T,
  document: Document,
  report: Report,
): readonly (readonly [key: string, value: T])[] {
  return Object.entries(owner).flatMap(([key, value]: [string, Json]) => {
    if (passes(value)) return [[key, value] as const];
    report(
      wrongScenarioValue(document.spanOf(owner, Array.isArray(owner) ? Number(key) : key), {
        subject: subject(key),
        wanted,
      }),
    );
    return [];
  });
}

/** Begins a message about an item of a list. */
export const each = (noun: string) => (): string => noun;
/** Begins a message about the value of a key. */
export const quoted = (key: string): string => `\`${key}\``;

/** A string. */
export const isText = (value: Json): value is string => typeof value === "string";
/** A list. */
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
/** An object. */
export const isMapping = (value: Json): value is JsonObject => isObject(value);
/** `true` or `false`. */
export const isFlag = (value: Json): value is boolean => typeof value === "boolean";
/** Any value at all. */
export const isAnything = (value: Json): value is Json => value !== undefined;
