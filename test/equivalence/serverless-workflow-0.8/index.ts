import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { cases } from "./cases.ts";
import { braces } from "./constructs.ts";
import { migrated } from "./migrated.ts";

const changeOf = (name: string, change: (states: readonly JsonObject[]) => readonly JsonObject[]): CaseChange => ({
  name,
  change(original) {
    const [main, ...others] = original.definitions;
    if (!isObject(main) || !Array.isArray(main["states"])) return undefined;
    const states = main["states"] as readonly JsonObject[];
    const start = String(states[0]!["name"]);
    return { ...original, definitions: [{ ...main, start, states: change(states) }, ...others] };
  },
});

const changes: readonly CaseChange[] = [
  changeOf("reorder", (states) => states.toReversed()),
  changeOf("upper-case types", (states) =>
    states.map((state) => ({ ...state, type: String(state["type"]).toUpperCase() })),
  ),
  changeOf("short forms", (states) =>
    states.map((state) => {
      const { transition } = state;
      return isObject(transition ?? null) && Object.keys(transition as JsonObject).length === 1
        ? { ...state, transition: (transition as JsonObject)["nextState"]! }
        : state;
    }),
  ),
  migrated,
];

const workflow = (states: readonly JsonObject[]): EquivalenceCase => ({
  language: "serverless-workflow-0.8",
  definitions: [
    {
      id: "workflow",
      version: "1.0",
      specVersion: "0.8",
      functions: [{ name: "f", type: "custom", operation: "f" }],
      states: states.map((state, index) => ({
        name: `s${index}`,
        ...state,
        ...(index + 1 < states.length ? { transition: `s${index + 1}` } : { end: true }),
      })),
    },
  ],
  options: {},
  scenarios: [{ input: { a: 1, n: 0 } }],
});

const repeated = (count: number, state: JsonObject): EquivalenceCase =>
  workflow(Array.from({ length: count }, () => state));

const call: JsonObject = { functionRef: "f" };

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["600 states", repeated(600, { type: "inject", data: { n: 1 } })],
  ["200 calls", repeated(200, { type: "operation", actions: [call] })],
  ["100 actions", workflow([{ type: "operation", actions: Array.from({ length: 100 }, () => call) }])],
  [
    "40 branches",
    workflow([
      {
        type: "parallel",
        branches: Array.from({ length: 40 }, (_, index) => ({ name: `b${index}`, actions: [call] })),
      },
    ]),
  ],
  [
    "batches of 100 elements",
    workflow([
      {
        type: "foreach",
        inputCollection: braces("[range(100)]"),
        outputCollection: braces(".out"),
        batchSize: 7,
        actions: [call],
      },
    ]),
  ],
]);

const pause: JsonObject = { before: "PT0S" };

/** Delays actions of branches, performs others in sequence, and waits for all branches. */
function separate(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => separate(item));
  if (!isObject(value)) return value;
  const all = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, separate(item as Json)]),
  ) as JsonObject;
  const { actionMode: _, completionType: __, numCompleted: ___, batchSize: ____, ...rest } = all;
  if (all["type"] === "foreach") return { ...rest, mode: "sequential" };
  if (all["type"] !== "parallel") return rest;
  const branches = (all["branches"] as readonly JsonObject[]).map((branch) => ({
    ...branch,
    actions: (branch["actions"] as readonly JsonObject[]).map((action) => ({ ...action, sleep: pause })),
  }));
  return { ...rest, branches };
}

/** Random programs in Serverless Workflow 0.8. */
export const serverlessWorkflow08: CaseGenerator = {
  language: "serverless-workflow-0.8",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [], without: () => undefined },
  separate: (definition) => separate(definition) as JsonObject,
};
