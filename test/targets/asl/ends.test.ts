import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import type { Step } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { wrap } from "../../equivalence/wrapping.ts";
import {
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  end,
  forEach,
  fork,
  handler,
  invoke,
  named,
  raise,
  retry,
  scope,
  workflow,
  yes,
} from "../../reference/build.ts";
import { callsOf, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { compareWithReference, part, runOnAsl, x } from "./reference-comparison.ts";

// States that end others: the first branch of a join, an end of the run in an inner scope, a closed window. Only an
// error does so on AWS.

const asks = (name: string, after: readonly Step[] = []) =>
  branch(
    name,
    scope(
      ["x"],
      call(`${name}Call`, name, data, after[0]?.id ?? `${name}End`, { bind: "x" }),
      ...after,
      end(`${name}End`, x),
    ),
  );
const exact = [0.1 + 0.2, 1e21, 2 ** 60, 'ä\u2028"', [[1]], [], null, { a: { b: [{}] } }];

describe("a join on the first branch", () => {
  const race = (rest: Parameters<typeof fork>[3], after: readonly Step[] = []) =>
    workflow(
      scope(
        ["data", "r", "e"],
        fork("Race", [asks("a"), asks("b"), asks("c")], "End", {
          join: { kind: "some", count: 1 },
          bind: "r",
          ...rest,
        }),
        end(
          "End",
          object([
            ["r", variable("r")],
            ["e", variable("e")],
          ]),
        ),
        ...after,
      ),
    );

  test.each(exact.map((value) => [JSON.stringify(value), value] as const))("carries %s as it is", async (_, value) => {
    const functions = { a: [returns(1, 5)], b: [returns(value, 2)], c: [returns(3, 9)] };
    const seen = await compareWithReference(race({ failure: "spare" }), { input: {}, functions });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { r: { b: value }, e: null } }, 2]);
  });

  test("carries a constant", async () => {
    const one = branch("one", scope([], delay("W", literal(1), "Wend"), end("Wend", literal({ a: 1 }))));
    const steps = [fork("Race", [one, asks("a")], "End", { join: { kind: "some", count: 1 }, bind: "r" })];
    const both = workflow(scope(["data", "r"], ...steps, end("End", variable("r"))));
    const seen = await compareWithReference(both, { input: {}, functions: { a: [returns(1, 5)] } });
    expect(outcomeOf(seen)).toEqual({ output: { one: { a: 1 } } });
  });

  test("carries a value that only a function can compute", async () => {
    const one = branch("one", scope([], delay("W", literal(1), "Wend"), end("Wend", wrap(object([["d", data]])))));
    for (const failure of ["fatal", "spare"] as const) {
      const race = fork("Race", [one, asks("a")], "End", { join: { kind: "some", count: 1 }, bind: "r", failure });
      const both = workflow(scope(["data", "r"], race, end("End", variable("r"))));
      const seen = await compareWithReference(both, { input: { n: 1 }, functions: { a: [returns(1, 5)] } });
      expect(outcomeOf(seen)).toEqual({ output: { one: { d: { n: 1 } } } });
    }
  });

  test("fails with the first failure, or the last if failures are tolerated", async () => {
    const functions = { a: [throws("A", "", 3)], b: [throws("B", "", 9)], c: [throws("C", "", 5)] };
    expect(outcomeOf(await compareWithReference(race({ failure: "fatal" }), { input: {}, functions }))).toEqual({
      error: "A",
      message: "",
    });
    expect(outcomeOf(await compareWithReference(race({ failure: "spare" }), { input: {}, functions }))).toEqual({
      error: "B",
      message: "",
    });
    const late = { ...functions, c: [returns(1, 20)] };
    expect(outcomeOf(await compareWithReference(race({ failure: "spare" }), { input: {}, functions: late }))).toEqual({
      output: { r: { c: 1 }, e: null },
    });
  });

  test("is not retried, but its failure is retried and handled", async () => {
    const rest = { failure: "spare", retries: [retry(2, 1)], handlers: [handler(yes, "Note", "e")] } as const;
    const note = assign("Note", { e: member(variable("e"), "name") }, "End");
    const won = { a: [throws("A")], b: [throws("B"), returns(7)], c: [throws("C")] };
    expect(outcomeOf(await compareWithReference(race(rest, [note]), { input: {}, functions: won }))).toEqual({
      output: { r: { b: 7 }, e: null },
    });
    const lost = { a: [throws("A")], b: [throws("B")], c: [throws("C")] };
    const seen = await compareWithReference(race(rest, [note]), { input: {}, functions: lost });
    expect(seen.calls.length).toBe(9);
    expect(outcomeOf(seen)).toMatchObject({ output: { r: null, e: "C" } });
  });

  test("fails the run if the result does not fit into a Cause", async () => {
    const functions = { a: [returns("x".repeat(40_000))], b: [returns(1, 5)], c: [returns(1, 5)] };
    const seen = await runOnAsl(race({ failure: "fatal" }), { input: {}, functions });
    expect(outcomeOf(seen)).toMatchObject({ error: "LimitError" });
  });
});

describe("the end of the run", () => {
  const ending = (value = x) =>
    workflow(
      scope(
        ["data", "r"],
        forEach(
          "Each",
          part("list"),
          scope(
            ["x"],
            fork(
              "Both",
              [asks("a", [choose("aAsk", [[x, "aOver"]], "aEnd"), end("aOver", value, "run")]), asks("b")],
              "Done",
              {
                retries: [retry(3, 1)],
                handlers: [handler(yes, "Done")],
              },
            ),
            end("Done", literal(1)),
          ),
          "End",
          { bind: "r", retries: [retry(3, 1)], handlers: [handler(yes, "End")] },
        ),
        end("End", variable("r")),
      ),
    );

  test("from nested scopes is not handled or retried, and stops concurrent branches", async () => {
    const functions = { a: [throws("Late"), returns(true, 1)], b: [returns(1, 99)] };
    const seen = await compareWithReference(ending(), { input: { list: [1] }, functions });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: true }, 2]);
  });

  test("may have a value that is the same outside", async () => {
    const functions = { a: [returns(true, 1)], b: [returns(1, 99)] };
    expect(outcomeOf(await compareWithReference(ending(literal("over")), { input: { list: [1] }, functions }))).toEqual(
      {
        output: "over",
      },
    );
  });

  test("from an attempt in a branch is not an error of the attempt", async () => {
    const body = scope([], call("Ask", "a", data, "Over", { bind: "x" }), end("Over", x, "run"));
    const tried = attempt("Try", body, "Rest", { retries: [retry(2, 1)], handlers: [handler(yes, "Rest")] });
    const inner = branch("l", scope(["x"], tried, end("Rest", literal("rest"))));
    const whole = workflow(scope(["data"], fork("Both", [inner, asks("b")], "End"), end("End", literal("end"))));
    const functions = { a: [throws("No"), returns(exact as Json)], b: [returns(1, 9)] };
    expect(outcomeOf(await compareWithReference(whole, { input: {}, functions }))).toEqual({ output: exact });
  });

  test.each([true, false])("of a subflow ends its caller: %s", async (terminates) => {
    const child = {
      ...workflow(
        scope(
          ["data", "x"],
          call("Ask", "a", data, "Either", { bind: "x" }),
          choose("Either", [[x, "Over"]], "Left"),
          end("Over", literal("over"), "run"),
          end("Left", literal("left")),
        ),
      ),
      id: "child",
    };
    const parent = workflow(
      scope(
        ["data", "r"],
        invoke("Sub", "child", data, "End", { bind: "r", wait: true, terminates }),
        end("End", object([["r", variable("r")]])),
      ),
    );
    const run = async (answer: boolean) =>
      outcomeOf(
        await compareWithReference(parent, { input: {}, functions: { a: [returns(answer)] }, others: [child] }),
      );
    expect(await run(true)).toEqual({ output: terminates ? "over" : { r: "over" } });
    expect(await run(false)).toEqual({ output: { r: "left" } });
  });
});

describe("a window", () => {
  const window = { from: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" };
  const child = { ...workflow(scope(["data"], end("Over", literal("ran"), "run"))), id: "child" };
  const open = { ...child, start: { ...child.start, window } };
  const parent = (terminates: boolean) =>
    workflow(
      scope(
        ["data", "r"],
        invoke("Sub", "child", data, "End", { bind: "r", wait: true, terminates }),
        end("End", object([["r", variable("r")]])),
      ),
    );

  test.each([
    ["2025-12-31T23:59:59Z", false, { r: { n: 1 } }],
    ["2026-01-01T00:00:00Z", false, { r: "ran" }],
    ["2026-01-31T23:59:59Z", true, "ran"],
    ["2026-02-01T00:00:00Z", true, { r: { n: 1 } }],
  ])("of a subflow at %s ends its caller: %s", async (clock, terminates, output) => {
    const seen = await compareWithReference(parent(terminates), { input: { n: 1 }, clock, others: [open] });
    expect(outcomeOf(seen)).toEqual({ output });
  });

  test("of a called run applies before its first step, whatever that handles", async () => {
    const first = call("Call", "f", data, "End", { handlers: [handler(yes, "End")] });
    const called = { ...workflow(scope(["data"], first, end("End", data))) };
    const late = { ...called, start: { ...called.start, window } };
    const seen = await compareWithReference(late, { input: {}, clock: "2027-01-01T00:00:00Z" });
    expect([outcomeOf(seen), callsOf(seen)]).toMatchObject([{ error: "NotActive" }, []]);
  });
});

describe("an error with a name like an own error", () => {
  const names = ["Joined", "RunEnds", "RunEnds1", "Never", "Other", "Joined2"].map((name) => `Waybill.${name}`);
  const flow = (name: string, value: Expression, rest: Parameters<typeof fork>[3] = {}) => {
    const mine = literal({ origin: "fail", name, message: "mine", data: null });
    const a = [choose("aAsk", [[x, "aOver"]], "aMine"), end("aOver", value, "run"), raise("aMine", mine)];
    const told = ["name", "message"].map((part) => [part, member(variable("e"), part)] as const);
    return workflow(
      scope(
        ["data", "e"],
        fork("Both", [asks("a", a), asks("b")], "Won", { handlers: [handler(named(name), "Taken", "e")], ...rest }),
        end("Taken", object(told)),
        end("Won", literal("won")),
      ),
    );
  };

  test.each(names)("is handled with its message, next to ends of the run: %s", async (name) => {
    for (const value of [x, literal("over")]) {
      const of = async (first: ReturnType<typeof returns>) =>
        outcomeOf(
          await compareWithReference(flow(name, value), { input: {}, functions: { a: [first], b: [returns(1, 9)] } }),
        );
      expect(await of(returns(false))).toEqual({ output: { name, message: "mine" } });
      expect(await of(throws(name, "thrown"))).toEqual({ output: { name, message: "thrown" } });
      expect(await of(returns(true))).toEqual({ output: value === x ? true : "over" });
    }
  });

  test.each(names)("is handled with its message at a join on the first branch, and retried: %s", async (name) => {
    const join = { join: { kind: "some", count: 1 }, failure: "fatal", retries: [retry(1, 1)] } as const;
    const functions = { a: [throws(name, "one"), throws(name, "two")], b: [returns(1, 9)] };
    const seen = await compareWithReference(flow(name, x, join), { input: {}, functions });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { name, message: "two" } }, 1]);
  });

  test.each(names)("of a subflow keeps its message: %s", async (name) => {
    const mine = literal({ origin: "fail", name, message: "mine", data: null });
    const late = scope(["data"], delay("Late", literal(1), "Mine"), raise("Mine", mine));
    const child = { ...workflow(late), id: "child" };
    const sub = branch("c", scope(["data"], invoke("Sub", "child", data, "cEnd", { wait: true }), end("cEnd", data)));
    const told = ["name", "message"].map((part) => [part, member(variable("e"), part)] as const);
    const race = fork("Race", [asks("b"), sub], "End", {
      join: { kind: "some", count: 1 },
      failure: "spare",
      handlers: [handler(yes, "End", "e")],
    });
    const parent = workflow(scope(["data", "e"], race, end("End", object(told))));
    const functions = { b: [throws("B", "")] };
    expect(outcomeOf(await compareWithReference(parent, { input: {}, functions, others: [child] }))).toEqual({
      output: { name, message: "mine" },
    });
  });
});

describe("a workflow that never ends", () => {
  test("fails if a step fails", async () => {
    const loop = workflow(
      scope(
        ["data", "r"],
        forEach(
          "Each",
          part("list"),
          scope([], call("Ask", "f", data, "Rest"), delay("Rest", literal(1), "Ask")),
          "End",
          {
            handlers: [handler(named("Enough"), "End")],
          },
        ),
        end("End", literal("over")),
        raise("Never", literal({ name: "Never" })),
      ),
    );
    const seen = await compareWithReference(loop, {
      input: { list: [1] },
      functions: { f: [returns(1), returns(1), throws("Enough")] },
    });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: "over" }, 2]);
  });
});
