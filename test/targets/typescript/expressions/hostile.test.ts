import { describe, expect, test } from "vitest";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import {
  binary,
  bind,
  call,
  collect,
  comma,
  concatenate,
  conditional,
  firstOr,
  identity,
  literal,
  member,
  object,
  pipe,
  query,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import type { Json } from "../../../../src/json.ts";
import { cpuTime } from "../../../cpu.ts";
import { core } from "../../../expressions/js/running.ts";
import { prepareBoth } from "./running.ts";

/** Strings with a meaning in JavaScript, HTML or templates, line breaks, and names of inherited members. */
const hostile: readonly string[] = [
  ..."__proto__ constructor length toString valueOf hasOwnProperty null true NaN undefined input item program get 0 1 -1".split(
    " ",
  ),
  ...[
    "",
    " ",
    "a b",
    "</script><script>",
    "<!--",
    "`",
    "$" + "{input}",
    "$",
    "$${",
    "\\",
    '"',
    "'",
    "*/",
    "//",
    "\n",
    "\r\n",
    "\t",
    "\0",
  ],
  ...[
    "\u2028",
    "\u2029",
    "\ufeff",
    "\u202e",
    "\ud800",
    "\udc00x",
    "😀",
    "é",
    "\ue000Foo\ue001",
    "a".repeat(60),
    "é".repeat(5000),
  ],
];

const key = (name: string): Expression => ({ kind: "access", source: identity, key: literal(name), optional: false });

/** An object with an own member of this name, even `__proto__`. */
const holding = (name: string, value: Json): Json =>
  Object.defineProperty({}, name, { value, enumerable: true }) as Json;

const forms: readonly (readonly [string, (text: string) => Expression])[] = [
  ["a string", (text) => literal(text)],
  ["members of constants", (text) => literal([holding(text, 1), holding("a", holding(text, text))])],
  [
    "a member of a new object",
    (text) =>
      object([
        [text, literal(1)],
        ["b", identity],
      ]),
  ],
  ["a member, in jq", key],
  ["a member of a member, in jq", (text) => pipe(key("b"), key(text))],
  ["a member, in JSONPath", (text) => member(identity, text)],
  ["a member of a member, in JSONPath", (text) => firstOr(member(identity, "b", text), literal("none"))],
  ["a string interpolation", (text) => concatenate([literal(text), call("text", identity), literal(text)])],
  ["a comparison", (text) => call("compareInCondition", member(identity, text), literal("=="), literal(text))],
  ["a sum", (text) => binary("+", literal(text), call("text", identity))],
  [
    "a name",
    (text) =>
      bind(
        text,
        key("b"),
        collect(pipe({ kind: "iterate", source: identity, optional: true }, object([["x", variable(text)]]))),
      ),
  ],
  [
    "a filter",
    (text) =>
      query(identity, [
        { descend: false, selectors: [{ kind: "filter", condition: call("exists", member(identity, text)) }] },
      ]),
  ],
];

describe("hostile strings have no special meaning", () => {
  test.each(forms)("as %s", (_, form) => {
    for (const text of hostile) {
      const made = prepareBoth(form(text), []);
      if (!made) expect(text.length).toBeGreaterThan(30);
      if (!made) continue;
      const inputs: readonly Json[] = [
        null,
        text,
        1,
        [text],
        holding(text, "found"),
        { b: holding(text, [1]) },
        [holding(text, 2), {}],
      ];
      for (const input of inputs)
        expect({ text, given: made.run(input, []) }).toEqual({ text, given: made.expected(input, []) });
      expect(made.program.code).not.toMatch(
        /<\/script|<!--|[\u2028\u2029\u202e\ufeff\ud800\udc00](?![\udc00-\udfff])/u,
      );
    }
  });

  test("values with members of such names", () => {
    const made = prepareBoth(core(".. |= . | [.[]?] + [keys?] | length"), [])!;
    for (const name of ["__proto__", "constructor", "toString"]) {
      const input = { [name]: [holding(name, 1)] };
      expect(made.run(input, [])).toBe(made.expected(input, []));
    }
  });
});

describe("large and deep expressions", () => {
  const choices = (depth: number): Expression => {
    let tree: Expression = call("error", identity);
    for (let i = 0; i < depth; i += 1) tree = conditional(key(`k${i}`), comma(), tree);
    return tree;
  };

  test.each<[string, Expression]>([
    ["nested conditionals", choices(150)],
    ["conditionals too deep to print", choices(5000)],
    [
      "nested sums",
      Array.from({ length: 100 }).reduce<Expression>((sum, _, i) => binary("+", sum, key(`k${i}`)), literal(1)),
    ],
    [
      "nested alternatives",
      Array.from({ length: 150 }).reduce<Expression>(
        (inner, _, i) => firstOr(member(inner, `k${i}`), literal(i)),
        identity,
      ),
    ],
    [
      "an array of 20,000 elements",
      collect({ kind: "comma", items: Array.from({ length: 20_000 }, (_, i) => literal(i)) }),
    ],
  ])("are processed quickly: %s", (_, tree) => {
    const begun = cpuTime();
    const made = prepareBoth(tree, []);
    expect(cpuTime() - begun).toBeLessThan(3000);
    if (made) expect(made.run({ k0: 1 }, [])).toBe(made.expected({ k0: 1 }, []));
  });
});

test("names of elements and variables do not collide", () => {
  const made = prepareBoth(simplify(core(".a[] as $item | [.b[] | [.c[] | . + 1]]")), [])!;
  const tables = { a: [0, 0], b: [{ c: [1, 2] }, { c: [] }] };
  expect(made.run(tables, [])).toBe(made.expected(tables, []));
  const nested = prepareBoth(bind("item", identity, core("[.[] | [.[] | [.[]? , 1]]]")), [])!;
  for (const input of [[[[1], [2]], [[3]]], [[1]], 3]) expect(nested.run(input, [])).toBe(nested.expected(input, []));
  const outer = prepareBoth(core("[.[] | . as $x | [.[] | [$x, .]]]"), [])!;
  expect(outer.run([[1, 2], [3]], [])).toBe(outer.expected([[1, 2], [3]], []));
});
