import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { hostileNames } from "../hostile.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random workflows with scenarios. Steps lead only to later ones, so only while steps loop. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      scope: scope(2),
      names: weighted<readonly string[]>([3, fc.constant([])], [1, fc.array(among(...hostileNames), { maxLength: 6 })]),
      defaultRetryPolicy: perhaps(15, retryPolicy),
      unknown: perhaps(4, fc.tuple(fc.nat(), among<Json>(null, {}, { next: "x" }, "x", []))),
      initialState: among("auto", "input", "wrapped"),
      resultMode: among("state", "last-output"),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ scope, names, defaultRetryPolicy, unknown, initialState, resultMode, scenarios }) => {
      const context: DefinitionContext = { names, ids: new Set(), called: [] };
      const written = scope(context);
      const definition = {
        yawl: "0.1",
        ...(defaultRetryPolicy ? { defaultRetryPolicy } : {}),
        ...(unknown ? withUnknownMember(written, unknown) : written),
      };
      return {
        language: "yawl",
        definitions: [definition],
        options: { initialState, resultMode },
        scenarios: scenarios.map((make) => make(context.called)),
      };
    });

/** Puts an unknown member in front of the kind of one step, which is an error at that member only. */
const withUnknownMember = (scope: JsonObject, [which, value]: readonly [number, Json]): JsonObject => {
  const steps = Object.entries(scope["steps"] as { readonly [id: string]: JsonObject });
  const marked = steps.map(([id, step], i) => [id, i === which % steps.length ? { oops: value, ...step } : step]);
  return { ...scope, steps: Object.fromEntries(marked) as JsonObject };
};

/** The names and steps of a definition so far. Ids are unique because functions are addressed by them. */
interface DefinitionContext {
  readonly names: readonly string[];
  readonly ids: Set<string>;
  /** The ids of steps that call something. */
  readonly called: string[];
}

function idFor({ names, ids }: DefinitionContext, kind: string): string {
  const wanted = names[ids.size] ?? `${kind}${ids.size}`;
  const id = ids.has(wanted) ? `${wanted} ${ids.size}` : wanted;
  ids.add(id);
  return id;
}

type ScopeFactory = (context: DefinitionContext) => JsonObject;

/** Builds a step. `next` returns a later step, or undefined to end the scope. */
interface StepFactory {
  readonly kind: string;
  write(context: DefinitionContext, id: string, next: (which: number) => string | undefined): JsonObject;
}

/** A scope whose steps lead only to later ones. */
const scope = (depth: number): Arbitrary<ScopeFactory> =>
  fc
    .array(fc.tuple(step(depth), fc.nat(5)), { minLength: 1, maxLength: depth > 1 ? 5 : 3 })
    .map((factories) => (context) => {
      const ids = factories.map(([{ kind }]) => idFor(context, kind));
      const steps = factories.map(([{ kind, write }, skip], i) => {
        const later = ids.slice(i + 1);
        const at = (which: number): string | undefined => later[which % (later.length + 1)];
        const written = write(context, ids[i]!, at);
        const onward = skip < 4 ? later[0] : later[1];
        return [
          ids[i]!,
          { [kind]: kindsWithoutNext.has(kind) || onward === undefined ? written : { ...written, next: onward } },
        ];
      });
      return { start: ids[0]!, steps: Object.fromEntries(steps) as JsonObject };
    });

/** Kinds without a `next` of their own. */
const kindsWithoutNext: ReadonlySet<string> = new Set(["switch", "success", "fail"]);

const step = (depth: number): Arbitrary<StepFactory> =>
  depth === 0
    ? plainStep
    : weighted<StepFactory>([5, plainStep], [1, parallel(depth)], [1, foreach(depth)], [1, whileStep(depth)]);

const interpolation = (jq: string): string => `\\(${jq})`;

/** jq that mostly returns an object. */
const object: Arbitrary<string> = weighted<string>(
  [
    8,
    among(
      "{}",
      "{a: .a, b: 1}",
      "{n: (.n // 0)}",
      "{list: [.a, .b], a: .n}",
      ". + {b: $global.a}",
      "{c: (.list // [] | length)}",
      "{a: (.a | tostring), n: 2}",
      '{x: "<\\(.a)>"}',
      "{a: (try .a.b catch null)}",
      "if .a then {a: 1} else {b: 2} end",
    ),
  ],
  [1, among(".a", "[1]", "null", ".a.b.c", 'error("no")', "{a: (.n + 1)}", "empty", "(.a, .b)")],
  [1, among("{a: nan}", "{n: (.n * 1e308)}", "{n: 1e1000, b: (1e308 * 10)}", "{a: [infinite, -infinite]}", "nan")],
);

const output: Arbitrary<string> = weighted<string>(
  [6, object.map(interpolation)],
  [1, among('{"a": \\(.n | tojson), "b": [\\(.a | tojson)]}', '{"fixed": true}', '{"a": \\(.a)}')],
);

const text: Arbitrary<string> = weighted<string>(
  [3, among("plain", "\\(.a)", "a \\(.n) b\\(.b)", "\\({a: .a})", "Hi \\!")],
  [1, among("", "\\(.a.b)", "\\(.list | length)", '\\("nested \\(.n)")', "100% \u2028")],
);

const condition: Arbitrary<string> = weighted<string>(
  [
    6,
    among(".a == 1", ".n > 1", ".a != null", "true", "false", '.a == "x"', "\\(.b == 1)", "(.list // [] | length) > 1"),
  ],
  [1, among(".a", '"true"', ".a.b", "null", "error", "$global.n == 1")],
  [1, among(".a == null", ".n - .n == 0", ".n * 1e308 > 1e308", "nan < nan", ".b == infinite")],
);

const codes = [
  "HTTP_CALL_503",
  "STEP_TIMEOUT",
  "STEP_INVALID_OUTPUT",
  "STEP_INVALID_TEMPLATE_EXPRESSION",
  "STEP_INVALID_ARGUMENT",
  "STEP_INTERNAL",
];
const errorList: Arbitrary<readonly string[]> = weighted<readonly string[]>(
  [2, fc.constant(["ALL"])],
  [3, fc.uniqueArray(among(...codes), { minLength: 1, maxLength: 3 })],
);
const errors = fc.record({ errorList, errorListMode: perhaps(20, fc.constant("EXCLUDE")) }).map(plain);

/** Drops undefined members. */
function plain(object: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const retryPolicy: Arbitrary<JsonObject> = fc
  .tuple(
    errors,
    fc.record({
      retryCount: among(1, 2, 3),
      initialDelay: perhaps(50, among("2s", "1s", "10s")),
      backoffRate: perhaps(40, among(1, 2, 3)),
      maxDelay: perhaps(30, among("5s", "3600s")),
    }),
  )
  .map(([matched, rest]) => plain({ ...matched, ...rest }));

/** The members shared by steps that call something. */
const work = (own: Arbitrary<JsonObject>, kind: string): Arbitrary<StepFactory> =>
  fc
    .record({
      own,
      input: perhaps(40, output),
      output: perhaps(60, output),
      timeout: perhaps(25, among("5s", "60s")),
      retryPolicy: perhaps(30, retryPolicy),
      rules: fc.array(fc.tuple(errors, output, fc.nat()), { maxLength: 2 }),
    })
    .map(({ own, rules, ...rest }) => ({
      kind,
      write(context, id, next) {
        context.called.push(id);
        const caught = rules.flatMap(([matched, output, which]) => {
          const to = next(which);
          return to === undefined ? [] : [{ ...matched, output, next: to }];
        });
        return plain({ ...own, ...rest, ...(caught.length > 0 ? { catch: caught } : {}) });
      },
    }));

const functionCall = work(fc.constant({ functionId: "d4e" }), "functionCall");
const httpCall = work(
  fc
    .record({
      url: text.map((path) => `https://a.example/${path}`),
      body: perhaps(40, text),
      headers: perhaps(
        20,
        text.map((value) => ({ "x-a": value })),
      ),
    })
    .map(plain),
  "httpCall",
);

/** Steps with fields that are sent as they are written, and nested ones. */
const otherCall = work(
  weighted<JsonObject>(
    [2, text.map((object) => ({ bucket: "b\\(.a)", object, get: { contentType: "JSON" } }))],
    [1, text.map((content) => ({ bucket: "b", object: "o", put: { content, contentType: "TEXT" } }))],
  ),
  "objectStorage",
);

const noOp: Arbitrary<StepFactory> = perhaps(80, output).map((output) => ({
  kind: "noOp",
  write: () => plain({ output }),
}));

const switchStep: Arbitrary<StepFactory> = fc
  .record({
    input: perhaps(15, output),
    choices: fc.array(fc.tuple(condition, fc.nat()), { minLength: 1, maxLength: 3 }),
    other: perhaps(80, fc.nat()),
  })
  .map(({ input, choices, other }) => ({
    kind: "switch",
    write(_, id, next) {
      const cases = choices.flatMap(([condition, which]) => {
        const to = next(which);
        return to === undefined ? [] : [{ condition, next: to }];
      });
      const otherwise = other === undefined ? undefined : next(other);
      return plain({
        input,
        choices: cases.length > 0 ? cases : [{ condition: "false", next: id }],
        ...(otherwise === undefined ? {} : { default: { next: otherwise } }),
      });
    },
  }));

const wait: Arbitrary<StepFactory> = weighted<JsonObject>(
  [3, among({ duration: "5" }, { duration: "10s" }, { duration: "0" })],
  [
    1,
    among(
      { duration: "\\(.n)" },
      { duration: "\\(.n / 2)" },
      { duration: "\\(.list | length)" },
      { duration: "\\(.n | tonumber? // 1 | floor)s" },
    ),
  ],
  [1, among({ until: "2026-01-01T00:00:30Z" }, { until: "\\(.at)" })],
).map((written) => ({ kind: "wait", write: () => written }));

const plainStep: Arbitrary<StepFactory> = weighted<StepFactory>(
  [5, functionCall],
  [2, httpCall],
  [1, otherCall],
  [3, noOp],
  [2, switchStep],
  [1, wait],
  [1, among<StepFactory>({ kind: "success", write: () => ({}) })],
  [1, text.map((errorMessage): StepFactory => ({ kind: "fail", write: () => ({ errorMessage }) }))],
);

const parallel = (depth: number): Arbitrary<StepFactory> =>
  fc
    .record({
      input: perhaps(25, output),
      output: perhaps(40, output),
      branches: fc.array(scope(depth - 1), { minLength: 1, maxLength: 3 }),
      concurrency: perhaps(15, among(1, 2)),
    })
    .map(({ branches, ...rest }) => ({
      kind: "parallel",
      write: (context) =>
        plain({
          ...rest,
          branches: Object.fromEntries(branches.map((branch, i) => [["left", "right", "3"][i]!, branch(context)])),
        }),
    }));

const foreach = (depth: number): Arbitrary<StepFactory> =>
  fc
    .record({
      input: among("\\([{a: .a}, {a: 2, n: .n}])", "\\([.list[]? | {a: .}])", "\\([])", "\\(.list)", '[{"a": 1}]'),
      output: weighted<string>([5, among("\\({all: .})", "\\({n: length})")], [1, output]),
      concurrency: perhaps(40, among(2, 5)),
      body: scope(depth - 1),
    })
    .map(({ body, ...rest }) => ({ kind: "foreach", write: (context) => plain({ ...rest, do: body(context) }) }));

/** A loop whose body starts with a call, so that each iteration does some work. */
const whileStep = (depth: number): Arbitrary<StepFactory> =>
  fc
    .record({
      input: perhaps(
        30,
        weighted<string>([3, output], [2, among("\\({n: $counter, a: .a})", "\\(. + {n: $counter})")]),
      ),
      output: perhaps(40, output),
      max_iterations: weighted<number | string>([4, among(1, 2, 3)], [1, among("2", "\\(.n)", "\\(.list | length)")]),
      condition: perhaps(50, weighted<string>([2, condition], [1, among("$counter < 2", "\\($counter == 0)")])),
      first: functionCall,
      body: scope(depth - 1),
    })
    .map(({ first, body, ...rest }) => ({
      kind: "while",
      write(context) {
        const id = idFor(context, "first");
        const { start, steps } = body(context) as { readonly start: string; readonly steps: JsonObject };
        const begin = { functionCall: { ...first.write(context, id, () => undefined), next: start } };
        return plain({ ...rest, do: { start: id, steps: { [id]: begin, ...steps } } });
      },
    }));

const response: Arbitrary<JsonObject> = weighted<JsonObject>(
  [6, objectOver(["a", "b", "n", "list"], 2).map((returns) => ({ returns }))],
  [1, valueOver(["a"], 1).map((returns) => ({ returns }))],
  [1, objectOver(["a"], 1).map((returns) => ({ returns, takes: "PT7S" }))],
  [
    2,
    among("HTTP_CALL_503", "STEP_TIMEOUT", "STEP_INTERNAL", "Odd", "Error").map((name) => ({
      throws: { name, message: "no" },
    })),
  ],
);

/** A scenario with responses for the steps that call something. */
const scenario: Arbitrary<(called: readonly string[]) => JsonObject> = fc
  .record({
    input: objectOver(["a", "b", "n", "list", "input"], 2),
    answers: fc.array(fc.array(response, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ input, answers }) => (called) => ({
    input,
    functions: Object.fromEntries(called.map((id, i) => [id, answers[i % answers.length]!])),
  }));
