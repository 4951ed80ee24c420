import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { languages } from "../../languages.ts";
import { definition, lower } from "./lowering.ts";

const seed = 20_200_600;
const start = { kind: "default" };
const end = { kind: "default" };
const next = { nextState: "I", expression: "$.a eq 1", produceEvent: { eventRef: "E", data: "$.b" } };
const inner = [
  {
    name: "X",
    type: "delay",
    timeDelay: "PT1S",
    start: { kind: "scheduled", schedule: { interval: "2026-01-01T00:00:00Z/P1D" } },
    end,
  },
];
const action = {
  functionRef: { refName: "f", parameters: { a: ["$.b", "x $.c"] } },
  timeout: "PT2S",
  actionDataFilter: { dataInputPath: "$.d", dataResultsPath: "$.e.f" },
};
const protection = {
  retry: [
    { expression: { language: "spel", body: "$.x == 1" }, interval: "R3/PT1S", multiplier: "PT1S", maxAttempts: 2 },
  ],
  onError: [{ expression: "name eq 'A'", errorDataFilter: { dataOutputPath: "$.g" }, transition: next }],
};
const events = [
  { eventRefs: ["E"], actions: [action], eventDataFilter: { dataOutputPath: "$.data.h" } },
  { eventRefs: ["F"], actions: [] },
];

/** A definition with nearly every feature. */
const rich: Json = {
  id: "rich",
  name: "Rich",
  version: "1",
  functions: [{ name: "f", resource: "r" }],
  events: [
    { name: "E", type: "e", source: "/s", correlationToken: "Key" },
    { name: "F", type: "f" },
  ],
  states: [
    {
      name: "A",
      type: "operation",
      start,
      actions: [action, action],
      actionMode: "parallel",
      ...protection,
      transition: { nextState: "B" },
    },
    {
      name: "B",
      type: "event",
      exclusive: false,
      timeout: "PT1M",
      eventsActions: events,
      ...protection,
      transition: { nextState: "C" },
    },
    {
      name: "C",
      type: "switch",
      dataConditions: [{ path: "$.a[?(@.b > 1)]", operator: "matches", value: "^a", transition: next }],
      default: { nextState: "D" },
      onError: protection.onError,
    },
    {
      name: "D",
      type: "parallel",
      branches: [
        { name: "L", states: inner },
        { name: "M", states: inner },
      ],
      completionType: "n_of_m",
      n: 1,
      transition: { nextState: "E" },
    },
    {
      name: "E",
      type: "foreach",
      inputCollection: "$.i",
      inputParameter: "$.j",
      outputCollection: "$.k",
      max: 2,
      timeDelay: "PT1S",
      states: inner,
      transition: { nextState: "F" },
    },
    {
      name: "F",
      type: "callback",
      action,
      eventRef: "E",
      timeout: "PT1H",
      ...protection,
      transition: { nextState: "G" },
    },
    {
      name: "G",
      type: "switch",
      eventConditions: [{ eventRef: "F", transition: next }],
      eventTimeout: "PT1M",
      default: { nextState: "H" },
    },
    { name: "H", type: "subflow", workflowId: "w", waitForCompletion: true, transition: { nextState: "I" } },
    {
      name: "I",
      type: "inject",
      data: { a: 1 },
      stateDataFilter: { dataOutputPath: "$.a" },
      end: { kind: "event", produceEvent: { eventRef: "E", data: "$.a" } },
    },
  ],
};

function pathsIn(value: Json): readonly (readonly (string | number)[])[] {
  const children: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item, i) => [i, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [[], ...children.flatMap(([key, child]) => pathsIn(child).map((path) => [key, ...path]))];
}

function replaced(value: Json, path: readonly (string | number)[], by: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return by ?? null;
  if (Array.isArray(value))
    return value.flatMap((item: Json, i): readonly Json[] =>
      i !== key ? [item] : rest.length === 0 && by === undefined ? [] : [replaced(item, rest, by)],
    );
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return Object.fromEntries(
    entries.flatMap(([name, item]) =>
      name !== key ? [[name, item]] : rest.length === 0 && by === undefined ? [] : [[name, replaced(item, rest, by)]],
    ),
  );
}

const paths = pathsIn(rich);
const words = [
  "$",
  "$.a",
  "$..a[*]",
  "$.",
  "R/PT1S",
  "P1Y",
  "name eq 'A'",
  "E",
  "I",
  "custom",
  "",
  "__proto__",
  "terminate",
  "scheduled",
  "\u0000",
  "😀",
];
const anything = fc.oneof(
  fc.constantFrom<Json>(...words),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as Json),
  fc.constant(undefined),
);
const broken = fc
  .array(fc.tuple(fc.constantFrom(...paths), anything), { minLength: 1, maxLength: 4 })
  .map((changes) => {
    let value: Json = rich;
    for (const [path, by] of changes)
      if (pathsIn(value).some((known) => known.join("/") === path.join("/"))) value = replaced(value, path, by);
    return value;
  });

describe("a definition broken at any position", () => {
  test("never throws, in JSON or YAML", () => {
    fc.assert(
      fc.property(broken, fc.constantFrom("proceed", "fail"), (value, timeout) => {
        const { workflow, findings } = lower(JSON.stringify(value), { path: "demo.json", options: { timeout } });
        expect(workflow !== undefined || findings.length > 0).toBe(true);
      }),
      { seed, numRuns: 400 },
    );
  });

  test("has deterministic IR", () => {
    fc.assert(
      fc.property(broken, (value) => {
        const text = JSON.stringify(value);
        expect(lower(text, { path: "demo.json" }).ir).toBe(lower(text, { path: "demo.json" }).ir);
      }),
      { seed, numRuns: 50 },
    );
  });
});

describe("large definitions", () => {
  const transition = (nextState: string): JsonObject => ({ type: "inject", transition: { nextState } });
  test.each<[string, string, (i: number) => JsonObject]>([
    ["transitions to names that are nearly right", "WB2001", (i) => transition(`Z${i}`)],
    [
      "transitions to what only the compiler names",
      "WB2001",
      (i) => ({ ...transition(`S${i}/output`), stateDataFilter: { dataOutputPath: "$.a" } }),
    ],
    [
      "unknown functions",
      "WB2002",
      (i) => ({ type: "operation", actions: [{ functionRef: { refName: `g${i}` } }], end }),
    ],
    ["misspelt types", "WB1003", () => ({ type: "injekt", end })],
    ["misspelt keys", "WB1007", () => ({ type: "inject", dta: {}, end })],
  ])("with 10,000 %s compile quickly", (_, code, state) => {
    const states = Array.from({ length: 10_000 }, (_, i) => ({
      name: `S${i}`,
      ...(i === 0 ? { start } : {}),
      ...state(i),
    }));
    const functions = Array.from({ length: 5_000 }, (_, i) => ({ name: `f${i}`, resource: "r" }));
    const text = JSON.stringify({ id: "a", name: "A", version: "1", functions, states });
    const started = performance.now();
    const { diagnostics } = check({ sources: [{ path: "large.json", text }], options: {} }, languages);
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(diagnostics.filter((found) => found.code === code).length).toBe(10_000);
  });

  test.each([
    [
      "filters of one event",
      (i: number) => `{ eventRefs: [E], actions: [], eventDataFilter: { dataOutputPath: $.x${i} } }`,
      "type: event, exclusive: false, eventsActions",
    ],
    [
      "branches",
      (i: number) =>
        `{ name: B${i}, states: [{ name: X, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }`,
      "type: parallel, branches",
    ],
    ["actions", () => "{ functionRef: { refName: f } }", "type: operation, actions"],
    ["events", (i: number) => `{ eventRefs: [E${i}], actions: [] }`, "type: event, exclusive: false, eventsActions"],
    [
      "handlers",
      (i: number) => `{ expression: "name eq '${i}'", transition: { nextState: S } }`,
      "type: inject, data: {}, onError",
    ],
  ])("of many %s are lowered", (_, part, properties) => {
    const parts = Array.from({ length: 2000 }, (_, i) => part(i)).join(", ");
    const { workflow } = lower(
      definition(`- { name: S, start: { kind: default }, ${properties}: [${parts}], end: { kind: default } }\n`),
    );
    expect(workflow?.body.steps.length).toBeGreaterThan(1);
  });
});
