import { describe, expect, test } from "vitest";
import { call as builtin, firstOr, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import type { Expression } from "../../src/expressions/index.ts";
import { checkedSeconds } from "../../src/ir/seconds.ts";
import { verify } from "../../src/ir/verify.ts";
import type { Retry, Step, Workflow } from "../../src/ir/workflow.ts";
import { assign, attempt, call, data, end, handler, invoke, retry, scope, workflow } from "../reference/build.ts";
import { returns, throws } from "../reference/interpreting.ts";
import { compareTargets, refusalsOf } from "./all-targets.ts";

// Timeouts and delays that a run computes.

const part = (name: string): Expression => firstOr(member(data, name), literal(null));

/** Whole seconds, which Step Functions requires. */
const whole = (value: Expression, least: "zero" | "positive" = "positive"): Expression =>
  checkedSeconds(builtin("floor", value), "The time", least);

const seconds = variable("t");

/** Assigns the seconds of the input to a variable, before steps that may bind a caught error to `x`. */
const timed = (value: Expression, ...steps: readonly Step[]): Workflow =>
  workflow(
    scope(
      ["data", "t", "x", "y"],
      assign("Time", { t: value }, "Work"),
      ...steps,
      end("End", variable("y")),
      end("Caught", object([["caught", firstOr(member(variable("x"), "name"), literal(null))]])),
    ),
  );

const recovery = { bind: "y", handlers: [handler(literal(true), "Caught", "x")] };
const late = { status: "succeeded", output: { caught: "Timeout" } };

describe("a computed timeout", () => {
  test("of a call", async () => {
    const calling = timed(whole(part("limit")), call("Work", "f", data, "End", { ...recovery, timeout: seconds }));
    const functions = { f: [returns("ok", 7)] };
    const first = await compareTargets(calling, { input: { limit: 5 }, functions });
    expect([first.outcome, first.elapsed]).toEqual([late, 5]);
    const second = await compareTargets(calling, { input: { limit: 8 }, functions });
    expect([second.outcome, second.elapsed]).toEqual([{ status: "succeeded", output: "ok" }, 7]);
    await compareTargets(calling, { input: { limit: 1e12 }, functions });
  });

  test("of a call that is retried", async () => {
    const work = call("Work", "f", data, "End", { ...recovery, timeout: seconds, retries: [retry(2, 3)] });
    const functions = { f: [returns("ok", 7), returns("ok", 9), returns("ok", 2)] };
    const { elapsed } = await compareTargets(timed(whole(part("limit")), work), { input: { limit: 5 }, functions });
    expect(elapsed).toBe(5 + 3 + 5 + 3 + 2);
  });

  test("of a subflow", async () => {
    const other = workflow(scope(["data"], call("Ask", "f", data, "End"), end("End", literal("done"))), {
      id: "other",
    });
    const work = invoke("Work", "other", data, "End", { ...recovery, timeout: seconds });
    const functions = { f: [returns("ok", 7)] };
    for (const limit of [5, 9])
      await compareTargets(timed(whole(part("limit")), work), { input: { limit }, functions, others: [other] });
  });

  test("of several steps", async () => {
    const body = scope([], call("A", "f", data, "B"), call("B", "f", data, "Done"), end("Done", literal("both")));
    const work = attempt("Work", body, "End", { ...recovery, timeout: seconds });
    const functions = { f: [returns("ok", 7)] };
    const first = await compareTargets(timed(whole(part("limit")), work), { input: { limit: 10 }, functions });
    expect([first.outcome, first.elapsed]).toEqual([late, 10]);
    const second = await compareTargets(timed(whole(part("limit")), work), { input: { limit: 20 }, functions });
    expect([second.outcome, second.elapsed]).toEqual([{ status: "succeeded", output: "both" }, 14]);
  });
});

describe("computed delays of a retry", () => {
  const retrying = (given: Partial<Retry>): Workflow =>
    timed(
      whole(part("pause"), "zero"),
      call("Work", "f", data, "End", { ...recovery, retries: [{ ...retry(3, 1), ...given }] }),
    );
  const functions = { f: [throws("Down"), throws("Down"), throws("Down"), returns("ok")] };

  test("its base", async () => {
    const delay = { base: seconds, factor: 1, step: 0 };
    for (const pause of [0, 4])
      expect((await compareTargets(retrying({ delay }), { input: { pause }, functions })).elapsed).toBe(3 * pause);
  });

  test("its base, multiplied", async () => {
    const delay = { base: seconds, factor: 2, step: 1 };
    const { elapsed } = await compareTargets(retrying({ delay }), { input: { pause: 4 }, functions });
    expect(elapsed).toBe(4 + 9 + 18);
  });

  test("its longest delay", async () => {
    const delay = { base: 3, factor: 2, step: 0, cap: seconds };
    const { elapsed } = await compareTargets(retrying({ delay }), { input: { pause: 4 }, functions });
    expect(elapsed).toBe(3 + 4 + 4);
  });

  test("the time of all retries", async () => {
    const { calls } = await compareTargets(retrying({ within: seconds }), { input: { pause: 2 }, functions });
    expect(calls).toHaveLength(3);
  });
});

test("a value that is no number of seconds fails before the step", async () => {
  const calling = timed(
    checkedSeconds(part("limit"), "The timeout of `Work`", "positive"),
    call("Work", "f", data, "End", { ...recovery, timeout: seconds }),
  );
  for (const limit of [0, -1, "5", null, [5]]) {
    const { outcome, calls } = await compareTargets(calling, { input: { limit } }, ["openwhisk", "typescript"]);
    expect(outcome).toMatchObject({
      status: "failed",
      error: { name: "DataError", message: "The timeout of `Work` is not a positive number of seconds." },
    });
    expect(calls).toEqual([]);
  }
  expect(await refusalsOf(calling, "asl")).toEqual([
    "Step Functions counts time in whole seconds, but the timeout of state `Work` may have a fraction.",
  ]);
});

test("seconds are a variable that the step does not change", () => {
  const own = attempt("Work", scope([], assign("Set", { t: literal(1) }, "Done"), end("Done", data)), "End", {
    timeout: seconds,
  });
  expect(verify(timed(literal(5), own))).toEqual(["Step Work sets the variable `t` with its own seconds."]);
  expect(verify(timed(literal(5), call("Work", "f", data, "End", { timeout: part("limit") })))).toEqual([
    "Step Work computes seconds otherwise than by a variable.",
  ]);
});
