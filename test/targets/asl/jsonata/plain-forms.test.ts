import fc from "fast-check";
import { expect, test } from "vitest";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import {
  call,
  collect,
  comma,
  identity,
  literal,
  object,
  query,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { isPlainForm } from "../../../../targets/asl/jsonata/plain-forms.ts";
import { jsonataTemplate, printJsonata } from "../../../../targets/asl/jsonata/print.ts";
import { expression, hostileKeys, json } from "./random-expressions.ts";

const key = fc.constantFrom("a", "b", "items", ...hostileKeys);
const operator = fc.constantFrom("exists", "null", "notnull", "equals", "notequals", "lessthan", "greaterthanorequals");

/** Forms of workflow data, in which parts occur repeatedly. */
const forms = fc.letrec<{ form: Expression }>((tie) => {
  const form = tie("form");
  const step = fc.oneof(
    key.map((name) => ({ kind: "name", name }) as const),
    fc.integer({ min: -2, max: 3 }).map((index) => ({ kind: "index", index }) as const),
  );
  const path = fc.tuple(form, fc.array(step, { minLength: 1, maxLength: 5 })).map(([source, steps]) =>
    query(
      source,
      steps.map((each) => ({ descend: false, selectors: [each] })),
    ),
  );
  return {
    form: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom(identity, variable("data"), variable("x"), variable("id")),
      json.map((value) => literal(value)),
      path,
      path.map((found) => call("first", comma(found, literal(null)))),
      fc.tuple(form, form).map(([a, b]) => collect(comma(a, b, a))),
      fc.tuple(key, form, form).map(([name, a, b]) =>
        object([
          ["first", a],
          [name, b],
          ["last", a],
        ]),
      ),
      fc.tuple(fc.constantFrom("merge", "assign"), form, form).map(([name, a, b]) => call(name, a, b)),
      fc.tuple(form, fc.array(key, { maxLength: 3 }), form).map(([a, names, b]) => call("place", a, literal(names), b)),
      fc.tuple(path, operator, form).map(([a, word, b]) => call("switchCondition", collect(a), literal(word), b)),
    ),
  };
}).form;

const printVariable = (name: string) => (name === "id" ? { call: "$uuid()" } : `$${name}`);

test("the printer rejects no plain form, neither as an expression nor as a field", () => {
  let count = 0;
  const prints = (each: Expression): void => {
    if (!isPlainForm(each)) return;
    count += 1;
    printJsonata(each, printVariable);
    jsonataTemplate(each, printVariable);
  };
  fc.assert(
    fc.property(fc.oneof(forms, expression), (each) => {
      prints(each);
      prints(simplify(each));
    }),
    { numRuns: 2000 },
  );
  expect(count).toBeGreaterThan(1000);
});

test.each([
  ["a key that JavaScript misreads", object([["__proto__", identity]])],
  ["a path through such a key", call("place", identity, literal(["__proto__"]), identity)],
  ["a computed path", call("place", identity, variable("x"), identity)],
  [
    "an operator that needs a regular expression",
    call("switchCondition", collect(identity), literal("matches"), identity),
  ],
  ["a function without a form in JSONata", call("ltrimstr", identity)],
])("%s is no plain form", (_, each) => {
  expect(isPlainForm(each)).toBe(false);
});
