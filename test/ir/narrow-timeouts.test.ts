import { describe, expect, test } from "vitest";
import { binary, literal, variable } from "../../src/expressions/core/build.ts";
import { narrowTimeouts } from "../../src/ir/narrow-timeouts.ts";
import { printWorkflow } from "../../src/ir/print.ts";
import type { Attempt, Step, Workflow } from "../../src/ir/workflow.ts";
import { assign, attempt, call, choose, data, end, handler, scope, workflow } from "../reference/build.ts";
import { returns } from "../reference/interpreting.ts";
import { compareTargets, refusalsOf } from "../targets/all-targets.ts";

// Timeouts of attempts that are those of their only call.

const limited = (steps: readonly Step[], rest: Partial<Attempt> = {}): Workflow =>
  workflow(
    scope(
      ["data", "x"],
      attempt("Try", scope([], ...steps), "End", {
        timeout: 5,
        handlers: [handler(literal(true), "Late", "x")],
        ...rest,
      }),
      end("End", data),
      end("Late", literal("late")),
    ),
  );

const prepared = [
  assign("Before", { data: literal(1) }, "Ask"),
  call("Ask", "ask", data, "After", { bind: "data" }),
  assign("After", { data: binary("+", data, literal(1)) }, "Done"),
  end("Done", data),
];

test("a call with what is computed around it, as Step Functions needs it", async () => {
  const narrowed = narrowTimeouts(limited(prepared));
  expect(printWorkflow(narrowed)).toContain("    Ask: call ask($data) within 5 s -> data");
  expect(printWorkflow(narrowed)).toContain("Try: attempt   #");
  expect(await refusalsOf(limited(prepared), "asl")).toHaveLength(1);
  for (const takes of [3, 9]) {
    const functions = { ask: [returns(1, takes)] };
    const { outcome, elapsed } = await compareTargets(narrowed, { input: {}, functions });
    expect([outcome, elapsed]).toEqual([{ status: "succeeded", output: takes > 5 ? "late" : 2 }, Math.min(takes, 5)]);
    await compareTargets(limited(prepared), { input: {}, functions }, ["openwhisk", "typescript"]);
  }
});

describe("the timeout stays with", () => {
  const stays = (steps: readonly Step[], rest: Partial<Attempt> = {}) => {
    const given = limited(steps, rest);
    expect(narrowTimeouts(given)).toBe(given);
  };

  test("two calls", () => {
    stays([call("A", "ask", data, "B"), call("B", "ask", data, "Done"), end("Done", data)]);
  });

  test("a call that is repeated", () => {
    const again = choose("Judge", [[binary("<", data, literal(3)), "A"]], "Done");
    stays([call("A", "ask", data, "Judge", { bind: "data" }), again, end("Done", data)]);
  });

  test("a call that is not awaited, or has a timeout or handlers of its own", () => {
    stays([call("A", "ask", data, "Done", { wait: false }), end("Done", data)]);
    stays([call("A", "ask", data, "Done", { timeout: 9 }), end("Done", data)]);
    stays([
      call("A", "ask", data, "Done", { handlers: [handler(literal(true), "Done", "x")] }),
      end("Done", variable("x")),
    ]);
  });

  test("a call of another construct", () => {
    const [first, ask, ...others] = prepared;
    const other = { ...ask!, origin: { ...ask!.origin, pointer: "/do/0/ask" } };
    stays([first!, other, ...others]);
  });
});
