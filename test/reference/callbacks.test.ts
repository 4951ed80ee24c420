import { expect, test } from "vitest";
import { binary, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import type { Callback } from "../../src/ir/callbacks.ts";
import { printWorkflow } from "../../src/ir/print.ts";
import { verify } from "../../src/ir/verify.ts";
import type { Call, Workflow } from "../../src/ir/workflow.ts";
import type { Reply } from "../../src/scenario/simulation.ts";
import { assign, call, data, end, error, handler, retry, scope, span, workflow, yes } from "./build.ts";
import { callsOf, interpretWorkflow, outcomeOf, returns, throws } from "./interpreting.ts";

const token = variable("token");
const callback = (rest: Partial<Callback> = {}): Callback => ({ token: "token", span, ...rest });

const asking = (rest: Partial<Call> = {}, heartbeat?: Callback["heartbeat"]): Workflow =>
  workflow(
    scope(
      ["data", "limit"],
      assign("Limit", { limit: literal(5) }, "Ask"),
      call("Ask", "ask", object([["token", token]]), "End", {
        bind: "data",
        callback: callback({ heartbeat }),
        ...rest,
      }),
      assign("Caught", { data: member(data, "origin") }, "End"),
      end("End", data),
    ),
    { functions: [{ name: "ask", span }] },
  );

const asked = (n: number): string => `ask({"token":"token:ask:${n}"})`;
const never: Reply = { takes: 0, answer: { kind: "never" } };
const beating = (reply: Reply, ...heartbeats: readonly number[]): Reply => ({ ...reply, heartbeats });

test("a callback's value is the result, and each attempt has a new token", async () => {
  const retried = asking({ retries: [retry(2, 1)] });
  const seen = await interpretWorkflow(retried, { functions: { ask: [throws("Busy"), returns(7, 3)] } });
  expect(outcomeOf(seen)).toEqual({ output: 7 });
  expect(callsOf(seen)).toEqual([asked(1), asked(2)]);
});

test("a failure is a function's error", async () => {
  const caught = asking({ handlers: [handler(yes, "Caught", "data")] });
  expect(outcomeOf(await interpretWorkflow(caught, { functions: { ask: [throws("Busy")] } }))).toEqual({
    output: "function",
  });
});

test("without a callback, the run waits", async () => {
  expect(outcomeOf(await interpretWorkflow(asking(), { functions: { ask: [never] } }))).toBe("waiting");
});

test.each([
  ["before the first heartbeat", asking({}, 5), beating(returns(1, 6)), 5],
  ["between heartbeats", asking({}, 5), beating(returns(1, 20), 4, 8), 13],
  ["by a variable", asking({}, variable("limit")), beating(never, 5, 10), 15],
])("a missed heartbeat fails the step: %s", async (_, asked, reply, elapsed) => {
  const seen = await interpretWorkflow(asked, { functions: { ask: [reply] } });
  expect(outcomeOf(seen)).toEqual({ error: "Timeout", message: "The time allowed has passed." });
  expect(seen.elapsed).toBe(elapsed);
});

test("a missed heartbeat has an origin of its own", async () => {
  const isHeartbeat = binary("==", member(error, "origin"), literal("heartbeat"));
  const caught = asking({ handlers: [handler(isHeartbeat, "Caught", "data")] }, 5);
  expect(outcomeOf(await interpretWorkflow(caught, { functions: { ask: [never] } }))).toEqual({ output: "heartbeat" });
});

test("heartbeats do not extend the timeout, and no later one counts", async () => {
  const seen = await interpretWorkflow(asking({ timeout: 12 }, 5), {
    functions: { ask: [beating(returns(1, 30), 4, 8, 12, 16)] },
  });
  expect(outcomeOf(seen)).toEqual({ error: "Timeout", message: "The time allowed has passed." });
  expect(seen.elapsed).toBe(12);
});

test("a late callback does not complete the next attempt", async () => {
  const seen = await interpretWorkflow(asking({ timeout: 5, retries: [retry(1, 1)] }), {
    functions: { ask: [returns("late", 7), returns("new", 4)] },
  });
  expect(outcomeOf(seen)).toEqual({ output: "new" });
  expect(seen.elapsed).toBe(10);
});

test("the IR prints callbacks", () => {
  expect(printWorkflow(asking({ timeout: 60 }, 5))).toContain(
    "call ask({ token: $token }) with $token = token of the callback, with heartbeats at most 5 s apart within 60 s -> data",
  );
});

test.each<readonly [string, Workflow, string]>([
  ["a call without wait", asking({ wait: false, bind: undefined }), "Step Ask must wait for its callback."],
  [
    "a built-in function",
    { ...asking(), functions: [{ name: "ask", protocol: { kind: "clock" }, span }] },
    "Step Ask waits for a callback of `ask`, which makes none.",
  ],
  [
    "an activity without callback",
    {
      ...asking({ callback: undefined, argument: data }),
      functions: [{ name: "ask", protocol: { kind: "activity", activity: "a" }, span }],
    },
    "Step Ask calls an activity, but waits for no callback.",
  ],
  [
    "a token outside its argument",
    asking({ callback: undefined }),
    "Step Ask uses the variable `token`, which is not in scope.",
  ],
])("verification refuses %s", (_, workflow, message) => {
  expect(verify(workflow)).toEqual([message]);
});
