import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import { evaluateOne, printExpression } from "../../../src/expressions/index.ts";
import { scriptModule } from "../../../src/ir/scripts.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { parseFunction } from "../../../src/languages/composer-fsm/javascript/parse.ts";
import { expressionOf } from "../../../src/languages/composer-fsm/javascript/translate.ts";
import { among, weighted } from "../../equivalence/arbitraries.ts";
import { objectOver, valueOver } from "../../equivalence/values.ts";
import { span } from "../../reference/build.ts";

function translated(text: string, variables: readonly string[] = ["v"]) {
  const read = parseFunction(text);
  if ("problem" in read) throw new Error(`${text}: ${read.problem}`);
  return expressionOf(read, variables);
}

const shown = (text: string): readonly string[] | undefined => {
  const { value, when } = translated(text) ?? {};
  return value && when && [printExpression(value), printExpression(when)];
};

test.each<[string, string, string?]>([
  ["p => p", "$params"],
  ["() => ({})", "{}"],
  ["({ a, b: c }) => ({ a, c })", "first({ a: $params.a }, {}) + first({ c: $params.b }, {})"],
  ["({ a, ...rest }) => rest", 'delpaths($params, [["a"]])'],
  ["p => ({ ...p, done: true })", "$params + { done: true }"],
  ["() => v", '$v as $result | if type($result) == "object" then $result else { value: $result } end'],
  ["() => ({ v, n: [1, -2] })", "{ v: $v, n: [1, 0 - 2] }"],
  ["p => p.a === 'x'", '{ value: first($params.a, null) == "x" }'],
  ["p => { return p.a == null }", "{ value: first($params.a, null) == null }"],
  [
    "p => p.a ? 1 : 2",
    '{ value: if first($params.a, null) as $tested | $tested != null and $tested != false and $tested != 0 and $tested != "" then 1 else 2 end }',
  ],
  ["p => p.a + 1", "{ value: $params.a + 1 }", 'type(first($params.a, null)) == "number"'],
  [
    "p => typeof p.a === 'number' ? p.a + 1 : 0",
    '{ value: if type(first($params.a, null)) == "number" then $params.a + 1 else 0 end }',
  ],
  ["p => `<\u0024{p.a}>`", '{ value: "<" + $params.a + ">" }', 'type(first($params.a, null)) == "string"'],
  [
    "p => p.a?.b",
    'first(($params.a.b as $result | if type($result) == "object" then $result else { value: $result } end), {})',
  ],
  ["p => ({ ...p, x: p.y })", "$params + { x: $params.y }", "exists($params.y)"],
])("%s is an expression", (text, value, when = "true") => {
  expect(shown(text)).toEqual([value, when]);
});

test.each([
  "function (p) { return p }",
  "async p => p",
  "(p, q) => p",
  "(p = 1) => p",
  "({ a = 1 }) => a",
  "([a]) => a",
  "p => { p.a = 1; return p }",
  "p => p.toString",
  "p => p['constructor']",
  "p => p?.a.b",
  "p => ({ __proto__: p })",
  "p => ({ [p.a]: 1 })",
  "p => ({ get a() { return 1 } })",
  "p => [...p.a]",
  "p => [, 1]",
  "p => p.a % 2",
  "p => p.a / 2",
  "p => p.a == 1",
  "p => p.a < 'b'",
  "p => String(p.a)",
  "p => v++",
  "() => nowhere",
  "() => 1e400",
  "p => /a/.test(p.a)",
  "p => new Date(0)",
  `p => [${"p.a, ".repeat(400)}]`,
  `p => ${"!".repeat(1000)}p`,
])("%s is not an expression", (text) => {
  expect(shown(text)).toBeUndefined();
});

const leaf: Arbitrary<string> = among(
  "p",
  "p.a",
  "p.b",
  "p.a.b",
  "p.a?.b",
  "p['c']",
  "v",
  "v.a",
  "p.b[0]",
  "p.a.length",
  "1",
  "2.5",
  "0",
  "'x'",
  "''",
  "null",
  "true",
  "undefined",
  "{}",
  "[]",
);

/** A random expression in source form, with parentheses. */
const expression = (depth: number): Arbitrary<string> => {
  if (depth === 0) return leaf;
  const inner = expression(depth - 1);
  const operator = among("===", "!==", "+", "-", "*", "<", ">=", "&&", "||", "??");
  return weighted<string>(
    [2, leaf],
    [4, fc.tuple(inner, operator, inner).map(([a, o, b]) => `(${a}) ${o} (${b})`)],
    [3, fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`)],
    [
      2,
      fc
        .tuple(among("p.a", "p.b", "v"), among("number", "string", "boolean"), inner, inner)
        .map(([x, t, a, b]) => `typeof ${x} === '${t}' ? (${a}) : (${b})`),
    ],
    [2, fc.tuple(inner, among("p.a", "v")).map(([a, x]) => `Array.isArray(${x}) && (${a})`)],
    [1, inner.map((a) => `!(${a})`)],
    [1, inner.map((a) => `(${a}) == null`)],
    [1, inner.map((a) => `-(${a})`)],
    [2, inner.map((a) => `\`<\${${a}}>\``)],
    [4, fc.tuple(inner, inner).map(([a, b]) => `({ x: ${a}, y: ${b}, x: ${a} })`)],
    [2, fc.tuple(inner, inner).map(([a, b]) => `({ ...(${a}), error: ${b} })`)],
    [2, fc.tuple(inner, inner).map(([a, b]) => `[${a}, ${b}]`)],
  );
};

const bodies: Arbitrary<string> = weighted<string>(
  [4, expression(3).map((body) => `p => (${body})`)],
  [1, expression(2).map((body) => `p => { return ${body} }`)],
  [2, expression(2).map((body) => `({ a, b: c, ...p }) => [a, c, (${body})]`)],
);

test("a function and its expression have the same result if the condition holds", { timeout: 60_000 }, async () => {
  const given = fc.sample(
    fc.record({ text: bodies, params: objectOver(["a", "b", "c", "error"], 3), v: valueOver(["a"], 2) }),
    { seed: 20_261, numRuns: 3_000 },
  );
  const functions = given.map(({ text }, i) => ({
    name: `f${i}`,
    protocol: { kind: "script", language: "javascript", text, variables: ["v"], changes: [], isPure: true } as const,
    span,
  }));
  const { text, names } = scriptModule(functions);
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    readonly [name: string]: (argument: Json) => JsonObject;
  };
  const tally = { none: 0, otherTypes: 0, same: 0, of: new Set<string>() };
  for (const [i, { text: script, params, v }] of given.entries()) {
    const found = translated(script);
    const variables = new Map<string, Json>([
      ["params", params],
      ["v", v],
    ]);
    const environment = { input: null, variables };
    if (!found) tally.none += 1;
    else if (evaluateOne(found.when, environment) !== true) tally.otherTypes += 1;
    else {
      const answer = module[names.get(`f${i}`)!]!({ params, variables: { v } });
      const result = evaluateOne(found.value, environment);
      expect({ script, params, v, result }).toEqual({ script, params, v, result: answer });
      tally.same += 1;
    }
  }
  expect(tally.same).toBeGreaterThan(700);
  expect(tally.otherTypes).toBeGreaterThan(300);
});
