import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { cases } from "./cases.ts";
import { separateStates } from "./separate.ts";

type StateEntries = readonly (readonly [name: string, state: JsonObject])[];

const changeOf = (
  name: string,
  change: (states: StateEntries, pick: (below: number) => number) => StateEntries,
): CaseChange => ({
  name,
  change(original, pick) {
    const [main] = original.definitions;
    if (!isObject(main) || !isObject(main["states"])) return undefined;
    const states = change(Object.entries(main["states"]) as StateEntries, pick);
    return { ...original, definitions: [{ ...main, states: Object.fromEntries(states) as Json }] };
  },
});

const changes: readonly CaseChange[] = [
  changeOf("reorder", (states) => states.toReversed()),
  changeOf("unreachable state", (states) => [
    ...states,
    ["never entered", { type: "OPERATION", "next-state": "never entered" }],
  ]),
  changeOf("idle state", (states, pick) => {
    const [name, state] = states[pick(states.length)]!;
    const next = state["next-state"];
    if (typeof next !== "string") return states;
    const idle: StateEntries = [
      ["does nothing", { type: "OPERATION", InputPath: "$", actions: [], "next-state": next }],
    ];
    return [
      ...states.map((each) =>
        each[0] === name ? ([name, { ...state, "next-state": "does nothing" }] as const) : each,
      ),
      ...idle,
    ];
  }),
  changeOf("wrap and unwrap", (states, pick) => {
    const [name, state] = states[pick(states.length)]!;
    const next = state["next-state"];
    if (typeof next !== "string") return states;
    const around: StateEntries = [
      ["put", { type: "OPERATION", ResultPath: "$.kept.away", "next-state": "take" }],
      ["take", { type: "OPERATION", InputPath: "$.kept", OutputPath: "$.away", "next-state": next }],
    ];
    return [
      ...states.map((each) => (each[0] === name ? ([name, { ...state, "next-state": "put" }] as const) : each)),
      ...around,
    ];
  }),
];

const definition = (states: { readonly [name: string]: JsonObject }, triggers?: JsonObject): EquivalenceCase => ({
  language: "function-workflow",
  definitions: [{ ...(triggers ? { "trigger-defs": triggers } : {}), states }],
  options: {},
  scenarios: [{ input: { a: 1 } }],
});

const chain = (count: number, state: (index: number) => JsonObject): EquivalenceCase =>
  definition({
    ...Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `s${i}`,
        { ...(i === 0 ? { start: true } : {}), ...state(i), "next-state": i + 1 < count ? `s${i + 1}` : "last" },
      ]),
    ),
    last: { type: "END" },
  });

const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const named = (count: number, make: (index: number) => Json): JsonObject =>
  Object.fromEntries(many(count, (i) => [`n${i}`, make(i)]));

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["1,000 calls", chain(1000, (i) => ({ type: "OPERATION", actions: [{ function: `f${i % 7}` }] }))],
  ["1,000 filters", chain(1000, () => ({ type: "OPERATION", InputPath: "$", ResultPath: "$.a.b", OutputPath: "$.a" }))],
  [
    "200 actions at once",
    chain(1, () => ({ type: "OPERATION", "action-mode": "PARALLEL", actions: many(200, () => ({ function: "f" })) })),
  ],
  [
    "200 branches",
    chain(1, () => ({
      type: "PARALLEL",
      branches: named(200, () => ({ states: { a: { type: "OPERATION", start: true, actions: [{ function: "f" }] } } })),
    })),
  ],
  [
    "500 retry entries",
    chain(1, () => ({
      type: "OPERATION",
      actions: [{ function: "f", retry: many(500, (i) => ({ match: `E${i}`, "max-retry": 1 })) }],
    })),
  ],
  [
    "1,000 choices",
    definition({
      a: {
        type: "SWITCH",
        start: true,
        choices: many(1000, (i) => ({ path: "$.a", operator: "EQ", value: i + 2, "next-state": "last" })),
        default: "last",
      },
      last: { type: "END" },
    }),
  ],
  [
    "1,000 rules in one",
    definition({
      a: {
        type: "SWITCH",
        start: true,
        choices: [{ Or: many(1000, (i) => ({ path: `$.b${i}`, operator: "StrGT", value: "" })), "next-state": "last" }],
        default: "last",
      },
      last: { type: "END" },
    }),
  ],
  [
    "900 events",
    definition(
      {
        a: {
          type: "EVENT",
          start: true,
          events: [{ "event-expression": many(900, (i) => `n${i}`).join(" or "), "next-state": "last" }],
        },
        last: { type: "END" },
      },
      named(900, (i) => ({ source: `/${i}`, "correlation-token": "$.k" })),
    ),
  ],
]);

/** Random programs in CNCF Function Workflow 0.1. */
export const functionWorkflow: CaseGenerator = {
  language: "function-workflow",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [], without: () => undefined },
  separate: separateStates,
};
