import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/json.ts";
import { definition, expectExact, filesOf, moduleText, programOf, returning, to } from "./emitting.ts";

// With any names, modules parse, pass the type checker and behave like the reference.

const names: readonly string[] = [
  "__proto__",
  "constructor",
  "*/ throw new Error() /*",
  "\u0024{process.exit(1)}",
  "`\u0024{x}`",
  "line\u2028end\u2029",
  '"quoted" \\ back\\slash',
  "</script><!--",
  "\u202eright to left",
  "new\nline // comment",
  "await",
  "class",
  "undefined",
  "merge",
  "data",
  "error",
  "failure",
  "errorOf",
  "flow",
  "fn",
  "step",
  "run",
  "Json",
  "defineWorkflow",
  "Data",
  "item",
  "x".repeat(200),
  "ünïcödé 状态 🙂",
  "1st",
  "a-b",
  "a b",
  "a.b",
  "---",
];

const call = (name: string): JsonObject => ({
  functionRef: { refName: name, parameters: { of: "$.who", [name]: name } },
});

test("states and functions with hostile names", { timeout: 60_000 }, async () => {
  const states = names.map((name, i) => ({
    name,
    type: "operation",
    actions: [call(name), call(names[(i + 1) % names.length]!)],
    onError: [{ expression: { body: "name eq 'Busy'" }, transition: to("End") }],
    retry: [{ expression: { body: "name eq 'Late'" }, maxAttempts: 1 }],
    transition: to(names[i + 1] ?? "End"),
  }));
  const functions = names.map((name) => ({ name, resource: name }));
  const program = programOf([
    definition([...states, { name: "End", type: "inject", data: { done: true } }], { functions }),
  ]);
  const last = await expectExact(program, [null, { who: "Ann" }], () => returning((name) => ({ [name]: [name] })));
  expect(last["calls"]).toHaveLength(2 * names.length);
});

test("branches, events and workflows with hostile names", { timeout: 60_000 }, async () => {
  const branches = names.map((name) => ({
    name,
    states: [{ name, type: "inject", start: { kind: "default" }, data: { [name]: name }, end: { kind: "default" } }],
  }));
  const events = names.map((name) => ({ name, type: name, source: name, kind: "produced" }));
  const produce = names.map((name, i) => ({
    name: `produce ${name}`,
    type: "inject",
    data: { [name]: i },
    transition: {
      nextState: i + 1 < names.length ? `produce ${names[i + 1]}` : "End",
      produceEvent: { eventRef: name, data: "$" },
    },
  }));
  const states = [
    { name: "Fork", type: "parallel", branches, transition: to(`produce ${names[0]}`) },
    ...produce,
    { name: "End", type: "inject", data: { done: true } },
  ];
  for (const id of ["__proto__", "constructor", "*/ x", "main", "runtime", "class", "🙂"]) {
    const program = programOf([
      definition(states as never, {
        id,
        events,
        name: "*/ throw 1 /*",
        description: 'ends */ here\u2028 version: "",',
      }),
    ]);
    await expectExact(program, [{ a: 1 }]);
  }
});

test("names that map to the same identifier", async () => {
  const twice = ["charge card", "charge-card", "chargeCard", "Charge Card"];
  const states = twice.map((name, i) => ({
    name: `${name} state`,
    type: "foreach",
    inputCollection: "$.list",
    inputParameter: "$.each",
    states: [
      {
        name: `${name} ${i}`,
        type: "operation",
        start: { kind: "default" },
        actions: [call(name)],
        end: { kind: "default" },
      },
    ],
    transition: to(i < 3 ? `${twice[i + 1]} state` : "End"),
  }));
  const functions = twice.map((name) => ({ name, resource: name }));
  const workflows = ["order id", "order-id"].map((id, i) =>
    definition(
      [
        ...(i === 0
          ? [
              {
                name: "Sub",
                type: "subflow",
                workflowId: "order-id",
                waitForCompletion: true,
                transition: to(states[0]!.name),
              },
            ]
          : []),
        ...states,
        { name: "End", type: "inject", data: { done: true } },
      ] as never,
      { id, functions },
    ),
  );
  const last = await expectExact(programOf(workflows), [{ list: [1, 2], who: "Bo" }]);
  expect(last["calls"]).toHaveLength(16);
});

test("functions and loop variables with the names of imports", {
  timeout: 60_000,
}, async () => {
  const own = [
    "merge",
    "mergeResult",
    "place",
    "failure",
    "errorOf",
    "switchCondition",
    "itemsOf",
    "memberOf",
    "present",
    "isTrue",
  ];
  const states = own.map((name, i) => ({
    name,
    type: "foreach",
    inputCollection: `$.${name}[?(@.n > 0)]`,
    inputParameter: `$.${name}`,
    states: [
      {
        name: `${name} inner`,
        type: "operation",
        start: { kind: "default" },
        actions: [call(name)],
        end: { kind: "default" },
      },
    ],
    transition: to(i + 1 < own.length ? own[i + 1]! : "Last"),
  }));
  const last = {
    name: "Last",
    type: "operation",
    actions: own.map((name) => ({ ...call(name), actionDataFilter: { dataResultsPath: `$.${name}` } })),
  };
  const program = programOf([
    definition([...states, last] as never, { functions: own.map((name) => ({ name, resource: name })) }),
  ]);
  await expectExact(program, [Object.fromEntries(own.map((name) => [name, [{ n: 1 }, { n: 0 }]]))], () =>
    returning((name) => ({ [name]: 1 })),
  );
});

test("equal definitions have equal output, and different ones have different versions", async () => {
  const one = () => programOf([definition([{ name: "A", type: "inject", data: { a: 1 } }])]);
  const other = programOf([definition([{ name: "A", type: "inject", data: { a: 2 } }])]);
  expect(await filesOf(one())).toEqual(await filesOf(one()));
  const version = (text: string) => /version: "([0-9a-f]{16})"/.exec(text)![1];
  expect(version(await moduleText(one(), "orders"))).not.toBe(version(await moduleText(other, "orders")));
});
