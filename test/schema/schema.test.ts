import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDocument } from "../../src/documents/positions.ts";
import { validate as validateWorkflow, schema as workflowSchema } from "../../src/generated/serverless-workflow.js";
import type { Json } from "../../src/json.ts";
import { createValidator } from "../../src/schema/index.ts";
import { unknownKeywords } from "../../src/schema/keywords.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { only, textOf } from "../documents/reading.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "workflow",
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    version: { type: "string", pattern: "^\\d+$", title: "version number" },
    mode: { enum: ["and", "or", 1] },
    limit: { type: "integer", minimum: 1, exclusiveMaximum: 10 },
    tags: { type: "array", items: { type: ["string", "boolean"] }, minItems: 1, maxItems: 2 },
    states: { type: "array", items: { $ref: "#/$defs/state" } },
    next: {
      anyOf: [
        { type: "string" },
        { $ref: "#/$defs/transition" },
        { type: "array", items: { $ref: "#/$defs/transition" } },
      ],
    },
    kind: { anyOf: [{ const: "a" }, { enum: ["b", "c"] }] },
    never: false,
  },
  required: ["name"],
  patternProperties: { "^x-": true },
  additionalProperties: false,
  $defs: {
    state: {
      title: "state",
      type: "object",
      discriminator: { propertyName: "type" },
      required: ["type"],
      oneOf: [{ $ref: "#/$defs/operation" }, { $ref: "#/$defs/wait" }],
    },
    operation: {
      title: "operation state",
      type: "object",
      properties: { name: { type: "string" }, type: { const: "operation" }, transition: {}, end: {} },
      required: ["type"],
      oneOf: [{ required: ["transition"] }, { required: ["end"] }],
      additionalProperties: false,
    },
    wait: {
      title: "wait state",
      type: "object",
      properties: { name: { type: "string" }, type: { enum: ["wait", "delay"] }, time: {}, unit: {}, until: {} },
      required: ["type", "name"],
      dependentRequired: { unit: ["time"] },
      not: { required: ["time", "until"] },
      additionalProperties: false,
    },
    transition: {
      title: "transition",
      type: "object",
      properties: { nextState: { type: "string" } },
      required: ["nextState"],
      additionalProperties: false,
    },
  },
};

const compiled = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  discriminator: true,
}).compile(schema);
const validator = createValidator(
  (value) => compiled(value),
  () => schema,
);

function check(text: string) {
  const diagnostics: Diagnostic[] = [];
  const fits = validator(only(text), (diagnostic) => diagnostics.push(diagnostic));
  const findings = diagnostics.map(({ code, message, hint, span, notes }) =>
    [
      `${code} «${textOf(span)}» ${message}`,
      ...(hint === undefined ? [] : [hint]),
      ...notes.map((note) => `«${textOf(note.span)}» ${note.message}`),
    ].join(" | "),
  );
  return { fits, findings };
}

describe("a valid document", () => {
  it.each([
    "name: a",
    "{name: a, version: '1', mode: 1, limit: 9, tags: [x, true], x-any: {y: 1}}",
    "{name: a, next: b, kind: c, states: [{type: operation, end: {}}, {type: delay, name: w, time: 1, unit: s}]}",
    "{name: a, next: [{nextState: b}]}",
  ])("has no findings: %s", (text) => {
    expect(check(text)).toEqual({ fits: true, findings: [] });
  });
});

describe("unknown properties", () => {
  it("are warnings, and the document fits", () => {
    expect(check("name: a\nzzz: 2\n")).toEqual({
      fits: true,
      findings: ["WB1002 «zzz» `zzz` is not a property of a workflow and has no effect."],
    });
  });

  it("are errors if a similar property is absent", () => {
    expect(check("name: a\nverson: '1'\n")).toEqual({
      fits: false,
      findings: ["WB1007 «verson» `verson` is not a property of a workflow. | Did you mean `version`?"],
    });
    expect(check("name: a\nversion: '1'\nverson: '2'\n")).toEqual({
      fits: true,
      findings: ["WB1002 «verson» `verson` is not a property of a workflow and has no effect."],
    });
  });

  it("name the object that is meant in a union", () => {
    expect(check("{name: a, states: [{type: operation, end: 1, nam: x}], next: {nextState: b, nextStat: c}}")).toEqual({
      fits: false,
      findings: [
        "WB1007 «nam» `nam` is not a property of an operation state. | Did you mean `name`?",
        "WB1002 «nextStat» `nextStat` is not a property of a transition and has no effect.",
      ],
    });
  });

  it("called __proto__ are found as well", () => {
    expect(check("name: a\n__proto__: 1\n").findings).toEqual([
      "WB1002 «__proto__» `__proto__` is not a property of a workflow and has no effect.",
    ]);
  });
});

describe("misspelt required properties", () => {
  it.each([
    ["nmae: a\n", "WB1001 «nmae» This workflow has no `name`. | Did you mean `name`?"],
    [
      "next: {nextstate: b}\nname: a\n",
      "WB1001 «nextstate» This transition has no `nextState`. | Did you mean `nextState`?",
    ],
    [
      "{name: a, states: [{type: operation, name: One, edn: 1}]}",
      "WB1001 «edn» The operation state `One` must have `transition` or `end`. | Did you mean `end`?",
    ],
  ])("are one error: %s", (text, finding) => {
    expect(check(text)).toEqual({ fits: false, findings: [finding] });
  });

  it("are meant once: another such property is only unknown", () => {
    expect(check("nmae: a\nnamme: b\n").findings).toEqual([
      "WB1001 «nmae» This workflow has no `name`. | Did you mean `name`?",
      "WB1002 «namme» `namme` is not a property of a workflow and has no effect.",
    ]);
  });
});

describe("misplaced properties", () => {
  it.each([
    [
      "of the object around",
      "name: a\nnext:\n  nextState: b\n  limit: 3\n",
      "WB1008 «limit» `limit` belongs to the workflow `a`, not to a transition. | Indent it less, to align it with `name` of the workflow `a`. | «a» The workflow `a` is here.",
    ],
    [
      "of the last item before",
      "name: a\nstates:\n- type: wait\n  name: One\nuntil: 1\n",
      "WB1008 «until» `until` belongs to the wait state `One`, not to a workflow. | Indent it further, to make it part of the wait state `One`. | «One» The wait state `One` is here.",
    ],
    [
      "of a member",
      "{name: a, next: {}, nextState: b}",
      "WB1008 «nextState» `nextState` belongs to `next`, not to a workflow. | Move it to `next`. | «next» `next` is here.",
    ],
  ])("%s are one error", (_, text, finding) => {
    expect(check(text)).toEqual({ fits: false, findings: [finding] });
  });

  it("are unknown ones if no object lacks them, or if they only describe", () => {
    expect(check("{name: a, limit: 3, next: {nextState: b, limit: 3, version: '1'}}").findings).toEqual([
      "WB1002 «limit» `limit` is not a property of a transition and has no effect.",
      "WB1002 «version» `version` is not a property of a transition and has no effect.",
    ]);
  });
});

describe("errors", () => {
  it.each([
    ["mode: and\n", "WB1001 «mode» This workflow has no `name`. | Add `name`."],
    ["[1]", "WB1004 «[1]» The document must be an object, not an array. | Write an object with `name`."],
    ["text", "WB1004 «text» The document must be an object, not a string. | Write `{ name: text }`."],
    ["name: 3", 'WB1004 «3» `name` must be a string, not a number. | Write `"3"`.'],
    ["name:", "WB1004 «name» `name` must be a string, not null. | Add a value, or remove the key."],
    ["{name: ''}", "WB1006 «''» `name` must have at least one character."],
    ["{name: a, version: one}", "WB1006 «one» `version` must be a version number, not `one`."],
    ["{name: a, mode: an}", "WB1005 «an» `mode` must be `and`, `or` or `1`, not `an`. | Did you mean `and`?"],
    ["{name: a, mode: {}}", "WB1005 «{}» `mode` must be `and`, `or` or `1`, not an object."],
    ["{name: a, limit: 1.5}", "WB1004 «1.5» `limit` must be an integer, not a number. | Write a whole number."],
    ["{name: a, limit: 0}", "WB1006 «0» `limit` must be at least 1, not 0."],
    ["{name: a, limit: 10}", "WB1006 «10» `limit` must be less than 10, not 10."],
    ["{name: a, tags: []}", "WB1006 «[]» `tags` must have at least one item."],
    ["{name: a, tags: [a, b, c]}", "WB1006 «[a, b, c]» `tags` must have at most 2 items."],
    ["{name: a, tags: [a, {}]}", "WB1004 «{}» This item must be a string or a boolean, not an object."],
    ["{name: a, never: 1}", "WB1006 «1» `never` has no meaning here."],
  ])("%s", (text, finding) => {
    expect(check(text)).toEqual({ fits: false, findings: [finding] });
  });

  it("come all at once, each at its own place", () => {
    expect(check("version: one\nmode: nor\nother: 1\n")).toEqual({
      fits: false,
      findings: [
        "WB1001 «version» This workflow has no `name`. | Add `name`.",
        "WB1006 «one» `version` must be a version number, not `one`.",
        "WB1005 «nor» `mode` must be `and`, `or` or `1`, not `nor`. | Did you mean `or`?",
        "WB1002 «other» `other` is not a property of a workflow and has no effect.",
      ],
    });
  });
});

describe("unions", () => {
  it.each([
    ["next: 3", "WB1004 «3» `next` must be a string, an object or an array, not a number."],
    [
      "next: {nextStat: a, nextState: 1}",
      "WB1002 «nextStat» `nextStat` is not a property of a transition and has no effect.",
      'WB1004 «1» `nextState` must be a string, not a number. | Write `"1"`.',
    ],
    ["next: {}", "WB1001 «next» This transition has no `nextState`. | Add `nextState`."],
    ["next: [{}]", "WB1001 «{}» This transition has no `nextState`. | Add `nextState`."],
    ["kind: d", "WB1005 «d» `kind` must be `a`, `b` or `c`, not `d`."],
    [
      "states: [{type: opration}]",
      "WB1003 «opration» Unknown type `opration`; it must be `operation`, `wait` or `delay`. | Did you mean `operation`?",
    ],
    ["states: [{}]", "WB1001 «{}» This state has no `type`. | Add `type`."],
    ["states: [{name: One}]", "WB1001 «One» The state `One` has no `type`. | Add `type`."],
    ["states: [{type: 3}]", "WB1004 «3» `type` must be a string, not a number."],
    ["states: [x]", "WB1004 «x» This item must be an object, not a string. | Write an object with `type`."],
    [
      "states: [{type: operation, name: One}]",
      "WB1001 «One» The operation state `One` must have `transition` or `end`. | Add one of them.",
    ],
    [
      "states: [{type: operation, end: 1, transition: 2}]",
      "WB1006 «transition» This operation state has `transition` and `end`, which are mutually exclusive. | Remove one of the two. | «end» `end` is here.",
    ],
    [
      "states: [{type: wait, name: W, time: 1, until: 2}]",
      "WB1006 «until» The wait state `W` has `time` and `until`, which are mutually exclusive. | Remove one of the two. | «time» `time` is here.",
    ],
    [
      "states: [{type: wait, name: W, unit: s}]",
      "WB1006 «unit» `unit` requires `time`. | Add `time`, or remove `unit`.",
    ],
  ])("report the errors of the intended branch: %s", (text, ...findings) => {
    expect(check(`name: a\n${text}\n`)).toEqual({
      fits: false,
      findings: findings,
    });
  });
});

describe("the compiled validator and the explanation", () => {
  const anything = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      fc.constantFrom<Json>(
        null,
        true,
        0,
        1,
        10,
        1.5,
        "",
        "a",
        "and",
        "operation",
        "wait",
        "inject",
        "delay",
        "event",
        "default",
        "12",
      ),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(...propertyNames(schema), ...propertyNames(workflowSchema()), "x-y", "zzz", "__proto__"),
        tie("json"),
        {
          maxKeys: 6,
        },
      ),
    ),
  })).json;

  const verdict = (validate: (value: unknown) => boolean, root: () => Json) => (value: Json) => {
    const source = { path: "w.json", text: "" };
    const diagnostics: Diagnostic[] = [];
    createValidator(validate, root)(createDocument(source, { value, start: 0, end: 0, positions: new Map() }), (each) =>
      diagnostics.push(each),
    );
    return diagnostics.length === 0;
  };

  it("agree on whether a value fits", () => {
    const own = verdict(
      () => false,
      () => schema,
    );
    fc.assert(
      fc.property(anything, (value) => {
        if (compiled(value)) expect(() => own(value)).toThrow("The compiled schema rejects");
        else expect(own(value)).toBe(false);
      }),
      { seed: 20200601, numRuns: 3000 },
    );
  });

  it("agree on the schema of Serverless Workflow", () => {
    const own = verdict(() => false, workflowSchema);
    fc.assert(
      fc.property(anything, fc.array(anything, { maxLength: 3 }), (value, states) => {
        const workflow =
          typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, states } : value;
        if (validateWorkflow(workflow)) expect(() => own(workflow)).toThrow("The compiled schema rejects");
        else expect(own(workflow)).toBe(false);
      }),
      { seed: 20200602, numRuns: 3000 },
    );
  });

  it("cover every keyword", () => {
    expect(unknownKeywords(schema)).toEqual([]);
    expect(unknownKeywords(workflowSchema())).toEqual([]);
    expect(unknownKeywords({ items: { uniqueItems: true }, properties: { uniqueItems: { contains: {} } } })).toEqual([
      "contains",
      "uniqueItems",
    ]);
  });
});

function propertyNames(root: Json): readonly string[] {
  const names = new Set<string>();
  JSON.stringify(root, (key, value) => {
    if (key === "properties") for (const name of Object.keys(value)) names.add(name);
    return value;
  });
  return [...names];
}
