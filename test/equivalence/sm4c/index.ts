import fc from "fast-check";
import { isObject, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { braces, cases } from "./cases.ts";
import { separateActions } from "./separate.ts";

const changeOf = (name: string, change: (states: readonly JsonObject[]) => readonly JsonObject[]): CaseChange => ({
  name,
  change(original) {
    const [main, ...others] = original.definitions;
    if (!isObject(main) || !Array.isArray(main["states"])) return undefined;
    const states = change(main["states"] as readonly JsonObject[]);
    return { ...original, definitions: [{ ...main, states }, ...others] };
  },
});

const changes: readonly CaseChange[] = [
  changeOf("reorder", (states) => states.toReversed()),
  changeOf("unreachable state", (states) => [...states, { name: "never entered" }]),
  changeOf("upper-case keys", (states) =>
    states.map((state) => Object.fromEntries(Object.entries(state).map(([key, value]) => [key.toUpperCase(), value]))),
  ),
];

const machine = (states: readonly JsonObject[]): EquivalenceCase => ({
  language: "sm4c",
  definitions: [
    {
      name: "machine",
      version: "1.0",
      functions: [{ name: "f", operation: "api.yaml#f" }],
      states: states.map((state, i) => ({ name: `s${i}`, ...(i === 0 ? { start: true } : {}), ...state })),
    },
  ],
  options: {},
  scenarios: [{ input: { a: 1, n: 0 } }],
});

const chain = (count: number, does: (index: number) => JsonObject): EquivalenceCase =>
  machine(
    Array.from({ length: count }, (_, i) => ({
      ...does(i),
      ...(i + 1 < count ? { transitions: [{ nextState: `s${i + 1}` }] } : {}),
    })),
  );

const inject: JsonObject = { type: "injectData", expression: braces(".n") };
const call: JsonObject = { type: "invokeFunction", functionName: "f" };

const nested = (type: string, depth: number): JsonObject => {
  if (depth === 0) return inject;
  const inner = nested(type, depth - 1);
  return type === "foreach" ? { type, input: braces("[1]"), action: inner } : { type, actions: [inner] };
};

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["900 states", chain(900, () => ({ enterAction: inject, enterResultHandler: braces(".n = $value + 1") }))],
  ["300 calls", chain(300, () => ({ enterAction: call, enterResultHandler: braces(".a = $value") }))],
  ["40 nested sequences", chain(1, () => ({ enterAction: nested("sequence", 40) }))],
  ["20 nested parallels", chain(1, () => ({ enterAction: nested("parallel", 20) }))],
  ["15 nested foreachs", chain(1, () => ({ enterAction: nested("foreach", 15) }))],
  [
    "an exit action for 200 transitions",
    machine([
      {
        exitAction: { type: "sequence", actions: Array.from({ length: 50 }, () => call) },
        transitions: Array.from({ length: 200 }, (_, i) => ({
          condition: braces(`.n == ${200 - i}`),
          nextState: `s${i + 1}`,
        })).concat([{ condition: braces("true"), nextState: "s200" }]),
      },
      ...Array.from({ length: 200 }, () => ({})),
    ]),
  ],
  [
    "100 handlers",
    machine([
      {
        enterAction: {
          ...call,
          errorHandlers: Array.from({ length: 100 }, (_, i) => ({
            condition: braces(`.ClassName == "E${i}"`),
            resultHandler: braces(".n += 1"),
          })),
        },
      },
    ]),
  ],
]);

/** Random programs in SM4C. */
export const sm4c: CaseGenerator = {
  language: "sm4c",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [], without: () => undefined },
  separate: separateActions,
};
