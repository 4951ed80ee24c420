import { describe, expect, test } from "vitest";
import { binary, literal, object, variable } from "../../../src/expressions/core/build.ts";
import { member } from "../../../src/expressions/index.ts";
import type { Attempt, Step } from "../../../src/ir/workflow.ts";
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
  error,
  forEach,
  fork,
  handler,
  retry,
  scope,
  workflow,
} from "../../reference/build.ts";
import { callsOf, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { compareWithReference, generateMachine, x } from "./reference-comparison.ts";

// A timeout of several steps: a clock runs in parallel, and the first to end stops the other.

const isLate = binary("==", member(error, "origin"), literal("timeout"));
const late = end("Late", object([["late", data]]));
const done = end("Done", object([["done", variable("r")]]));

/** `steps`, starting with `A`, with a timeout of 10 s. */
const within = (steps: readonly Step[], rest: Partial<Attempt> = {}, after: readonly Step[] = [late, done]) =>
  workflow(
    scope(
      ["data", "r", "x", "e"],
      attempt("Within", scope([], ...steps), "Done", {
        timeout: 10,
        bind: "r",
        handlers: [handler(isLate, "Late")],
        ...rest,
      }),
      ...after,
    ),
  );

const calls = [call("A", "a", data, "B", { bind: "x" }), call("B", "b", x, "End", { bind: "x" }), end("End", x)];

describe("steps with a common timeout", () => {
  test("end in time, and the clock is stopped", async () => {
    const functions = { a: [returns(1, 4)], b: [returns(2, 5)] };
    const seen = await compareWithReference(within(calls), { input: {}, functions });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { done: 2 } }, 9]);
  });

  test("are stopped when it expires, whatever they do", async () => {
    const functions = { a: [returns(1, 4)], b: [returns(2, 50)] };
    const seen = await compareWithReference(within(calls), { input: { n: 1 }, functions });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { late: { n: 1 } } }, 10]);
    const waiting = [delay("A", literal(4), "B"), delay("B", literal(7), "End"), end("End", x)];
    expect((await compareWithReference(within(waiting), { input: {} })).elapsed).toEqual(10);
  });

  test("end or are stopped at the same instant as in the reference", async () => {
    for (const seconds of [10, 5]) {
      const one = [
        delay("A", literal(seconds), seconds === 10 ? "End" : "B"),
        delay("B", literal(5), "End"),
        end("End", literal(1)),
      ];
      await compareWithReference(within(one), { input: {} });
      await compareWithReference(within(calls), {
        input: {},
        functions: { a: [returns(1, seconds)], b: [returns(2, 10 - seconds)] },
      });
    }
  });

  test("fail as they would without it, and with the same handlers", async () => {
    const functions = { a: [throws("Broken", "no", 3)] };
    const seen = await compareWithReference(within(calls), { input: {}, functions });
    expect(outcomeOf(seen)).toMatchObject({ error: "Broken" });
    const nobody = await compareWithReference(within(calls, { handlers: [] }), {
      input: {},
      functions: { a: [returns(1, 99)] },
    });
    expect(outcomeOf(nobody)).toMatchObject({ error: "Timeout" });
  });

  test("a step's own timeout has the same error", async () => {
    const own = [call("A", "a", data, "End", { timeout: 2, bind: "x" }), end("End", x)];
    const seen = await compareWithReference(within(own), { input: {}, functions: { a: [returns(1, 5)] } });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { late: {} } }, 2]);
  });

  test("are retried, each time with the full timeout", async () => {
    const functions = { a: [returns(1, 20), returns(2, 1)], b: [returns("b", 8)] };
    const again = within(calls, { retries: [retry(1, 3, { when: isLate })] });
    const seen = await compareWithReference(again, { input: {}, functions });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { done: "b" } }, 22]);
    expect(callsOf(seen)).toHaveLength(3);
  });

  test("end the run, fork and iterate", async () => {
    const inner = fork("A", [branch("l", scope([], delay("W", literal(3), "Wend"), end("Wend", data)))], "Each", {
      bind: "x",
    });
    const each = forEach(
      "Each",
      literal([1, 2]),
      scope([], call("C", "c", data, "Cend"), end("Cend", data, "run")),
      "End",
    );
    const seen = await compareWithReference(within([inner, each, end("End", x)]), {
      input: { n: 1 },
      functions: { c: [returns(1, 2)] },
    });
    expect([outcomeOf(seen), seen.elapsed]).toEqual([{ output: { n: 1 } }, 5]);
  });

  test("end with a value that only a function can compute", async () => {
    const computing = [calls[0]!, calls[1]!, end("End", wrap(object([["r", x]])))];
    const seen = await compareWithReference(within(computing), { input: {}, functions: { b: [returns(2)] } });
    expect(outcomeOf(seen)).toEqual({ output: { done: { r: 2 } } });
  });

  test("loop until it expires", async () => {
    const loop = [
      call("A", "a", data, "B", { bind: "x" }),
      choose("B", [[binary("==", x, literal(true)), "End"]], "C"),
      delay("C", literal(3), "A"),
      end("End", x),
    ];
    const functions = { a: [returns(false), returns(false), returns(true)] };
    expect(outcomeOf(await compareWithReference(within(loop), { input: {}, functions }))).toEqual({
      output: { done: true },
    });
    expect(
      (await compareWithReference(within(loop), { input: {}, functions: { a: [returns(false)] } })).elapsed,
    ).toEqual(10);
  });
});

test("variables are unknown after they are stopped", async () => {
  const counting = [assign("A", { data: literal({ n: 2 }) }, "B"), delay("B", literal(20), "End"), end("End", data)];
  const { diagnostics } = await generateMachine(within(counting));
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "WB5108 Amazon States Language has no exact form for a time limit for the steps of `Within` together, after which what they have computed is read.",
  ]);
  const unread = within(counting, {}, [end("Late", literal(null)), done]);
  expect((await compareWithReference(unread, { input: {} })).elapsed).toEqual(10);
});
