import { expect, test } from "vitest";
import type { SimulatedEnvironment } from "../../../../src/environment/environment.ts";
import { member, object, variable } from "../../../../src/expressions/core/build.ts";
import type { Callback } from "../../../../src/ir/callbacks.ts";
import { type Call, programOf, type Workflow } from "../../../../src/ir/workflow.ts";
import { interpret } from "../../../../src/reference/index.ts";
import { type Reply, simulate } from "../../../../src/scenario/simulation.ts";
import type { Outcome } from "../../../../src/target/simulator.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import {
  assign,
  branch,
  call,
  data,
  end,
  error,
  fork,
  handler,
  retry,
  scope,
  span,
  workflow,
  yes,
} from "../../../reference/build.ts";
import { returns, throws } from "../../../reference/interpreting.ts";
import { filesOf, moduleText, typeErrorsOf } from "./emitting.ts";

const argument = object([
  ["document", data],
  ["token", variable("token")],
]);

const asking = (rest: Partial<Call> = {}, heartbeat?: Callback["heartbeat"], functions?: Workflow["functions"]) =>
  workflow(
    scope(
      ["data"],
      call("Ask", "ask", argument, "End", { bind: "data", callback: { token: "token", heartbeat, span }, ...rest }),
      assign("Caught", { data: member(data, "origin") }, "End"),
      end("End", data),
    ),
    { id: "review", functions: functions ?? [{ name: "ask", span }] },
  );

const activity: Workflow["functions"] = [{ name: "ask", protocol: { kind: "activity", activity: "reviewers" }, span }];

const beating = (reply: Reply, ...heartbeats: readonly number[]): Reply => ({ ...reply, heartbeats });
const never: Reply = { takes: 0, answer: { kind: "never" } };

/** The observed behavior of a workflow whose function has these replies. */
async function observe(run: (environment: SimulatedEnvironment) => Promise<Outcome>, replies: readonly Reply[]) {
  const reply = async (_: string, index: number) => replies[Math.min(index, replies.length - 1)]!;
  const { outcome, calls, elapsed } = await simulate({ clock: 0, events: [], reply }, run);
  const error = outcome.status === "failed" ? { name: outcome.error.name, message: outcome.error.message } : undefined;
  return { outcome: error ?? outcome, calls, elapsed };
}

test("emitted programs call with a token and wait for the answer", async () => {
  const program = programOf([asking({ timeout: 3600, retries: [retry(2, 1)] }, 60)]);
  expect(await moduleText(program, program.workflows[0]!.id)).toContain(
    `    data = await flow.callback(
      "ask",
      (step) => fn.ask({ document: data, token: step.token }, step),
      { timeout: 3600, heartbeat: 60, retries: [{ limit: 2, base: 1 }] },
    );`,
  );
  expect(await typeErrorsOf(await filesOf(program))).toBe("");
}, 60_000);

test("emitted programs offer the input of an activity to its workers, and need no function for it", async () => {
  const offering = asking({ argument: data }, undefined, activity);
  const text = await moduleText(programOf([offering]), offering.id);
  expect(text).toContain(`data = await flow.activity("ask", "reviewers", () => data);`);
  expect(text).not.toContain("interface Functions");
  const program = programOf([asking({}, undefined, activity)]);
  expect(await moduleText(program, program.workflows[0]!.id)).toContain(
    `flow.activity("ask", "reviewers", (token) => ({ document: data, token }))`,
  );
  expect(await typeErrorsOf(await filesOf(program))).toBe("");
}, 60_000);

const cases: readonly (readonly [string, Workflow, readonly Reply[]])[] = [
  ["an answer", asking(), [returns({ approved: true }, 7)]],
  ["a new token for each attempt", asking({ retries: [retry(2, 1)] }), [throws("Busy"), returns(7, 3)]],
  ["a failure", asking({ handlers: [handler(yes, "Caught", "data")] }), [throws("Denied", "No budget.", 4)]],
  ["no answer", asking(), [never]],
  ["a heartbeat that is missed at first", asking({}, 5), [beating(returns(1, 6))]],
  ["a heartbeat that is missed later", asking({}, 5), [beating(returns(1, 20), 4, 8)]],
  ["the origin of a missed heartbeat", asking({ handlers: [handler(yes, "Caught", "data")] }, 5), [never]],
  ["a timeout in spite of heartbeats", asking({ timeout: 12 }, 5), [beating(returns(1, 30), 4, 8, 12, 16)]],
  ["a timeout at the instant of a missed heartbeat", asking({ timeout: 10 }, 5), [beating(never, 5)]],
  ["an answer at the instant of the timeout", asking({ timeout: 7 }, 7), [returns("just in time", 7)]],
  ["a late answer", asking({ timeout: 5, retries: [retry(1, 1)] }), [returns("late", 7), returns("new", 4)]],
  [
    "the limit of the name of an error",
    asking({ handlers: [handler(member(error, "name"), "Caught", "data")] }),
    [throws("")],
  ],
  ["an activity", asking({ argument: data }, 5, activity), [beating(returns(1, 8), 4)]],
  ["an activity that reads its token", asking({ retries: [retry(1, 2)] }, 5, activity), [never, returns(2, 4)]],
  [
    "branches",
    workflow(
      scope(
        ["data"],
        fork(
          "Both",
          ["left", "right"].map((side) =>
            branch(
              side,
              scope(
                ["got"],
                call(side, "ask", argument, `${side} end`, { bind: "got", callback: { token: "token", span } }),
                end(`${side} end`, variable("got")),
              ),
            ),
          ),
          "End",
          { bind: "data" },
        ),
        end("End", data),
      ),
      { functions: [{ name: "ask", span }] },
    ),
    [returns(1, 5), returns(2, 3)],
  ],
];

test.each(cases)("emitted programs and the reference agree on %s", async (_, workflow, replies) => {
  const program = programOf([workflow]);
  const input = { text: "x" };
  const expected = await observe((environment) => interpret({ program, workflow, input, environment }), replies);
  const files = await filesOf(program);
  const simulator = await typescript.loadSimulator!();
  const run = (environment: SimulatedEnvironment) =>
    simulator.run(files, { workflow: workflow.id, input, environment });
  expect(await observe(run, replies)).toEqual(expected);
  simulator.close();
});
