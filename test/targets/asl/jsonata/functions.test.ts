import { describe, expect, test } from "vitest";
import { builtins } from "../../../../src/expressions/builtins/builtins.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { call, literal, variable } from "../../../../src/expressions/core/build.ts";
import type { Json } from "../../../../src/json.ts";
import { UnsupportedExpression } from "../../../../targets/asl/jsonata/context.ts";
import { functionPrinters } from "../../../../targets/asl/jsonata/functions/index.ts";
import { functionNames } from "../../../../targets/asl/jsonata/helpers/index.ts";
import { helperTable } from "../../../../targets/asl/jsonata/helpers/table.ts";
import { jsonataString, printJsonata } from "../../../../targets/asl/jsonata/print.ts";
import { actual, environment, expected, one } from "./compared-with-core.ts";

const samples: readonly Json[] = [null, true, -1.5, 2, "b a", "", [2, [1], 2], { a: { b: 1 } }];
const few: readonly Json[] = [null, 1, "a", ["a", 1], { a: 2 }];

/** Functions whose second argument must be constant: an operator, path or format. */
const words: ReadonlyMap<string, readonly Json[]> = new Map<string, readonly Json[]>([
  ["format/2", ["text", "json", "html", "uri", "base64", "csv"]],
  ["compareInCondition/3", ["==", "!=", "<", ">="]],
  ["comparesNodes/3", ["==", "!=", "<", ">="]],
  ["switchCondition/3", ["exists", "null", "equals", "notequals", "lessthan"]],
  ["place/3", [[], ["a"], ["a", "c"]]],
  ["omit/2", [[], ["a"], ["a", "c"]]],
  ["nodeMatches/2", ["a", "b.*"]],
  ["nodeSearches/2", ["a", "b.*"]],
]);

const standardErrors: Json = {
  prefix: "https://a.example/errors/",
  errors: { timeout: { status: 408, title: "Timeout" }, runtime: { status: 500, title: "Runtime" } },
  origins: { function: "runtime", timeout: "timeout", expression: "runtime", fail: "runtime" },
};
const problem: Json = { title: "Taken", instance: "/do/1" };

const details: readonly Json[] = [
  null,
  { status: 404, detail: "gone", type: "https://a.example/b" },
  { status: "404" },
  problem,
];
const raised: readonly Json[] = ["function", "timeout", "expression", "fail"].flatMap((origin) =>
  ["timeout", "https://a.example/taken", "Boom"].flatMap((name) =>
    details.flatMap((data) => ["", "it broke"].map((message): Json => ({ origin, name, message, data }))),
  ),
);

/** Functions that only front ends and passes call, with values for each argument. */
const suitable: ReadonlyMap<string, readonly (readonly Json[])[]> = new Map<string, readonly (readonly Json[])[]>([
  ["problem/3", [raised, ["/do/0"], [standardErrors]]],
  ...["Name", "Type", "Status", "Title", "Detail"].map(
    (part) => [`problem${part}/2`, [raised, [standardErrors]]] as const,
  ),
]);

/** Calls of a function with values in variables, except for constants. */
function callsOf(signature: string): readonly { readonly call: Expression; readonly values: readonly Json[] }[] {
  const [name, arity] = signature.split("/") as [string, string];
  const choices = Array.from({ length: Number(arity) }, (_, i) => {
    if (i === 1 && words.has(signature)) return words.get(signature)!;
    return suitable.get(signature)?.[i] ?? (arity === "1" ? samples : few);
  });
  const combinations = choices.reduce<readonly (readonly Json[])[]>(
    (lists, values) => lists.flatMap((list) => values.map((value) => [...list, value])),
    [[]],
  );
  return combinations.map((values) => ({
    call: call(
      name,
      ...values.map((value, i) =>
        (i === 1 && words.has(signature)) || (i !== 1 && signature === "range/3") ? literal(value) : variable(`x${i}`),
      ),
    ),
    values,
  }));
}

test("every core function has a printer or is declared unsupported", () => {
  const functions = [...builtins].flatMap(([signature, { kind, name }]) =>
    kind === "form" || /^\W/.test(name) ? [] : signature,
  );
  expect(Object.keys(functionPrinters).sort()).toEqual(functions.sort());
});

test("every helper that a function uses is defined", () => {
  const helpers = Object.values(functionPrinters).flatMap((known) => (known.kind === "helper" ? [known.helper] : []));
  expect(helpers.filter((name) => !functionNames.has(name))).toEqual([]);
});

describe("each function gives the same result as the core, or is rejected with a reason", () => {
  const printed = Object.keys(functionPrinters).filter((name) => functionPrinters[name]!.kind !== "refused");

  test.each(printed)("%s", { timeout: 30_000 }, async (signature) => {
    const results = new Set<string>();
    for (const { call, values } of callsOf(signature)) {
      const variables = new Map(values.map((value, i) => [`x${i}`, value] as const));
      const known = attempt(one(call));
      results.add(known.kind);
      if (known.kind === "refused") {
        expect(known.construct).not.toBe("");
        continue;
      }
      const result = await actual(jsonataString(known.text), variables);
      if (!result.startsWith("LimitError: ")) expect(result, known.text).toBe(expected(one(call), variables));
    }
    expect(results).toContain(/^(?:_test|schemaViolation)\//.test(signature) ? "refused" : "printed");
  });

  test.each(Object.keys(functionPrinters).filter((name) => !printed.includes(name)))("%s is rejected", (signature) => {
    const kinds = callsOf(signature).map(({ call }) => attempt(one(call)));
    expect(kinds).toEqual(kinds.map(() => ({ kind: "refused", construct: expect.stringMatching(/.`|matches/) })));
  });
});

type FunctionCall =
  | { readonly kind: "printed"; readonly text: string }
  | { readonly kind: "refused"; readonly construct: string };

function attempt(expression: Expression): FunctionCall {
  try {
    return { kind: "printed", text: printJsonata(expression, environment) };
  } catch (error) {
    if (!(error instanceof UnsupportedExpression)) throw error;
    return { kind: "refused", construct: error.construct };
  }
}

test("helpers have no cyclic dependencies, so each is defined before its use", () => {
  const table = helperTable();
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) cycles.push([...path, name].join(" > "));
    else if (!done.has(name))
      for (const other of table[name]!.needs.filter((each) => each !== name)) visit(other, [...path, name]);
    done.add(name);
  };
  for (const name of Object.keys(table)) visit(name, []);
  expect(cycles).toEqual([]);
});
