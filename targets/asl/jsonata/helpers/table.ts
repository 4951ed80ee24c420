import { arithmetic, conditions, numbers, order, sorting } from "./calculation.ts";
import { access, objects, paths, places } from "./data.ts";
import { collections, json, strings, texts } from "./library.ts";
import { messages, plainMessages } from "./messages.ts";

/** A helper as expressions define it at their head: its text, and the helpers that it names. */
export interface Helper {
  readonly text: string;
  readonly needs: readonly string[];
  /**
   * Of a helper that fails for some values with what can be caught: the name of its form that does not fail, which
   * gives a function that gives what the helper fails with.
   */
  readonly caught?: string;
  /** The helper where nothing reads how an error is worded, if that is another. */
  readonly plain?: Pick<Helper, "text" | "needs">;
}

/**
 * Functions that expressions define at their head when they use them, by name: what JSONata does not do as exactly. Its
 * paths go into arrays by themselves, its lists of one become their element, lists in lists become one, its merges are
 * shallow, its comparisons know two types only. Worked out when Waybill is built, with what each of them needs.
 *
 * Where an expression has several outputs they are a list of boxes `{"value": output}`, so that outputs that are lists
 * stay whole; of no boxes the list may be missing, and of one box it may be that box. An output that may be missing is
 * JSONata's own nothing.
 */
export function helperTable(): { readonly [name: string]: Helper } {
  const topics = [paths, objects, texts, order, conditions, arithmetic, messages, json, access, collections, numbers];
  const all = new Map([...topics, places, sorting, strings].flatMap((topic) => Object.entries(topic)));
  const needsOf = (text: string): readonly string[] => namesIn(text).filter((other) => all.has(other));
  const needs = new Map(Array.from(all, ([name, text]) => [name, needsOf(text)]));
  const shown = new Map(Object.entries(plainMessages));
  const failing = transitivelyCalling(new Set(Object.keys(caughtFailures)), needs);
  const plain = Array.from(all, ([name, text]): [string, Helper] => [
    name,
    {
      text,
      needs: needs.get(name)!,
      ...(failing.has(name) ? { caught: caughtName(name) } : {}),
      ...(shown.has(name) ? { plain: { text: shown.get(name)!, needs: needsOf(shown.get(name)!) } } : {}),
    },
  ]);
  const caught = Array.from(failing, (name): [string, Helper] => {
    const text = caughtFailures[name] ?? withCaught(all.get(name)!, failing);
    const wanted = needs.get(name)!.map((other) => (failing.has(other) ? caughtName(other) : other));
    return [caughtName(name), { text, needs: name in caughtFailures ? [] : wanted }];
  });
  return Object.fromEntries([...plain, ...caught]);
}

/** How the two are written by which all others fail. */
const caughtFailures: { readonly [name: string]: string } = {
  failWith: "function($message) { function() { $message } }",
  raise: "function($v) { function() { $v } }",
};

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/(?<=\$)[A-Za-z]\w*/g) ?? [])];

/** Some helpers and those that call one of these. */
function transitivelyCalling(
  some: ReadonlySet<string>,
  calls: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const more = [...calls].filter(([name, others]) => !some.has(name) && others.some((other) => some.has(other)));
  return more.length === 0 ? some : transitivelyCalling(new Set([...some, ...more.map(([name]) => name)]), calls);
}

const caughtName = (name: string): string => `try${name[0]!.toUpperCase()}${name.slice(1)}`;

const withCaught = (text: string, failing: ReadonlySet<string>): string =>
  text.replace(/\$([A-Za-z]\w*)/g, (found, name: string) => (failing.has(name) ? `$${caughtName(name)}` : found));
