import type { Json, JsonObject } from "../../../src/json.ts";
import type { EquivalenceCase } from "../case.ts";

const start = { kind: "default" };
const end = { kind: "default" };
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const caseOf = (states: readonly JsonObject[], scenario: JsonObject = {}): EquivalenceCase => ({
  language: "serverless-workflow",
  definitions: [{ id: "large", name: "large", version: "1", functions: [{ name: "f", resource: "f" }], states }],
  options: { interpolate: "true" },
  scenarios: [scenario],
});

const operation = (more: JsonObject): JsonObject => ({
  name: "A",
  type: "operation",
  start,
  actions: [call()],
  end,
  ...more,
});
const onward = (more: JsonObject): JsonObject => ({ name: "A", type: "operation", start, actions: [call()], ...more });
const call = (parameters: JsonObject = { a: "$.a" }): JsonObject => ({ functionRef: { refName: "f", parameters } });

const nested = (depth: number): JsonObject =>
  depth === 0
    ? { name: "inside", type: "inject", start, data: { a: 1 }, end }
    : { name: `P${depth}`, type: "parallel", start, branches: [{ name: "b", states: [nested(depth - 1)] }], end };

const deep = (depth: number): Json => (depth === 0 ? 1 : { a: deep(depth - 1) });

/** Extreme programs. Each compiles or is rejected, and runs, in little time and memory; many once did not. */
export const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ...[200, 1000].map(
    (count) =>
      [
        `a string with ${count} paths`,
        caseOf([operation({ actions: [call({ text: many(count, (i) => `$.m${i}`).join(" ") })] })]),
      ] as const,
  ),
  ["a path of 600 names", caseOf([operation({ stateDataFilter: { dataOutputPath: `$${".a".repeat(600)}` } })])],
  [
    "1,000 retries",
    caseOf([operation({ retry: many(1000, (i) => ({ expression: `name eq 'E${i}'`, interval: "PT1S" })) })], {
      functions: { f: [{ throws: { name: "E999", message: "" } }, { returns: {} }] },
    }),
  ],
  [
    "1,000 handlers",
    caseOf(
      [
        onward({
          onError: many(1000, (i) => ({ expression: `name eq 'E${i}'`, transition: { nextState: "B" } })),
          transition: { nextState: "B" },
        }),
        { name: "B", type: "inject", data: { b: 1 }, end },
      ],
      { functions: { f: { throws: { name: "E999", message: "" } } } },
    ),
  ],
  ["400 actions", caseOf([operation({ actions: many(400, () => call()) })])],
  ["400 actions at once", caseOf([operation({ actionMode: "parallel", actions: many(400, () => call()) })])],
  [
    "a chain of 500 states",
    caseOf(
      many(500, (i) => ({
        name: `S${i}`,
        type: "inject",
        data: { [`m${i}`]: i },
        ...(i === 0 ? { start } : {}),
        ...(i === 499 ? { end } : { transition: { nextState: `S${i + 1}` } }),
      })),
    ),
  ],
  [
    "100 branches",
    caseOf([
      {
        name: "P",
        type: "parallel",
        start,
        branches: many(100, (i) => ({ name: `b${i}`, states: [operation({})] })),
        end,
      },
    ]),
  ],
  ["30 nested parallel states", caseOf([nested(30)])],
  [
    "a condition of 300 parts",
    caseOf([operation({ retry: [{ expression: many(300, (i) => `$.a == ${i}`).join(" and ") }] })]),
  ],
  ["data of depth 300", caseOf([{ name: "A", type: "inject", start, data: { a: deep(300) }, end }])],
  [
    "a string of a million characters",
    caseOf([{ name: "A", type: "inject", start, data: { a: "x".repeat(1e6) }, end }]),
  ],
  ["a name of 10,000 characters", caseOf([{ ...operation({}), name: "n".repeat(10_000) }])],
  [
    "40 elements",
    caseOf(
      [
        {
          name: "A",
          type: "foreach",
          start,
          inputCollection: "$.list",
          inputParameter: "$.it",
          outputCollection: "$.out",
          max: 1,
          states: [operation({})],
          end,
        },
      ],
      { input: { list: many(40, (i) => i) as Json } },
    ),
  ],
  [
    "a state that does nothing and leads to itself",
    caseOf([
      {
        name: "A",
        type: "inject",
        start,
        onError: [{ expression: "$.error ne null", transition: { nextState: "B" } }],
        transition: { nextState: "A" },
      },
      { name: "B", type: "delay", timeDelay: "PT1S", end },
    ]),
  ],
  [
    "a loop that never waits",
    caseOf([
      {
        name: "A",
        type: "switch",
        start,
        dataConditions: [{ path: "$.go", operator: "notexists", transition: { nextState: "A" } }],
        default: { nextState: "B" },
      },
      { name: "B", type: "inject", data: { b: 1 }, end },
    ]),
  ],
  [
    "a loop of work that never waits",
    caseOf([
      { name: "A", type: "inject", start, data: { a: 1 }, transition: { nextState: "B" } },
      {
        name: "B",
        type: "switch",
        dataConditions: [{ path: "$.go", operator: "notexists", transition: { nextState: "A" } }],
        default: { nextState: "C" },
      },
      { name: "C", type: "inject", data: { b: 1 }, end },
    ]),
  ],
]);
