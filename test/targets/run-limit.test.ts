import { expect, test } from "vitest";
import { member, variable } from "../../src/expressions/index.ts";
import { limitRunBefore } from "../../src/ir/run-before.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { failuresOnAll } from "./on-all.ts";

const call = (name: string, refName: string, next: string) => `- name: ${name}
  type: operation
  actions: [{ functionRef: { refName: ${refName} } }]
  ${next}
`;
const order = `id: order
name: Order
version: '1.0'
functions: [{ name: charge, resource: charge }, { name: ship, resource: ship }, { name: refund, resource: refund }]
states:
${call("Charge", "charge", "start: { kind: default }\n  transition: { nextState: Ship }")}${call("Ship", "ship", "end: { kind: default }")}`;

const within =
  (seconds: number) =>
  (workflow: Workflow): Workflow =>
    workflow.id === "order" ? { ...workflow, timeout: { seconds, span: workflow.span } } : workflow;

const scenarios = `scenarios:
- name: in time
  functions: { charge: { returns: { a: 1 }, takes: PT5S }, ship: { returns: { b: 2 }, takes: PT4S } }
  expect: { status: succeeded, output: { a: 1, b: 2 }, elapsed: PT9S, calls: [charge: {}, ship: { a: 1 }] }
- name: too late
  functions: { charge: { returns: { a: 1 }, takes: PT5S }, ship: { returns: { b: 2 }, takes: PT10S } }
  expect: { status: failed, error: { name: Timeout }, elapsed: PT10S, calls: [charge: {}, ship: { a: 1 }] }
- name: the limit and the end of the last call are at one instant
  functions: { charge: { returns: { a: 1 }, takes: PT5S }, ship: { returns: { b: 2 }, takes: PT5S } }
  expect: { status: succeeded, output: { a: 1, b: 2 }, elapsed: PT10S }
- name: it fails before
  functions: { charge: { throws: { name: Declined, message: no }, takes: PT5S } }
  expect: { status: failed, error: { name: Declined, message: no }, elapsed: PT5S }
`;

test("a run ends with a timeout at its limit, on all targets", async () => {
  expect(await failuresOnAll(scenarios, [order], within(10))).toEqual([]);
});

test("the error of a subflow at its limit can be handled", async () => {
  const parent = `id: parent
name: Parent
version: '1.0'
states:
- name: Place
  type: subflow
  start: { kind: default }
  workflowId: order
  waitForCompletion: true
  onError: [{ expression: { language: spel, body: name eq 'Timeout' }, transition: { nextState: Late } }]
  transition: { nextState: Done }
- { name: Late, type: inject, data: { late: true }, end: { kind: default } }
- { name: Done, type: inject, data: { late: false }, end: { kind: default } }
`;
  const nested = `subflows: { order: ./sub1.yaml }
scenarios:
- name: in time
  functions: { charge: { returns: {} }, ship: { returns: {} } }
  expect: { status: succeeded, output: { late: false } }
- name: too late
  functions: { charge: { returns: {}, takes: PT5S }, ship: { returns: {}, takes: PT10S } }
  expect: { status: succeeded, outputIs: { late: true }, elapsed: PT10S }
`;
  expect(await failuresOnAll(nested, [parent, order], within(10))).toEqual([]);
});

test("a limit that the input states", async () => {
  const given = (workflow: Workflow): Workflow => {
    const seconds = member(variable(workflow.input), "limit");
    return { ...workflow, timeout: { seconds, span: workflow.span } };
  };
  const stated = `scenarios:
- name: too late
  input: { limit: 10 }
  functions: { charge: { returns: {}, takes: PT5S }, ship: { returns: {}, takes: PT10S } }
  expect: { status: failed, error: { name: Timeout }, elapsed: PT10S }
- name: in time
  input: { limit: 20 }
  functions: { charge: { returns: {}, takes: PT5S }, ship: { returns: {}, takes: PT10S } }
  expect: { status: succeeded, elapsed: PT15S }
- name: no time
  input: { limit: -1 }
  expect: { status: failed, error: { name: DataError }, calls: [] }
`;
  expect(await failuresOnAll(stated, [order], given, ["openwhisk", "typescript"])).toEqual([]);
  const [refused] = await failuresOnAll(stated, [order], given, ["asl"]);
  expect(refused).toContain("WB5105 Step Functions counts time in whole seconds");
});

test("the limit of a run that an event starts counts from its start", async () => {
  const started = `id: order
name: Order
version: '1.0'
functions: [{ name: charge, resource: charge }]
events: [{ name: Placed, type: order.placed, source: shop }, { name: Paid, type: order.paid, source: bank }]
states:
- name: Wait
  type: event
  start: { kind: default }
  eventsActions: [{ eventRefs: [Placed], actions: [{ functionRef: { refName: charge } }] }]
  transition: { nextState: Pay }
- name: Pay
  type: event
  eventsActions: [{ eventRefs: [Paid], actions: [] }]
  end: { kind: default }
`;
  const events = `scenarios:
- name: too late
  functions: { charge: { returns: {}, takes: PT5S } }
  events:
  - { at: PT1H, event: { type: order.placed, source: shop, data: { a: 1 } } }
  - { at: PT2H, event: { type: order.paid, source: bank, data: {} } }
  expect: { status: failed, error: { name: Timeout }, elapsed: PT10S }
- name: in time
  functions: { charge: { returns: {}, takes: PT5S } }
  events:
  - { at: PT1H, event: { type: order.placed, source: shop, data: { a: 1 } } }
  - { at: PT1H8S, event: { type: order.paid, source: bank, data: { b: 2 } } }
  expect: { status: succeeded, output: { a: 1, b: 2 }, elapsed: PT8S }
`;
  expect(await failuresOnAll(events, [started], within(10))).toEqual([]);
});

test("a limit with a fraction of a second", async () => {
  const late = `scenarios:
- name: too late
  functions: { charge: { returns: {}, takes: PT5S }, ship: { returns: {}, takes: PT10S } }
  expect: { status: failed, error: { name: Timeout }, elapsed: PT9.5S }
`;
  expect(await failuresOnAll(late, [order], within(9.5), ["typescript", "openwhisk"])).toEqual([]);
  expect(await failuresOnAll(late, [order], within(9.5), ["asl"])).toEqual([
    "too late (asl): refused; 1:5-5 WB5105 Step Functions counts time in whole seconds, but the timeout of workflow `Order` is 9.5 s. [Write a whole number of seconds, such as 10.]",
  ]);
});

test("steps run before the end at the limit", async () => {
  const withRefund = `${order}${call("Refund", "refund", "end: { kind: default }")}`;
  const limited = (workflow: Workflow): Workflow =>
    limitRunBefore(workflow, { seconds: 10, span: workflow.span }, { name: "Refund", span: workflow.span });
  const refunding = scenarios
    .replace(
      "ship: { returns: { b: 2 }, takes: PT10S }",
      "ship: { takes: PT10S, returns: {} }, refund: { returns: {}, takes: PT1S }",
    )
    .replace(
      "elapsed: PT10S, calls: [charge: {}, ship: { a: 1 }]",
      "elapsed: PT11S, calls: [charge: {}, ship: { a: 1 }, refund: { a: 1 }]",
    );
  expect(await failuresOnAll(refunding, [withRefund], limited, ["openwhisk", "typescript"])).toEqual([]);
});
