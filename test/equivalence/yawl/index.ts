import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { cases } from "./cases.ts";
import { separateSteps } from "./separate.ts";

type Steps = readonly (readonly [id: string, step: JsonObject])[];

const changeOf = (name: string, change: (steps: Steps, pick: (below: number) => number) => Steps): CaseChange => ({
  name,
  change(original, pick) {
    const [main] = original.definitions;
    if (!isObject(main) || !isObject(main["steps"])) return undefined;
    const steps = change(Object.entries(main["steps"]) as Steps, pick);
    return { ...original, definitions: [{ ...main, steps: Object.fromEntries(steps) }] };
  },
});

/** Excludes `last-output`, where an added output changes the result. */
const unlessLastOutput = ({ name, change }: CaseChange): CaseChange => ({
  name,
  change: (original, pick) => (original.options["resultMode"] === "last-output" ? undefined : change(original, pick)),
});

const changes: readonly CaseChange[] = [
  changeOf("reorder", (steps) => steps.toReversed()),
  changeOf("unreachable step", (steps) => [...steps, ["never entered", { fail: { errorMessage: "no" } }]]),
  changeOf("titles", (steps) =>
    steps.map(([id, step]) => [id, { title: "A title", description: "And more", ...step }]),
  ),
  unlessLastOutput(
    changeOf("idle step", (steps, pick) => {
      const [id, step] = steps[pick(steps.length)]!;
      const [kind, does] = Object.entries(step)[0] as [string, JsonObject];
      if (typeof does["next"] !== "string") return steps;
      const led: JsonObject = { [kind]: { ...does, next: "does nothing" } };
      return [
        ...steps.map((each) => (each[0] === id ? ([id, led] as const) : each)),
        ["does nothing", { noOp: { output: "\\({})", next: does["next"] } }],
      ];
    }),
  ),
];

const workflow = (steps: readonly (readonly [string, Json])[]): EquivalenceCase => ({
  language: "yawl",
  definitions: [{ yawl: "0.1", start: steps[0]![0], steps: Object.fromEntries(steps) }],
  options: {},
  scenarios: [{ input: { a: 1, n: 0 } }],
});

const chain = (count: number, kind: string, does: (index: number) => JsonObject): EquivalenceCase =>
  workflow(
    Array.from({ length: count }, (_, i) => [
      `s${i}`,
      { [kind]: { ...does(i), ...(i + 1 < count ? { next: `s${i + 1}` } : {}) } },
    ]),
  );

const nested = (depth: number): JsonObject =>
  depth === 0
    ? { noOp: { output: "\\({deep: true})" } }
    : { parallel: { branches: { one: { start: `d${depth}`, steps: { [`d${depth}`]: nested(depth - 1) } } } } };

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["900 steps", chain(900, "noOp", (i) => ({ output: `\\({n: (.n + ${i % 3})})` }))],
  ["300 calls", chain(300, "functionCall", () => ({ functionId: "d4e", output: "\\({a: .})" }))],
  ["40 nested branches", workflow([["outer", nested(40)]])],
  ["a long string", chain(1, "noOp", () => ({ output: `{"a": "${"long ".repeat(20_000)}"}` }))],
  ["1,000 interpolations", chain(1, "fail", () => ({ errorMessage: "\\(.a)".repeat(1000) }))],
  ["nested brackets", chain(1, "noOp", () => ({ output: `\\({a: ${"[".repeat(2000)}${"]".repeat(2000)}})` }))],
]);

/** Random programs in YaWL. */
export const yawl: CaseGenerator = {
  language: "yawl",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [], without: () => undefined },
  separate: separateSteps,
};
