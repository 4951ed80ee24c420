import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { pathOf, unwrapped } from "../jq-text.ts";
import type { Path, Place } from "../model.ts";
import { type ReaderContext, textAt } from "./context.ts";
import { isProgram, translate } from "./expressions.ts";

/** A program at a place that takes bare and wrapped ones. */
export function programAt(context: ReaderContext, owner: JsonObject, key: string): string | undefined {
  const text = textAt(owner, key);
  return text === undefined ? undefined : translate(context, unwrapped(text) ?? text.trim(), { owner, key }, "refused");
}

/** A path in the data; undefined for the root. */
export function pathAt(context: ReaderContext, owner: JsonObject, key: string): Path | undefined {
  const jq = programAt(context, owner, key);
  return jq === undefined || jq === "." ? undefined : pathOf(jq);
}

/** JSON whose strings may be programs. */
export function templateAt(context: ReaderContext, owner: JsonObject, key: string): Json | undefined {
  const value = own(owner, key);
  return value === undefined ? undefined : templateOf(context, value, { owner, key });
}

function templateOf(context: ReaderContext, value: Json, place: Place): Json {
  if (typeof value === "string") {
    const program = unwrapped(value) ?? (context.isSonataFlow ? bareProgram(value) : undefined);
    return program === undefined ? value : `\${ ${translate(context, program, place, "allowed")} }`;
  }
  if (Array.isArray(value)) return value.map((each, key) => templateOf(context, each, { owner: value, key }));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, templateOf(context, each, { owner: value, key })]),
  );
}

/** SonataFlow evaluates a string that reads the data or a variable without delimiters, too. */
const bareProgram = (text: string): string | undefined =>
  /^\s*(?:\.|\$[A-Za-z]|"|\{|\[)/.test(text) && isProgram(text) ? text.trim() : undefined;
