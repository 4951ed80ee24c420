import { describe, expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import { migrate } from "../../src/migration/index.ts";
import { languages } from "../languages.ts";

// What a migration of 0.8 changes is either written exactly or reported.

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: expressions of definitions

const definition = (states: string, rest = ""): string => `id: orders
version: 1.0.0
specVersion: '0.8'
${rest}states:
${states}`;

const events = "events:\n- { name: Paid, type: paid }\n- { name: Asked, type: asked, kind: produced }\n";

function migrated(states: string, rest?: string) {
  const source = { path: "orders.yaml", text: definition(states, rest) };
  const { text, diagnostics } = migrate(source, { language: "serverless-workflow-0.8" });
  const created = check({ sources: [{ path: "new.yaml", text: text! }], options: {} }, languages);
  return {
    text: text!,
    codes: diagnostics.map(({ code }) => code),
    errors: created.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
  };
}

test("data that are injected may meet an array, which 0.8 extends", () => {
  expect(migrated("- { name: A, type: inject, data: { tags: [a] }, end: true }\n").codes).toEqual(["WB0703"]);
});

test.each([
  [".order", ["WB0703"]],
  ["{ order: .order }", []],
])("the filter %s may yield nothing, which 0.8 ignores", (filter, codes) => {
  const state = `- { name: A, type: inject, data: {}, stateDataFilter: { output: '\${ ${filter} }' }, end: true }\n`;
  expect(migrated(state).codes).toEqual(codes);
});

test("handlers of a switch, which cannot leave a try, are reported and omitted", () => {
  const { codes, errors, text } = migrated(
    `- name: A
  type: switch
  dataConditions:
  - { condition: '\${ .n > 0 }', transition: B }
  defaultCondition: { end: true }
  onErrors:
  - { errorRef: odd, transition: { nextState: B, produceEvents: [{ eventRef: Asked }] } }
- { name: B, type: sleep, duration: PT1S, end: true }
`,
    `${events}errors: [{ name: odd, code: odd }]\n`,
  );
  expect({ codes, errors }).toEqual({ codes: ["WB0701"], errors: [] });
  expect(text).not.toContain("try:");
});

test("the output filter of a switch on events applies when none arrives", () => {
  const { text, errors } = migrated(
    `- name: A
  type: switch
  eventConditions:
  - { eventRef: Paid, end: true }
  timeouts: { eventTimeout: PT1H }
  stateDataFilter: { output: '\${ { kept: .kept } }' }
  defaultCondition: { end: true }
`,
    events,
  );
  expect(errors).toEqual([]);
  expect(text).toContain(`- A without an event:\n      set: "\${ { kept: .kept } }"`);
});

test("an event of an action without data has those of the action", () => {
  const { text } = migrated(
    `- name: A
  type: operation
  actions:
  - { eventRef: { triggerEventRef: Asked }, actionDataFilter: { fromStateData: '\${ .order }' } }
  end: true
`,
    events,
  );
  expect(text).toContain(`data: \${ .order }`);
});

const sleep = "- { name: A, type: sleep, duration: PT1S, metadata: { team: a }, end: true }\n";

test.each([
  ["metadata of functions", sleep, "functions: [{ name: f, operation: a#b, metadata: {} }]\n", ["WB0706"]],
  ["a number of runs", sleep, "start: { stateName: A, schedule: R5/PT1H }\n", ["WB0701"]],
  ["extensions", sleep, "extensions: [{ extensionid: other }]\n", ["WB0701"]],
  [
    "the timeout of a continuation",
    "- { name: A, type: sleep, duration: PT1S, end: { continueAs: { workflowId: b, workflowExecTimeout: PT1H } } }\n",
    "",
    ["WB0701", "WB0702", "WB0704"],
  ],
  [
    "the input schema of a workflow that events start",
    "- { name: A, type: event, onEvents: [{ eventRefs: [Paid] }], end: true }\n",
    `${events}dataInputSchema: a.json\n`,
    ["WB0703", "WB0702", "WB0703"],
  ],
  [
    "calls of a workflow that events start",
    "- { name: A, type: event, onEvents: [{ eventRefs: [Paid] }], end: true }\n",
    events,
    ["WB0703", "WB0703"],
  ],
  [
    "results of iterations whose last action has none",
    "- { name: A, type: foreach, mode: sequential, inputCollection: '${ .b }', outputCollection: '${ .c }', actions: [{ functionRef: f, actionDataFilter: { useResults: false } }], end: true }\n",
    "functions: [{ name: f, type: custom, operation: f }]\n",
    ["WB0702", "WB0703", "WB0703"],
  ],
  [
    "results within members that may be no objects",
    "- { name: A, type: operation, actions: [{ functionRef: f, actionDataFilter: { toStateData: '${ .b.c }' } }], end: true }\n",
    "functions: [{ name: f, type: custom, operation: f }]\n",
    ["WB0703", "WB0703"],
  ],
  [
    "arguments that are computed again by a retry",
    "- { name: A, type: operation, actions: [{ functionRef: { refName: f, arguments: { a: '${ .b + 1 }' } }, retryRef: r }], end: true }\n",
    "functions: [{ name: f, type: custom, operation: f }]\nretries: [{ name: r, maxAttempts: 2 }]\n",
    ["WB0703", "WB0703", "WB0703"],
  ],
  [
    "timeouts that functions throw",
    "- { name: A, type: sleep, duration: PT1S, onErrors: [{ errorRef: late, end: true }], end: true }\n",
    "errors: [{ name: late, code: Timeout }]\n",
    ["WB0703"],
  ],
])("reports %s", (_, states, rest, codes) => {
  expect(migrated(states, rest).codes).toEqual(codes);
});

test.each([
  ["schema: { type: object }", "output:\n  schema:\n    format: json\n    document:\n      type: object\n"],
  ["schema: { type: object }, failOnValidationErrors: false", undefined],
])("SonataFlow's schema of the output: %s", (schema, expected) => {
  const extension = `extensions: [{ extensionid: workflow-output-schema, outputSchema: { ${schema} } }]\n`;
  const source = { path: "orders.yaml", text: definition(sleep, extension) };
  const { text } = migrate(source, { language: "serverless-workflow-0.8", settings: { dialect: "sonataflow" } });
  if (expected === undefined) expect(text).not.toContain("schema:");
  else expect(text).toContain(expected);
});

const operation = (functions: string, to: "spec" | "sonataflow" = "sonataflow") => {
  const calls = "actions: [{ functionRef: f }, { functionRef: f }]";
  const text = definition(`- { name: A, type: operation, ${calls}, end: true }\n`, `functions: [${functions}]\n`);
  return migrate({ path: "orders.yaml", text }, { language: "serverless-workflow-0.8", settings: { dialect: to } });
};

test("what a function lacks is reported once, and that `sysout` only logs", () => {
  const { diagnostics, text } = operation("{ name: f, type: custom, operation: 'sysout:INFO' }");
  expect(diagnostics.filter(({ message }) => message.includes("logs nothing"))).toHaveLength(1);
  expect(text).not.toContain("openapi");
  expect(text).toContain("set: ${ . }\n            output:\n              as: ${ $input }\n");
});

test("a request has another argument in scenarios", () => {
  const { diagnostics } = operation("{ name: f, type: custom, operation: 'rest:get:https://a.example' }");
  expect(diagnostics.filter(({ message }) => message.startsWith("`call: http` assumes"))).toHaveLength(1);
});

test("a result that is not an object becomes the member that each dialect names", () => {
  const hints = (dialect: "spec" | "sonataflow") =>
    operation("{ name: f, type: custom, operation: x }", dialect).diagnostics.map(({ hint }) => hint);
  expect(hints("spec")).toContain("For another result, write `$input + { f: . }`.");
  expect(hints("sonataflow")).toContain("For another result, write `$input + { response: . }`.");
});

test("empty data that are injected assume nothing", () => {
  const { codes } = migrated("- { name: A, type: inject, data: {}, end: true }\n");
  expect(codes).toEqual([]);
});

test("metadata of states become metadata of tasks", () => {
  expect(migrated(sleep).text).toContain("metadata:\n        team: a");
});

describe("branches that change one object", () => {
  const action = (to: string, more = "") =>
    `{ functionRef: f, actionDataFilter: { toStateData: '\${ ${to} }' }${more} }`;
  const branches = (...bodies: readonly string[]) =>
    `- { name: A, type: parallel, branches: [${bodies.map((body, i) => `{ name: b${i}, actions: [${body}] }`).join(", ")}], end: true }\n`;
  const parallel = (...actions: readonly string[]) =>
    `- { name: A, type: operation, actionMode: parallel, actions: [${actions.join(", ")}], end: true }\n`;
  const two = (to: string) => `${action(to)}, ${action(to)}`;
  const merged = "reduce .[] as $branch ($input; . * $branch)";

  const count = (states: string, dialect: "spec" | "sonataflow"): number => {
    const text = definition(states, "functions: [{ name: f, type: custom, operation: f }]\n");
    const options = { language: "serverless-workflow-0.8", settings: { dialect } };
    const { diagnostics } = migrate({ path: "orders.yaml", text }, options);
    return diagnostics.filter(({ message }) => message.startsWith(`\`${merged}\``)).length;
  };

  test.each([
    ["of several actions", branches(two(".o"), two(".o")), 1],
    ["of several actions and of one", branches(action(".o"), two(".o")), 1],
    ["of one action each, within an object", branches(action(".o.a"), action(".o.b")), 1],
    ["of different members", branches(two(".o"), two(".p")), 0],
    ["of members that are not known", branches(two(".o"), "{ functionRef: f }, { functionRef: f }"), 1],
    [
      "of which one changes nothing",
      branches(two(".o"), "{ functionRef: f, actionDataFilter: { useResults: false } }"),
      0,
    ],
    ["as parallel actions that may be skipped", parallel(action(".o", ", condition: '${ .c }'"), action(".o")), 1],
  ])("%s", (_, states, expected) => {
    expect(count(states, "spec")).toBe(expected);
    expect(count(states, "sonataflow")).toBe(expected);
  });

  // 0.8 unites arrays of branches, SonataFlow takes the last one.
  test.each([
    ["of one action each", branches(action(".o"), action(".o"))],
    ["of one action each, whose members are not known", branches("{ functionRef: f }", "{ functionRef: f }")],
    ["as parallel actions", parallel(action(".o"), action(".o"))],
  ])("%s, which return only their changes", (_, states) => {
    expect(count(states, "spec")).toBe(1);
    expect(count(states, "sonataflow")).toBe(0);
  });
});

describe("results where the data have an array", () => {
  const call = (to: string) => `{ functionRef: f, actionDataFilter: { toStateData: '\${ ${to} }' } }`;
  const reported = (states: string, dialect: "spec" | "sonataflow") => {
    const text = definition(states, "functions: [{ name: f, type: custom, operation: f }]\n");
    const options = { language: "serverless-workflow-0.8", settings: { dialect } };
    const { diagnostics } = migrate({ path: "orders.yaml", text }, options);
    return diagnostics.filter(({ message }) => message.includes("the data have no array where"));
  };

  test.each([
    ["of actions", `- { name: A, type: operation, actions: [${call(".o")}], end: true }\n`],
    ["at an index", `- { name: A, type: operation, actions: [${call(".o[0]")}], end: true }\n`],
    ["of branches", `- { name: A, type: parallel, branches: [{ name: b, actions: [${call(".o")}] }], end: true }\n`],
    ["that are constant", "- { name: A, type: inject, data: { o: 1 }, end: true }\n"],
  ])("%s", (_, states) => {
    expect(reported(states, "spec")).toHaveLength(1);
    expect(reported(states, "sonataflow")).toHaveLength(1);
  });

  test("SonataFlow's rule is reported once", () => {
    const found = reported(
      `- { name: A, type: operation, actions: [${call(".o")}, ${call(".p")}], end: true }\n`,
      "sonataflow",
    );
    expect(found.map(({ notes }) => notes.length)).toEqual([1]);
  });

  test("an object at an index is merged", () => {
    const { text } = migrated(
      `- { name: A, type: operation, actions: [${call(".o[0]")}], end: true }\n`,
      "functions: [{ name: f, type: custom, operation: f }]\n",
    );
    expect(text).toContain(
      '.o[0] |= if [type, ($result | type)] == ["object", "object"] then . * $result else $result end',
    );
  });
});

test("an action that is skipped changes nothing in parallel with others", () => {
  const state =
    "- { name: A, type: operation, actionMode: parallel, actions: [{ functionRef: f, condition: '${ .b }' }, { functionRef: g }], end: true }\n";
  const { text, errors } = migrated(
    state,
    "functions: [{ name: f, type: custom, operation: f }, { name: g, type: custom, operation: g }]\n",
  );
  expect(errors).toEqual([]);
  expect(text).toMatch(
    /- f:\s+do:\s+- f:\s+if:[\s\S]+as: \$\{ to_entries - \(\$input \| to_entries\) \| from_entries \}/,
  );
});

test("handlers of a state handle its timeout", () => {
  const state =
    "- { name: A, type: sleep, duration: PT9S, timeouts: { stateExecTimeout: PT2S }, onErrors: [{ errorRef: late, end: true }], end: true }\n";
  expect(migrated(state, "errors: [{ name: late, code: Timeout }]\n").text).toMatch(
    /try:\s+- A:[\s\S]+timeout:[\s\S]+catch:/,
  );
});

test("the shorter timeout of a state applies", () => {
  const state =
    "- { name: A, type: sleep, duration: PT9S, timeouts: { stateExecTimeout: { single: PT2S, total: PT5S } }, end: true }\n";
  expect(migrated(state).text).toContain("timeout:\n        after:\n          seconds: 2");
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: expressions of definitions
