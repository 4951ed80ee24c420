import { describe, expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import { readerOf } from "../../src/text/uris.ts";
import { languages } from "../languages.ts";

const customer = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name"],
  additionalProperties: false,
};
const closed = {
  type: "object",
  properties: { customer, tags: { type: "array", items: { type: "string" } }, note: { type: ["string", "null"] } },
  additionalProperties: false,
};
const open = {
  type: "object",
  properties: { customer: { ...customer, additionalProperties: true }, title: { type: "string" } },
};

/** The findings about the paths of a workflow with an input schema. */
function findings(states: string, schema: unknown = closed, output?: unknown): readonly string[] {
  const more = output === undefined ? "" : "dataOutputSchema: out.json\n";
  const text = `id: demo\nname: Demo\nversion: '1.0'\ndataInputSchema: in.json\n${more}functions:\n- { name: f, resource: f }\nstates:\n${states}`;
  const resources = [
    { path: "in.json", text: JSON.stringify(schema) },
    { path: "out.json", text: JSON.stringify(output ?? true) },
  ];
  const { diagnostics } = check(
    { sources: [{ path: "demo.yaml", text }], options: {}, read: readerOf(resources) },
    languages,
  );
  return diagnostics
    .filter(({ code }) => code.startsWith("WB43"))
    .map(({ code, message, hint, span: { source, start, end } }) => {
      const before = /[^\s"{]*$/.exec(source.text.slice(0, start))![0];
      return `${code} ${before}<${source.text.slice(start, end)}> ${message}${hint === undefined ? "" : ` ${hint}`}`;
    });
}

const begin = "start: { kind: default }";
const end = "end: { kind: default }";

/** An operation that calls a function with a parameter. */
const call = (parameter: string, more = ""): string =>
  `- { name: A, type: operation, ${begin}, actions: [{ functionRef: { refName: f, parameters: { x: ${JSON.stringify(parameter)} } } }], ${end}${more} }\n`;

describe("possible paths have no findings", () => {
  test.each([
    "$.customer.name",
    "$.customer.age",
    "$.tags[0]",
    "$.tags[*]",
    "$",
    "$..name",
    "$.note",
    "$.tags[?(@ == 'a')]",
    "$['customer','tags']",
    "a string",
  ])("%s", (path) => {
    expect(findings(call(path))).toEqual([]);
  });

  test("after the result of a function replaces the data", () => {
    expect(
      findings(
        `- { name: A, type: operation, ${begin}, actions: [{ functionRef: { refName: f } }], transition: { nextState: B } }\n${call("$.none").replace(`A, type: operation, ${begin}`, "B, type: operation")}`,
      ),
    ).toEqual([]);
  });

  test("as targets of assignments", () => {
    const states = `- { name: A, type: operation, ${begin}, actions: [{ functionRef: { refName: f }, actionDataFilter: { dataResultsPath: $.customer.rank } }], ${end} }\n`;
    expect(findings(states)).toEqual([]);
  });

  test("if one path to a state provides the member", () => {
    const states = `- { name: A, type: switch, ${begin}, dataConditions: [{ path: $.note, operator: exists, transition: { nextState: B } }], default: { nextState: C } }
- { name: B, type: inject, data: { added: 1 }, transition: { nextState: C } }
- { name: C, type: operation, actions: [{ functionRef: { refName: f, parameters: { x: $.added } } }], ${end} }
`;
    expect(findings(states)).toEqual([]);
    expect(findings(states.replace("data: { added: 1 }", "data: { other: 1 }"))).toEqual([
      "WB4301 $.<added> The schema allows no member `added` in this object.",
    ]);
  });

  test("without a schema, or with an empty one", () => {
    expect(findings(call("$.customer.nmae"), true)).toEqual([]);
    expect(findings(call("$.customer.nmae"), { $ref: "https://example.org/order.json" })).toEqual([
      'WB4308 <"$ref"> This schema is not enforced: `$ref` refers to another document. Correct the schema, or copy what it refers to into it; until then, runs start with any object.',
    ]);
  });

  test("if events start the workflow and provide the members", () => {
    const states = `- { name: A, type: event, ${begin}, eventsActions: [{ expression: e, actions: [] }], transition: { nextState: B } }\n${call("$.data").replace(`A, type: operation, ${begin}`, "B, type: operation")}`;
    expect(findings(`${states}events:\n- { name: e, type: e, source: e }\n`)).toEqual([]);
  });
});

describe("an impossible path is reported at the failing step:", () => {
  test.each([
    [
      "$.customer.nmae.first",
      "WB4301 $.customer.<nmae> The schema allows no member `nmae` in this object. Did you mean `name`?",
    ],
    ["$.customer.name.first", "WB4301 $.customer.name.<first> The schema allows no member `first` in a string."],
    ["$.customer[0]", "WB4301 $.customer[<0> The schema allows no element 0 in this object."],
    [
      "$.tags.length",
      "WB4301 $.tags.<length> The schema allows no member `length` in an array. Select elements of an array with `[0]` or `[*]`.",
    ],
    ["$.note.text", "WB4301 $.note.<text> The schema allows no member `text` in null or a string."],
    ["$.tags[*]['a']", "WB4301 $.tags[*][<'a'> The schema allows no member `a` in a string."],
    ["$..nam", "WB4301 $..<nam> The schema allows no member `nam` in this object. Did you mean `name`?"],
    ["$.tags[?(@.a == 1)]", "WB4301 $.tags[?(@.<a> The schema allows no member `a` in a string."],
  ])("%s", (path, finding) => {
    expect(findings(call(path))).toEqual([finding]);
  });

  test("in conditions and filters", () => {
    const states = `- { name: A, type: switch, ${begin}, stateDataFilter: { dataInputPath: $.custmer }, dataConditions: [{ path: $.nte, operator: exists, transition: { nextState: B } }], default: { nextState: B, expression: "$.tgs eq 'a'" } }\n${call("$.tags").replace(`A, type: operation, ${begin}`, "B, type: operation")}`;
    expect(findings(states).map((finding) => /<(.*)>/.exec(finding)![1])).toEqual(["custmer", "nte", "tgs"]);
  });

  test("at the whole scalar if it is folded", () => {
    const folded = '"$.customer\n   .nmae"';
    expect(findings(call("$.x").replace('"$.x"', folded))).toEqual([
      `WB4301 <${folded}> The schema allows no member \`nmae\` in this object. Did you mean \`name\`?`,
    ]);
  });
});

describe("in an open object", () => {
  test("a name similar to a listed one is reported", () => {
    expect(findings(call("$.tilte"), open)).toEqual([
      "WB4302 $.<tilte> The schema does not list the member `tilte`. Did you mean `title`?",
    ]);
    expect(findings(call("$.customer.nmae"), open)).toEqual([
      "WB4302 $.customer.<nmae> The schema does not list the member `nmae`. Did you mean `name`?",
    ]);
  });

  test("other names are not reported", () => {
    expect(findings(call("$.somethingElse"), open)).toEqual([]);
    expect(findings(call("$.tilte"), { type: "object" })).toEqual([]);
  });

  test("members from function results are not reported", () => {
    const states = `- { name: A, type: operation, ${begin}, actions: [{ functionRef: { refName: f } }], transition: { nextState: B } }\n${call("$.tilte").replace(`A, type: operation, ${begin}`, "B, type: operation")}`;
    expect(findings(states, open)).toEqual([]);
  });
});

describe("the output", () => {
  const wanted = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
  const inject = (data: string): string => `- { name: A, type: inject, ${begin}, data: ${data}, ${end} }\n`;

  test("that may match its schema is valid", () => {
    expect(findings(inject("{ total: 3 }"), closed, wanted)).toEqual([]);
    expect(findings(inject("{ total: 3 }"), true, wanted)).toEqual([]);
    expect(findings(inject("{ other: 3 }"), open, wanted)).toEqual([]);
  });

  test("that cannot match is reported at the end", () => {
    expect(findings(inject("{ totl: 3 }"), closed, wanted)).toEqual([
      "WB4307 <default> The workflow's output does not match its schema: `total` is missing.",
    ]);
    expect(findings(inject("{ total: x }"), closed, wanted)).toEqual([
      "WB4307 <default> The workflow's output does not match its schema: `total` is a string, not a number.",
    ]);
    expect(findings(inject("{ total: 1 }"), closed, { ...wanted, additionalProperties: false, required: [] })).toEqual(
      [],
    );
    expect(findings(inject("{ more: 1 }"), closed, { ...wanted, additionalProperties: false, required: [] })).toEqual([
      "WB4307 <default> The workflow's output does not match its schema: `more` is not allowed.",
    ]);
    expect(findings(inject("{ more: 1 }"), closed, { type: "array" })).toEqual([
      "WB4307 <default> The workflow's output does not match its schema: it is an object, not an array.",
    ]);
  });
});
