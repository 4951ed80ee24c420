import { expect, test } from "vitest";
import { literal, variable } from "../../src/expressions/core/build.ts";
import { verify } from "../../src/ir/verify.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import { sinkRecovery } from "../../src/passes/index.ts";
import { targets } from "../../targets/index.ts";
import { attempt, call, data, end, handler, retry, scope, workflow, yes } from "../reference/build.ts";
import { interpretWorkflow, returns, throws } from "../reference/interpreting.ts";
import { compareOn } from "../targets/comparing.ts";

const x = variable("x");
const ask = call("Ask", "ask", data, "Asked", { bind: "x" });
const asked = end("Asked", literal(null));
const nested = attempt("Inner", scope([], ask, asked), "Tried");

const trying = (body: readonly Step[], more: Partial<Extract<Step, { kind: "attempt" }>> = {}): Workflow =>
  workflow(
    scope(
      ["data", "x"],
      attempt("Try", scope([], ...body), "End", {
        retries: [retry(2, 1)],
        handlers: [handler(yes, "Caught")],
        ...more,
      }),
      end("Caught", literal("caught")),
      end("End", x),
    ),
  );

const firstKind = (changed: Workflow): string | undefined => changed.body.steps[0]?.kind;

test.each([
  ["a call", [ask, asked]],
  ["a call in an attempt", [nested, end("Tried", literal(null))]],
] as const)("%s that an attempt retries becomes a call with retries", async (_, body) => {
  const original = trying(body);
  const changed = sinkRecovery.run(original);
  expect(verify(changed)).toEqual([]);
  expect(changed.body.steps[0]).toMatchObject({
    kind: "call",
    id: "Try",
    retries: [{ limit: 2 }],
    next: { name: "End" },
  });
  for (const answers of [[throws("E", "m"), returns(1)], [throws("E", "m")]]) {
    const options = { input: {}, functions: { ask: answers } };
    const plain = await interpretWorkflow(original, options);
    expect((await interpretWorkflow(changed, options)).outcome).toEqual(plain.outcome);
    for (const target of targets) await compareOn(target, original, options);
  }
});

test("conditions that read the error, timeouts and further steps stay with the attempt", () => {
  const readsError = { handlers: [handler(variable("error"), "Caught")] };
  expect(firstKind(sinkRecovery.run(trying([ask, asked], readsError)))).toBe("attempt");
  expect(firstKind(sinkRecovery.run(trying([ask, asked], { timeout: 5 })))).toBe("attempt");
  const twice = [call("Ask", "ask", data, "Again", { bind: "x" }), call("Again", "ask", data, "Asked"), asked];
  expect(firstKind(sinkRecovery.run(trying(twice)))).toBe("attempt");
});
