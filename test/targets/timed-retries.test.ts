import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binary, firstOr, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import type { Retry, Workflow } from "../../src/ir/workflow.ts";
import { assign, attempt, call, data, end, error, handler, retry, scope, workflow } from "../reference/build.ts";
import { type FunctionResponses, returns, throws } from "../reference/interpreting.ts";
import { compareTargets, refusalsOf } from "./all-targets.ts";

// Retries without a limit, with a limit of their time, and with jitter in a range.

/** Calls a function with one retry; a caught error gives `caught`. */
const calling = (given: Partial<Retry>, isAttempt = false): Workflow => {
  const retries = [{ ...retry(1, 10), ...given }];
  const handlers = [handler(literal(true), "Caught", "x")];
  const ends = [
    end("End", variable("y")),
    end("Caught", object([["caught", firstOr(member(variable("x"), "name"), literal(null))]])),
  ];
  return isAttempt
    ? workflow(
        scope(
          ["data", "x", "y", "n"],
          attempt(
            "Try",
            scope(
              [],
              assign("Count", { n: binary("+", variable("n"), literal(1)) }, "Call"),
              call("Call", "f", variable("n"), "Done", { bind: "y" }),
              end("Done", literal(null)),
            ),
            "End",
            { retries, handlers, restore: ["n"] },
          ),
          ...ends,
        ),
      )
    : workflow(scope(["data", "x", "y"], call("Call", "f", data, "End", { bind: "y", retries, handlers }), ...ends));
};

const failing = (times: number, takes = 0): FunctionResponses => [
  ...Array.from({ length: times }, () => throws("Down", "no answer", takes)),
  returns("ok"),
];

describe.each([false, true])("in an attempt: %s", (isAttempt) => {
  const run = (given: Partial<Retry>, f: FunctionResponses) =>
    compareTargets(calling(given, isAttempt), { input: {}, functions: { f } });

  test("without a limit", async () => {
    const { elapsed, outcome } = await run({ limit: undefined }, failing(40));
    expect([elapsed, outcome]).toEqual([400, { status: "succeeded", output: "ok" }]);
  });

  test("without a limit, by the name of the error, with growing delays", async () => {
    const when = binary("==", firstOr(member(error, "name"), literal(null)), literal("Down"));
    const delay = { base: 1, factor: 2, step: 1, cap: 20 };
    const { elapsed } = await run({ limit: undefined, when, delay }, failing(8));
    expect(elapsed).toBe(1 + 3 + 6 + 11 + 20 * 4);
  });

  test("no retry begins after the time", async () => {
    expect((await run({ limit: undefined, within: 35 }, failing(9))).outcome).toEqual({
      status: "succeeded",
      output: { caught: "Down" },
    });
    expect((await run({ limit: undefined, within: 30 }, failing(9))).calls).toHaveLength(4);
    expect((await run({ limit: undefined, within: 29 }, failing(9))).calls).toHaveLength(3);
    expect((await run({ limit: undefined, within: 30 }, failing(9, 5))).calls).toHaveLength(3);
    expect((await run({ limit: 1, within: 30 }, failing(9))).calls).toHaveLength(2);
    expect((await run({ limit: undefined, within: 0 }, failing(9))).calls).toHaveLength(1);
  });

  test("with growing delays in a limited time", async () => {
    const delay = { base: 1, factor: 2, step: 1, cap: 20 };
    const { calls, elapsed } = await run({ limit: undefined, within: 40, delay }, failing(9));
    expect([calls.length, elapsed]).toEqual([5, 21]);
  });

  test("with jitter in a range, which is its lower bound in scenarios", async () => {
    const delay = { base: 10, factor: 1, step: 0, jitter: { kind: "range", from: 2, to: 5 } as const };
    expect((await run({ limit: 3, delay }, failing(3))).elapsed).toBe(36);
    expect((await run({ limit: 3, delay: { ...delay, base: 0 } }, failing(3))).elapsed).toBe(6);
    expect((await run({ limit: undefined, within: 24, delay }, failing(9))).calls).toHaveLength(3);
    expect((await run({ limit: undefined, within: 23, delay }, failing(9))).calls).toHaveLength(2);
    const fixed = { ...delay, jitter: { kind: "range", from: 3, to: 3 } as const };
    expect((await run({ limit: 2, delay: fixed }, failing(2))).elapsed).toBe(26);
  });
});

test("only errors of one retry are limited by its time", async () => {
  const named = (name: string) => binary("==", firstOr(member(error, "name"), literal(null)), literal(name));
  const retries = [
    { ...retry(1, 5, { when: named("Down") }), limit: undefined, within: 12 },
    { ...retry(2, 3, { when: named("Busy") }) },
  ];
  const body = scope(["data", "y"], call("Call", "f", data, "End", { bind: "y", retries }), end("End", variable("y")));
  const f = [throws("Busy"), throws("Down"), throws("Busy"), throws("Down")];
  const { calls, outcome } = await compareTargets(workflow(body), { input: {}, functions: { f } });
  expect([calls.length, outcome.status]).toEqual([4, "failed"]);
});

test("an attempt that changes what it reads is not the retry of its call", async () => {
  const count = assign("Count", { n: binary("+", variable("n"), literal(1)) }, "Call");
  const body = scope([], count, call("Call", "f", variable("n"), "Done", { bind: "y" }), end("Done", literal(null)));
  const tried = attempt("Try", body, "End", { retries: [retry(2, 8)] });
  const start = assign("Start", { n: literal(0) }, "Try");
  const counting = workflow(scope(["data", "y", "n"], start, tried, end("End", variable("y"))));
  const { calls, elapsed } = await compareTargets(counting, { input: {}, functions: { f: failing(2) } });
  expect(calls.map(({ argument }) => argument)).toEqual([1, 2, 3]);
  expect(elapsed).toBe(16);
});

test("fractions of seconds", async () => {
  const delay = { base: 0.1, factor: 1, step: 0, jitter: { kind: "range", from: 0.25, to: 0.5 } as const };
  const workflow = calling({ limit: undefined, within: 1.05, delay });
  const { calls } = await compareTargets(workflow, { input: {}, functions: { f: failing(9) } }, [
    "openwhisk",
    "typescript",
  ]);
  expect(calls).toHaveLength(4);
  expect(await refusalsOf(workflow, "asl")).toEqual([
    "Step Functions cannot reproduce the delay of this retry: it counts in whole seconds.",
    "Step Functions cannot reproduce the delay of this retry: it counts in whole seconds.",
  ]);
});

describe("random retries and responses", () => {
  const whole = (max: number) => fc.integer({ min: 0, max });
  const jitter = fc.option(
    fc.tuple(whole(3), whole(3)).map(([from, more]) => ({ kind: "range" as const, from, to: from + more })),
    {
      nil: undefined,
    },
  );
  const computed = (name: string, max: number) => fc.oneof(whole(max), fc.constant(variable(name)));
  const delay = fc.record({
    base: computed("base", 5),
    factor: fc.integer({ min: 1, max: 3 }),
    step: whole(3),
    cap: fc.option(computed("cap", 9), { nil: undefined }),
    jitter,
  });
  const named = (name: string) => binary("==", firstOr(member(error, "name"), literal(null)), literal(name));
  const when = fc.constantFrom(literal(true), named("Down"), named("Timeout"), named("Busy"));
  const retries = fc.array(
    fc.record({
      when,
      limit: fc.option(whole(3), { nil: undefined }),
      within: fc.option(computed("time", 30), { nil: undefined }),
      delay,
    }),
    { minLength: 1, maxLength: 2 },
  );
  const response = fc.record({ error: fc.constantFrom("Down", "Busy", undefined), takes: whole(6) });
  const scenario = fc.record({
    retries,
    responses: fc.array(response, { minLength: 1, maxLength: 8 }),
    timeout: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    isAttempt: fc.boolean(),
    isHandled: fc.boolean(),
    seconds: fc.record({ base: whole(5), cap: whole(9), time: whole(30) }),
  });

  test("give the same on all targets", { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(
      scenario,
      async ({ responses, isAttempt, isHandled, seconds, timeout, ...given }) => {
        const recovery = {
          retries: given.retries.map((each) => ({ ...retry(0, 0), ...each })),
          handlers: isHandled ? [handler(literal(true), "Caught", "x")] : [],
        };
        const work = isAttempt
          ? attempt(
              "Try",
              scope(
                [],
                call("Call", "f", variable("n"), "Count", { timeout }),
                assign("Count", { n: literal(9) }, "Again"),
                call("Again", "f", variable("n"), "Done", { bind: "y" }),
                end("Done", literal(null)),
              ),
              "End",
              { ...recovery, restore: ["n"] },
            )
          : call("Try", "f", data, "End", { ...recovery, bind: "y", timeout });
        const tried = workflow(
          scope(
            ["data", "x", "y", "n", "base", "cap", "time"],
            assign(
              "Times",
              Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, literal(value)])),
              "Try",
            ),
            work,
            end("End", variable("y")),
            end("Caught", object([["caught", firstOr(member(variable("x"), "name"), literal(null))]])),
          ),
        );
        // A last response that succeeds ends retries without a limit.
        const f = [...responses, { error: undefined, takes: 0 }].map(({ error: name, takes }) =>
          name === undefined ? returns("ok", takes) : throws(name, "no answer", takes),
        );
        await compareTargets(tried, { input: {}, functions: { f } });
      },
    );
    await fc.assert(property, { seed: 42, numRuns: Number(process.env["RETRY_RUNS"] ?? 25), endOnFailure: true });
  });
});
