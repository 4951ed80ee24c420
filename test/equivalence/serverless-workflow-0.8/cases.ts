import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { objectOver, valueOver } from "../values.ts";
import {
  arrivals,
  braces,
  child,
  eventAction,
  eventConditions,
  events,
  plain,
  startingState,
  subflowAction,
  undo,
} from "./constructs.ts";
import { plainDefinition, plainScenario } from "./plain.ts";

/** Random workflows with scenarios. States lead only to later ones. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      states: fc.array(state, { minLength: 1, maxLength: 5 }),
      dialect: weighted<string>([3, fc.constant("spec")], [1, fc.constant("sonataflow")]),
      timeouts: perhaps(
        20,
        among<JsonObject>(
          { actionExecTimeout: "PT5S" },
          { eventTimeout: "PT3S" },
          { stateExecTimeout: "PT6S" },
          { branchExecTimeout: "PT5S" },
          { workflowExecTimeout: "PT12S" },
          { stateExecTimeout: { total: "PT9S", single: "PT7S" } },
        ),
      ),
      definedEvents: events,
      subflow: child,
      undoing: perhaps(12, undo),
      starting: perhaps(6, fc.boolean()),
      isPlain: weighted<boolean>([3, fc.constant(false)], [2, fc.constant(true)]),
      autoRetries: perhaps(5, fc.constant(false)),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(
      ({ states, dialect, timeouts, autoRetries, definedEvents, subflow, undoing, starting, isPlain, scenarios }) => ({
        language: "serverless-workflow-0.8",
        definitions: withSubflow(
          (isPlain ? plainDefinition : plain)({
            id: "workflow",
            version: "1.0",
            specVersion: "0.8",
            timeouts,
            autoRetries,
            constants: { limit: 2 },
            events: definedEvents,
            functions: [
              ...functions.map((name) => ({ name, type: "custom", operation: name })),
              { name: "sum", type: "expression", operation: braces("{ sum: ([.a, .n] | map(numbers) | add) }") },
            ],
            errors: [
              { name: "Busy" },
              { name: "odd", code: "Odd" },
              { name: "late", code: "Timeout" },
              { name: "down", code: 503 },
            ],
            retries,
            states: [
              ...(starting === undefined ? [] : [startingState(starting, { transition: "State 0" })]),
              ...states.map((make, index) => {
                const later = states.slice(index + 1).map((_, after) => `State ${index + 1 + after}`);
                return make(`State ${index}`, later, undoing !== undefined);
              }),
              ...(undoing === undefined ? [] : [undoing]),
            ],
          }),
          subflow,
        ),
        options: { dialect },
        scenarios: scenarios.map((each) => {
          const given = isPlain ? plainScenario(each) : each;
          const { input: _, ...started } = given;
          return starting === undefined ? given : started;
        }),
      }),
    );

/** Adds the subflow if an action runs it. */
const withSubflow = (main: JsonObject, subflow: JsonObject): readonly JsonObject[] =>
  JSON.stringify(main).includes('"subFlowRef"') ? [main, subflow] : [main];

type StateFactory = (name: string, later: readonly string[], canBeUndone: boolean) => JsonObject;

const functions = ["f", "g", "h"];

const retries = [
  { name: "once", maxAttempts: 1 },
  { name: "growing", maxAttempts: 3, delay: "PT2S", increment: "PT3S", maxDelay: "PT6S" },
  { name: "doubling", maxAttempts: 2, delay: "PT1S", multiplier: 2 },
];

const value: Arbitrary<string> = weighted<string>(
  [
    8,
    among(
      ".a",
      ".n",
      "1",
      '"x"',
      "{a: .a, b: 1}",
      "[.a, .n]",
      ".list",
      "(.list // [] | length)",
      "$CONST.limit",
      "null",
    ),
  ],
  [2, among(".b.c", ".list[]?", "empty", ".n + 1", "(.a | tostring)", '"<\\(.a)>"', ".", "fn:sum")],
  [1, among("nan", "1e308 * 10", ".n * 1e308")],
).map(braces);

const condition: Arbitrary<string> = weighted<string>(
  [6, among(".a == 1", ".n > $CONST.limit", ".a != null", "true", '.a == "x"', "(.list // []) == []")],
  [1, among(".a", ".b.c", "null", "error", ".list[]? == 1")],
).map(braces);

const path: Arbitrary<string> = among(".a", ".b.c", ".list", ".list[0]", ".").map(braces);

const dataFilter: Arbitrary<JsonObject> = fc
  .record({
    fromStateData: perhaps(20, among(".b", "{a: .n}", ".").map(braces)),
    results: perhaps(30, among(".a", "{b: .}", "[.]", ".").map(braces)),
    toStateData: perhaps(40, path),
    useResults: perhaps(10, fc.boolean()),
  })
  .map(plain);

const call: Arbitrary<JsonObject> = weighted<JsonObject>(
  [4, among(...functions, "sum").map((name): JsonObject => ({ functionRef: name }))],
  [
    4,
    fc
      .record({ refName: among(...functions), first: value, second: value, invoke: perhaps(6, fc.constant("async")) })
      .map(
        ({ refName, first, second, invoke }): JsonObject => ({
          functionRef: plain({ refName, arguments: { first, list: [second, "text"] }, invoke }),
        }),
      ),
  ],
  [1, eventAction],
  [1, subflowAction],
);

const action: Arbitrary<JsonObject> = fc
  .record({
    what: call,
    name: perhaps(20, among("act", "more")),
    condition: perhaps(20, condition),
    sleep: perhaps(15, among<JsonObject>({ before: "PT1S" }, { after: "PT2S" })),
    retryRef: perhaps(20, among("once", "growing", "doubling")),
    retryableErrors: perhaps(10, among<readonly Json[]>(["Busy"], ["odd", "down"])),
    actionDataFilter: perhaps(50, dataFilter),
  })
  .map(({ what, retryRef, retryableErrors, ...rest }) =>
    plain({
      ...rest,
      ...what,
      ...(isRetried(what) ? { retryRef, retryableErrors: retryRef && retryableErrors } : {}),
    }),
  );

/** Expressions and calls without results are not retried. */
const isRetried = (what: JsonObject): boolean =>
  what["functionRef"] !== "sum" && !JSON.stringify(what).includes('"async"');

const actions = (least: number): Arbitrary<readonly JsonObject[]> =>
  fc.array(action, { minLength: least, maxLength: 3 });

const work: Arbitrary<JsonObject> = weighted<JsonObject>(
  [
    5,
    fc
      .record({ actions: actions(0), actionMode: perhaps(20, fc.constant("parallel")) })
      .map((each) => plain({ type: "operation", ...each })),
  ],
  [2, objectOver(["a", "b", "list"], 2).map((data) => ({ type: "inject", data }))],
  [1, among("PT1S", "PT0S").map((duration) => ({ type: "sleep", duration }))],
  [
    2,
    fc
      .record({
        actions: actions(1),
        outputCollection: perhaps(70, among(".list", ".out", ".b.list").map(braces)),
        iterationParam: perhaps(30, among("item", "each")),
        mode: perhaps(60, fc.constant("sequential")),
        batchSize: perhaps(30, among(1, 2)),
      })
      .map((each) => plain({ type: "foreach", inputCollection: braces(".list // [1, 2]"), ...each })),
  ],
  [
    2,
    fc
      .record({ branches: fc.array(actions(1), { minLength: 1, maxLength: 3 }), isSome: fc.boolean() })
      .map(({ branches, isSome }) => ({
        type: "parallel",
        ...(isSome ? { completionType: "atLeast", numCompleted: 1 } : {}),
        branches: branches.map((each, index) => ({ name: `b${index}`, actions: each })),
      })),
  ],
  [
    2,
    fc.record({ action, useData: perhaps(10, fc.boolean()), path: perhaps(50, path) }).map((each) => ({
      type: "callback",
      action: each.action,
      eventRef: "told",
      timeouts: { eventTimeout: "PT10S" },
      eventDataFilter: plain({ useData: each.useData, toStateData: each.path }),
    })),
  ],
  [
    1,
    fc.boolean().map((exclusive) => ({
      type: "event",
      exclusive,
      onEvents: [{ eventRefs: ["told", "asked"], actions: [{ functionRef: "f" }] }],
      timeouts: { eventTimeout: "PT9S" },
    })),
  ],
);

const produced: Arbitrary<readonly JsonObject[] | undefined> = perhaps(
  15,
  value.map((data) => [{ eventRef: "said", data, contextAttributes: { extra: braces(".a | tostring | .[0:3]") } }]),
);

const state: Arbitrary<StateFactory> = fc
  .record({
    work,
    filter: perhaps(15, fc.record({ output: among(". + {b: 1}", ".b", "{a: .a, n: .n}", "empty").map(braces) })),
    errors: fc.array(fc.tuple(among("Busy", "odd", "late", "down"), fc.nat()), { maxLength: 2 }),
    conditions: perhaps(30, fc.array(fc.tuple(condition, fc.nat()), { minLength: 1, maxLength: 2 })),
    isTerminating: perhaps(5, fc.constant(true)),
    produced,
    choosing: perhaps(10, eventConditions),
    isUndone: perhaps(50, fc.constant("Undo")),
    compensate: perhaps(40, fc.constant(true)),
  })
  .map((parts) => (name, later, canBeUndone) => {
    const { work: does, filter, errors, conditions, isTerminating, produced: events, choosing } = parts;
    const produceEvents = events === undefined ? {} : { produceEvents: events as readonly Json[] };
    const compensate = canBeUndone ? parts.compensate : undefined;
    const exit = (which: number): JsonObject => {
      const nextState = later[which % Math.max(1, later.length)];
      return nextState === undefined
        ? { end: plain({ terminate: isTerminating, compensate, ...produceEvents }) }
        : { transition: plain({ nextState, compensate, ...produceEvents }) };
    };
    const handlers = errors.map(([errorRef, which]): JsonObject => ({ errorRef, ...exit(which) }));
    const common = plain({
      name,
      stateDataFilter: filter,
      compensatedBy: canBeUndone ? parts.isUndone : undefined,
      onErrors: handlers.length > 0 ? (handlers as readonly Json[]) : undefined,
    });
    if (choosing) return { ...common, ...choosing(exit) };
    if (!conditions) return { ...common, ...does, ...exit(0) };
    const dataConditions = conditions.map(([when, which]): JsonObject => ({ condition: when, ...exit(which) }));
    return { ...common, type: "switch", dataConditions, defaultCondition: exit(0) };
  });

const response: Arbitrary<JsonObject> = weighted<JsonObject>(
  [6, valueOver(["a", "b", "list"], 2).map((returns) => ({ returns }))],
  [1, objectOver(["a"], 1).map((returns) => ({ returns, takes: "PT7S" }))],
  [2, among("Busy", "Odd", "Timeout", "Error").map((name) => ({ throws: { name, message: "no" } }))],
  [1, among(503, 404).map((status) => ({ throws: { name: "Http", message: "no", status } }))],
);

const scenario: Arbitrary<JsonObject> = fc
  .record({
    input: objectOver(["a", "b", "n", "list"], 2),
    answers: fc.array(fc.array(response, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
    arriving: arrivals(valueOver(["a"], 1)),
  })
  .map(({ input, answers, arriving }) => ({
    input,
    functions: Object.fromEntries(functions.map((name, index) => [name, answers[index]!])),
    events: arriving,
  }));
