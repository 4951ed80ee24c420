import { describe, expect, test } from "vitest";
import {
  binary,
  call as builtin,
  collect,
  comma,
  literal,
  member,
  object,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { wrap } from "../../../equivalence/wrapping.ts";
import {
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  end,
  error,
  fork,
  handler,
  named,
  raise,
  retry,
  scope,
  span,
  workflow,
  yes,
} from "../../../reference/build.ts";
import { outcomeOf, returns, throws } from "../../../reference/interpreting.ts";
import { bad, compareWithReference, generateMachine, good, part, risky, wrong, x } from "../reference-comparison.ts";

// Failures of the generated function are raised at the expression: retries and handlers see the same as on the
// reference.

describe("failing", () => {
  const body = (rest: Parameters<typeof attempt>[3]) =>
    workflow(
      scope(
        ["data", "x", "error"],
        attempt(
          "A",
          scope([], assign("A/x", { x: literal(1) }, "A/y"), assign("A/y", { x: risky(x) }, "A/end"), end("A/end", x)),
          "B",
          rest,
        ),
        end("B", x),
        end("Caught", collect(comma(x, member(error, "origin"), member(error, "name"), member(error, "message")))),
      ),
    );

  test("is caught by handlers, including by name", async () => {
    for (const when of [yes, named("Bad: {one}")]) {
      const flow = body({ bind: "x", handlers: [handler(when, "Caught", "error")] });
      expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: 1 });
      expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({
        output: [1, "expression", wrong.error, wrong.message],
      });
    }
    expect(
      outcomeOf(
        await compareWithReference(body({ handlers: [handler(named("Other"), "Caught", "error")] }), { input: bad }),
      ),
    ).toEqual(wrong);
  });

  test("is retried", async () => {
    expect((await compareWithReference(body({ bind: "x", retries: [retry(2, 3)] }), { input: bad })).elapsed).toBe(6);
    expect(
      (
        await compareWithReference(body({ bind: "x", retries: [retry(2, 3, { when: named("Other") })] }), {
          input: bad,
        })
      ).elapsed,
    ).toBe(0);
  });

  test("in an argument is handled by the call's retries and handlers", async () => {
    const flow = workflow(
      scope(
        ["data", "x", "error"],
        call("A", "f", risky(part("n")), "B", {
          bind: "x",
          retries: [retry(1, 5)],
          handlers: [handler(named("Bad: {one}"), "C", "error")],
        }),
        end("B", x),
        end("C", member(error, "origin")),
      ),
    );
    expect(outcomeOf(await compareWithReference(flow, { input: bad }))).toEqual({ output: "expression" });
    const functions = { f: [throws("Busy"), returns(7)] };
    expect(outcomeOf(await compareWithReference(flow, { input: good, functions }))).toEqual({ output: 7 });
    expect(
      outcomeOf(await compareWithReference(flow, { input: good, functions: { f: [throws("Busy")] } })),
    ).toMatchObject({
      error: "Busy",
    });
  });

  test("leaves branches with its name, message and origin", async () => {
    const left = branch("left", scope(["x"], assign("L", { x: risky(literal(1)) }, "L/end"), end("L/end", x)));
    const flow = workflow(
      scope(
        ["data", "x", "error"],
        fork("F", [left], "B", { bind: "x", handlers: [handler(yes, "C", "error")] }),
        end("B", x),
        end("C", error),
      ),
    );
    const failure = { origin: "expression", name: wrong.error, message: wrong.message };
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: { left: 1 } });
    const wanted = object((["origin", "name", "message"] as const).map((name) => [name, member(error, name)] as const));
    const same = { ...flow, body: { ...flow.body, steps: [...flow.body.steps.slice(0, 2), end("C", wanted)] } };
    expect(outcomeOf(await compareWithReference(same, { input: bad }))).toEqual({ output: failure });
  });

  test("an error computed by an expression is raised", async () => {
    const made = wrap(object([["origin", literal("fail")], ["name", literal("Made")], ["message", wrap(literal("up"))]])); // biome-ignore format: a table
    const flow = workflow(scope(["data"], raise("R", made), end("E", data)));
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ error: "Made", message: "up" });
  });

  test("of a condition is caught even if JSONata could evaluate it, since a Choice has no Catch", async () => {
    const decision = choose("A/if", [[binary("==", part("n"), literal(1)), "A/one"]], "A/two");
    const inner = scope([], decision, end("A/one", literal(1)), end("A/two", literal(2)));
    const rest = { bind: "x", handlers: [handler(yes, "Caught", "error")] };
    const flow = workflow(
      scope(
        ["data", "x", "error"],
        attempt("A", inner, "B", rest),
        end("B", x),
        end("Caught", member(error, "message")),
      ),
    );
    expect(outcomeOf(await compareWithReference(flow, { input: { n: 1 } }))).toEqual({ output: 1 });
    expect(outcomeOf(await compareWithReference(flow, { input: { n: 2 } }))).toEqual({ output: 2 });
    expect(outcomeOf(await compareWithReference(flow, { input: [] }))).toEqual({
      output: 'Cannot index array with string ("n")',
    });
    expect((await generateMachine(flow)).diagnostics.map(({ message }) => message)).toEqual([
      "No state here can catch what this may fail with: the Lambda function in `main-expressions.mjs` computes this, which costs one state transition.",
    ]);
  });
});

describe("conditions of retries and handlers", () => {
  const flow = (rest: Parameters<typeof call>[4]) =>
    workflow(
      scope(
        ["data", "x", "error", "why"],
        assign("Before", { data: object([["n", part("n")], ["bad", part("bad")]]) }, "A"), // biome-ignore format: a table
        call("A", "f", data, "B", { bind: "x", ...rest }),
        end("B", x),
        end("C", collect(comma(literal("C"), member(error, "name")))),
        end("D", collect(comma(literal("D"), member(variable("why"), "name")))),
      ),
    );
  const functions = { f: [throws("Busy", "one"), throws("Full", "two"), returns(9, 1)] };

  test("a retry evaluates a condition without a JSONata form", async () => {
    const retries = [retry(1, 2, { when: wrap(named("Busy")) }), retry(3, 5, { when: named("Full") })];
    expect(await compareWithReference(flow({ retries }), { input: good, functions })).toMatchObject({ elapsed: 8 });
    expect(
      outcomeOf(await compareWithReference(flow({ retries: retries.slice(0, 1) }), { input: good, functions })),
    ).toMatchObject({
      error: "Full",
    });
  });

  test("a handler does so after others with JSONata forms", async () => {
    const handlers = [
      handler(named("Full"), "C", "error"),
      handler(wrap(named("Busy")), "D", "why"),
      handler(yes, "C", "error"),
    ];
    const calls = (name: string) => ({ input: good, functions: { f: [throws(name, "m", 0, { trace: ["a"] })] } });
    expect(outcomeOf(await compareWithReference(flow({ handlers }), calls("Full")))).toEqual({ output: ["C", "Full"] });
    expect(outcomeOf(await compareWithReference(flow({ handlers }), calls("Busy")))).toEqual({ output: ["D", "Busy"] });
    expect(outcomeOf(await compareWithReference(flow({ handlers }), calls("Other")))).toEqual({
      output: ["C", "Other"],
    });
    expect(
      outcomeOf(await compareWithReference(flow({ handlers: handlers.slice(0, 2) }), calls("Other"))),
    ).toMatchObject({
      error: "Other",
    });
  });

  test("the error is the same as on the reference, except for data that AWS lacks", async () => {
    const whole = wrap(
      binary("==", builtin("text", error), literal('{"origin":"function","name":"Busy","message":"m"}')),
    );
    const seen = await compareWithReference(flow({ handlers: [handler(whole, "C", "error")] }), {
      input: good,
      functions: { f: [throws("Busy", "m")] },
    });
    expect(outcomeOf(seen)).toEqual({ output: ["C", "Busy"] });
  });

  test("a condition's failure propagates outward, past the other handlers of its step", async () => {
    const handlers = [handler(risky(literal(false)), "C", "error"), handler(yes, "C", "error")];
    const inner = call("A/f", "f", data, "A/end", {
      handlers: handlers.map((each) => ({ ...each, next: { name: "A/end", span } })),
    });
    const around = workflow(
      scope(
        ["data", "x", "error", "why"],
        attempt("A", scope([], inner, end("A/end", literal("in"))), "B", {
          bind: "x",
          handlers: [handler(yes, "D", "why")],
        }),
        end("B", x),
        end("D", collect(comma(literal("out"), member(variable("why"), "name")))),
      ),
    );
    const failing = { functions: { f: [throws("Busy")] } };
    expect(outcomeOf(await compareWithReference(around, { input: bad, ...failing }))).toEqual({
      output: ["out", "Bad: {one}"],
    });
    expect(outcomeOf(await compareWithReference(around, { input: good, ...failing }))).toEqual({ output: "in" });
  });
});
