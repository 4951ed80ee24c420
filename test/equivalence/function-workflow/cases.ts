import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { hostileNames } from "../hostile.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random definitions with scenarios. States lead only to later ones, so every run ends. Few wait for events. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  weighted([3, fc.constant(false)], [1, fc.constant(true)]).chain((waits) =>
    fc
      .record({
        states: scope(2, waits),
        names: weighted<readonly string[]>(
          [3, fc.constant([])],
          [1, fc.uniqueArray(among(...hostileNames), { maxLength: 6 })],
        ),
        scenarios: fc.array(scenario(waits), { minLength: 1, maxLength: 3 }),
      })
      .map(({ states, names, scenarios }) => ({
        language: "function-workflow",
        definitions: [{ ...(waits ? { "trigger-defs": triggers } : {}), states: states(createNames(names)) }],
        options: {},
        scenarios,
      })),
  );

interface NameSource {
  readonly isBranch: boolean;
  /** Returns a unique state name. */
  name(): string;
}

function createNames(hostile: readonly string[], isBranch = false): NameSource {
  let count = 0;
  return { isBranch, name: () => hostile[count++] ?? `S${count}` };
}

/** Returns the transition to the next state or to another later one. */
type NextState = (which: number) => JsonObject;

type FunctionStateFactory = (later: NextState, stateNames: NameSource) => JsonObject;

const nextOf = (key: string, names: readonly string[], which: number): JsonObject =>
  names.length === 0 ? {} : { [key]: names[which % 3 === 0 ? which % names.length : 0]! };

/** A sequence of states. Outside branches, the last is an END state. */
const scope = (depth: number, waits: boolean): Arbitrary<(stateNames: NameSource) => JsonObject> =>
  fc
    .tuple(fc.array(state(depth, waits), { minLength: 1, maxLength: depth === 2 ? 5 : 2 }), fc.nat())
    .map(([states, rotation]) => (stateNames) => {
      const names = states.map(() => stateNames.name());
      const end = stateNames.isBranch ? [] : [stateNames.name()];
      const written = states.map((state, i) => {
        const rest = [...names.slice(i + 1), ...end];
        const own = state((which) => nextOf("next-state", rest, which), stateNames);
        return [names[i]!, { ...(i === 0 ? { start: true } : {}), ...own }] as const;
      });
      const all = [...written, ...end.map((name) => [name, { type: "END" }] as const)];
      const from = rotation % all.length;
      return Object.fromEntries([...all.slice(from), ...all.slice(0, from)]);
    });

const state = (depth: number, waits: boolean): Arbitrary<FunctionStateFactory> =>
  fc
    .tuple(
      weighted<FunctionStateFactory>(
        [6, operation],
        [3, switchState],
        [1, delay],
        [depth > 0 ? 2 : 0, depth > 0 ? parallel(depth, waits) : operation],
        [waits ? 4 : 0, event],
        [1, failure],
      ),
      filters,
    )
    .map(([written, filter]) => (later, stateNames) => ({ ...written(later, stateNames), ...filter }));

const paths = ["$.a", "$.a.b", "$.list[0]", "$.list[*].a", "$[0]", "$[0:1]", "$..a", "$.*", "$"];
const places = ["$.a", "$.r.a", "$.list", "$"];
const filters: Arbitrary<JsonObject> = fc
  .record({
    input: perhaps(12, among(...paths)),
    result: perhaps(20, among(...places)),
    output: perhaps(10, among("$.r", "$.a", "$.list[*]", "$")),
  })
  .map(({ input, result, output }) => ({
    ...(input === undefined ? {} : { InputPath: input }),
    ...(result === undefined ? {} : { ResultPath: result }),
    ...(output === undefined ? {} : { OutputPath: output }),
  }));

type ActionFactory = (later: NextState) => JsonObject;

const match = weighted<Json>(
  [3, among("Busy", "SYS.MatchAny")],
  [3, among("SYS.Timeout", "SYS.FilterError", "SYS.Fail", "SYS.Permission")],
  [3, among<Json>(5, "5", true, "x", null, { a: 1 }, [])],
);

const entry: Arbitrary<ActionFactory> = fc
  .record({ match, interval: perhaps(40, among(0, 1, 2)), most: perhaps(60, fc.nat(2)), leaves: perhaps(50, fc.nat()) })
  .map(({ match, interval, most, leaves }) => (later) => ({
    match,
    ...(interval === undefined ? {} : { "retry-interval": interval }),
    ...(most === undefined ? {} : { "max-retry": most }),
    ...(leaves === undefined ? {} : later(leaves)),
  }));

const action: Arbitrary<ActionFactory> = fc
  .record({
    called: weighted<Json>(
      [5, among("f", "g", "h")],
      [
        1,
        among<JsonObject>({ x: "$.a", y: ["$.list[*].a", "t"] }, {}).map((parameters) => ({ name: "g", parameters })),
      ],
    ),
    timeout: perhaps(15, among(1, 2)),
    retry: perhaps(45, fc.array(entry, { minLength: 1, maxLength: 3 })),
    filter: filters,
  })
  .map(({ called, timeout, retry, filter }) => (later) => ({
    function: called,
    ...(timeout === undefined ? {} : { timeout }),
    ...(retry === undefined ? {} : { retry: retry.map((each) => each(later)) }),
    ...filter,
  }));

const work: Arbitrary<(later: NextState) => JsonObject> = fc
  .tuple(
    fc.array(action, { maxLength: 3 }),
    weighted([2, fc.constant("SEQUENTIAL")], [1, fc.constant("PARALLEL")]),
    fc.nat(),
  )
  .map(([actions, mode, next]) => (later) => ({
    "action-mode": mode,
    actions: actions.map((each) => each(later)),
    ...later(next),
  }));

const operation: Arbitrary<FunctionStateFactory> = work.map((written) => (later) => ({
  type: "OPERATION",
  ...written(later),
}));

const delay: Arbitrary<FunctionStateFactory> = fc
  .tuple(among(1, 2, 90), fc.nat())
  .map(([seconds, next]) => (later) => ({
    type: "DELAY",
    "time-delay": seconds,
    ...later(next),
  }));

const failure: Arbitrary<FunctionStateFactory> = among("SUCCESS", "FAILURE").map((status) => () => ({
  type: "END",
  status,
}));

const comparison: Arbitrary<JsonObject> = weighted<JsonObject>(
  [
    3,
    fc.record({
      path: among("$.a", "$.b", "$.a.b", "$.list[0]", "$"),
      operator: among("EQ", "LT", "LTEQ", "GT", "GTEQ"),
      value: among<Json>(0, 1, "1", 5),
    }),
  ],
  [1, fc.record({ path: among("$.a", "$.b"), operator: fc.constant("EQ"), value: fc.boolean() })],
  [
    2,
    fc.record({
      path: among("$.a", "$.b", "$.a.b", "$"),
      operator: among("StrEQ", "StrLT", "StrLTEQ", "StrGT", "StrGTEQ"),
      value: among("", "x", "é", "a%"),
    }),
  ],
);

const { rule } = fc.letrec<{ rule: JsonObject }>((tie) => ({
  rule: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    comparison,
    tie("rule").map((Not) => ({ Not })),
    fc.array(tie("rule"), { minLength: 1, maxLength: 3 }).map((And) => ({ And })),
    fc.array(tie("rule"), { minLength: 1, maxLength: 3 }).map((Or) => ({ Or })),
  ),
}));

const switchState: Arbitrary<FunctionStateFactory> = fc
  .tuple(fc.array(fc.tuple(rule, fc.nat()), { minLength: 1, maxLength: 3 }), perhaps(80, fc.nat()))
  .map(([choices, otherwise]) => (later) => {
    const fallback = otherwise === undefined ? undefined : later(otherwise)["next-state"];
    return {
      type: "SWITCH",
      choices: choices.map(([rule, next]) => ({ ...rule, ...later(next) })),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
  });

const parallel = (depth: number, waits: boolean): Arbitrary<FunctionStateFactory> =>
  fc
    .tuple(fc.array(scope(depth - 1, waits), { minLength: 1, maxLength: 3 }), fc.nat())
    .map(([branches, next]) => (later) => ({
      type: "PARALLEL",
      branches: Object.fromEntries(branches.map((states, i) => [`b${i}`, { states: states(createNames([], true)) }])),
      ...later(next),
    }));

const triggers: JsonObject = {
  A: { source: "/a", type: "t", "correlation-token": "$.data.k" },
  B: { source: "/b", type: "t", "correlation-token": "$.k", InputPath: "$.data" },
  C: { source: "/c", type: "t" },
};

const struct = fc.record({
  expression: among(
    "A",
    "B",
    "C",
    "A or B",
    "A and B",
    "A and not B",
    "(A or C) and B",
    "not (A or not C)",
    "A and B and C",
  ),
  timeout: perhaps(50, among(1, 5, 30)),
  input: perhaps(30, among("$.data", "$.data.a", "$.k")),
  work,
});

const event: Arbitrary<FunctionStateFactory> = fc
  .array(struct, { minLength: 1, maxLength: 3 })
  .map((structs) => (later) => ({
    type: "EVENT",
    events: structs.map(({ expression, timeout, input, work }) => ({
      "event-expression": expression,
      ...(timeout === undefined ? {} : { timeout }),
      ...(input === undefined ? {} : { InputPath: input }),
      ...work(later),
    })),
  }));

const response: Arbitrary<JsonObject> = fc
  .tuple(
    weighted<JsonObject>(
      [6, valueOver(["a", "b", "list"], 2).map((returns) => ({ returns }))],
      [1, among<Json>(5, "5", true, "x", null, { a: 1 }).map((returns) => ({ returns }))],
      [
        2,
        among("Busy", "SYS.Timeout", "SYS.Permission", "SYS.Fail", "Other").map((name) => ({
          throws: { name, message: "no" },
        })),
      ],
    ),
    perhaps(25, among("PT0.5S", "PT1S", "PT3S")),
  )
  .map(([given, takes]) => ({ ...given, ...(takes === undefined ? {} : { takes }) }));

const responses = fc.array(response, { minLength: 1, maxLength: 3 });

const arrival: Arbitrary<JsonObject> = fc
  .tuple(
    among("PT0S", "PT1S", "PT2S", "PT5S", "PT10S"),
    among("/a", "/b", "/c"),
    among(1, 1, 2),
    objectOver(["a", "list"], 2),
    perhaps(15, among("twice", "thrice")),
  )
  .map(([at, source, k, data, id]) => ({
    at,
    event: { ...(id === undefined ? {} : { id }), type: "t", source, k, data: { ...data, k } },
  }));

const scenario = (waits: boolean): Arbitrary<JsonObject> =>
  fc
    .record({
      input: perhaps(waits ? 60 : 100, objectOver(["a", "b", "list"], 2)),
      f: responses,
      g: responses,
      h: response,
      events: fc.array(arrival, { maxLength: waits ? 6 : 0, size: "max" }),
    })
    .map(({ input, events, ...functions }) => ({
      ...(input === undefined ? {} : { input }),
      functions,
      ...(events.length === 0 ? {} : { events }),
    }));
