import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareInCondition } from "../../../src/expressions/builtins/dialect/conditions.ts";
import { member, variable } from "../../../src/expressions/core/build.ts";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { parseCondition } from "../../../src/expressions/syntax/condition/conditions.ts";
import type { ConditionLanguage } from "../../../src/expressions/syntax/condition/languages.ts";
import type { ConditionScope } from "../../../src/expressions/syntax/condition/reader.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import type { Json } from "../../../src/json.ts";
import { cpuTime } from "../../cpu.ts";

/** The abstract syntax of a condition. */
type ConditionTree =
  | { readonly kind: "path" | "member"; readonly name: string }
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "compare"; readonly operator: string; readonly left: ConditionTree; readonly right: ConditionTree }
  | { readonly kind: "and" | "or"; readonly items: readonly ConditionTree[] }
  | { readonly kind: "not" | "empty"; readonly item: ConditionTree }
  | { readonly kind: "choice"; readonly items: readonly [ConditionTree, ConditionTree, ConditionTree] }
  | { readonly kind: "among"; readonly item: ConditionTree; readonly list: readonly ConditionTree[] };

const data: { readonly [name: string]: Json } = {
  one: 1,
  two: 2,
  order_id: "x",
  yes: true,
  no: false,
  none: null,
  blank: "",
  list: [],
};
const root = variable("data");
const scope: ConditionScope = { root, data: root, identifier: (name) => member(root, name) };

const symbols: readonly (readonly [string, string])[] = [
  ["==", "eq"],
  ["!=", "ne"],
  ["<", "lt"],
  ["<=", "le"],
  [">", "gt"],
  [">=", "ge"],
];

const literals = fc.constantFrom<Json>(0, 1, 2, -1.5, "x", "it's", "", true, false, null);
const selection = fc.record({
  kind: fc.constantFrom("path" as const, "member" as const),
  name: fc.constantFrom(...Object.keys(data), "missing"),
});
const value: fc.Arbitrary<ConditionTree> = fc.oneof(
  selection,
  literals.map((literal): ConditionTree => ({ kind: "literal", value: literal })),
);
const { condition } = fc.letrec<{ condition: ConditionTree; operand: ConditionTree }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    selection,
    fc.boolean().map((literal): ConditionTree => ({ kind: "literal", value: literal })),
    fc.record({
      kind: fc.constant("compare" as const),
      operator: fc.constantFrom(...symbols.map(([sign]) => sign)),
      left: tie("operand"),
      right: tie("operand"),
    }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      items: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("not" as const), item: tie("condition") }),
    fc.record({ kind: fc.constant("empty" as const), item: value }),
    fc.record({
      kind: fc.constant("choice" as const),
      items: fc.tuple(tie("condition"), tie("condition"), tie("condition")),
    }),
    fc.record({ kind: fc.constant("among" as const), item: value, list: fc.array(value, { maxLength: 3 }) }),
  ),
  operand: fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: tie("condition") }),
}));

/** The model: the value of a condition's abstract syntax; undefined if missing. */
function given(meaning: ConditionTree): Json | undefined {
  switch (meaning.kind) {
    case "path":
    case "member":
      return data[meaning.name];
    case "literal":
      return meaning.value;
    case "choice":
      return given(meaning.items[holds(meaning.items[0]) ? 1 : 2]);
    default:
      return holds(meaning);
  }
}

function holds(meaning: ConditionTree): boolean {
  switch (meaning.kind) {
    case "path":
    case "member":
    case "literal":
      return ![undefined, null, false].includes(given(meaning) as null);
    case "compare":
      return compares(meaning.left, meaning.operator, meaning.right);
    case "and":
      return meaning.items.every(holds);
    case "or":
      return meaning.items.some(holds);
    case "not":
      return !holds(meaning.item);
    case "empty":
      return [undefined, null, "", "[]"].includes(asText(given(meaning.item)) as null);
    case "choice":
      return holds(meaning.items[holds(meaning.items[0]) ? 1 : 2]);
    case "among":
      return meaning.list.some((item) => compares(meaning.item, "==", item));
  }
}

const asText = (value: Json | undefined): Json | undefined => (Array.isArray(value) ? JSON.stringify(value) : value);

/** A missing member is null, but one that is compared with null is like a missing path. */
function compares(left: ConditionTree, operator: string, right: ConditionTree): boolean {
  const isNull = [left, right].some((side) => side.kind === "literal" && side.value === null);
  const sides = [left, right].map((side) => {
    const value = given(side);
    if (value !== undefined) return [value];
    return mayBePath(side) || isNull ? [] : [null];
  });
  return compareInCondition(sides[0]!, operator, sides[1]!);
}

function mayBePath(meaning: ConditionTree): boolean {
  if (meaning.kind !== "choice") return meaning.kind === "path";
  return mayBePath(meaning.items[holds(meaning.items[0]) ? 1 : 2]);
}

/** Chooses one of the equivalent spellings: keywords, spaces, redundant parentheses. */
type Pick = (count: number) => number;

const tightness = {
  choice: 1,
  or: 2,
  and: 3,
  compare: 4,
  among: 4,
  not: 5,
  empty: 6,
  path: 6,
  member: 6,
  literal: 6,
} as const;

/** Prints the abstract syntax, in parentheses if it binds more loosely than `least`. */
function print(meaning: ConditionTree, least: number, pick: Pick): string {
  const tight = tightness[meaning.kind];
  const text = printed(meaning, pick);
  return tight < least || pick(6) === 0 ? `(${text}${[" ", ""][pick(2)]})` : text;
}

function printed(meaning: ConditionTree, pick: Pick): string {
  const space = () => [" ", "  ", "\n"][pick(3)]!;
  switch (meaning.kind) {
    case "path":
      return [`$.${meaning.name}`, `$['${meaning.name}']`][pick(2)]!;
    case "member":
      return meaning.name;
    case "literal":
      return printLiteral(meaning.value, pick);
    case "compare": {
      const sign = symbols.find(([symbol]) => symbol === meaning.operator)![pick(2)]!;
      return [print(meaning.left, 6, pick), pick(2) ? sign : sign.toUpperCase(), print(meaning.right, 6, pick)].join(
        space(),
      );
    }
    case "and":
    case "or": {
      const signs = meaning.kind === "and" ? ["and", "AND", "&&"] : ["or", "Or", "||"];
      return meaning.items
        .map((item) => print(item, tightness[meaning.kind] + 1, pick))
        .join(`${space()}${signs[pick(3)]}${space()}`);
    }
    case "not":
      return `${["not ", "!", "NOT "][pick(3)]}${print(meaning.item, 5, pick)}`;
    case "empty":
      return `empty${["", " "][pick(2)]}(${printed(meaning.item, pick)})`;
    case "choice": {
      const [first, second, third] = meaning.items;
      return `${print(first, 2, pick)} ? ${print(second, 1, pick)} : ${print(third, 1, pick)}`;
    }
    case "among":
      return `${printed(meaning.item, pick)} in [${meaning.list.map((item) => printed(item, pick)).join(", ")}]`;
  }
}

function printLiteral(value: Json, pick: Pick): string {
  if (typeof value !== "string") return pick(2) ? JSON.stringify(value) : JSON.stringify(value).toUpperCase();
  const quote = `'"`[pick(2)]!;
  return quote + value.replaceAll(quote, quote + quote) + quote;
}

/** Prints the abstract syntax in CEL, which has every construct, with the choices made. */
const texts = fc
  .tuple(condition, fc.infiniteStream(fc.nat(59)))
  .map(([meaning, stream]) => ({ meaning, text: print(meaning, 1, (count) => stream.next().value % count) }));

const give = (text: string, language?: ConditionLanguage) => {
  const read = parseCondition(text, scope, { language });
  if (isParseError(read)) return read;
  try {
    return evaluateAll(read, { input: null, variables: new Map([["data", data]]) });
  } catch (error) {
    if (error instanceof EvaluationError) return ["failed"];
    throw error;
  }
};

describe("conditions", () => {
  test("keep their meaning when printed in any form and parsed", () => {
    fc.assert(
      fc.property(texts, ({ meaning, text }) => {
        expect(give(text, "cel")).toEqual([holds(meaning)]);
      }),
      { seed: 11, numRuns: 3_000 },
    );
  });

  test("mutants are accepted or have an error with a position, in any language", () => {
    const edit = fc.record({
      at: fc.nat(200),
      drop: fc.nat(3),
      insert: fc.constantFrom(
        "",
        "(",
        ")",
        "'",
        '"',
        "$",
        ".",
        "[",
        "]",
        "!",
        "=",
        "\\",
        " not ",
        " in ",
        "?",
        ":",
        "9",
        "`",
        "\u0000",
        "\ud800",
        "😀",
      ),
    });
    const languages = fc.constantFrom<(ConditionLanguage | undefined)[]>(undefined, "spel", "jexl", "cel");
    let errors = 0;
    fc.assert(
      fc.property(texts, fc.array(edit, { minLength: 1, maxLength: 3 }), languages, ({ text }, edits, language) => {
        const mutant = edits.reduce((whole, { at, drop, insert }) => {
          const offset = at % (whole.length + 1);
          return whole.slice(0, offset) + insert + whole.slice(offset + drop);
        }, text);
        const result = give(mutant, language);
        if (!("category" in result)) {
          expect(result).toEqual([expect.toBeOneOf([true, false, "failed"])]);
          return;
        }
        errors += 1;
        const { from, to, message } = result;
        expect(from >= 0 && from <= to && to <= mutant.length && /\.$/.test(message)).toBe(true);
        expect(from < to || from === mutant.length).toBe(true);
      }),
      { seed: 12, numRuns: 5_000 },
    );
    expect(errors).toBeGreaterThan(2_000);
  });
});

test("long conditions are parsed in linear time", () => {
  const text = (length: number) => `${"not empty($.list) and order_id eq 'x' or ".repeat(length)}$.yes`;
  const time = (length: number) => {
    const start = cpuTime();
    expect(isParseError(parseCondition(text(length), scope))).toBe(false);
    return cpuTime() - start;
  };
  time(2_000);
  expect(text(24_000).length).toBeGreaterThan(980_000);
  expect(time(24_000)).toBeLessThan(60 * Math.max(time(2_000), 5));
});
