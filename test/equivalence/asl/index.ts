import fc from "fast-check";
import { isObject, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { cases } from "./cases.ts";
import { separateStates } from "./separate.ts";

const changeOf = (name: string, change: (machine: JsonObject) => JsonObject): CaseChange => ({
  name,
  change(original) {
    const [main, ...others] = original.definitions;
    return isObject(main) ? { ...original, definitions: [change(main), ...others] } : undefined;
  },
});

const changes: readonly CaseChange[] = [
  changeOf("reorder", (machine) => ({
    ...machine,
    States: Object.fromEntries(Object.entries(machine["States"] as JsonObject).toReversed()),
  })),
  changeOf("comments", (machine) => ({
    ...machine,
    Comment: "all",
    States: Object.fromEntries(
      Object.entries(machine["States"] as JsonObject).map(([name, state]) => [
        name,
        { ...(state as JsonObject), Comment: "one" },
      ]),
    ),
  })),
  changeOf("a Pass before the start", (machine) => ({
    ...machine,
    StartAt: "the start",
    States: { "the start": { Type: "Pass", Next: machine["StartAt"]! }, ...(machine["States"] as JsonObject) },
  })),
];

const machine = (States: JsonObject): EquivalenceCase => ({
  language: "asl",
  definitions: [{ StartAt: Object.keys(States)[0]!, States }],
  options: {},
  scenarios: [{ input: { a: 1, n: 0, list: [1, 2] } }],
});

const chain = (count: number, make: (index: number) => JsonObject): EquivalenceCase =>
  machine(
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `s${i}`,
        { ...make(i), ...(i + 1 < count ? { Next: `s${i + 1}` } : { End: true }) },
      ]),
    ),
  );

const task: JsonObject = {
  Type: "Task",
  Resource: "arn:aws:lambda:eu-west-1:123456789012:function:f",
  ResultPath: "$.r",
};

const nested = (type: "Parallel" | "Map", depth: number): JsonObject => {
  const inner = depth === 0 ? { Type: "Pass", End: true } : nested(type, depth - 1);
  const scope = { StartAt: `${type}${depth}`, States: { [`${type}${depth}`]: inner } };
  const fields =
    type === "Parallel" ? { Branches: [scope] } : { ItemsPath: "$$.Execution.Input.list", ItemProcessor: scope };
  return { Type: type, ...fields, End: true };
};

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["300 states", chain(300, (i) => ({ Type: "Pass", Parameters: { "a.$": "$.a", i } }))],
  ["150 calls", chain(150, () => task)],
  ["15 nested Parallel states", machine({ s: nested("Parallel", 15) })],
  ["5 nested Map states", machine({ s: nested("Map", 5) })],
]);

/** Random machines in Amazon States Language. */
export const asl: CaseGenerator = {
  language: "asl",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [], without: () => undefined },
  separate: separateStates,
};
