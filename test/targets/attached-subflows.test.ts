import { expect, test } from "vitest";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import { failuresOnAll } from "./on-all.ts";

const order = (rest: string) => `id: order
name: Order
version: '1.0'
functions: [{ name: charge, resource: charge }]
states:
- { name: Watch, type: subflow, start: { kind: default }, workflowId: watch, waitForCompletion: false, transition: { nextState: Charge } }
- name: Charge
  type: operation
  actions: [{ functionRef: { refName: charge } }]
${rest}`;

const watch = `id: watch
name: Watch
version: '1.0'
functions: [{ name: look, resource: look }]
states:
- { name: Rest, type: delay, start: { kind: default }, timeDelay: PT10S, transition: { nextState: Look } }
- name: Look
  type: operation
  actions: [{ functionRef: { refName: look } }]
  transition: { nextState: Again }
- { name: Again, type: delay, timeDelay: PT10S, transition: { nextState: Decide } }
- name: Decide
  type: switch
  dataConditions: [{ path: $.stop, value: 'yes', operator: equals, transition: { nextState: Over } }]
  default: { nextState: Look }
- { name: Over, type: inject, data: {}, end: { kind: default } }
`;

const attached = (workflow: Workflow): Workflow => ({
  ...workflow,
  body: {
    ...workflow.body,
    steps: workflow.body.steps.map(
      (step): Step => (step.kind === "invoke" ? { ...step, whenParentEnds: "terminate" } : step),
    ),
  },
});

const scenarios = `subflows: { watch: ./sub1.yaml }
scenarios:
- name: it stops when the order ends
  functions: { charge: { returns: {}, takes: PT25S }, look: { returns: {} } }
  expect: { status: succeeded, elapsed: PT25S, ordered: false, calls: [charge: {}, look: {}, look: {}] }
- name: it stops when the order fails
  functions: { charge: { throws: { name: Declined }, takes: PT15S }, look: { returns: {} } }
  expect: { status: failed, error: { name: Declined }, ordered: false, calls: [charge: {}, look: {}] }
- name: the order ends first
  functions: { charge: { returns: {} }, look: { returns: {} } }
  expect: { status: succeeded, elapsed: PT0S, calls: [charge: {}] }
`;

test("a subflow stops with the workflow that started it", async () => {
  expect(
    await failuresOnAll(scenarios, [order("  end: { kind: default }\n"), watch], attached, ["typescript"]),
  ).toEqual([]);
});

test.each([
  [
    "asl",
    "WB5108 Amazon States Language has no exact form for a subflow that stops when this workflow ends: executions are not linked.",
  ],
  [
    "openwhisk",
    "WB5201 OpenWhisk does not support a subflow that stops when this workflow ends: an activation cannot be stopped.",
  ],
])("%s refuses it", async (target, message) => {
  const found = await failuresOnAll(scenarios, [order("  end: { kind: default }\n"), watch], attached, [target]);
  expect(found).toHaveLength(3);
  for (const line of found) expect(line).toContain(message);
});

test("it is refused in a loop", async () => {
  const looped = order(`  transition: { nextState: Rest }
- { name: Rest, type: delay, timeDelay: PT1H, transition: { nextState: Decide } }
- name: Decide
  type: switch
  dataConditions: [{ path: $.stop, value: 'yes', operator: equals, transition: { nextState: Over } }]
  default: { nextState: Charge }
- { name: Over, type: inject, data: {}, end: { kind: default } }
`);
  const ending = `subflows: { watch: ./sub1.yaml }
scenarios:
- name: an hour
  functions: { charge: { returns: { stop: 'yes' } }, look: { returns: { stop: 'yes' } } }
  expect: { status: succeeded, elapsed: PT1H }
`;
  expect(await failuresOnAll(ending, [looped, watch], attached, ["typescript"])).toEqual([
    "an hour (typescript): refused; 6:11-5 WB5323 Workflow `watch` stops when this workflow ends, but a loop discards what was recorded before, and with it the subflow. [Let the subflow continue, or start it in a workflow without loops.]",
  ]);
});
