import { expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { positionOf } from "../../src/text/source.ts";
import { languages } from "../languages.ts";

// Realistic definitions with one mistake each: the mistake is reported about once, at its line, mostly with a hint.

/** The mistake, its line, and the definition. */
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
    step("while:\n  max_iterations: 3\n  next: b\n  do: { start: c, steps: { c: { noOp: {} } } }"),
  ],
  [
    "rounds without an end",
    5,
    step("while:\n  next: b\n  do: { start: c, steps: { c: { wait: { duration: '1' } } } }"),
  ],
  [
    "too many rounds",
    6,
    step("while:\n  max_iterations: 2000\n  next: b\n  do: { start: c, steps: { c: { wait: { duration: '1' } } } }"),
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

const operation = (text: string, triggers = ""): string =>
  `${triggers}states:\n  A:\n    type: OPERATION\n    start: true\n${text.replace(/^/gm, "    ")}\n  Z: { type: END }\n`;
const switching = (rule: string): string =>
  `states:\n  A:\n    type: SWITCH\n    start: true\n    choices:\n      - ${rule}\n    default: Z\n  Z: { type: END }\n`;
const waiting = (struct: string, triggers = "  P: { source: /p, correlation-token: $.id }\n"): string =>
  `trigger-defs:\n${triggers}states:\n  A:\n    type: EVENT\n    start: true\n    events:\n      - ${struct}\n  Z: { type: END }\n`;
const acting = (action: string): string => operation(`actions: [${action}]\nnext-state: Z`);

const functionWorkflow: readonly Mistake[] = [
  ["an unknown type of state", 3, operation("actions: []\nnext-state: Z").replace("OPERATION", "OPERATE")],
  ["a misspelt key", 5, operation("action: []\nnext-state: Z")],
  ["a state that is not there", 6, operation("actions: []\nnext-state: Y")],
  ["a dash for another sign", 5, operation("next-state: STAE_END").replace("  Z:", "  STATE-END:")],
  ["a name in other case", 5, operation("next-state: z")],
  ["nowhere to go", 2, operation("actions: []")],
  ["no start", 1, "states:\n  A: { type: OPERATION, next-state: Z }\n  Z: { type: END }\n"],
  [
    "two starts",
    3,
    "states:\n  A: { type: OPERATION, start: true, next-state: Z }\n  B: { type: OPERATION, start: true, next-state: Z }\n  Z: { type: END }\n",
  ],
  ["a state that nothing leads to", 3, "states:\n  A: { type: END, start: true }\n  Z: { type: END }\n"],
  ["an unknown code", 5, acting("{ function: f, retry: [{ match: SYS.Permision, next-state: Z }] }")],
  [
    "an entry that never has its turn",
    5,
    acting("{ function: f, retry: [{ match: SYS.MatchAny }, { match: SYS.Timeout, next-state: Z }] }"),
  ],
  [
    "an interval that nothing waits",
    5,
    acting("{ function: f, retry: [{ match: Busy, retry-interval: 5, next-state: Z }] }"),
  ],
  ["an action without a function", 5, acting("{ timeout: 5 }")],
  ["a path that cannot be read", 5, acting("{ function: f, InputPath: '$.a[' }")],
  ["a place of several", 5, acting("{ function: f, ResultPath: '$.list[*]' }")],
  ["a filter as an object", 5, operation("filter: { input-path: $.a }\nnext-state: Z")],
  [
    "a delay that is none",
    4,
    "states:\n  A:\n    type: DELAY\n    time-delay: soon\n    start: true\n    next-state: Z\n  Z: { type: END }\n",
  ],
  ["a mode that is not there", 5, operation("action-mode: BOTH\nnext-state: Z")],
  ["an unknown operator", 6, switching("{ path: $.a, operator: LIKE, value: 1, next-state: Z }")],
  ["a text that is compared with a number", 6, switching("{ path: $.a, operator: GT, value: many, next-state: Z }")],
  ["several values that are compared", 6, switching("{ path: '$.a[*]', operator: EQ, value: 1, next-state: Z }")],
  [
    "a rule within that leads on",
    6,
    switching("{ And: [{ path: $.a, operator: EQ, value: 1, next-state: Z }], next-state: Z }"),
  ],
  ["a trigger that is not there", 8, waiting("{ event-expression: Q, next-state: Z }")],
  ["an operator without its operand", 8, waiting("{ event-expression: P and, next-state: Z }")],
  ["nothing but a not", 8, waiting("{ event-expression: not P, next-state: Z }")],
  ["a timeout of nothing", 8, waiting("{ event-expression: P, timeout: 0, next-state: Z }")],
  [
    "an end in a branch",
    8,
    "states:\n  A:\n    type: PARALLEL\n    start: true\n    branches:\n      b:\n        states:\n          B: { type: END, start: true, status: FAILURE }\n    next-state: Z\n  Z: { type: END }\n",
  ],
];

const machine = (state: string, more = ""): string =>
  `name: m\nversion: "1"\n${more}states:\n- name: A\n  start: true\n${state.replace(/^/gm, "  ")}\n- name: Z\n`;
const toZ = "transitions: [{ nextState: Z }]";
const entering = (action: string): string => machine(`enterAction: ${action}\n${toZ}`);

const cloud: readonly Mistake[] = [
  ["a misspelt key", 6, machine(`entrAction: { type: delay, timeout: PT1S }\n${toZ}`)],
  ["an unknown action", 6, entering("{ type: wait, timeout: PT1S }")],
  ["an action without its field", 6, entering("{ type: delay }")],
  ["a state that is not there", 6, machine("transitions: [{ nextState: Y }]")],
  ["a state that nothing leads to", 7, machine("exitAction: { type: delay, timeout: PT1S }")],
  ["names that differ in case", 8, `${machine(toZ)}- name: z\n`],
  ["no start", 3, 'name: m\nversion: "1"\nstates:\n- name: A\n'],
  ["two starts", 7, machine(toZ).replace("- name: Z\n", "- { name: Z, start: true }\n")],
  ["an expression that is none", 6, entering("{ type: injectData, expression: .a }")],
  ["jq that cannot be read", 6, entering(`{ type: injectData, expression: '\${ .a | }' }`)],
  ["a function that jq has not", 6, entering(`{ type: injectData, expression: '\${ lenght }' }`)],
  ["a result that is not there", 6, entering(`{ type: injectData, expression: '\${ $value }' }`)],
  ["a timespan that is none", 6, entering("{ type: delay, timeout: soon }")],
  ["a timespan out of range", 6, entering('{ type: delay, timeout: "99:99:99" }')],
  ["a policy that is not there", 6, entering("{ type: delay, timeout: PT1S, errorHandlers: [{ retryPolicy: onec }] }")],
  [
    "growth in two ways",
    3,
    machine(toZ, "retries: [{ name: r, maxAttempts: 1, delay: PT1S, increment: PT1S, multiplier: 2 }]\n"),
  ],
  ["jitter beyond the whole", 3, machine(toZ, "retries: [{ name: r, maxAttempts: 1, delay: PT1S, jitter: 1.5 }]\n")],
  ["an event that is not there", 6, machine("transitions: [{ nextState: Z, eventGroups: [{ events: [Paid] }] }]")],
  ["a transition of two kinds", 6, machine(`transitions: [{ nextState: Z, timeout: PT1S, condition: '\${ .a }' }]`)],
  ["two transitions without a condition", 6, machine("transitions: [{ nextState: Z }, { nextState: A }]")],
  [
    "a join that never comes",
    6,
    entering("{ type: parallel, completionType: n_of_m, n: 3, actions: [{ type: delay, timeout: PT1S }] }"),
  ],
  [
    "two actions of one name",
    6,
    entering(
      "{ type: parallel, actions: [{ name: a, type: delay, timeout: PT1S }, { name: a, type: delay, timeout: PT1S }] }",
    ),
  ],
  ["a function that is not there", 6, entering("{ type: invokeFunction, functionName: f }")],
  [
    "a function whose document is not there",
    3,
    machine(
      `enterAction: { type: invokeFunction, functionName: f }\n${toZ}`,
      "functions: [{ name: f, operation: './no.yaml#f' }]\n",
    ),
  ],
  ["definitions that are not there", 3, machine(toZ, "events: ./no.yaml\n")],
  ["a number for a name", 1, machine(toZ).replace("name: m", "name: [m]")],
];

test.each([
  ["yawl", yawl],
  ["composer-fsm", composition],
  ["function-workflow", functionWorkflow],
  ["sm4c", cloud],
] as const)("a mistake in %s is reported once, at its line, with a hint", (from, mistakes) => {
  const found = mistakes.map(([what, line, text]) => ({ what, line, diagnostics: diagnose(text, from) }));
  const elsewhere = found.filter(({ diagnostics, line }) => !diagnostics.some((each) => lineOf(each) === line));
  expect(
    elsewhere.map(({ what, line, diagnostics }) => [
      what,
      line,
      diagnostics.map((each) => `${lineOf(each)} ${each.code} ${each.message}`),
    ]),
  ).toEqual([]);
  const all = found.flatMap((each) => each.diagnostics);
  expect(all.length / mistakes.length).toBeLessThanOrEqual(1.2);
  const silent = all.filter(({ hint, code }) => hint === undefined && !kindsWithoutHints.has(code));
  expect(silent.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
});

/** Kinds without hints: their messages list what is missing or allowed, or only a similar name could help. */
const kindsWithoutHints: ReadonlySet<string> = new Set(
  "WB1001 WB1003 WB1004 WB1005 WB1006 WB1007 WB2001 WB2140 WB2141 WB3408 WB4001 WB4002 WB4003 WB4010 WB4011 WB4101 WB4140 WB4206 WB4207".split(
    " ",
  ),
);

const diagnose = (text: string, from: string): readonly Diagnostic[] =>
  check({ sources: [{ path: "workflow.yaml", text }], from, options: {} }, languages).diagnostics.filter(
    ({ severity }) => severity !== "info",
  );

const lineOf = ({ span }: Diagnostic): number => positionOf(span.source, span.start).line;
