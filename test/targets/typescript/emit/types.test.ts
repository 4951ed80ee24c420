import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/json.ts";
import { any, arrayOf, nullType, number, objectOf, string, type Type, union } from "../../../../src/types/index.ts";
import { definition, expectExact, moduleText, programOf, returning, to } from "./emitting.ts";

const order: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    number: { type: "integer", description: "Counts */ from 1." },
    customer: { $ref: "#/$defs/customer" },
    channel: { enum: ["web", "shop", 7, null] },
    tree: { $ref: "#/$defs/tree" },
    "a b": { type: "array", items: { type: ["string", "number"] } },
  },
  required: ["number", "customer"],
  additionalProperties: false,
  $defs: {
    customer: {
      type: "object",
      description: "Who buys.",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
    tree: { type: "array", items: { $ref: "#/$defs/tree" } },
  },
};

const receipt: JsonObject = { type: "object", properties: { state: { const: "packed" } }, required: ["state"] };

const functions = [{ name: "greet", resource: "greet" }];

const greet = (path: string, next?: string) => ({
  name: `Greet ${path}`,
  type: "operation",
  actions: [{ functionRef: { refName: "greet", parameters: { of: path } } }],
  ...(next === undefined ? {} : { transition: to(next) }),
});

const schemas = { "schemas/order.json": order, "receipt.schema.json": receipt };
const named = { functions, dataInputSchema: "schemas/order.json", dataOutputSchema: "receipt.schema.json" };

test("input and output have the types of their schemas, with names and descriptions", async () => {
  const states = [greet("$.customer.name", "Done"), { name: "Done", type: "inject", data: { state: "packed" } }];
  const text = await moduleText(programOf([definition(states, named)], schemas), "orders");
  expect(text).toContain(`export type Order = {
  /** Counts *\\/ from 1. */
  readonly number: number;
  readonly customer: Customer;
  readonly channel?: 7 | "web" | "shop" | null;
  readonly tree?: Tree;
  readonly "a b"?: readonly (number | string)[];
};`);
  expect(text).toContain(
    "/** Who buys. */\nexport type Customer = { readonly name: string; readonly [member: string]: Json | undefined };",
  );
  expect(text).toContain("export type Tree = readonly Tree[];");
  expect(text).toContain(
    "run: async (flow: Flow, fn: Functions, order: Order): Promise<Receipt> => {\n    let data: Data = order;",
  );
  expect(text).toContain("return data as Json as Receipt;");
});

test("schemas are not enforced: other data is processed like in the reference", {
  timeout: 30_000,
}, async () => {
  const states = [
    greet("$.customer.name", "Ask"),
    {
      name: "Ask",
      type: "switch",
      dataConditions: [{ path: "$.channel", operator: "equals", value: "phone", transition: to("Done") }],
      default: to("Greet $.channel.name"),
    },
    greet("$.channel.name", "Done"),
    { name: "Done", type: "inject", data: { state: 7 } },
  ];
  const inputs = [
    { number: 1, customer: { name: "Ann" } },
    {},
    null,
    [],
    "text",
    { customer: null, channel: "phone" },
    { channel: { name: 1 } },
  ];
  await expectExact(programOf([definition(states, named)], schemas), inputs, () => returning(() => ({ answer: 1 })));
});

test("members that the checked input surely has are typed, and compared with operators", {
  timeout: 60_000,
}, async () => {
  const payment: JsonObject = {
    type: "object",
    properties: {
      order: {
        type: "object",
        properties: { total: { type: "number" }, kind: { type: "string" }, gift: { type: "boolean" } },
        required: ["total", "kind"],
      },
      discount: { type: "number" },
      note: { type: ["string", "null"] },
    },
    required: ["order", "note"],
  };
  const conditions = [
    ["$.order.total", "greaterthan", 100],
    ["$.order.total", "equals", 7],
    ["$.order.total", "notequals", 8],
    ["$.order.total", "equals", "gift"],
    ["$.order.total", "lessthan", "9"],
    ["$.order.kind", "equals", "gift"],
    ["$.order.kind", "equals", "7"],
    ["$.order.kind", "notequals", 7],
    ["$.order.gift", "equals", "true"],
    ["$.discount", "greaterthan", 1],
    ["$.note", "null", null],
    ["$.note", "equals", "x"],
  ] as const;
  const states = conditions.flatMap(([path, operator, value], i) => {
    const next = i + 1 < conditions.length ? `Ask ${i + 1}` : "Done";
    const ask = { path, operator, value, transition: to(`Note ${i}`) };
    return [
      { name: `Ask ${i}`, type: "switch", dataConditions: [ask], default: to(next) },
      { name: `Note ${i}`, type: "inject", data: { [`holds${i}`]: true }, transition: to(next) },
    ];
  });
  const program = programOf(
    [
      definition([...states, { name: "Done", type: "inject", data: {} }], {
        dataInputSchema: "payment.json",
      }),
    ],
    { "payment.json": payment },
  );
  const text = await moduleText(program, "orders");
  expect(text).toContain("readonly total: number;");
  expect(text).toContain("if (data.order.total > 100) {");
  expect(text).toContain("if (data.order.total !== 8) {");
  expect(text).toContain('if (data.order.kind === "gift") {');
  expect(text).toContain('if (equals(data.order.total, "gift")) {');
  expect(text).toContain("if (isAbove(data.discount, 1)) {");
  const inputs = [
    { order: { total: 101, kind: "gift" }, note: null },
    { order: { total: 7, kind: "7", gift: true }, note: "x", discount: 2 },
    { order: { total: 8, kind: "" }, note: "y", discount: 1 },
    { order: { total: "7", kind: "gift" }, note: null },
    { order: null, note: "x" },
    {},
  ];
  await expectExact(program, inputs);
});

test("members of trusted results are plain paths after they are merged into the data", {
  timeout: 60_000,
}, async () => {
  const required = (type: Type) => ({ type, required: true });
  const order = objectOf(
    new Map([
      ["total", required(number)],
      ["kind", required(string)],
      ["note", required(union(string, nullType))],
    ]),
    any,
  );
  const line = objectOf(new Map([["sku", required(string)]]), any);
  const resultType = objectOf(
    new Map([
      ["order", required(order)],
      ["lines", required(arrayOf(line))],
      ["discount", { type: number, required: false }],
    ]),
    any,
  );
  const conditions = [
    ["$.order.total", "greaterthan", 100],
    ["$.order.kind", "equals", "gift"],
    ["$.order.kind", "equals", "sale"],
    ["$.order.kind", "notequals", "gift"],
    ["$.order.note", "null", null],
    ["$.order.kind", "exists", null],
  ] as const;
  const states = [
    { ...greet("$.order.kind"), name: "First", transition: to("Second") },
    { ...greet("$.order.total"), name: "Second", transition: to("Third") },
    { ...greet("$.order.note"), name: "Third", transition: to("Fourth") },
    { ...greet("$.lines[*].sku"), name: "Fourth", transition: to("Fifth") },
    { ...greet("$.discount"), name: "Fifth", transition: to("Ask 0") },
    ...conditions.flatMap(([path, operator, value], i) => {
      const next = i + 1 < conditions.length ? `Ask ${i + 1}` : "Done";
      const ask = { path, operator, value, transition: to(`Note ${i}`) };
      return [
        { name: `Ask ${i}`, type: "switch", dataConditions: [ask], default: to(next) },
        { name: `Note ${i}`, type: "inject", data: { [`holds${i}`]: true }, transition: to(next) },
      ];
    }),
    { name: "Done", type: "inject", data: {} },
  ];
  const program = programOf([definition(states, { functions })]);
  const workflows = program.workflows.map((each) => ({
    ...each,
    functions: each.functions.map((greeting) => ({ ...greeting, resultType })),
  }));
  const trusting = { workflows, byId: new Map(workflows.map((each) => [each.id, each])) };
  const text = await moduleText(trusting, "orders");
  expect(text).toContain("fn.greet({ of: data.order?.kind ?? null }, step)");
  expect(text).toContain("data = assign(data, first);");
  expect(text).toContain("fn.greet({ of: data.order!.total! }, step)");
  expect(text).toContain("fn.greet({ of: data.order!.note ?? null }, step)");
  expect(text).toContain("itemsOf(data.lines).map((item) => item.sku)");
  expect(text).toContain("fn.greet({ of: data.discount ?? null }, step)");
  expect(text).toContain('if (data.order!.kind === "gift") {');
  const gift = { total: 101, kind: "gift", note: null };
  const answers = [
    { order: gift, lines: [{ sku: "a" }, { sku: "b" }] },
    { order: { ...gift, total: 1, kind: "sale", note: "x" }, lines: [], discount: 2 },
  ];
  for (const answer of answers)
    await expectExact(trusting, [{}, { order: 1, lines: "none" }, { order: { kind: 7 } }], () =>
      returning(() => answer),
    );
});

test("members of values that are certainly objects are accessed with a dot", async () => {
  const kept = { stateDataFilter: { dataOutputPath: "$.kept" } };
  const states = [
    greet("$.first", "Keep"),
    { name: "Keep", type: "inject", data: { seen: 1 }, ...kept, transition: to("Greet $.before") },
    greet("$.before", "Note"),
    { name: "Note", type: "inject", data: { note: 1 }, transition: to("Greet $.after") },
    greet("$.after"),
  ];
  const text = await moduleText(programOf([definition(states, named)], schemas), "orders");
  expect(text).toContain("fn.greet({ of: data.first ?? null }, step)");
  expect(text).toContain("fn.greet({ of: data?.before ?? null }, step)");
  expect(text).toContain("fn.greet({ of: data.after ?? null }, step)");
});

test("nothing is assumed about variables after an error", { timeout: 30_000 }, async () => {
  const states = [
    {
      name: "Try",
      type: "operation",
      actions: [{ functionRef: { refName: "greet", parameters: { of: "$.a" } } }],
      stateDataFilter: { dataOutputPath: "$.nothing" },
      onError: [{ expression: { body: "$.a eq 'x'" }, transition: to("Greet $.a") }],
    },
    greet("$.a"),
  ];
  const fails = () => (_: string, argument: unknown) =>
    JSON.stringify(argument) === '{"of":null}'
      ? ({ kind: "returns", value: null } as const)
      : ({ kind: "throws", name: "Busy", message: "" } as const);
  await expectExact(programOf([definition(states, { functions })]), [null, { a: "x" }, { a: 1 }, 7], fails);
});

test("a workflow without calls has no `Functions` interface", async () => {
  const text = await moduleText(programOf([definition([{ name: "A", type: "inject", data: { a: 1 } }])]), "orders");
  expect(text).not.toContain("Functions");
  expect(text).toContain("run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {");
});

test("no line that can be broken exceeds 120 columns", async () => {
  const parameters = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`parameter${i}`, `$.deep.path.to.value${i}`]),
  );
  const states = [{ name: "Call", type: "operation", actions: [{ functionRef: { refName: "greet", parameters } }] }];
  const text = await moduleText(programOf([definition(states, { functions })]), "orders");
  expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
  expect(text).toContain("parameter11: data.deep?.path?.to?.value11 ?? null,\n");
});
