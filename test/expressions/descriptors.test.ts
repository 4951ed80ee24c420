import { describe, expect, test } from "vitest";
import { canFail, effectsOf, outputs } from "../../src/expressions/analysis/effects.ts";
import { inferType } from "../../src/expressions/analysis/types.ts";
import { builtins } from "../../src/expressions/builtins/builtins.ts";
import { call, literal, variable } from "../../src/expressions/core/build.ts";
import { type Expression, printExpression } from "../../src/expressions/index.ts";
import { compileJavaScript, isRefusal, javaScriptText } from "../../src/expressions/js/compile.ts";
import { runtime } from "../../src/generated/runtime.js";
import { targets } from "../../targets/index.ts";

/** Arguments that must be constant for some functions, by signature; others are variables. */
const written: ReadonlyMap<string, readonly (Expression | undefined)[]> = new Map([
  ["switchCondition/3", [undefined, literal("equals"), literal(1)]],
  ["place/3", [undefined, literal(["a"])]],
  ["mergeResult/3", [undefined, undefined, literal("k")]],
  ["omit/2", [undefined, literal(["a"])]],
  ["assignResult/3", [undefined, undefined, literal("k")]],
  ["compareInCondition/3", [undefined, literal("==")]],
  ["comparesNodes/3", [undefined, literal("<")]],
  ["attribute/2", [undefined, literal("source")]],
  ["format/2", [undefined, literal("text")]],
]);

const signatures = [...builtins.keys()];

type PrintResult = { readonly text: string } | { readonly reason: string };
type Print = (expression: Expression) => PrintResult | Promise<PrintResult>;

const span = { source: { path: "t", text: "t" }, start: 0, end: 1 };

const printers: readonly (readonly [name: string, print: Print])[] = [
  ["JavaScript", (expression) => javaScriptOf(expression)],
  ...targets.flatMap(({ name, printExpression: printer }): readonly (readonly [string, Print])[] =>
    printer
      ? [
          [
            name,
            async (expression) => {
              const printed = await printer.print(expression, ["a", "b", "c"], span);
              return typeof printed === "string" ? { text: printed } : { reason: printed.message };
            },
          ],
        ]
      : [],
  ),
];

const callOf = (signature: string): Expression => {
  const { name, arity } = builtins.get(signature)!;
  const args = Array.from({ length: arity }, (_, i) => written.get(signature)?.[i] ?? variable("abc".charAt(i)));
  return call(name, ...args);
};

describe.each(signatures)("%s", (signature) => {
  const builtin = builtins.get(signature)!;
  const expression = callOf(signature);

  test("is documented by a sentence that names it", () => {
    expect(builtin.meaning).toMatch(/^.*`.*\.$/);
    expect(builtin.meaning).toContain(builtin.name);
    expect(signature).toBe(`${builtin.name}/${builtin.arity}`);
  });

  test("is known to effects and types", () => {
    if (builtin.kind !== "form") expect(printExpression(expression)).toContain(builtin.name);
    expect(["one", "optional", "many"]).toContain(outputs(expression));
    expect(typeof canFail(expression)).toBe("boolean");
    const type = builtin.returns;
    if (type !== undefined) expect(effectsOf(expression).type ?? type).toBe(type);
    expect(inferType(expression, new Map())).toBeDefined();
  });

  test("is a runtime function if it is a value builtin", () => {
    if (builtin.kind === "value" && builtin.arity > 0) expect(Object.keys(runtime())).toContain(builtin.javascript);
  });

  test.each(printers)("is printed by %s or rejected with a reason", async (_, print) => {
    const printed = await print(expression);
    if ("text" in printed) expect(printed.text).not.toMatch(/\[object |\bundefined\(/);
    else expect(printed.reason).toMatch(/\w+ .*\w/);
  });
});

test.each(printers)("an unknown function is a bug for %s", async (_, print) => {
  const unknown = call("noSuchFunction", variable("a"));
  const printed = await Promise.resolve(unknown)
    .then(print)
    .catch(() => undefined);
  expect(printed === undefined || "reason" in printed).toBe(true);
});

function javaScriptOf(expression: Expression): PrintResult {
  const program = compileJavaScript(expression, { variables: ["a", "b", "c"] });
  return isRefusal(program) ? { reason: program.refused } : { text: javaScriptText(program) };
}
