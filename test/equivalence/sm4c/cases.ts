import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { hostileNames } from "../hostile.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random machines with scenarios. States lead only to later ones, so only internal transitions loop. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      states: fc.array(state(true), { minLength: 1, maxLength: 5 }),
      subflow: perhaps(70, fc.array(state(false), { minLength: 1, maxLength: 2 })),
      names: weighted<readonly string[]>(
        [3, fc.constant([])],
        [1, fc.uniqueArray(among(...hostileNames), { maxLength: 4, selector: (name) => name.toLowerCase() })],
      ),
      timeout: perhaps(5, among("00:00:20", "PT1H")),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ states, subflow, names, timeout, scenarios }) => {
      const called = states.map((_, i) => names[i] ?? `State ${i}`);
      return {
        language: "sm4c",
        definitions: [
          plain({
            name: "machine",
            version: "1.0",
            timeout: timeout === undefined ? undefined : { duration: timeout },
            ...machine(states, called),
          }),
          ...(subflow
            ? [{ id: subflowName, name: subflowName, version: "1.0", ...machine(subflow, ["Inner 0", "Inner 1"]) }]
            : []),
        ],
        options: {},
        scenarios,
      };
    });

/** The members of a machine with these states. */
const machine = (states: readonly StateFactory[], names: readonly string[]): JsonObject => ({
  events: [{ name: "told", type: "t.told" }, { name: "asked" }],
  functions: [
    ...functions.map((name) => ({ name, operation: `api.yaml#${name}` })),
    { name: "sum", type: "expression", operation: braces("[.a, .n] | map(numbers) | add") },
  ],
  retries,
  states: states.map((make, i) => make(names[i]!, names.slice(i + 1, states.length), i === 0)),
});

/** The machine that actions start; a function of that name responds if it is not defined. */
const subflowName = "inner";

const functions = ["f", "g", "h"];

const retries = [
  { name: "once", maxAttempts: 1 },
  { name: "growing", maxAttempts: 3, delay: "00:00:02", increment: "00:00:03", maxDelay: "00:00:06" },
  { name: "doubling", maxAttempts: 2, delay: "PT1S", multiplier: 2 },
];

/** Drops undefined members. */
function plain(object: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Wraps jq in the delimiters of a definition. */
export const braces = (jq: string): string => `\${ ${jq} }`;

/** jq over the data that an action sees. */
const value: Arbitrary<string> = weighted<string>(
  [8, among(".a", ".n", "1", '"x"', "{a: .a, b: 1}", "[.a, .n]", ".list", "(.list // [] | length)", ".a // 2", "null")],
  [2, among(".b.c", ".list[]?", "empty", ".n + 1", 'try error("no") catch .', "(.a | tostring)", '"<\\(.a)>"', ".")],
  [1, among("nan", "{x: nan}", "infinite", "-infinite", "1e1000", "1e308 * 10", ".n * 1e308", "[.n * 1e308 * 10]")],
).map(braces);

const condition: Arbitrary<string> = weighted<string>(
  [6, among(".a == 1", ".n > 1", ".a != null", "true", "false", '.a == "x"', ".b == true", "(.list // []) == []")],
  [1, among(".a", ".b.c", "null", "error", ".list[]? == 1")],
  [1, among(".a - .a == 0", ".n * 1e308 > 1e308", ".a == infinite", "nan < nan", ".x == null", ".a != .a")],
).map(braces);

const handler: Arbitrary<string> = weighted<string>(
  [
    8,
    among(
      ".a = $value",
      ".n = 1",
      ". + {b: $value}",
      ".log += [$value]",
      ".n += 1",
      "{a: $value, n: .n}",
      ".list = [$value]",
    ),
  ],
  [1, among(".a += $value", ".a.b = $value", "$value", ".n = (.n + $value)", "del(.a)", ".x = nan", ".a = .n * 1e308")],
).map(braces);

const errorCondition: Arbitrary<string> = weighted<string>(
  [4, among('.ClassName == "Busy"', '.ClassName == "Odd"', '.ClassName != "Busy"', "true")],
  [1, among('.Message | test("n")', '.ClassName == "ExpressionError"', ".Message")],
).map(braces);

const errorHandlers = fc.array(
  fc
    .record({
      condition: perhaps(70, errorCondition),
      resultHandler: perhaps(40, among(".log += [$value.ClassName]", ".n += 1", ".a = $value.Message").map(braces)),
      retryPolicy: perhaps(40, among("once", "growing", "doubling", "ONCE")),
    })
    .map(plain),
  { minLength: 1, maxLength: 2 },
);

/** Adds error handlers to an action. */
const action = (own: Arbitrary<JsonObject>): Arbitrary<JsonObject> =>
  fc.tuple(own, perhaps(25, errorHandlers)).map(([does, handlers]) => plain({ ...does, errorHandlers: handlers }));

const call = fc
  .record({
    functionName: among(...functions),
    arguments: perhaps(
      70,
      fc
        .record({ x: value, y: among<Json>(1, "plain", { deep: ".a" }) }, { requiredKeys: [] })
        .map((each) => ({ ...each })),
    ),
    timeout: perhaps(15, among("00:00:05", "PT1M")),
    waitForCompletion: perhaps(3, fc.constant(false)),
  })
  .map((does) => plain({ type: "invokeFunction", ...does }));

/** Starts the other machine, in `foreach` and without arguments also with data that is not an object. */
const invocation = fc
  .record({
    arguments: perhaps(50, among<JsonObject>({ a: braces(".a") }, { n: braces(".n * 1e308") }, {})),
    timeout: perhaps(10, among("00:00:06", "PT1M")),
    waitForCompletion: perhaps(15, fc.constant(false)),
  })
  .map((does) => plain({ type: "invokeSubflow", subflowName, ...does }));

const leaf = (invokes: boolean): Arbitrary<JsonObject> =>
  weighted<JsonObject>(
    [5, action(call)],
    [invokes ? 2 : 0, action(invocation)],
    [3, action(value.map((expression) => ({ type: "injectData", expression })))],
    [1, action(fc.constant({ type: "invokeFunction", functionName: "sum" }))],
    [1, among("00:00:03", "PT1S").map((timeout) => ({ type: "delay", timeout }))],
    [1, action(value.map((expression) => ({ type: "sendEvent", event: "told", expression })))],
  );

/** An action with nested actions. */
const nested = (depth: number, invokes: boolean): Arbitrary<JsonObject> => {
  if (depth === 0) return leaf(invokes);
  const inner = fc.array(nested(depth - 1, invokes), { minLength: 1, maxLength: 3 });
  const numbered = (actions: readonly JsonObject[]) =>
    actions.map((each, i) => (i === 0 ? { name: "first", ...each } : each)) as readonly Json[];
  return weighted<JsonObject>(
    [5, leaf(invokes)],
    [1, action(inner.map((actions) => ({ type: "sequence", actions: numbered(actions) })))],
    [1, action(inner.map((actions) => ({ type: "parallel", actions: numbered(actions) })))],
    [
      1,
      action(
        fc
          .record({
            input: weighted<string>(
              [5, among("[.a, 2]", "[{a: 1}, {a: .n}]", "[]", "[1, 2, 3]")],
              [1, fc.constant(".list")],
            ).map(braces),
            action: nested(depth - 1, invokes),
            maxParallel: perhaps(40, among(2, 5)),
          })
          .map((does) => plain({ type: "foreach", ...does })),
      ),
    ],
  );
};

/** Builds a state. `later` are the names of the states after it. */
type StateFactory = (name: string, later: readonly string[], isFirst: boolean) => JsonObject;

/** An optional action and its result handler. */
const optionalAction = (percent: number, invokes: boolean) =>
  perhaps(percent, fc.tuple(nested(2, invokes), perhaps(80, handler)));

const state = (invokes: boolean): Arbitrary<StateFactory> =>
  fc
    .record({
      inputFilter: perhaps(12, value),
      enter: optionalAction(80, invokes),
      exit: optionalAction(15, invokes),
      transition: fc.record({
        kind: weighted<"implicit" | "conditions" | "timeout" | "events">(
          [5, fc.constant("implicit")],
          [4, fc.constant("conditions")],
          [1, fc.constant("timeout")],
          [2, fc.constant("events")],
        ),
        conditions: fc.array(fc.tuple(condition, fc.nat(), optionalAction(20, invokes)), {
          minLength: 1,
          maxLength: 2,
        }),
        hasElse: weighted<boolean>([4, fc.constant(true)], [1, fc.constant(false)]),
        action: optionalAction(15, invokes),
        which: fc.nat(),
      }),
    })
    .map(({ inputFilter, enter, exit, transition }) => (name, later, isFirst) => {
      const to = (which: number) => later[which % later.length]!;
      const done = (key: string, handled: string, each: readonly [JsonObject, string | undefined] | undefined) =>
        each ? { [key]: each[0], [handled]: each[1] } : {};
      const onward = plain({ nextState: later[0], ...done("action", "resultHandler", transition.action) });
      const factories: { readonly [kind in typeof transition.kind]: () => readonly JsonObject[] } = {
        implicit: () => [onward],
        timeout: () => [{ timeout: "00:00:04", ...onward }],
        events: () => [
          {
            eventGroups: [{ events: ["told", "asked"], resultHandler: braces(".e = $value.data") }],
            nextState: to(transition.which),
          },
          { timeout: "00:00:10", ...onward },
        ],
        conditions: () => [
          ...transition.conditions.map(([when, which, each]) =>
            plain({ condition: when, nextState: to(which), ...done("action", "resultHandler", each) }),
          ),
          ...(transition.hasElse ? [{ condition: braces("true"), ...onward }] : []),
        ],
      };
      return plain({
        name,
        start: isFirst ? true : undefined,
        inputFilter,
        ...done("enterAction", "enterResultHandler", enter),
        ...done("exitAction", "exitResultHandler", exit),
        transitions: later.length === 0 ? undefined : (factories[transition.kind]() as readonly Json[]),
      });
    });

const response: Arbitrary<JsonObject> = weighted<JsonObject>(
  [6, valueOver(["a", "b"], 2).map((returns) => ({ returns }))],
  [1, objectOver(["a"], 1).map((returns) => ({ returns, takes: "PT7S" }))],
  [2, among("Busy", "Odd", "Timeout", "Error").map((name) => ({ throws: { name, message: "no" } }))],
);

const scenario: Arbitrary<JsonObject> = fc
  .record({
    input: objectOver(["a", "b", "n", "list"], 2),
    answers: fc.array(fc.array(response, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
    events: fc.array(
      fc.record({ at: among("PT0S", "PT2S", "PT9S"), data: valueOver(["a"], 1), subject: among("asked", "other") }),
      { maxLength: 3 },
    ),
    isRepeated: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
  })
  .map(({ input, answers, events, isRepeated }) => ({
    input,
    functions: Object.fromEntries([...functions, subflowName].map((name, i) => [name, answers[i]!])),
    events: events.map(({ at, data, subject }, i) => ({
      at,
      event: isRepeated
        ? { specversion: "1.0", id: "once", type: "t.told", source: "/a", subject, data }
        : { specversion: "1.0", id: `e${i}`, type: i === 0 ? "t.told" : "t.other", source: "/a", subject, data },
    })),
  }));
