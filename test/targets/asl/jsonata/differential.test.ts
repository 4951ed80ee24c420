import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import {
  binary,
  bind,
  call,
  collect,
  firstOr,
  identity,
  literal,
  member,
  object,
  query,
  reduce,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { dateDescriptor, expandUri } from "../../../../src/expressions/index.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import { typeOfValue, union } from "../../../../src/types/lattice.ts";
import { anyObject, nullType } from "../../../../src/types/type.ts";
import { UnsupportedExpression } from "../../../../targets/asl/jsonata/context.ts";
import { jsonataString, jsonataTemplate, printJsonata } from "../../../../targets/asl/jsonata/print.ts";
import { actual, environment, expected, one } from "./compared-with-core.ts";
import { expression, hostileKeys, texts, variableValues } from "./random-expressions.ts";

const knowledge = { isCount: (name: string): boolean => name === "tries", types: new Map(), exposesMessages: true };

const x = variable("x");
const xIs = (value: Json): ReadonlyMap<string, Json> =>
  new Map<string, Json>([
    ["data", null],
    ["x", value],
    ["y", 1],
  ]);

/** The forms of an expression in a field: without facts, with types of variables, and with looser types. */
function forms(expression: Expression, variables: ReadonlyMap<string, Json>): readonly Json[] {
  const types = new Map(Array.from(variables, ([name, value]) => [name, typeOfValue(value)] as const));
  const looser = new Map(Array.from(types, ([name, type]) => [name, union(type, nullType, anyObject)] as const));
  const written = [knowledge, { ...knowledge, types }, { ...knowledge, types: looser }].flatMap((known) => [
    jsonataString(printJsonata(expression, environment, known)),
    JSON.stringify(jsonataTemplate(expression, environment, known)),
  ]);
  return [...new Set(written)].map((form) => (form.startsWith("{% ") ? form : (JSON.parse(form) as Json)));
}

/** Only numbers beyond a double's range fail here but not in the core. */
const isLimit = (result: string): boolean => result.startsWith("LimitError: ");

async function agree(
  expression: Expression,
  variables: ReadonlyMap<string, Json>,
  equivalents: readonly Expression[] = [expression, simplify(expression)],
  shown = (result: string): string => result,
): Promise<void> {
  const wanted = expected(expression, variables);
  for (const written of equivalents) {
    for (const form of forms(written, variables)) {
      const result = await actual(form, variables);
      if (!isLimit(result)) expect(shown(result), JSON.stringify(form)).toBe(shown(wanted));
    }
  }
}

test("random expressions give the same values or errors as the core", { timeout: 60_000 }, async () => {
  let refused = 0;
  const agrees = fc.asyncProperty(expression, variableValues, async (random, variables) => {
    try {
      await agree(one(random), variables);
    } catch (error) {
      if (!(error instanceof UnsupportedExpression)) throw error;
      refused += 1;
    }
  });
  await fc.assert(agrees, { numRuns: 400, seed: 2106 });
  expect(refused).toBeLessThan(8);
});

test("a value that may be missing has no guaranteed members", async () => {
  const maybe = bind("x", member(variable("data"), "a"), object([["k", member(variable("data"), "a")]]));
  for (const data of [null, {}, { a: 1 }, { a: { k: null } }])
    await agree(firstOr(member(maybe, "k"), literal(null)), new Map([["data", data]]));
});

test("merges into known objects, and their new members", async () => {
  const values: readonly Json[] = [
    null,
    1,
    "a",
    [],
    [{ k: 1 }],
    {},
    { k: 1 },
    { k: {} },
    { k: { i: 1 } },
    { k: { i: 2, j: [1] } },
  ];
  const y = variable("y");
  const base = object([
    ["k", x],
    ["m", literal({ n: 1 })],
  ]);
  const merged = [
    call("merge", base, object([["k", object([["i", y]])]])),
    call(
      "merge",
      base,
      object([
        ["k", literal({ i: { j: 1 } })],
        ["z", y],
      ]),
    ),
    call("merge", call("merge", base, literal({ m: 1 })), object([["m", object([["n", y]])]])),
    call("merge", base, firstOr(object([["o", member(y, "k")]]), literal({}))),
    call("mergeResult", base, y, literal("k")),
    call("assignResult", base, y, literal("k")),
    call("assign", call("assign", base, literal({ m: 1 })), object([["m", object([["n", y]])]])),
    call("mergeResult", call("mergeResult", base, y, literal("k")), x, literal("z")),
    call("place", base, literal(["k", "i"]), y),
    call("place", call("mergeResult", base, y, literal("z")), literal(["k"]), x),
    base,
  ];
  const everything = merged.flatMap((each) => [each, call("difference", each, base), call("difference", base, each)]);
  for (const data of values)
    for (const y of values)
      for (const each of everything) await agree(each, new Map([...xIs(data), ["y", y]]), [each], sorted);
});

test("merges with arrays, instants and expanded URIs", { timeout: 30_000 }, async () => {
  const parts: readonly Json[] = [
    null,
    1,
    "a",
    [],
    [1],
    [[1]],
    [null],
    [[], [1], 2],
    {},
    { k: 1 },
    { k: [1, { i: 1 }] },
  ];
  const y = variable("y");
  for (const data of parts)
    for (const other of parts)
      for (const arrays of ["union", "replace"]) {
        const merged = call("merge", object([["k", x]]), object([["k", y]]), literal(arrays));
        const variables = new Map([...xIs(data), ["y", other] as const]);
        await agree(call("merge", x, y, literal(arrays)), variables, undefined, sorted);
        await agree(merged, variables, undefined, sorted);
      }
  for (const seconds of [
    0,
    1.0005,
    -1.5,
    1700000000.1239,
    253402300799.9999,
    253402300800,
    -62167219200,
    -62167219201,
    "a",
    null,
  ])
    await agree(call("instant", x), xIs(seconds));
  await agree(dateDescriptor(x), xIs(1700000000.25));
  const uri = expandUri("https://a.example/{name}/{n}?q={k}", x);
  for (const value of [{ name: "é /!'()*~-._", n: 1.5 }, { name: true, k: null }, { n: [1] }, null, "a", [1]])
    await agree(uri, xIs(value));
});

/** JSON with sorted members. */
const sorted = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_, value: Json) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );

describe("member names with a special meaning elsewhere", () => {
  const usual = hostileKeys.filter((key) => key !== "__proto__");

  test.each(usual)("%j", async (key) => {
    const values: readonly Json[] = [{}, { [key]: [1] }, [{ [key]: 1 }], { [key]: { [key]: null } }];
    const expressions = [
      firstOr(member(x, key), literal("none")),
      firstOr(member(x, key, key), literal("none")),
      collect(query(x, [{ descend: true, selectors: [{ kind: "name", name: key }] }])),
      object([[key, x]]),
      call("merge", object([["a", literal(2)]]), object([[key, x]])),
      call("mergeResult", literal({ a: { b: 1 } }), x, literal(key)),
      call("place", x, literal([key, "a"]), literal(2)),
      call("place", x, literal([key]), x),
      call("difference", x, object([[key, literal([1])]])),
      binary("<", x, object([[key, literal(1)]])),
      call("switchCondition", collect(member(x, key)), literal("equals"), literal(key)),
      firstOr(call("attribute", x, literal(key)), literal(null)),
    ];
    for (const written of expressions) for (const value of values) await agree(written, xIs(value), [written]);
  });

  test("`__proto__` is an ordinary name and never reaches a prototype", async () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as Json;
    for (const from of [value, {}, null, [value]]) {
      await agree(firstOr(member(x, "__proto__"), literal("none")), xIs(from));
      await agree(firstOr(member(x, "__proto__", "a"), literal("none")), xIs(from));
      await agree(collect(x), xIs(from));
    }
    await agree(literal(value), xIs(null));
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  test.each([
    ["an object", object([["__proto__", x]]), "an object with the key `__proto__`"],
    ["a result", call("mergeResult", x, x, literal("__proto__")), "a member named `__proto__`"],
    ["a place", call("place", x, literal(["a", "__proto__"]), x), "a path through `__proto__`"],
    ["a computed place", call("place", x, x, x), "a computed path"],
    ["a computed operator", call("switchCondition", x, x, x), "a switch condition with a computed operator"],
    ["a computed pattern", call("switchCondition", x, literal("matches"), x), "a computed regular expression"],
  ])("%s is rejected", (_, refused, construct) => {
    expect(() => printJsonata(refused, environment)).toThrow(construct);
  });
});

describe("strings with a special meaning elsewhere", () => {
  test.each(texts)("%j", async (text) => {
    for (const expression of [
      literal(text),
      collect(literal(text)),
      call("text", x),
      binary("+", literal(text), call("text", x)),
    ]) {
      await agree(expression, xIs(text));
    }
    await agree(call("error", x), xIs(text));
    await agree(call("error", x), xIs({ name: text, message: text }));
    await agree(call("error", literal({ name: text, message: text })), xIs(null));
  });
});

test("an expression never resembles the error marker", async () => {
  const fails = call("error", literal({ name: "Out", message: "no" }));
  const written = [
    firstOr(member(x, "waybill:A: b"), literal(null)),
    call("switchCondition", collect(member(x, "a")), literal("matches"), literal("waybill:A: b")),
    object([["waybill:A: b", literal("waybill:A: b")]]),
  ];
  for (const expression of written) await agree(collect({ kind: "comma", items: [expression, fails] }), xIs({ a: 1 }));
});

describe("numbers", () => {
  test.each([
    0,
    0.1 + 0.2,
    -19.990000000000002,
    1 / 3,
    2 ** 53,
    1e21,
    -1e300,
    5e-324,
    1.7976931348623157e308,
    123456789012345680000,
  ])("%d as text", async (number) => {
    await agree(call("text", x), xIs(number));
    expect(await actual(jsonataString(printJsonata(call("text", x), environment)), xIs(number))).toBe(
      JSON.stringify(String(number)),
    );
  });

  test.each<Json>([
    [1 / 3],
    { "1": [1 / 3, '\n"\u007f', null], '"': 1e21, a: {}, b: [true] },
    [[0.5]],
    [[]],
    [[1 / 3]],
  ])("%j as text, where some numbers have more digits than JSONata writes", (value) =>
    agree(call("text", x), xIs(value)),
  );
});

test("the first of several failures is reported", async () => {
  const fails = (name: string) => call("error", literal({ name, message: "" }));
  const one = fails("One");
  const two = fails("Two");
  const both = [
    object([
      ["a", one],
      ["b", two],
    ]),
    collect({ kind: "comma", items: [one, two] }),
    binary("+", two, one),
    call("merge", one, two),
    call("switchCondition", one, literal("exists"), two),
    call("compareInCondition", one, literal("<"), two),
    object([
      ["a", one],
      ["a", literal(1)],
    ]),
    call("exists", object([["a", { kind: "comma", items: [one, two] }]])),
    call("switchCondition", collect(member(x, "a")), literal("exists"), one),
    call("compareInCondition", member(x, "a"), literal("=="), one),
    call("merge", identity, one),
    reduce(two, "i", one, identity),
  ];
  for (const expression of both) {
    expect(expected(expression, xIs(1))).toBe("One: ");
    await agree(expression, xIs(1));
  }
});
