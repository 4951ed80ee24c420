import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/json.ts";
import { isObject, own } from "../../../src/json.ts";
import { bare, lower } from "./lowering.ts";

/** For each property of the schema: two definitions that differ only in it have different IR. */

const schema = JSON.parse(
  readFileSync(new URL("../../../src/languages/serverless-workflow/definition.schema.json", import.meta.url), "utf8"),
) as JsonObject;

const start = { kind: "default" };
const end = { kind: "default" };
const next = { nextState: "Next" };
const nextState = { name: "Next", id: "next", type: "inject", end };
const inner = [{ name: "X", type: "delay", timeDelay: "PT1S", start, end }];
const action = { functionRef: { refName: "f", parameters: { a: 1 } } };
const onError = [{ expression: { language: "spel", body: "name eq 'A'" }, transition: next }];

/** A minimal state of each type. */
const states: { readonly [type: string]: JsonObject } = {
  event: { eventsActions: [{ eventRefs: ["E"], actions: [action, action] }] },
  operation: { actions: [action, action] },
  switch: { dataConditions: [{ path: "$.a", operator: "equals", value: "1", transition: next }], default: next },
  delay: { timeDelay: "PT1S" },
  parallel: { branches: [{ name: "A", states: inner }], completionType: "n_of_m", n: 1 },
  subflow: { workflowId: "sub" },
  inject: { data: { a: 1 } },
  foreach: { inputCollection: "$.a", inputParameter: "$.b", states: inner },
  callback: { action, eventRef: "E", timeout: "PT1S" },
};

const workflow = (first: JsonObject, changes: JsonObject = {}): JsonObject => ({
  id: "w",
  name: "w",
  version: "1",
  functions: [{ name: "f", resource: "r", type: "t" }],
  events: [
    { name: "E", type: "t", source: "/s", correlationToken: "key" },
    { name: "F", type: "t", source: "/s" },
  ],
  states: [first, nextState],
  ...changes,
});

const stateOf = (type: string, changes: JsonObject = {}): JsonObject => {
  const onward: JsonObject = type === "switch" ? {} : { transition: { nextState: "next" } };
  return without({ name: "S", id: "s", type, start, ...states[type], ...onward, ...changes });
};

const without = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));

type Pair = readonly [Json, Json];
const inState = (type: string, a: JsonObject, b: JsonObject): Pair => [
  workflow(stateOf(type, a)),
  workflow(stateOf(type, b)),
];
const inWorkflow = (a: JsonObject, b: JsonObject): Pair => [
  workflow(stateOf("inject"), a),
  workflow(stateOf("inject"), b),
];
const inAction = (a: JsonObject, b: JsonObject): Pair =>
  inState("operation", { actions: [{ ...action, ...a }] }, { actions: [{ ...action, ...b }] });
const inTransition = (a: JsonObject, b: JsonObject): Pair =>
  inState("inject", { transition: { ...next, ...a } }, { transition: { ...next, ...b } });
const inRetry = (a: JsonObject, b: JsonObject): Pair => {
  const retry = { expression: "name eq 'A'", interval: "PT1S", maxAttempts: 2 };
  return inState("operation", { retry: [{ ...retry, ...a }] }, { retry: [{ ...retry, ...b }] });
};
const inHandler = (a: JsonObject, b: JsonObject): Pair =>
  inState("operation", { onError: [{ ...onError[0], ...a }] }, { onError: [{ ...onError[0], ...b }] });
const inCondition = (a: JsonObject, b: JsonObject): Pair => {
  const condition = { path: "$.a", operator: "equals", value: "1", transition: next };
  return inState("switch", { dataConditions: [{ ...condition, ...a }] }, { dataConditions: [{ ...condition, ...b }] });
};
const inEventCondition = (a: JsonObject, b: JsonObject): Pair => {
  const conditions = (changes: JsonObject): JsonObject => ({
    dataConditions: null,
    eventConditions: [{ eventRef: "E", transition: next, ...changes }],
  });
  return inState("switch", conditions(a), conditions(b));
};
const inEntry = (a: JsonObject, b: JsonObject): Pair => {
  const entries = (changes: JsonObject): JsonObject => ({
    eventsActions: [{ eventRefs: ["E"], actions: [action, action], ...changes }],
  });
  return inState("event", entries(a), entries(b));
};
const produced = (a: JsonObject, b: JsonObject): Pair => {
  const transition = (changes: JsonObject) => ({ produceEvent: { eventRef: "E", ...changes } });
  return inTransition(transition(a), transition(b));
};
const inEvent = (a: JsonObject, b: JsonObject): Pair =>
  inWorkflow({ events: [{ name: "E", type: "t", ...a }] }, { events: [{ name: "E", type: "t", ...b }] });
const inFunction = (a: JsonObject, b: JsonObject): Pair =>
  inWorkflow({ functions: [{ name: "f", ...a }] }, { functions: [{ name: "f", ...b }] });
const inBranch = (a: JsonObject, b: JsonObject): Pair =>
  inState(
    "parallel",
    { branches: [{ name: "A", states: inner, ...a }] },
    { branches: [{ name: "A", states: inner, ...b }] },
  );

/** Properties common to all states. The kind of a start affects when runs may start. */
const ofStates = (type: string): { readonly [property: string]: Pair } => {
  const refer = (id: string): Pair[0] =>
    workflow(stateOf(type, { id: "other" }), {
      states: [stateOf(type, { id }), { ...nextState, end: null, transition: { nextState: "s" } }].map(without),
    });
  const scheduled = { kind: "scheduled", schedule: { interval: "2026-01-01T00:00:00Z/P1D" } };
  return {
    id: [refer("s"), refer("z")],
    name: inState(type, {}, { name: "T" }),
    start: inState(type, {}, { start: scheduled }),
    stateDataFilter: inState(type, {}, { stateDataFilter: { dataInputPath: "$.x" } }),
    onError: inState(type, {}, { onError }),
    retry: inState(type, {}, { retry: [{ expression: "name eq 'A'" }] }),
    transition: inState(type, {}, { transition: { nextState: "S" } }),
    end: inState(type, { transition: null, end }, { transition: null, end: { kind: "terminate" } }),
  };
};

const differing: { readonly [property: string]: Pair } = {
  "workflow.id": inWorkflow({}, { id: "other" }),
  "workflow.name": inWorkflow({}, { name: "other" }),
  "workflow.version": inWorkflow({}, { version: "2" }),
  "workflow.description": inWorkflow({}, { description: "d" }),
  "workflow.dataInputSchema": inWorkflow({}, { dataInputSchema: "file:a" }),
  "workflow.dataOutputSchema": inWorkflow({}, { dataOutputSchema: "file:a" }),
  "workflow.functions": inWorkflow({}, { functions: [] }),
  "workflow.events": inWorkflow({}, { events: [] }),
  "workflow.states": inWorkflow({}, { states: [stateOf("inject"), nextState, { ...nextState, name: "More" }] }),
  "workflow.startsAt": (() => {
    const unmarked = without({ ...stateOf("inject"), start: null });
    return [workflow(unmarked, { startsAt: "S" }), workflow(unmarked, { startsAt: "Next" })];
  })(),
  "function.name": inFunction({}, { name: "g" }),
  "function.resource": inFunction({}, { resource: "r" }),
  "function.type": inFunction({}, { type: "t" }),
  "event.name": inEvent({}, { name: "G" }),
  "event.type": inEvent({}, { type: "u" }),
  "event.source": inEvent({}, { source: "/s" }),
  "event.correlationToken": inEvent({}, { correlationToken: "key" }),
  "expression.body": inTransition({ expression: { body: "$.a" } }, { expression: { body: "$.b" } }),
  "stateDataFilter.dataInputPath": inState(
    "inject",
    { stateDataFilter: {} },
    { stateDataFilter: { dataInputPath: "$.a" } },
  ),
  "stateDataFilter.dataOutputPath": inState(
    "inject",
    { stateDataFilter: {} },
    { stateDataFilter: { dataOutputPath: "$.a" } },
  ),
  "actionDataFilter.dataInputPath": inAction(
    { functionRef: { refName: "f" }, actionDataFilter: {} },
    { functionRef: { refName: "f" }, actionDataFilter: { dataInputPath: "$.a" } },
  ),
  "actionDataFilter.dataResultsPath": inAction(
    { actionDataFilter: {} },
    { actionDataFilter: { dataResultsPath: "$.a" } },
  ),
  "eventDataFilter.dataOutputPath": inEntry({ eventDataFilter: {} }, { eventDataFilter: { dataOutputPath: "$.a" } }),
  "errorDataFilter.dataOutputPath": inHandler({ errorDataFilter: {} }, { errorDataFilter: { dataOutputPath: "$.a" } }),
  "functionRef.refName": inAction({}, { functionRef: { refName: "g", parameters: { a: 1 } } }),
  "functionRef.parameters": inAction({}, { functionRef: { refName: "f", parameters: { a: 2 } } }),
  "action.name": inAction({}, { name: "a" }),
  "action.functionRef": inAction({}, { functionRef: { refName: "g" } }),
  "action.timeout": inAction({}, { timeout: "PT1S" }),
  "action.actionDataFilter": inAction({}, { actionDataFilter: { dataResultsPath: "$.a" } }),
  "error.expression": inHandler({}, { expression: "name eq 'B'" }),
  "error.errorDataFilter": inHandler({}, { errorDataFilter: { dataOutputPath: "$.a" } }),
  "error.transition": inHandler({}, { transition: { nextState: "S" } }),
  "retry.expression": inRetry({}, { expression: "name eq 'B'" }),
  "retry.interval": inRetry({}, { interval: "PT2S" }),
  "retry.multiplier": inRetry({}, { multiplier: "PT1S" }),
  "retry.maxAttempts": inRetry({}, { maxAttempts: 3 }),
  "transition.expression": inTransition({}, { expression: "$.a" }),
  "transition.produceEvent": inTransition({}, { produceEvent: { eventRef: "E" } }),
  "transition.nextState": inTransition({}, { nextState: "S" }),
  "produceEvent.eventRef": produced({}, { eventRef: "F" }),
  "produceEvent.data": produced({}, { data: "$.a" }),
  "schedule.interval": inState(
    "inject",
    { start: { kind: "scheduled", schedule: { interval: "2026-01-01T00:00:00Z/P1D" } } },
    { start: { kind: "scheduled", schedule: { interval: "2026-01-01T00:00:00Z/P2D" } } },
  ),
  "start.kind": inState(
    "inject",
    { start: { kind: "default", schedule: { interval: "2026-01-01T00:00:00Z/P1D" } } },
    { start: { kind: "scheduled", schedule: { interval: "2026-01-01T00:00:00Z/P1D" } } },
  ),
  "start.schedule": inState(
    "inject",
    { start: { kind: "scheduled" } },
    { start: { kind: "scheduled", schedule: { interval: "2026-01-01T00:00:00Z/P1D" } } },
  ),
  "end.kind": inState(
    "inject",
    { transition: null, end: { kind: "default" } },
    { transition: null, end: { kind: "terminate" } },
  ),
  "end.produceEvent": inState(
    "inject",
    { transition: null, end: { kind: "event", produceEvent: { eventRef: "E" } } },
    { transition: null, end: { kind: "event", produceEvent: { eventRef: "F" } } },
  ),
  "eventActions.eventRefs": inEntry({}, { eventRefs: ["F"] }),
  "eventActions.actionMode": inEntry({}, { actionMode: "parallel" }),
  "eventActions.actions": inEntry({}, { actions: [] }),
  "eventActions.eventDataFilter": inEntry({}, { eventDataFilter: { dataOutputPath: "$.a" } }),
  "dataCondition.path": inCondition({}, { path: "$.b" }),
  "dataCondition.value": inCondition({}, { value: 1 }),
  "dataCondition.operator": inCondition({}, { operator: "notequals" }),
  "dataCondition.transition": inCondition({}, { transition: { nextState: "S" } }),
  "eventCondition.eventRef": inEventCondition({}, { eventRef: "F" }),
  "eventCondition.transition": inEventCondition({}, { transition: { nextState: "S" } }),
  "eventCondition.eventDataFilter": inEventCondition({}, { eventDataFilter: { dataOutputPath: "$.a" } }),
  "branch.name": inBranch({}, { name: "B" }),
  "branch.states": inBranch({}, { states: [{ ...inner[0]!, name: "Y" }] }),
  "eventState.exclusive": inState("event", {}, { exclusive: false }),
  "eventState.eventsActions": inState("event", {}, { eventsActions: [{ eventRefs: ["F"], actions: [] }] }),
  "eventState.timeout": inState("event", { exclusive: false }, { exclusive: false, timeout: "PT1S" }),
  "operationState.actionMode": inState("operation", {}, { actionMode: "parallel" }),
  "operationState.actions": inState("operation", {}, { actions: [] }),
  "switchState.dataConditions": inCondition({}, { path: "$.b" }),
  "switchState.eventConditions": inEventCondition({}, { eventRef: "F" }),
  "switchState.eventTimeout": (() => {
    const waiting = { dataConditions: null, eventConditions: [{ eventRef: "E", transition: next }] };
    return inState("switch", waiting, { ...waiting, eventTimeout: "PT1S" });
  })(),
  "switchState.default": inState("switch", {}, { default: null }),
  "delayState.timeDelay": inState("delay", {}, { timeDelay: "PT2S" }),
  "parallelState.branches": inBranch({}, { name: "B" }),
  "parallelState.completionType": inState(
    "parallel",
    { n: null, completionType: "and" },
    { n: null, completionType: "xor" },
  ),
  "parallelState.n": (() => {
    const branches = ["A", "B"].map((name) => ({ name, states: inner }));
    return inState("parallel", { branches, n: 1 }, { branches, n: 2 });
  })(),
  "subflowState.waitForCompletion": inState("subflow", {}, { waitForCompletion: true }),
  "subflowState.workflowId": inState("subflow", {}, { workflowId: "other" }),
  "injectState.data": inState("inject", {}, { data: { a: 2 } }),
  "foreachState.inputCollection": inState("foreach", {}, { inputCollection: "$.c" }),
  "foreachState.outputCollection": inState("foreach", {}, { outputCollection: "$.c" }),
  "foreachState.inputParameter": inState("foreach", {}, { inputParameter: "$.c" }),
  "foreachState.max": inState("foreach", {}, { max: 2 }),
  "foreachState.timeDelay": inState("foreach", {}, { timeDelay: "PT1S" }),
  "foreachState.states": inState("foreach", {}, { states: [{ ...inner[0]!, name: "Y" }] }),
  "callbackState.action": inState("callback", {}, { action: { functionRef: { refName: "g" } } }),
  "callbackState.eventRef": inState("callback", {}, { eventRef: "F" }),
  "callbackState.timeout": inState("callback", {}, { timeout: "PT2S" }),
  "callbackState.eventDataFilter": inState("callback", {}, { eventDataFilter: { dataOutputPath: "$.a" } }),
  ...Object.fromEntries(
    Object.keys(states).flatMap((type) =>
      Object.entries(ofStates(type)).map(([property, pair]) => [`${type}State.${property}`, pair]),
    ),
  ),
};

/** Properties without effect on execution. */
const meaningless: { readonly [property: string]: string } = {
  "*.metadata": "for other tools; that of the workflow, its functions and events is carried along",
  "workflow.extensions": "for other tools; carried along",
  "workflow.schemaVersion": "the draft has no number",
  "workflow.expressionLanguage": "all languages that are read are read alike; any other is an error",
  "expression.language": "all languages that are read are read alike; any other is an error",
  "*State.type": "tells the types apart",
  "*State.dataInputSchema": "documentation",
  "*State.dataOutputSchema": "documentation",
  "switchState.transition": "an error",
  "switchState.end": "an error",
  "switchState.retry": "an error",
  "delayState.retry": "an error",
  "subflowState.retry": "an error",
  "injectState.retry": "an error",
};

const definitions = own(schema, "$defs") as { readonly [name: string]: JsonObject };
const propertiesOf = (name: string, part: JsonObject): readonly string[] => {
  const properties = own(part, "properties");
  return isObject(properties) ? Object.keys(properties).map((property) => `${name}.${property}`) : [];
};
const all = [
  ...propertiesOf("workflow", schema),
  ...Object.entries(definitions).flatMap(([name, part]) => propertiesOf(name, part)),
];
const isMeaningless = (property: string): boolean =>
  [property, property.replace(/^\w+State\./, "*State."), property.replace(/^\w+\./, "*.")].some((name) =>
    Object.hasOwn(meaningless, name),
  );

describe("every property of the schema", () => {
  test("is covered here", () => {
    const known = new Set(all);
    expect(Object.keys(differing).filter((property) => !known.has(property))).toEqual([]);
    expect(Object.keys(meaningless).filter((property) => !property.startsWith("*") && !known.has(property))).toEqual(
      [],
    );
    expect(all.length).toBeGreaterThan(190);
  });

  test.each(all.filter((property) => !isMeaningless(property)))("%s affects the IR", (property) => {
    const pair = differing[property];
    expect(pair).toBeDefined();
    const [a, b] = pair!.map((value) => lower(JSON.stringify(value), { path: "demo.json" }));
    expect(a?.workflow).toBeDefined();
    expect(b?.workflow).toBeDefined();
    expect(bare(a?.workflow)).not.toBe(bare(b?.workflow));
  });

  test("has a noun for its owner", () => {
    const objects = Object.entries(definitions).filter(
      ([, part]) => isObject(own(part, "properties")) || own(part, "oneOf"),
    );
    expect(objects.filter(([, part]) => typeof own(part, "title") !== "string").map(([name]) => name)).toEqual([]);
  });
});
