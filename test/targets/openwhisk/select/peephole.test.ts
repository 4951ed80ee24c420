import { expect, test } from "vitest";
import { type JsExpression, js, type Statement } from "../../../../src/js-ast/index.ts";
import { optimizeStates } from "../../../../targets/openwhisk/select/peephole.ts";
import { printFunction } from "../../../../targets/openwhisk/select/print-function.ts";
import {
  addSequence,
  createStateBuilder,
  type StateBuilder,
  type StateOperation,
} from "../../../../targets/openwhisk/select/state-builder.ts";

// States by hand: which of them may be joined or removed, and which may not.

const name = js.name;
const params = name("params");
const set = (variable: string, value: JsExpression): Statement => js.assign(variable, value);

interface FunctionOptions {
  readonly lines?: readonly Statement[];
  readonly result?: JsExpression;
  readonly mayFail?: boolean;
  readonly helpers?: readonly string[];
}

const fn = ({ lines = [], result, mayFail = false, helpers = [] }: FunctionOptions): StateOperation => ({
  kind: "function",
  body: { lines, result, helpers: new Set(helpers), canFail: mayFail, mayThrow: mayFail },
});

const action: StateOperation = { kind: "action", action: "/_/a" };
const lets = (...symbols: readonly string[]): readonly StateOperation[] =>
  symbols.map((symbol) => ({ kind: "let", symbol, value: null }));

/** Adds states in sequence, named by their position. */
function add(builder: StateBuilder, first: string, operations: readonly StateOperation[], last: string | undefined) {
  const states = operations.map((operation, i) => ({ name: `${first}${i}`, operation }));
  addSequence(builder, first, states, last);
}

/** The states after optimization, as `name: kind` or with the text of the function. */
function optimized(build: (builder: StateBuilder) => void, isBalanced = true): readonly string[] {
  const builder = createStateBuilder([]);
  build(builder);
  builder.drafts.push({ label: "exit", name: "exit", operation: { kind: "pass" } });
  return optimizeStates({ builder, entry: "a", exit: "exit" }, isBalanced).drafts.map(({ operation }) =>
    operation.kind === "function" ? printFunction(operation.body, operation.body.parameter) : operation.kind,
  );
}

const keepX = fn({ lines: [set("x", js.literal("new"))] });
const failing = fn({ lines: [set("y", js.call("risky", []))], result: js.record({ y: name("y") }), mayFail: true });

/** Assigns `x` and then fails inside a `Try`, whose handler returns `result`. */
const guarded = (result: JsExpression) => (builder: StateBuilder) => {
  add(builder, "a", [...lets("x", "y"), fn({ lines: [set("x", params)] }), { kind: "try", handler: "h" }], "b");
  add(builder, "b", [action, keepX, failing, { kind: "catch" }], "exit");
  add(builder, "h", [fn({ result })], "exit");
};

test("an assignment is not lost if a later function of the `Try` fails and the handler reads it", () => {
  expect(optimized(guarded(js.record({ x: name("x") })))).toContain('() => {\n  x = "new";\n}');
  expect(optimized(guarded(js.record({ z: js.literal(1) })))).not.toContain('() => {\n  x = "new";\n}');
});

test("a function that may fail stays inside or outside its `Try`", () => {
  const over = (first: StateOperation, second: StateOperation) =>
    optimized((builder) => {
      add(builder, "a", [...lets("x", "y"), { kind: "try", handler: "h" }, action, first, { kind: "catch" }], "b");
      add(builder, "b", [second, action], "c");
      add(builder, "c", [fn({ result: js.record({ x: name("x"), y: name("y") }) })], "exit");
      add(builder, "h", [fn({ result: js.record({}) })], "exit");
    });
  const total = fn({ lines: [set("x", params)] });
  const failingFirst = fn({ lines: [set("x", js.call("risky", [params]))], mayFail: true });
  expect(over(total, failing).filter((state) => state.startsWith("("))).toHaveLength(3);
  expect(over(total, failing).indexOf("catch")).toBeLessThan(over(total, failing).findIndex((s) => /risky/.test(s)));
  const both = over(failingFirst, failing);
  expect(both.filter((state) => /risky/.test(state))).toHaveLength(2);
});

/** Computes `x` from the result of an action, and reads it after a `Choice` or after another action. */
const restored = (between: readonly StateOperation[]) => (builder: StateBuilder) => {
  const compute = fn({ lines: [set("x", js.member(params, "x"))], result: js.record({ value: name("x") }) });
  add(builder, "a", [...lets("x"), action, { kind: "push" }, compute], "c");
  builder.drafts.push({ label: "c", name: "c", operation: { kind: "choice", whenTrue: "t", otherwise: "exit" } });
  add(builder, "t", [...between, fn({ result: js.record({ x: name("x"), y: js.literal(1) }) })], "exit");
};

test("a variable is computed again from the params that a `Choice` restores, but not after another action", () => {
  expect(optimized(restored([]))).toEqual([
    "action",
    "push",
    "({ x }) => ({ value: x })",
    "choice",
    "({ x }) => ({ x, y: 1 })",
    "pass",
  ]);
  expect(optimized(restored([action]))).toContain("() => ({ x, y: 1 })");
});

test("a constant moves into its `Let` only if every run assigns it once, first", () => {
  const counting = (isLoop: boolean) =>
    optimized((builder) => {
      const reset = fn({ lines: [set("n", js.literal(0))] });
      const test = fn({ lines: [set("n", js.binary(name("n"), "+", js.literal(1)))], result: js.record({}) });
      add(builder, "a", [...lets("n"), action], "b");
      add(builder, "b", [reset, action, { kind: "push" }, test], "c");
      builder.drafts.push({
        label: "c",
        name: "c",
        operation: { kind: "choice", whenTrue: isLoop ? "b" : "exit", otherwise: "exit" },
      });
    });
  expect(counting(false).some((state) => /n = 0/.test(state))).toBe(false);
  expect(counting(true).some((state) => /n = 0/.test(state))).toBe(true);
});

test("a branch reads the variables of the states before it", () => {
  const states = optimized((builder) => {
    builder.fixedLabels.add("branch");
    add(builder, "a", [...lets("x"), fn({ lines: [set("x", params)] })], "f");
    add(builder, "f", [{ kind: "action", action: "/_/rt", starts: ["branch"] }], "exit");
    add(builder, "branch", [{ kind: "pass" }, fn({ result: js.record({ x: name("x") }) })], "exit");
  });
  expect(states).toEqual(["let", "(params) => {\n  x = params;\n}", "action", "() => ({ x })", "pass"]);
});

test("members of the params are parameters unless the function has such a name", () => {
  const textOf = (lines: readonly Statement[], result: JsExpression) =>
    optimized((builder) => {
      add(builder, "a", [...lets("error"), fn({ lines: [set("error", params)] }), action, fn({ lines, result })], "b");
      add(builder, "b", [action, fn({ result: js.record({ error: name("error") }) })], "exit");
    })[3];
  const error = js.member(params, "error");
  expect(textOf([], js.record({ of: error }))).toBe("({ error }) => ({ of: error })");
  expect(textOf([set("error", error)], js.record({ of: error }))).toBe(
    "(params) => {\n  error = params.error;\n  return { of: params.error };\n}",
  );
  expect(textOf([], js.record({ of: error, all: params }))).toBe("(params) => ({ of: params.error, all: params })");
});

test("the stack stays balanced only in plain Composer JSON", () => {
  const build = (builder: StateBuilder) => {
    add(builder, "a", [...lets("x"), fn({ lines: [set("x", params)] }), { kind: "try", handler: "h" }, action], "b");
    add(
      builder,
      "b",
      [fn({ result: js.record({ x: name("x") }) }), { kind: "catch" }, { kind: "end", symbol: "x" }],
      "exit",
    );
    add(builder, "h", [fn({ result: js.record({}) })], "exit");
  };
  expect(optimized(build, true)).toEqual(expect.arrayContaining(["catch", "end"]));
  const states = optimized(build, false);
  expect(states).toContain("try");
  expect(states.filter((state) => state === "catch" || state === "end")).toEqual([]);
});
