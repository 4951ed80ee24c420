import { describe, expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import { readDocuments } from "../../src/documents/index.ts";
import { schema, validate } from "../../src/generated/serverless-workflow.js";
import { type Json, type JsonObject, own } from "../../src/json.ts";
import { recover } from "../../src/schema/index.ts";
import { positionOf } from "../../src/text/source.ts";
import { languages } from "../languages.ts";

const documentOf = (text: string) => readDocuments({ path: "a.yaml", text }, () => {})[0]!;
const standIn = (object: JsonObject): JsonObject | undefined =>
  own(object, "type") === undefined
    ? undefined
    : { name: own(object, "name")!, type: "inject", end: { kind: "default" } };
const recovered = (text: string): Json | undefined => recover(documentOf(text), schema(), standIn)?.value;

const delay = "{ name: A, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }";

describe("recovering an invalid document", () => {
  test.each<[string, string, Json | undefined]>([
    ["what is meant takes the place of what is written", `{ version: 1.5, states: [${delay}] }`, { version: "1.5" }],
    ["a misspelt property has its name", `{ stats: [${delay}] }`, {}],
    ["what nothing depends on is left out", `{ version: [], id: w, states: [${delay}] }`, undefined],
    [
      "an entry of a list is left out",
      `{ functions: [{ resource: r }, { name: f }], states: [${delay}] }`,
      { functions: [{ name: "f" }] },
    ],
    ["nothing is left where the states are none", `{ id: w, states: 3 }`, undefined],
    ["nothing is left of a list", `[${delay}]`, undefined],
  ])("%s", (_, text, expected) => {
    const found = recovered(text);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toEqual({ states: [expect.objectContaining({ name: "A" })], ...(expected as JsonObject) });
    if (found !== undefined) expect(validate(found)).toBe(true);
  });

  test("a placeholder replaces an unreadable state, even in branches", () => {
    const inner = "{ name: X, type: delay, timeDelay: [], end: { kind: default } }";
    const text = `states: [${delay}, { name: P, type: parallel, branches: [{ name: b, states: [${inner}] }], end: { kind: default } }]`;
    const { states } = recovered(text) as { readonly states: readonly [JsonObject, { readonly branches: Json }] };
    expect(states[1].branches).toEqual([
      { name: "b", states: [{ name: "X", type: "inject", end: { kind: "default" } }] },
    ]);
  });

  test("entries after a removed one keep their positions", () => {
    const text = `functions: [{ resource: r }, { name: f }]\nstates: [${delay}]\n`;
    const document = recover(documentOf(text), schema(), standIn)!;
    const { functions } = document.value as { readonly functions: readonly JsonObject[] };
    expect(positionOf(document.source, document.spanOf(functions, 0).start)).toEqual({ line: 1, column: 30 });
    expect(positionOf(document.source, document.spanOf(functions[0], "name").start)).toEqual({ line: 1, column: 38 });
  });
});

test("an error does not hide another", () => {
  const text = `id: e
name: e
version: 1.0
functions:
- { name: f, resource: x }
- { name: f, resource: x }
states:
- name: A
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: g }
  transition: { nextState: Z }
- name: B
  type: delay
  timeDelay: { minutes: 5 }
  end: { kind: default }
- name: C
  type: switch
  dataConditions:
  - { path: '$.a.', operator: equals, value: x, transition: { nextState: B } }
  default: { nextState: Q }
`;
  const { diagnostics } = check({ sources: [{ path: "e.yaml", text }], options: {} }, languages);
  expect(diagnostics.map(({ code, span }) => `${positionOf(span.source, span.start).line} ${code}`)).toEqual([
    "3 WB1004",
    "6 WB2006",
    "12 WB2002",
    "13 WB2001",
    "16 WB1004",
    "21 WB4001",
    "22 WB2001",
  ]);
});
