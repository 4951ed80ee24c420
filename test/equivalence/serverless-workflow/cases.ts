import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import type { Case } from "../case.ts";
import { among, type Part, perhaps, weighted } from "../draw.ts";
import { objectOver, valueOver } from "../values.ts";
import { type Names, namesWith, strangeNames } from "./names.ts";
import { duration, errorName, eventNames, functionNames, keys } from "./parts.ts";
import { type Kind, scope } from "./states.ts";

/** Random programs with what happens to a run of each: large ones and small ones, with and without events, with plain and with strange names. */
export const cases = (): Arbitrary<Case> =>
  weighted(
    [5, casesOf({ isPortable: true, most: 6, depth: 2, isNested: false })],
    [5, casesOf({ isPortable: false, most: 6, depth: 2, isNested: false })],
    [3, casesOf({ isPortable: true, most: 2, depth: 1, isNested: false })],
    [2, casesOf({ isPortable: false, most: 2, depth: 1, isNested: false })],
  );

/** A part of a scenario that is written when the names are known. */
type Told<Written extends Json | undefined = Json | undefined> = Part<Names, Written>;

function casesOf(kind: Kind): Arbitrary<Case> {
  const child = { ...kind, most: 2, depth: Math.max(0, kind.depth - 1) };
  return fc
    .record({
      strange: weighted([3, fc.constant([])], [2, strangeNames(5)]),
      main: scope(kind),
      children: fc.array(scope(child), { maxLength: 2 }),
      definitions: eventDefinitions,
      isDescribed: weighted([12, fc.constant(false)], [1, fc.constant(true)]),
      options: fc.record({
        timeout: among("proceed", "fail"),
        interpolate: weighted([3, fc.constant("false")], [1, fc.constant("true")]),
      }),
      scenarios: fc.array(scenario(kind), { minLength: 1, maxLength: 3 }),
    })
    .map(({ strange, main, children, definitions, isDescribed, options, scenarios }) => {
      const names = namesWith(strange);
      const head = (plain: string): JsonObject => ({
        ...(isDescribed ? described : {}),
        id: names.of("workflow", plain),
        name: names.of("title", plain),
        version: "1",
        functions: functionNames.map((name) => ({
          name: names.of("function", name),
          resource: names.of("resource", name),
        })),
        events: definitions(names)!,
      });
      const all = [main, ...children].map((states, i) => {
        const [plain, prefix] = i === 0 ? ["main", "S"] : [`child${i - 1}`, `C${i - 1}x`];
        const subflows = children.map((_, n) => `child${n}`).slice(i);
        return { ...head(plain!), states: states({ names, prefix: prefix!, subflows }) };
      });
      const started = definitionsFrom(all, names, children.length);
      return {
        language: "serverless-workflow",
        definitions: started,
        options,
        scenarios: scenarios.map((told) => told(names) as JsonObject),
      };
    });
}

/** What a definition says that has no meaning for what it does. */
const described: JsonObject = {
  description: "What it does.\n*/ // \u2028",
  schemaVersion: "0.1",
  expressionLanguage: "spel",
  dataInputSchema: "nowhere/input.json",
  dataOutputSchema: "nowhere/output.json",
  extensions: [{ extensionid: "x" }],
  metadata: { any: ["thing"] },
  "x-own": true,
};

/** The definitions that the first one may start. */
function definitionsFrom(all: readonly JsonObject[], names: Names, children: number): readonly JsonObject[] {
  const text = JSON.stringify(all);
  const isStarted = (i: number) => text.includes(`"workflowId":${JSON.stringify(names.of("workflow", `child${i}`))}`);
  const count = Array.from({ length: children }, (_, i) => i).filter(isStarted);
  return all.filter((_, i) => i === 0 || count.includes(i - 1));
}

const eventDefinitions: Arbitrary<Told> = fc
  .array(
    fc.record({ token: perhaps(35, among("customer", "customer", "a")), source: perhaps(85, fc.constant(true)) }),
    {
      minLength: eventNames.length,
      maxLength: eventNames.length,
    },
  )
  .map(
    (tokens) => (names) =>
      tokens.map(({ token, source }, i) => ({
        name: names.of("event", eventNames[i]!),
        type: names.of("type", eventNames[i]!.toLowerCase()),
        ...(source === undefined ? {} : { source: names.of("source", "/here") }),
        ...(token === undefined ? {} : { correlationToken: token }),
      })),
  );

/** What happens to a run. */
function scenario(kind: Kind): Arbitrary<Told> {
  const { isPortable } = kind;
  return fc
    .record({
      input: perhaps(isPortable ? 100 : 88, objectOver(keys, 3)),
      functions: fc.array(answers, { minLength: functionNames.length + 1, maxLength: functionNames.length + 1 }),
      events: fc.array(arrival, { maxLength: isPortable ? 0 : 7, size: "max" }),
    })
    .map(({ input, functions, events }) => (names) => ({
      ...(input === undefined ? {} : { input: names.inside(input) }),
      functions: Object.fromEntries([
        ...functionNames.map((name, i) => [names.of("function", name), functions[i]!(names)] as const),
        [names.of("workflow", "elsewhere"), functions.at(-1)!(names)] as const,
      ]) as JsonObject,
      ...(events.length === 0 ? {} : { events: events.map((event) => event(names)!) }),
    }));
}

const takes = weighted<string | undefined>(
  [6, fc.constant(undefined)],
  [3, duration(true)],
  [1, among("PT1.25S", "PT0.001S")],
);

const answer: Arbitrary<Told<JsonObject>> = fc
  .tuple(
    weighted<Told<JsonObject>>(
      [6, valueOver(keys, 2).map((value) => (names) => ({ returns: names.inside(value) }))],
      [
        3,
        fc
          .tuple(
            errorName,
            among("no", "", "at all", "100%", '{"errorMessage":"nested"}'),
            perhaps(15, fc.constant({ trace: ["here"], code: 5 })),
          )
          .map(([name, message, more]) => () => ({ throws: { name, message, ...more } })),
      ],
      [
        1,
        among(
          "{ n: (. | length) }",
          ".",
          "{ done: (. != {}) }",
          'if . == {} then error({ name: "Busy", message: "no" }) else { b: 1 } end',
        ).map((computes) => () => ({ computes })),
      ],
    ),
    takes,
  )
  .map(([does, time]) => (names) => ({ ...does(names), ...(time === undefined ? {} : { takes: time }) }));

/** One answer for all calls, or some after one another of which the last is always a result, so that loops come to an end. */
const answers: Arbitrary<Told<Json>> = weighted<Told<Json>>(
  [3, answer],
  [
    5,
    fc.tuple(fc.array(answer, { minLength: 1, maxLength: 4 }), fc.boolean()).map(([some, isObject]) => (names) => [
      ...some.map((each) => each(names)),
      { returns: names.inside(isObject ? { done: true, a: 1 } : { a: "x" }) },
    ]),
  ],
);

const arrival: Arbitrary<Told> = fc
  .record({
    at: among("PT0S", "PT1S", "PT1S", "PT2S", "PT2.5S", "PT3S", "PT5S", "PT10S", "PT30S"),
    which: fc.nat(eventNames.length - 1),
    attributes: fc.record({
      customer: perhaps(65, among<Json>("7", "7", "8", null, "")),
      a: perhaps(40, among<Json>("7", "1")),
    }),
    isElsewhere: weighted([9, fc.constant(false)], [1, fc.constant(true)]),
    data: perhaps(85, valueOver(keys, 2)),
  })
  .map(({ at, which, attributes, isElsewhere, data }) => (names) => ({
    at,
    event: {
      type: names.of("type", eventNames[which]!.toLowerCase()),
      source: isElsewhere ? "/elsewhere" : names.of("source", "/here"),
      ...Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)),
      ...(data === undefined ? {} : { data: names.inside(data) }),
    },
  }));
