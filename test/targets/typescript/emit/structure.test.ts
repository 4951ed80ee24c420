import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { cpuTime } from "../../../cpu.ts";
import {
  definition,
  expectExact,
  type FunctionBehavior,
  filesOf,
  programOf,
  returning,
  type StateDefinition,
  to,
} from "./emitting.ts";

const choice = (
  name: string,
  conditions: readonly (readonly [path: string, value: string, next: string])[],
  otherwise: string,
): StateDefinition => ({
  name,
  type: "switch",
  dataConditions: conditions.map(([path, value, next]) => ({ path, operator: "equals", value, transition: to(next) })),
  default: to(otherwise),
});

const note = (name: string, next?: string): StateDefinition => ({
  name,
  type: "operation",
  actions: [
    {
      functionRef: { refName: "note", parameters: { at: name, n: "$.n" } },
      actionDataFilter: { dataResultsPath: "$" },
    },
  ],
  ...(next === undefined ? {} : { transition: to(next) }),
});

const functions: Json = [{ name: "note", resource: "note" }];

/** Functions that count the calls: each returns the next number as a string. */
function counting(): FunctionBehavior {
  let n = 0;
  return returning(() => ({ n: String(++n) }));
}

test("loops that are entered in the middle", { timeout: 30_000 }, async () => {
  const states = [
    choice("Begin", [["$.way", "b", "B"]], "A"),
    note("A", "AskA"),
    choice("AskA", [["$.n", "5", "End"]], "B"),
    note("B", "AskB"),
    choice("AskB", [["$.n", "5", "End"]], "A"),
    note("End"),
  ];
  const inputs: readonly Json[] = [{ way: "b" }, { way: "a" }, null, "text"];
  await expectExact(programOf([definition(states, { functions })]), inputs, counting);
});

test("three nested loops, each left and continued from the innermost", { timeout: 30_000 }, async () => {
  const states = [
    note("A", "B"),
    note("B", "C"),
    note("C", "Ask"),
    choice(
      "Ask",
      [
        ["$.n", "3", "A"],
        ["$.n", "6", "B"],
        ["$.n", "8", "C"],
        ["$.n", "9", "D"],
      ],
      "C",
    ),
    note("D", "More"),
    choice("More", [["$.n", "10", "End"]], "B"),
    note("End"),
  ];
  const last = await expectExact(programOf([definition(states, { functions })]), [{}], counting);
  expect(last["calls"]).toHaveLength(11);
});

test("nested attempts: retries, handlers, and timeouts of nested branches", {
  timeout: 30_000,
}, async () => {
  /** Fails every second action with the next name, then succeeds. */
  const failing = (name: string): JsonObject => ({
    name,
    type: "operation",
    start: { kind: "default" },
    actions: [
      { functionRef: { refName: "note", parameters: { at: name } } },
      { functionRef: { refName: "note", parameters: { at: `${name} 2` } } },
    ],
    retry: [{ expression: { body: "name eq 'Busy'" }, maxAttempts: 2, interval: "PT1S" }],
    onError: [{ expression: { body: "name eq 'Gone'" }, transition: to(`${name} gone`) }],
    end: { kind: "default" },
  });
  const gone = (name: string): JsonObject => ({
    name: `${name} gone`,
    type: "inject",
    data: { [name]: "gone" },
    end: { kind: "default" },
  });
  const parallel = (name: string, branches: readonly (readonly JsonObject[])[]): JsonObject => ({
    name,
    type: "parallel",
    branches: branches.map((states, i) => ({ name: `${name} ${i}`, states })) as unknown as Json,
    retry: [{ expression: { body: "name eq 'Fatal'" }, maxAttempts: 1 }],
    onError: [{ expression: { body: "name ne 'Fatal'" }, transition: to(`${name} gone`) }],
    end: { kind: "default" },
  });
  const inner = {
    ...parallel("Inner", [
      [failing("X"), gone("X")],
      [failing("Y"), gone("Y")],
    ]),
    start: { kind: "default" },
  };
  const states = [
    parallel("Outer", [
      [inner, gone("Inner")],
      [failing("Z"), gone("Z")],
    ]),
    gone("Outer"),
  ];
  const program = programOf([definition(states as never, { functions })]);
  for (const kinds of [["Busy"], ["Gone"], ["Fatal"], ["Busy", "Fatal", "Gone"], ["Odd"]])
    await expectExact(program, [{ a: 1 }], () => failingBy(kinds));
});

/** Functions whose second action fails with each name in turn, then succeeds. */
function failingBy(kinds: readonly string[]): FunctionBehavior {
  const seen = new Map<string, number>();
  return (_, argument) => {
    const at = JSON.stringify(argument);
    const times = (seen.get(at) ?? 0) + 1;
    seen.set(at, times);
    const name = at.includes(" 2") ? kinds[times % 4] : undefined;
    return name === undefined ? { kind: "returns", value: { ok: times } } : { kind: "throws", name, message: "" };
  };
}

test("branches nested twelve deep", { timeout: 30_000 }, async () => {
  const nested = (depth: number): JsonObject =>
    depth === 0
      ? { ...note("Leaf"), start: { kind: "default" }, end: { kind: "default" } }
      : {
          name: `Level ${depth}`,
          type: "parallel",
          start: { kind: "default" },
          branches: [{ name: `b${depth}`, states: [nested(depth - 1)] }],
          end: { kind: "default" },
        };
  const last = await expectExact(programOf([definition([nested(12)] as never, { functions })]), [{ n: 1 }], counting);
  expect(last["calls"]).toEqual([{ note: { at: "Leaf", n: 1 } }]);
});

test("1,000 states connected by choices", { timeout: 120_000 }, async () => {
  const states = Array.from({ length: 500 }, (_, i) => [
    choice(
      `Ask ${i}`,
      [
        ["$.n", String(i % 7), `Note ${i}`],
        ["$.n", "skip", i < 490 ? `Ask ${i + 5}` : "End"],
      ],
      i < 499 ? `Ask ${i + 1}` : "End",
    ),
    note(`Note ${i}`, i < 499 ? `Ask ${i + 1}` : "End"),
  ]).flat();
  const program = programOf([definition([...states, note("End")], { functions })]);
  const before = cpuTime();
  const files = await filesOf(program);
  expect(files.length).toBeGreaterThan(0);
  expect(cpuTime() - before).toBeLessThan(20_000);
  await expectExact(program, [{ n: "3" }, { n: "skip" }, null], () =>
    returning((_, argument) => ({ n: String((JSON.stringify(argument).length * 5) % 7) })),
  );
});
