import { arithmetic, boundArithmetic, conditions, numbers, order, sorting } from "./calculation.ts";
import { access, objects, paths, places } from "./data.ts";
import { briefForms, collections, json, messages, plainMessages, strings, texts } from "./library.ts";

/** A helper function's text, and the helpers that it calls. */
export interface Helper {
  readonly text: string;
  readonly needs: readonly string[];
  /** The non-failing form returns a function that gives the error. */
  readonly caught?: string;
  /** For errors whose messages are never read, if different. */
  readonly plain?: Pick<Helper, "text" | "needs">;
  /** For errors whose names are never read either, if different. */
  readonly brief?: Pick<Helper, "text" | "needs">;
}

/**
 * The functions that expressions define in front when they use them, for what JSONata does differently: its paths
 * descend into arrays, its singleton sequences become their element, its arrays flatten, its merges are shallow, and
 * its comparisons support two types. Computed when Waybill is built.
 *
 * Several outputs are an array of boxes `{"value": output}`, so that array outputs stay whole; an empty array may be
 * missing, and an array of one box may be that box. A missing output is JSONata's nothing.
 */
export function helperTable(): { readonly [name: string]: Helper } {
  const topics = [
    paths,
    objects,
    texts,
    order,
    conditions,
    arithmetic,
    boundArithmetic,
    messages,
    json,
    access,
    collections,
    numbers,
  ];
  const all = new Map([...topics, places, sorting, strings].flatMap((topic) => Object.entries(topic)));
  const needsOf = (text: string): readonly string[] => namesIn(text).filter((other) => all.has(other));
  const needs = new Map(Array.from(all, ([name, text]) => [name, needsOf(text)]));
  const shown = new Map(Object.entries(plainMessages));
  const short = new Map(Object.entries(briefForms));
  const failing = transitivelyCalling(new Set(Object.keys(catchingFailures)), needs);
  const plain = Array.from(all, ([name, text]): [string, Helper] => [
    name,
    {
      text,
      needs: needs.get(name)!,
      ...(failing.has(name) ? { caught: catchingName(name) } : {}),
      ...(shown.has(name) ? { plain: { text: shown.get(name)!, needs: needsOf(shown.get(name)!) } } : {}),
      ...(short.has(name) ? { brief: { text: short.get(name)!, needs: needsOf(short.get(name)!) } } : {}),
    },
  ]);
  const caught = Array.from(failing, (name): [string, Helper] => {
    const text = catchingFailures[name] ?? withCatching(all.get(name)!, failing);
    const wanted = needs.get(name)!.map((other) => (failing.has(other) ? catchingName(other) : other));
    return [catchingName(name), { text, needs: name in catchingFailures ? [] : wanted }];
  });
  return Object.fromEntries([...plain, ...caught]);
}

/** The non-failing forms of the two helpers through which all others fail. */
const catchingFailures: { readonly [name: string]: string } = {
  failWith: "function($message) { function() { $message } }",
  raise: "function($v) { function() { $v } }",
};

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/(?<=\$)[A-Za-z]\w*/g) ?? [])];

function transitivelyCalling(
  some: ReadonlySet<string>,
  calls: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const more = [...calls].filter(([name, others]) => !some.has(name) && others.some((other) => some.has(other)));
  return more.length === 0 ? some : transitivelyCalling(new Set([...some, ...more.map(([name]) => name)]), calls);
}

const catchingName = (name: string): string => `try${name[0]!.toUpperCase()}${name.slice(1)}`;

const withCatching = (text: string, failing: ReadonlySet<string>): string =>
  text.replace(/\$([A-Za-z]\w*)/g, (found, name: string) => (failing.has(name) ? `$${catchingName(name)}` : found));
