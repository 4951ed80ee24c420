import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import type { Json } from "../../../src/json.ts";
import { detectLanguage } from "../../../src/languages/detect.ts";
import { languages } from "../../languages.ts";
import { definition, lower } from "./lowering.ts";

const functions = "functions:\n- { name: f, type: custom, operation: f }\n";
const call = (members: string): string => `- { name: A, type: operation, actions: [{ ${members} }], end: true }\n`;
const findings = (text: string, options = {}): readonly string[] => lower(text, options).findings;

describe("detects 0.8", () => {
  const operation = { name: "A", type: "operation", actions: [] };
  const state = { ...operation, end: true };
  test.each<[string, object]>([
    ["its version", { specVersion: "0.8", states: [operation] }],
    ["its version as a number", { specVersion: 0.8, states: [operation] }],
    ["0.7", { specVersion: "0.7", states: [operation] }],
    ["a wrong version, as in SonataFlow", { specVersion: "1.0", functions: [{ type: "custom" }], states: [state] }],
    ["what 0.6, 0.7 and 0.8 have in common", { start: "A", states: [state] }],
    ["a condition of an action", { states: [{ ...state, actions: [{ condition: ".a" }] }] }],
    ["a default condition", { states: [{ name: "A", type: "switch", defaultCondition: "B" }] }],
    ["a resource", { kind: "SonataFlow", spec: { flow: { states: [operation] } } }],
  ])("by %s", (_, value) => {
    expect(detectLanguage(value as Json, languages)).toMatchObject({
      kind: "known",
      language: { name: "serverless-workflow-0.8" },
    });
  });
});

describe("short forms", () => {
  test("mean what long forms mean", () => {
    const short = `
- { name: A, type: operation, actions: [{ functionRef: f }, { subFlowRef: w }], transition: B }
- { name: B, type: switch, dataConditions: [{ condition: '\${ .a }', end: true }], defaultCondition: A }
`;
    const long = `
- { name: A, type: operation, actions: [{ functionRef: { refName: f } }, { subFlowRef: { workflowId: w } }], transition: { nextState: B } }
- { name: B, type: switch, dataConditions: [{ condition: '\${ .a }', end: {} }], defaultCondition: { transition: { nextState: A } } }
`;
    const [one, other] = [short, long].map((states) => lower(definition(states, `start: A\n${functions}`)));
    expect(one!.findings).toEqual([]);
    expect(one!.ir).toBe(other!.ir.replace("start: { stateName: A }", "start: A"));
  });

  test("have their own positions", () => {
    const text = definition("- { name: A, type: inject, data: {}, transition: { nextState: x } }\n");
    const source = { path: "a.yaml", text: text.replace("{ nextState: x }", "Unknown") };
    const { diagnostics } = check({ sources: [source], options: {} }, languages);
    expect(diagnostics.map(({ code, span }) => `${code} ${source.text.slice(span.start, span.end)}`)).toEqual([
      "WB2001 Unknown",
    ]);
  });
});

describe("reads resources of SonataFlow", () => {
  const resource = (flow: string): string =>
    `apiVersion: v1\nkind: ConfigMap\n---\nkind: SonataFlow\nmetadata: { name: greet }\nspec:\n  flow:\n    ${flow}\n`;

  test("of a stream, with positions in the file", () => {
    const source = {
      path: "a.yaml",
      text: resource("states: [{ name: A, type: inject, data: {}, transition: B }]"),
    };
    const { diagnostics } = check({ sources: [source], options: {} }, languages);
    expect(diagnostics.map(({ code, span }) => `${code} ${source.text.slice(span.start, span.end)}`)).toEqual([
      "WB2001 B",
    ]);
  });

  test("with the name of the resource as the id", () => {
    const source = { path: "a.yaml", text: resource("states: [{ name: A, type: inject, data: {}, end: true }]") };
    const { program } = check({ sources: [source], options: {} }, languages);
    expect(program?.workflows.map(({ id }) => id)).toEqual(["greet"]);
  });
});

describe("a file of definitions that cannot be read", () => {
  test("is the only error", () => {
    const text = definition(call("functionRef: g"), "functions: none.yaml\n");
    const { diagnostics } = check({ sources: [{ path: "a.yaml", text }], options: {} }, languages);
    expect(diagnostics.map(({ code }) => code)).toEqual(["WB2403"]);
  });
});

describe("expressions", () => {
  const argument = (text: string, options = {}): readonly string[] =>
    findings(definition(call(`functionRef: { refName: f, arguments: { a: ${text} } }`), functions), options);

  test.each([
    ["plain text", "hello", []],
    ["text that looks like jq", "'.name'", ["7 WB4711 '.name'"]],
    ["a price", "$5 off", []],
    ["an unclosed expression", `'\${ .a'`, [`7 WB4703 '\${ .a'`]],
    ["an unknown constant", `'\${ $CONST.x }'`, [`7 WB2710 '\${ $CONST.x }'`]],
    ["several results", `'\${ .[] }'`, [`7 WB4704 '\${ .[] }'`]],
    ["a variable of SonataFlow", `'\${ $WORKFLOW.id }'`, ["6 WB2709 states", `7 WB4710 '\${ $WORKFLOW.id }'`]],
  ])("in arguments: %s", (_, text, expected) => {
    expect(argument(text)).toEqual(expected);
  });

  test.each([
    ["a sentence", "Please go on.", []],
    ["a word", "normal", []],
    ["a word of jq", "length", ["7 WB4702 length"]],
    ["a number as text", "'12'", []],
    ["an expression", "'\"a\" + .b'", []],
    ["an unknown member", `'\${ $WORKFLOW.parent }'`, [`7 WB4710 '\${ $WORKFLOW.parent }'`]],
  ])("in arguments of SonataFlow: %s", (_, text, expected) => {
    expect(argument(text, { dialect: "sonataflow" })).toEqual(expected);
  });

  test("hostile names read nothing of prototypes", () => {
    const text = definition(call(`functionRef: { refName: f, arguments: { a: '\${ $CONST.__proto__ }' } }`), functions);
    expect(findings(text)).toEqual([`7 WB2710 '\${ $CONST.__proto__ }'`]);
    expect(findings(text.replaceAll("$CONST.__proto__", "$CONST.constructor"))).toEqual([
      `7 WB2710 '\${ $CONST.constructor }'`,
    ]);
  });
});

describe("correlation", () => {
  const event = (name: string, rules: string): string =>
    `- { name: ${name}, type: ${name}, source: s, correlation: [${rules}] }\n`;
  const wait = "- { name: A, type: event, onEvents: [{ eventRefs: [a] }, { eventRefs: [b] }], end: true }\n";
  const of = (first: string, second: string): readonly string[] =>
    findings(definition(wait, `events:\n${event("a", first)}${event("b", second)}`));

  test("needs the same attributes without values", () => {
    expect(of("{ contextAttributeName: x }", "{ contextAttributeName: x }")).toEqual([]);
    expect(of("{ contextAttributeName: x }", "{ contextAttributeName: x, contextAttributeValue: '1' }")).toEqual([]);
    expect(of("{ contextAttributeName: x }", "{ contextAttributeName: y }")).toEqual(["6 WB4709 correlation"]);
  });

  test("of several attributes is one value", () => {
    const both = "{ contextAttributeName: x }, { contextAttributeName: y }";
    const { ir } = lower(definition(wait, `events:\n${event("a", both)}${event("b", both)}`));
    expect(ir).toContain("tojson");
  });
});

test.each([
  ["digits in a string", "numCompleted: '2'", []],
  ["too many", "numCompleted: 3", ["5 WB3713 3"]],
  ["none", "", ["5 WB3713 atLeast"]],
])("atLeast: %s", (_, count, expected) => {
  const branches = "branches: [{ name: a, actions: [] }, { name: b, actions: [] }]";
  const text = definition(`- { name: A, type: parallel, completionType: atLeast, ${branches}, end: true, ${count} }\n`);
  expect(findings(text)).toEqual(expected);
});
