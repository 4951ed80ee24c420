import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  binary,
  bind,
  call as builtin,
  collect,
  comma,
  conditional,
  firstOr,
  literal,
  member,
  object,
  variable,
} from "../../../src/expressions/core/build.ts";
import type { Scope, Step } from "../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import {
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  event,
  forEach,
  fork,
  handler,
  retry,
  scope,
  workflow,
  yes,
} from "../../reference/build.ts";
import { callsOf, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { compareWithReference, element, generateMachine, part } from "./reference-comparison.ts";

// Pass states that are avoided, because another state performs their work exactly.

/** The types of all states of a machine, including nested ones. */
function* typesIn(states: JsonObject): Generator<string> {
  for (const state of Object.values(states) as JsonObject[]) {
    yield state["Type"] as string;
    const inner = [...((state["Branches"] ?? []) as JsonObject[]), ...[state["ItemProcessor"] ?? []].flat()];
    for (const each of inner as JsonObject[]) yield* typesIn(each["States"] as JsonObject);
  }
}

const passes = async (steps: Scope): Promise<number> =>
  [...typesIn((await generateMachine(workflow(steps))).states)].filter((type) => type === "Pass").length;

const g = variable("g");
const all = collect(comma(data, g));
const keepId = assign("Keep", { g: object([["id", firstOr(member(data, "id"), literal(null))]]) }, "Work");
const input = { id: 7, list: [1, 2] };
const twice = (name: string): readonly Step[] => [
  call(name, "f", all, `${name}/2`),
  call(`${name}/2`, "g", all, `${name}/end`),
  end(`${name}/end`, all),
];

describe("branches and iterations receive the outer variables that they read", () => {
  const forked = (...bodies: readonly Scope[]): Scope =>
    scope(
      ["data", "g", "r"],
      keepId,
      fork(
        "Work",
        bodies.map((body, i) => branch(`b${i}`, body)),
        "End",
        { bind: "r" },
      ),
      end("End", collect(comma(variable("r"), g))),
    );
  const looped = (name: string): Scope =>
    scope(
      [["n", literal(0)]],
      call(name, "f", g, `${name}/more`),
      assign(`${name}/more`, { n: binary("+", variable("n"), literal(1)) }, `${name}/test`),
      choose(`${name}/test`, [[binary("<", variable("n"), literal(2)), name]], `${name}/end`),
      end(`${name}/end`, g),
    );

  test.each<[string, Scope, number]>([
    ["branches", forked(scope([], ...twice("A")), scope(["data"], ...twice("B"))), 0],
    ["a branch with its own document", forked(scope([["data", object([["own", g]])]], ...twice("A"))), 0],
    [
      "branches within branches",
      forked(scope(["r"], fork("In", [branch("in", scope([], ...twice("A")))], "Out"), end("Out", g))),
      0,
    ],
    [
      "iterations",
      scope(
        ["data", "g", "r"],
        keepId,
        forEach("Work", part("list"), scope([["x", g]], ...twice("A")), "End", { bind: "r" }),
        end("End", collect(comma(variable("r"), g))),
      ),
      0,
    ],
    [
      "iterations within a branch",
      forked(
        scope(["r"], forEach("In", part("list"), scope([["data", element]], ...twice("A")), "Out"), end("Out", g)),
      ),
      0,
    ],
    ["a branch that starts with a loop, which needs a state that sets the variables", forked(looped("A")), 1],
  ])("%s", async (_, steps, states) => {
    const seen = await compareWithReference(workflow(steps), { input });
    expect(outcomeOf(seen)).toHaveProperty("output");
    expect(callsOf(seen)).not.toEqual([]);
    expect(await passes(steps)).toBe(states);
  });

  test("including branches of a counting join", async () => {
    const steps = scope(
      ["data", "g"],
      keepId,
      fork(
        "Work",
        ["A", "B", "C"].map((name) => branch(name, scope([], ...twice(name)))),
        "End",
        { join: { kind: "some", count: 2 } },
      ),
      end("End", g),
    );
    expect(outcomeOf(await compareWithReference(workflow(steps), { input }))).toEqual({ output: { id: 7 } });
  });

  test("but not a variable that equals the document", async () => {
    const whole = scope(
      ["data", "g"],
      assign("Keep", { g: data }, "Work"),
      fork("Work", [branch("b", scope([], ...twice("A")))], "End"),
      end("End", g),
    );
    await compareWithReference(workflow(whole), { input });
    expect((await generateMachine(workflow(whole))).states["Work"]).not.toHaveProperty("Arguments");
  });
});

const missing = { name: "Missing", message: "There is no order." };
const order = firstOr(member(data, "order"), builtin("error", literal(missing)));
const takeOrder = assign("Take", { data: order }, "Next");

describe("an assignment that may fail is part of the first expression of the next state", () => {
  const behind = (next: Step, ...steps: readonly Step[]): Scope =>
    scope(["data", "r"], takeOrder, next, end("End", data), ...steps);

  test.each<[string, Scope]>([
    ["a wait", behind(delay("Next", literal(9), "End"))],
    ["a call with another argument", behind(call("Next", "f", literal({ n: 1 }), "End"))],
    ["a call with retries", behind(call("Next", "f", literal(1), "End", { retries: [retry(1, 1, never("Busy"))] }))],
    ["an event", behind(emit("Next", "Told", literal({}), "End"))],
    ["an iteration", behind(forEach("Next", literal([1, 2]), scope([], ...twiceNothing()), "End"))],
  ])("%s", async (_, steps) => {
    const flow = { ...workflow(steps), events: [event("Told")] };
    expect(outcomeOf(await compareWithReference(flow, { input: { order: { id: 1 } } }))).toEqual({ output: { id: 1 } });
    const failed = await compareWithReference(flow, { input: {} });
    expect(outcomeOf(failed)).toEqual({ error: "Missing", message: "There is no order." });
    expect([callsOf(failed), failed.elapsed]).toEqual([[], 0]);
    expect([...typesIn((await generateMachine(flow)).states)]).not.toContain("Pass");
  });

  test("but not if the state would catch the error", async () => {
    const steps = behind(
      call("Next", "f", literal(1), "End", { handlers: [handler(yes, "Handled")] }),
      end("Handled", literal("handled")),
    );
    expect(outcomeOf(await compareWithReference(workflow(steps), { input: {} }))).toHaveProperty("error", "Missing");
    const functions = { f: [throws("Busy")] };
    expect(outcomeOf(await compareWithReference(workflow(steps), { input: { order: 1 }, functions }))).toEqual({
      output: "handled",
    });
    expect(await passes(steps)).toBe(1);
  });
});

function never(name: string): { readonly when: Expression } {
  return { when: binary("==", member(variable("error"), "name"), literal(name)) };
}

function twiceNothing(): readonly Step[] {
  return [call("In", "f", element, "In/end"), end("In/end", literal(null))];
}

test("a loop needs no Pass before it if its document is unchanged or stays an object", async () => {
  const wrapped = conditional(binary("==", builtin("type", data), literal("object")), data, object([["input", data]]));
  const steps = scope(
    ["data", "n", "first"],
    assign("Wrap", { data: wrapped }, "Note"),
    assign("Note", { first: data, n: literal(0) }, "Again"),
    call("Again", "f", collect(comma(data, variable("first"), variable("n"))), "Count"),
    assign(
      "Count",
      { n: binary("+", variable("n"), literal(1)), data: builtin("place", data, literal(["n"]), variable("n")) },
      "Test",
    ),
    choose("Test", [[binary("<", variable("n"), literal(3)), "Again"]], "End"),
    end("End", collect(comma(data, variable("first")))),
  );
  const flow = { ...workflow(steps), anyInput: true as const };
  for (const given of [{ id: 1 }, [1], "text", 0]) await compareWithReference(flow, { input: given });
  expect([...typesIn((await generateMachine(flow)).states)]).not.toContain("Pass");
});

describe("impossible errors have no code", () => {
  const log = variable("log");
  const tried = (...steps: readonly Step[]): Scope =>
    scope(
      ["data", ["log", literal([])], "r"],
      attempt("Try", scope([], ...steps, end("Done", literal(null))), "End", { handlers: [handler(yes, "Handled")] }),
      end("End", log),
      end("Handled", literal("handled")),
    );

  test("appending to an array and reading its length", async () => {
    const steps = tried(
      call("First", "f", log, "Add", { bind: "r" }),
      assign("Add", { log: binary("+", log, collect(variable("r"))) }, "Test"),
      choose("Test", [[binary(">", builtin("length", log), literal(2)), "Done"]], "First"),
    );
    const functions = { f: [returns(1), returns([2]), returns(null)] };
    expect(outcomeOf(await compareWithReference(workflow(steps), { input: {}, functions }))).toEqual({
      output: [1, [2], null],
    });
    const { states, lambda } = await generateMachine(workflow(steps));
    expect(lambda).toBe("");
    expect(JSON.stringify(states)).not.toContain("$error(");
  });

  test("but an expression that may fail is evaluated where its error is caught", async () => {
    const steps = tried(
      call("First", "f", log, "Add", { bind: "r" }),
      assign("Add", { log: binary("+", log, variable("r")) }, "Test"),
      choose("Test", [[binary(">", builtin("length", log), literal(2)), "Done"]], "First"),
    );
    const functions = { f: [returns([1]), returns("x")] };
    expect(outcomeOf(await compareWithReference(workflow(steps), { input: {}, functions }))).toEqual({
      output: "handled",
    });
    const grown = { f: [returns([1]), returns([2, 3])] };
    expect(outcomeOf(await compareWithReference(workflow(steps), { input: {}, functions: grown }))).toEqual({
      output: [1, 2, 3],
    });
  });

  test("the result of a function has its inferred type", async () => {
    const given = variable("given");
    const list = bind(
      "given",
      part("list"),
      conditional(
        binary("==", builtin("type", given), literal("array")),
        given,
        builtin("error", literal({ name: "NoList", message: "" })),
      ),
    );
    const steps = tried(
      assign("Take", { log: list }, "Test"),
      choose("Test", [[binary(">", builtin("length", log), literal(1)), "Call"]], "Done"),
      call("Call", "f", log, "Done"),
    );
    for (const [start, output] of [
      [{ list: [1, 2] }, [1, 2]],
      [{ list: [] }, []],
      [{ list: "x" }, "handled"],
    ])
      expect(outcomeOf(await compareWithReference(workflow(steps), { input: start as JsonObject }))).toEqual({
        output,
      });
    const { lambda } = await generateMachine(workflow(steps));
    expect(lambda.match(/\[\s*"[^"]+", \(/g)).toHaveLength(1);
  });
});

test("an initial value without an exact form is computed by the function, even in a loop", async () => {
  const named = object([["__proto__", data]]);
  const [n, k] = [variable("n"), variable("k")];
  const steps = scope(
    ["data", ["n", literal(0)], ["k", named]],
    call("Call", "f", builtin("keys", k), "More"),
    assign("More", { n: binary("+", n, literal(1)) }, "Test"),
    choose("Test", [[binary("<", n, literal(2)), "Call"]], "End"),
    end("End", builtin("keys", k)),
  );
  const seen = await compareWithReference(workflow(steps), { input });
  expect([callsOf(seen), outcomeOf(seen)]).toEqual([Array(2).fill('f(["__proto__"])'), { output: ["__proto__"] }]);
});

test.each<[Json]>([[true], ['a "text"'], [[]], [{}]])(
  "a variable that is only set to its initial value is never assigned: %j",
  async (value) => {
    const [n, w, o] = [variable("n"), variable("w"), variable("o")];
    const steps = scope(
      ["data", ["n", literal(0)], ["w", literal(value)], "o"],
      call("Call", "f", n, "More"),
      assign("More", { n: binary("+", n, literal(1)) }, "Test"),
      choose("Test", [[binary("<", n, literal(2)), "Put"]], "End"),
      assign("Put", { o: object([["kept", w]]) }, "Take"),
      assign("Take", { w: firstOr(member(o, "kept"), literal(null)) }, "Show"),
      call("Show", "g", collect(w), "Call"),
      end("End", w),
    );
    const seen = await compareWithReference(workflow(steps), { input });
    const shown = `g(${JSON.stringify([value])})`;
    expect([callsOf(seen), outcomeOf(seen)]).toEqual([["f(0)", shown, "f(1)"], { output: value }]);
    expect(JSON.stringify(await generateMachine(workflow(steps)))).not.toContain("$w");
  },
);

describe("the message of an expression's error", () => {
  const failing = binary("+", part("n"), literal("text"));
  const summed = (field?: string): Scope =>
    scope(
      ["data", "e"],
      call("Sum", "f", failing, "End", { handlers: field === undefined ? [] : [handler(yes, "Tell", "e")] }),
      ...(field === undefined ? [] : [call("Tell", "g", collect(member(variable("e"), field)), "End")]),
      end("End", literal(null)),
    );
  const jq = 'number (1) and string (\\"text\\") cannot be added';

  test("is jq's if it may be read", async () => {
    const seen = await compareWithReference(workflow(summed("message")), { input: { n: 1 } });
    expect(callsOf(seen)).toEqual([`g(["${jq}"])`]);
  });

  test("otherwise shows the types", async () => {
    for (const steps of [summed(), summed("name")]) {
      const { states } = await generateMachine(workflow(steps));
      expect(JSON.stringify(states["Sum"])).toContain("cannot");
      expect(JSON.stringify(states["Sum"])).not.toContain("$excerptOf");
      await compareWithReference(workflow(steps), { input: { n: "some " } });
    }
    const seen = await compareWithReference(workflow(summed("name")), { input: { n: 1 } });
    expect(callsOf(seen)).toEqual(['g(["ExpressionError"])']);
  });
});
