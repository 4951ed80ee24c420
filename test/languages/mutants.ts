import { isObject, type Json } from "../../src/json.ts";

/** Random numbers in [0, 1), deterministic by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

/** A definition with one to four mutations in its source or data. */
export function mutant(text: string, data: Json | undefined, random: Random): string {
  const count = 1 + Math.floor(random() * random() * 4);
  if (data !== undefined && random() < 0.5) {
    let value = data;
    for (let i = 0; i < count; i++) value = mutateAnywhere(value, random);
    return JSON.stringify(value, null, random() < 0.5 ? 1 : undefined);
  }
  let mutated = text;
  for (let i = 0; i < count; i++) mutated = pick(textChanges, random)(mutated, random);
  return mutated;
}

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)]!;

const strange: readonly string[] = [
  ..."{}[],:#&*!|>'\"%@`-?$.\\~\t\n\r\0\u2028\u202e\ufeff",
  "\ud83d",
  "\ud83d\ude00",
  "e\u0301",
  "<<: *a",
  "&a ",
  "*a",
  "!!binary ",
  "---\n",
  "...",
  "null",
  "-1",
  "1e400",
  "9".repeat(400),
  "0x7fffffffffffffff",
  "-.inf",
  ".nan",
  "__proto__",
  "constructor",
  "$.",
  "$..*",
  "$[?(@.a",
  "R/P9999999Y",
  "P999999999999DT9999999999H",
  "xor",
  "n_of_m",
  "parallel",
  "foreach",
  "\\(",
  "{{ ",
  "\\(.a[] | .b)",
  'lockboxPayload("a"; "b")',
  "$global",
  "while",
];

const token = /[\w$]+|\s+|[^\w\s]/g;

const textChanges: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => changeTokens(text, random, () => ""),
  (text, random) => changeTokens(text, random, (found) => found + found),
  (text, random) => changeTokens(text, random, () => pick(strange, random)),
  (text, random) => changeTokens(text, random, (found, all) => pick(all, random) + (random() < 0.5 ? found : "")),
  (text, random) => text.slice(0, Math.floor(random() * text.length)),
  (text, random) => text.slice(Math.floor(random() * text.length)),
  (text, random) => changeLines(text, random, () => []),
  (text, random) => changeLines(text, random, (line) => [line, line]),
  (text, random) => changeLines(text, random, (line) => [`${random() < 0.5 ? "  " : "\t"}${line}`]),
  (text, random) => changeLines(text, random, (line) => [line.trimStart()]),
  (text, random) => text.replaceAll("\n", random() < 0.5 ? "\r\n" : "\r"),
];

function changeTokens(text: string, random: Random, change: (token: string, all: readonly string[]) => string): string {
  const tokens = text.match(token) ?? [""];
  const at = Math.floor(random() * tokens.length);
  return tokens.map((found, i) => (i === at ? change(found, tokens) : found)).join("");
}

function changeLines(text: string, random: Random, change: (line: string) => readonly string[]): string {
  const lines = text.split("\n");
  const at = Math.floor(random() * lines.length);
  return lines.flatMap((line, i) => (i === at ? change(line) : [line])).join("\n");
}

/** Mutates one part of a value, chosen about uniformly. */
/** A value with one part changed. */
export function mutateAnywhere(value: Json, random: Random): Json {
  let left = Math.floor(random() * partsIn(value));
  const visit = (part: Json): Json => {
    if (left-- === 0) return pick(valueChanges, random)(part, value, random);
    if (Array.isArray(part))
      return part.flatMap((item) => (left === 0 && random() < 0.3 ? changeItem(visit(item), random) : [visit(item)]));
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [
        left === 0 && random() < 0.2 ? misspelt(key, random) : key,
        visit(inner),
      ]),
    );
  };
  return visit(value);
}

const changeItem = (item: Json, random: Random): readonly Json[] => pick([[], [item, item]], random);

function partsIn(value: Json): number {
  const parts: readonly Json[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return parts.reduce<number>((count, part) => count + partsIn(part), 1);
}

const valueChanges: readonly ((part: Json, whole: Json, random: Random) => Json)[] = [
  (_, __, random) =>
    pick<Json>([null, true, false, 0, -1, 0.5, 1e308, 2 ** 53, "", [], {}, [[]], [{}], { a: 1 }], random),
  (_, __, random) => pick(strange, random),
  (part) => [part],
  (part) => ({ part }),
  (part) => (typeof part === "string" ? part.toUpperCase() : JSON.stringify(part)),
  (part, _, random) => (typeof part === "string" ? misspelt(part, random) : null),
  (_, whole, random) => anyPart(whole, random),
  (part) => (typeof part === "string" ? part.repeat(50) : Array.from({ length: 20 }, () => part)),
];

function misspelt(word: string, random: Random): string {
  const at = Math.floor(random() * word.length);
  return pick(
    [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + pick(strange, random) + word.slice(at),
      `${word}s`,
      "__proto__",
    ],
    random,
  );
}

function anyPart(value: Json, random: Random): Json {
  const parts: readonly Json[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return parts.length === 0 || random() < 0.2 ? value : anyPart(pick(parts, random), random);
}
