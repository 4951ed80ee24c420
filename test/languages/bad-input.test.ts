import { expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import { languages } from "../../src/languages/index.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { positionOf } from "../../src/text/source.ts";

// Definitions with one fault each, as people make them: each is told once or little more often, at its line, and nearly all say what to do.

/** What is wrong, the line where it stands, and the definition. */
type Mistake = readonly [what: string, line: number, text: string];

const step = (text: string): string =>
  `yawl: "0.1"\nstart: a\nsteps:\n  a:\n${text.replace(/^/gm, "    ")}\n  b: { success: {} }\n`;
const call = (text: string): string =>
  step(`functionCall:\n  functionId: d4e\n  next: b\n${text.replace(/^/gm, "  ")}`);

const yawl: readonly Mistake[] = [
  ["an unknown kind of step", 5, step("httpCal: { url: 'https://a', next: b }")],
  ["an unknown field", 6, step("httpCall:\n  ulr: https://a\n  url: https://a\n  next: b")],
  ["an id that is not there", 5, step("noOp: { next: c }")],
  ["a start that is not there", 2, `yawl: "0.1"\nstart: c\nsteps:\n  a: { noOp: {} }\n`],
  [
    "a way into another scope",
    10,
    step(
      "parallel:\n  branches:\n    one:\n      start: c\n      steps: { c: { noOp: { next: b } } }\n  next: b",
    ).replace("steps: { c: { noOp: { next: b } } }", "steps:\n            c: { noOp: { next: b } }"),
  ],
  ["a hole that never closes", 5, step("noOp: { output: '\\({a: 1}', next: b }")],
  ["jq that cannot be read", 5, step("noOp: { output: '\\({a: })', next: b }")],
  ["a function that jq has not", 5, step("noOp: { output: '\\({a: lenght})', next: b }")],
  [
    "a condition that cannot be read",
    5,
    step("switch: { choices: [{ condition: '.a = = 1', next: b }], default: { next: b } }"),
  ],
  ["text where JSON is needed", 5, step("noOp: { output: 'hello', next: b }")],
  ["a timeout in minutes", 8, call("timeout: 5m")],
  ["a timeout that is too long", 8, call("timeout: 1000s")],
  ["a wait that is none", 5, step("wait: { duration: soon, next: b }")],
  ["an instant that is none", 5, step("wait: { until: tomorrow, next: b }")],
  ["a wait without a time", 5, step("wait: { next: b }")],
  ["an unknown error", 8, call("catch: [{ errorList: [STEP_TIMEOT], output: '\\({})', next: b }]")],
  ["an error that nothing takes", 8, call("catch: [{ errorList: [STEP_INTERNAL], output: '\\({})', next: b }]")],
  ["a policy that never tries again", 8, call("retryPolicy: { errorList: [ALL] }")],
  ["a policy with too many retries", 8, call("retryPolicy: { errorList: [ALL], retryCount: 101 }")],
  [
    "retries that take too long",
    8,
    call("retryPolicy: { errorList: [ALL], retryCount: 100, initialDelay: 3600s, maxDelay: 3600s }"),
  ],
  [
    "rounds that do nothing",
    4,
    step("while:\n  maxIterations: 3\n  next: b\n  do: { start: c, steps: { c: { noOp: {} } } }"),
  ],
  [
    "rounds without an end",
    5,
    step("while:\n  next: b\n  do: { start: c, steps: { c: { wait: { duration: '1' } } } }"),
  ],
  [
    "too many rounds",
    6,
    step("while:\n  maxIterations: 2000\n  next: b\n  do: { start: c, steps: { c: { wait: { duration: '1' } } } }"),
  ],
  ["a secret in the wrong place", 5, step('noOp: { output: \'\\({a: lockboxPayload("i"; "k")})\', next: b }')],
  [
    "the name of a secret that is computed",
    6,
    step("httpCall:\n  url: 'https://a/\\(lockboxPayload(.a; \"k\"))'\n  next: b"),
  ],
  ["a number where a text is needed", 6, step("functionCall:\n  functionId: 7\n  next: b")],
  ["a field that is missing", 5, step("functionCall: { next: b }")],
  ["two kinds at once", 6, step("noOp: { next: b }\nsuccess: {}")],
  ["a version that is not there", 1, `yawl: "9"\nstart: a\nsteps:\n  a: { noOp: {} }\n`],
  ["a step that nothing leads to", 6, `yawl: "0.1"\nstart: a\nsteps:\n  a:\n    noOp: {}\n  b: { noOp: {} }\n`],
];

const states = (text: string, exit = "z"): string =>
  `Entry: a\nExit: ${exit}\nStates:\n${text.replace(/^/gm, "  ")}\n  z: { Type: Pass }\n`;
const body = (text: string): string => states(`a: { Type: Task, Function: '${text.replaceAll("'", "''")}', Next: z }`);

const composition: readonly Mistake[] = [
  ["an entry that is not there", 1, "Entry: b\nExit: z\nStates:\n  z: { Type: Pass }\n"],
  ["a state that is not there", 4, states("a: { Type: Pass, Next: b }")],
  [
    "a handler that is not there",
    4,
    states("a: { Type: Try, Handler: h, Next: c }\nc: { Type: Task, Action: f, Next: d }\nd: { Type: Catch, Next: z }"),
  ],
  ["an exit that is not there", 2, "Entry: a\nExit: y\nStates:\n  a: { Type: Task, Action: f, Next: a }\n"],
  ["no way on", 4, states("a: { Type: Pass }")],
  ["an unknown type", 4, states("a: { Type: Taks, Action: f, Next: z }")],
  ["nothing to do", 4, states("a: { Type: Task, Next: z }")],
  ["two things to do", 4, states("a: { Type: Task, Action: f, Value: 1, Next: z }")],
  ["an empty stack", 4, states("a: { Type: Pop, Next: z }")],
  [
    "a handler where parameters should be",
    5,
    states("a: { Type: Try, Handler: z, Next: b }\nb: { Type: Pop, Next: z }"),
  ],
  ["a stack that grows", 4, states("a: { Type: Push, Next: a }")],
  ["a choice without an else", 5, states("a: { Type: Push, Next: b }\nb: { Type: Choice, Then: z }")],
  ["a function that ends in a semicolon", 4, body("p => p;")],
  ["a function that is none", 4, body("({ n: 1 })")],
  ["a statement", 4, body("if (p) p")],
  ["a name that is not there", 4, body("p => count + 1")],
  [
    "a misspelt variable",
    5,
    states(
      "a: { Type: Let, Symbol: count, Value: 1, Next: b }\nb: { Type: Task, Function: '() => cuont', Next: c }\nc: { Type: End, Next: z }",
    ),
  ],
  ["require", 4, body("() => require('fs')")],
  ["the constructor of functions", 4, body("p => p.constructor.constructor('return 1')()")],
  ["eval", 4, body("() => eval('1')")],
  [
    "a symbol that is no name",
    4,
    states(
      "a: { Type: Let, Symbol: my-count, Value: 1, Next: b }\nb: { Type: Task, Function: '() => 1', Next: c }\nc: { Type: End, Next: z }",
    ),
  ],
  [
    "a symbol that is taken",
    4,
    states(
      "a: { Type: Let, Symbol: params, Value: 1, Next: b }\nb: { Type: Task, Function: '() => 1', Next: c }\nc: { Type: End, Next: z }",
    ),
  ],
  ["a number for a name", 4, states("a: { Type: Task, Action: 7, Next: z }")],
  ["a misspelt key", 4, states("a: { Type: Task, Acton: f, Next: z }")],
  ["a state that nothing leads to", 5, states("a: { Type: Pass, Next: z }\nb: { Type: Pass, Next: z }")],
];

test.each([
  ["yawl", yawl],
  ["composer-fsm", composition],
] as const)("a mistake in %s is told once, at its line, and what to do", (from, mistakes) => {
  const found = mistakes.map(([what, line, text]) => ({ what, line, told: told(text, from) }));
  const elsewhere = found.filter(({ told, line }) => !told.some((each) => lineOf(each) === line));
  expect(
    elsewhere.map(({ what, line, told }) => [
      what,
      line,
      told.map((each) => `${lineOf(each)} ${each.code} ${each.message}`),
    ]),
  ).toEqual([]);
  const all = found.flatMap((each) => each.told);
  expect(all.length / mistakes.length).toBeLessThanOrEqual(1.2);
  const silent = all.filter(({ hint, code }) => hint === undefined && !tellingThemselves.has(code));
  expect(silent.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
});

/** The kinds whose messages say themselves what is missing, or what may stand there; or which can only guess by a name that is like another. */
const tellingThemselves: ReadonlySet<string> = new Set(
  "WB1001 WB1005 WB1006 WB1007 WB2001 WB2140 WB2141 WB4010 WB4140 WB4206 WB4207".split(" "),
);

/** The errors and warnings of a definition. */
const told = (text: string, from: string): readonly Diagnostic[] =>
  check({ sources: [{ path: "workflow.yaml", text }], from, options: {} }, languages).diagnostics.filter(
    ({ severity }) => severity !== "info",
  );

const lineOf = ({ span }: Diagnostic): number => positionOf(span.source, span.start).line;
