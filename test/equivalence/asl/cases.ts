import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { hostileNames } from "../hostile.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random machines in JSONPath with scenarios. States lead only to later ones. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      states: fc.array(state(2), { minLength: 1, maxLength: 5 }),
      names: weighted<readonly string[]>(
        [3, fc.constant([])],
        [1, fc.uniqueArray(among(...hostileNames.filter((name) => name.length <= 60)), { maxLength: 4 })],
      ),
      timeout: perhaps(5, among(20, 3600)),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ states, names, timeout, scenarios }) => {
      const namer = createNamer(names);
      const machine = { ...scopeOf(states, namer), ...(timeout === undefined ? {} : { TimeoutSeconds: timeout }) };
      const tasks = namer.tasks();
      return {
        language: "asl",
        definitions: [machine],
        options: {},
        scenarios: scenarios.map(({ input, answers }) => ({
          input,
          functions: Object.fromEntries(tasks.map((name, i) => [name, answers[i % answers.length]!])),
        })),
      };
    });

/** Names states uniquely in the whole machine. */
interface Namer {
  next(type: string): string;
  /** The names of Task states. */
  tasks(): readonly string[];
}

function createNamer(wanted: readonly string[]): Namer {
  const tasks: string[] = [];
  let count = 0;
  return {
    next(type) {
      const name = wanted[count] ?? `${type}${count}`;
      count += 1;
      if (type === "Task") tasks.push(name);
      return name;
    },
    tasks: () => tasks,
  };
}

/** A state without its name and transitions. */
interface StateSpec {
  readonly type: string;
  /** The fields, with the names of the states after it. */
  make(namer: Namer, later: readonly string[]): JsonObject;
}

function scopeOf(specs: readonly StateSpec[], namer: Namer): JsonObject {
  const last = specs.length - 1;
  const fitting = specs.map((spec, i) => {
    if (i === last) return spec.type === "Choice" ? plainPass : spec;
    return spec.type === "Succeed" || spec.type === "Fail" ? plainPass : spec;
  });
  const names = fitting.map(({ type }) => namer.next(type));
  const States = Object.fromEntries(
    fitting.map(({ type, make }, i) => {
      const later = names.slice(i + 1);
      const ends = type === "Choice" || type === "Succeed" || type === "Fail";
      const exit = ends ? {} : later.length === 0 ? { End: true } : { Next: later[0]! };
      return [names[i]!, { Type: type, ...make(namer, later), ...exit }];
    }),
  );
  return { StartAt: names[0]!, States };
}

const plainPass: StateSpec = { type: "Pass", make: () => ({}) };

/** Drops undefined members. */
const plain = (object: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

const path = weighted<string>(
  [8, among("$", "$.a", "$.b", "$.n", "$.list", "$.a.b", "$$.Execution.Input.a", "$$.State.Name")],
  [3, among("$.list[0]", "$.list[-1]", "$['a','b']", "$.list[*]", "$..a", "$.list[0:2]", "$.list[?(@.a==1)]", "$.*")],
  [
    1,
    among("$.list[?(@.a)]", "$.list[1:].a", "$['b']", "$.list[?(@.n > 1 && @.a)]", "$$.Execution.Name", "$.list[0,1]"),
  ],
);

const reference = among("$.a", "$.b", "$.r", "$.a.c", "$.list[0]", "$.r.s.t");

const intrinsic = weighted<string>(
  [
    4,
    among(
      "States.Format('<{}>', $.a)",
      "States.Format('{} and {}', $.n, 'x')",
      "States.JsonToString($.a)",
      "States.Array($.a, 1, 'x')",
      "States.MathAdd($.n, 1)",
      "States.ArrayLength($.list)",
      "States.ArrayContains($.list, 1)",
    ),
  ],
  [
    2,
    among(
      "States.StringToJson($.a)",
      "States.ArrayGetItem($.list, 0)",
      "States.ArrayPartition($.list, 2)",
      "States.ArrayRange(1, $.n, 1)",
      "States.ArrayUnique($.list)",
      "States.StringSplit($.a, ', ')",
      "States.JsonMerge($.a, $.b, false)",
      "States.Base64Encode($.a)",
      "States.Base64Decode(States.Base64Encode('x'))",
      "States.UUID()",
    ),
  ],
);

const dynamic = weighted<string>([3, path], [1, intrinsic]);

const template: Arbitrary<JsonObject> = fc
  .record({
    "a.$": perhaps(50, dynamic),
    "n.$": perhaps(30, dynamic),
    b: perhaps(40, among<Json>(1, "x", { "c.$": "$.a" }, [{ "d.$": "$.n" }], null, "$.a")),
    list: perhaps(30, among<Json>([1, 2], [], [{ a: 1 }, { a: 2 }])),
  })
  .map(plain);

const input = perhaps(12, weighted<string | null>([4, among("$.a", "$.list", "$.b")], [1, fc.constant(null)]));

const output = perhaps(8, weighted<string | null>([4, among("$.a", "$", "$.b")], [1, fc.constant(null)]));

const resultPath = perhaps(50, weighted<string | null>([5, reference], [1, fc.constant(null)], [1, fc.constant("$")]));

const errors = weighted<readonly string[]>(
  [4, among(["Busy"], ["Odd"], ["Busy", "Odd"])],
  [2, among(["States.TaskFailed"], ["States.Timeout"], ["States.ResultPathMatchFailure"])],
);

const retrier = fc
  .record({
    ErrorEquals: errors,
    IntervalSeconds: perhaps(50, among(1, 3)),
    MaxAttempts: perhaps(60, among(0, 1, 2)),
    BackoffRate: perhaps(40, among(1, 2, 3)),
    MaxDelaySeconds: perhaps(20, among(4, 5)),
    JitterStrategy: perhaps(15, among("FULL", "NONE")),
  })
  .map(plain);

const catcher = fc.record({ ErrorEquals: errors, ResultPath: resultPath, to: fc.nat() });

const any: readonly string[] = ["States.ALL"];

/** Retriers and catchers of a state. */
const recovery = fc
  .record({
    retriers: perhaps(30, fc.array(retrier, { minLength: 1, maxLength: 2 })),
    retriesAll: perhaps(10, fc.constant({ ErrorEquals: any, MaxAttempts: 1 })),
    catchers: perhaps(35, fc.array(catcher, { minLength: 1, maxLength: 2 })),
    catchesAll: perhaps(20, fc.record({ ErrorEquals: fc.constant(any), ResultPath: resultPath, to: fc.nat() })),
  })
  .map(({ retriers = [], retriesAll, catchers = [], catchesAll }) => (later: readonly string[]): JsonObject => {
    const retries = [...retriers, ...(retriesAll ? [retriesAll] : [])];
    const caught = [...catchers, ...(catchesAll ? [catchesAll] : [])];
    const handlers = caught.map(({ to, ...rest }) => plain({ ...rest, Next: later[to % later.length] }));
    return {
      ...(retries.length > 0 ? { Retry: retries } : {}),
      ...(later.length > 0 && handlers.length > 0 ? { Catch: handlers } : {}),
    };
  });

const comparison: Arbitrary<JsonObject> = weighted<JsonObject>(
  [
    3,
    among<JsonObject>({ NumericGreaterThan: 0 }, { StringEquals: "x" }, { BooleanEquals: true }, { IsPresent: true }),
  ],
  [2, among<JsonObject>({ IsNull: true }, { IsNumeric: true }, { IsString: false }, { StringMatches: "x*" })],
  [
    1,
    among<JsonObject>(
      { NumericEqualsPath: "$.n" },
      { TimestampLessThan: "2026-06-01T00:00:00Z" },
      { IsTimestamp: true },
    ),
  ],
).chain((each) => among("$.a", "$.b", "$.n", "$.list[0]").map((Variable) => ({ Variable, ...each })));

/** A test that fails less often: the value is present. */
const test = weighted<JsonObject>(
  [3, comparison.map((each) => ({ And: [{ Variable: each["Variable"]!, IsPresent: true }, each] }))],
  [1, comparison],
  [1, comparison.map((each) => ({ Not: each }))],
);

const flow = fc.record({ InputPath: input, OutputPath: output });

const state = (depth: number): Arbitrary<StateSpec> => {
  const inner = fc.array(depth === 0 ? fc.constant(plainPass) : state(depth - 1), { minLength: 1, maxLength: 2 });
  const result = fc.record({
    Parameters: perhaps(40, template),
    ResultSelector: perhaps(20, template),
    ResultPath: resultPath,
  });
  const kinds: readonly (readonly [number, Arbitrary<StateSpec>])[] = [
    [
      6,
      fc.tuple(flow, result, recovery, perhaps(10, among(5, 60))).map(([paths, fields, recovers, limit]): StateSpec => {
        const common = plain({ Resource: lambda, ...paths, ...fields, TimeoutSeconds: limit });
        return { type: "Task", make: (_, later) => ({ ...common, ...recovers(later) }) };
      }),
    ],
    [
      4,
      fc
        .tuple(flow, perhaps(50, template), perhaps(25, valueOver(["a", "b"], 1)), resultPath)
        .map(([paths, Parameters, Result, ResultPath]): StateSpec => {
          const given = Result === undefined ? { Parameters } : { Result };
          return { type: "Pass", make: () => plain({ ...paths, ...given, ResultPath }) };
        }),
    ],
    [
      3,
      fc.tuple(flow, fc.array(fc.tuple(test, fc.nat()), { minLength: 1, maxLength: 2 })).map(
        ([paths, rules]): StateSpec => ({
          type: "Choice",
          make: (_, later) =>
            plain({
              ...paths,
              Choices: rules.map(([each, to]) => ({ ...each, Next: later[to % later.length]! })),
              Default: later[0]!,
            }),
        }),
      ),
    ],
    [
      1,
      among<JsonObject>({ Seconds: 2 }, { SecondsPath: "$.n" }).map((fields) => ({ type: "Wait", make: () => fields })),
    ],
    [1, flow.map((paths) => ({ type: "Succeed", make: () => plain({ ...paths }) }))],
    [
      1,
      among<JsonObject>({ Error: "Busy", Cause: "no" }, { ErrorPath: "$.a" }).map((fields) => ({
        type: "Fail",
        make: () => fields,
      })),
    ],
    [
      depth === 0 ? 0 : 2,
      fc.tuple(flow, result, recovery, fc.array(inner, { minLength: 1, maxLength: 2 })).map(
        ([paths, fields, recovers, branches]): StateSpec => ({
          type: "Parallel",
          make: (namer, later) => ({
            ...plain({ ...paths, ...fields }),
            Branches: branches.map((specs) => scopeOf(specs, namer)),
            ...recovers(later),
          }),
        }),
      ),
    ],
    [
      depth === 0 ? 0 : 2,
      fc
        .record({
          fields: fc.record({
            InputPath: input,
            ResultPath: resultPath,
            ItemsPath: perhaps(70, among("$.list", "$.a")),
          }),
          selector: perhaps(
            40,
            among<JsonObject>({ "a.$": "$$.Map.Item.Value", "n.$": "$$.Map.Item.Index" }, { "a.$": "$.n" }),
          ),
          width: perhaps(
            40,
            among<JsonObject>({ MaxConcurrency: 1 }, { MaxConcurrency: 2 }, { MaxConcurrencyPath: "$.n" }),
          ),
          recovers: recovery,
          specs: inner,
          isDistributed: weighted([5, fc.constant(false)], [1, fc.constant(true)]),
        })
        .map(
          ({ fields, selector, width = {}, recovers, specs, isDistributed }): StateSpec => ({
            type: "Map",
            make: (namer, later) => ({
              ...plain({ ...fields, ItemSelector: selector, ...width }),
              ItemProcessor: {
                ...(isDistributed ? { ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" } } : {}),
                ...(isDistributed ? withoutContext(scopeOf(specs, namer)) : scopeOf(specs, namer)),
              },
              ...recovers(later),
            }),
          }),
        ),
    ],
  ];
  return weighted<StateSpec>(...kinds);
};

/** A scope that reads nothing of the execution, which is another one in a distributed Map. */
const withoutContext = (scope: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(scope).replaceAll(/\$\$\.Execution\.[A-Za-z.]+/g, "$.a")) as JsonObject;

const lambda = "arn:aws:lambda:eu-west-1:123456789012:function:f";

const response: Arbitrary<JsonObject> = weighted<JsonObject>(
  [6, valueOver(["a", "b", "n", "list"], 2).map((returns) => ({ returns }))],
  [1, objectOver(["a"], 1).map((returns) => ({ returns, takes: "PT7S" }))],
  [2, among("Busy", "Odd", "Error").map((name) => ({ throws: { name, message: "no" } }))],
);

const scenario = fc.record({
  input: objectOver(["a", "b", "n", "list"], 2),
  answers: fc.array(fc.array(response, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
});
