import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { cases } from "./cases.ts";

type StateEntries = readonly (readonly [name: string, state: JsonObject])[];

const changeOf = (
  name: string,
  change: (states: StateEntries, pick: (below: number) => number) => StateEntries,
): CaseChange => ({
  name,
  change(original, pick) {
    const [main] = original.definitions;
    if (!isObject(main) || !isObject(main["States"])) return undefined;
    const states = change(Object.entries(main["States"]) as StateEntries, pick);
    return { ...original, definitions: [{ ...main, States: Object.fromEntries(states) }] };
  },
});

const changes: readonly CaseChange[] = [
  changeOf("reorder", (states) => states.toReversed()),
  changeOf("unreachable state", (states) => [...states, ["never entered", { Type: "Pop", Next: "never entered" }]]),
  changeOf("idle state", (states, pick) => {
    const [name, state] = states[pick(states.length)]!;
    if (typeof state["Next"] !== "string") return states;
    const idle: StateEntries = [["does nothing", { Type: "Pass", Next: state["Next"] }]];
    return [
      ...states.map((each) => (each[0] === name ? ([name, { ...state, Next: "does nothing" }] as const) : each)),
      ...idle,
    ];
  }),
  changeOf("unused variable", (states, pick) => {
    const [name, state] = states[pick(states.length)]!;
    if (typeof state["Next"] !== "string") return states;
    const around: StateEntries = [
      ["hide", { Type: "Let", Symbol: "hidden_", Value: [], Next: "show" }],
      ["show", { Type: "End", Next: state["Next"] }],
    ];
    return [
      ...states.map((each) => (each[0] === name ? ([name, { ...state, Next: "hide" }] as const) : each)),
      ...around,
    ];
  }),
];

const chain = (count: number, state: (index: number) => JsonObject): EquivalenceCase => ({
  language: "composer-fsm",
  definitions: [
    {
      Entry: "s0",
      Exit: "last",
      States: Object.fromEntries([
        ...Array.from(
          { length: count },
          (_, i) => [`s${i}`, { ...state(i), Next: i + 1 < count ? `s${i + 1}` : "last" }] as const,
        ),
        ["last", { Type: "Pass" }],
      ]) as Json,
    },
  ],
  options: {},
  scenarios: [{ input: { a: 1 } }],
});

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["300 functions", chain(300, (i) => ({ Type: "Task", Function: `p => ({ n: ${i} })` }))],
  ["a stack of 900 values", chain(900, () => ({ Type: "Push" }))],
  ["a stack of 2,000 values", chain(2000, () => ({ Type: "Push" }))],
  ["300 nested handlers", chain(300, (i) => ({ Type: "Try", Handler: `s${i}` }))],
  ["an endless function", chain(1, () => ({ Type: "Task", Function: "() => { for (;;); }" }))],
  [
    "a function that exhausts memory",
    // The OpenWhisk simulator runs actions in this process and has no memory limit.
    {
      ...chain(1, () => ({
        Type: "Task",
        Function: "() => { for (const all = []; ; ) all.push(new Array(1e6).fill(1)) }",
      })),
      notOn: ["openwhisk"],
    },
  ],
  ["nested functions", chain(1, () => ({ Type: "Task", Function: `${"() => ".repeat(2000)}1` }))],
  ["a long function", chain(1, () => ({ Type: "Task", Function: `() => [${"1, ".repeat(20_000)}]` }))],
]);

/** OpenWhisk reports the errors of actions by its own name for them. */
const withPlatformName = (response: JsonObject): JsonObject =>
  isObject(response["throws"]) ? { ...response, throws: { name: "ApplicationError", message: "no" } } : response;

/** Random programs in OpenWhisk Composer's JSON format. */
export const composerFsm: CaseGenerator = {
  language: "composer-fsm",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [], without: () => undefined },
  // Compositions have no concurrent parts.
  separate: (definition) => definition,
  alike: withPlatformName,
};
