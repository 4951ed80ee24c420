import fc, { type Arbitrary } from "fast-check";
import { type Json, type JsonObject, setOwn } from "../../../src/json.ts";
import { conditionData } from "../../expressions/condition/random.ts";
import { among, type ProgramPart, perhaps, weighted } from "../arbitraries.ts";
import { objectOver, valueOver } from "../values.ts";
import { convertObject, type InputObjectType } from "./input-types.ts";
import type { ProgramNames } from "./names.ts";
import { duration, errorName, eventNames, functionNames, keys } from "./parts.ts";
import type { ProgramShape } from "./states.ts";

/** The context of a scenario. */
export interface ScenarioContext {
  readonly names: ProgramNames;
  /** The type of the runs' input; undefined: any object. */
  readonly input: InputObjectType | undefined;
}

/** A part that depends on the names only. */
export type NamedPart<Result extends Json | undefined = Json | undefined> = ProgramPart<ProgramNames, Result>;

/** A scenario, mostly with a single run. */
export const scenario = ({ isPortable }: ProgramShape): Arbitrary<ProgramPart<ScenarioContext, JsonObject>> =>
  fc
    .record({
      input: input(isPortable),
      runs: weighted<readonly { readonly input: JsonObject | undefined; readonly at: string }[]>(
        [5, fc.constant([])],
        [1, fc.array(fc.record({ input: input(isPortable), at: instant }), { minLength: 1, maxLength: 2 })],
      ),
      functions: fc.array(responses, { minLength: functionNames.length + 1, maxLength: functionNames.length + 1 }),
      events: fc.array(arrival, { maxLength: isPortable ? 0 : 7, size: "max" }),
    })
    .map(({ input: first, runs, functions, events }) => ({ names, input: type }) => {
      const inputOf = (value: JsonObject | undefined): JsonObject =>
        value === undefined ? {} : { input: names.inside(type ? convertObject(value, type) : value) };
      return {
        ...inputOf(first),
        functions: Object.fromEntries([
          ...functionNames.map((name, i) => [names.of("function", name), functions[i]!(names)] as const),
          [names.of("workflow", "elsewhere"), functions.at(-1)!(names)] as const,
        ]) as JsonObject,
        ...(events.length === 0 ? {} : { events: events.map((event) => event(names)!) }),
        ...(runs.length === 0
          ? {}
          : { runs: runs.map(({ input: own, at }, i) => ({ id: `run ${i + 2}`, ...inputOf(own), at })) }),
      };
    });

/** The input of a run; undefined: events start it, if possible. */
const input = (isPortable: boolean): Arbitrary<JsonObject | undefined> =>
  perhaps(
    isPortable ? 100 : 88,
    weighted<JsonObject>(
      [5, objectOver(keys, 3)],
      [1, fc.tuple(objectOver(keys, 2), conditionData).map(([data, more]) => ({ ...data, ...(more as JsonObject) }))],
    ),
  );

const instant = among("PT0S", "PT1S", "PT1S", "PT2S", "PT2.5S", "PT3S", "PT5S", "PT10S", "PT30S");

const takes = weighted<string | undefined>(
  [6, fc.constant(undefined)],
  [3, duration(true)],
  [1, among("PT1.25S", "PT0.001S")],
);

const response: Arbitrary<NamedPart<JsonObject>> = fc
  .tuple(
    weighted<NamedPart<JsonObject>>(
      [6, valueOver(keys, 2).map((value) => (names) => ({ returns: names.inside(value) }))],
      // The member that correlates the events which a run waits for later.
      [
        1,
        among<Json>("7", "8", 7, "").map((customer) => (names) => ({
          returns: { [names.of("token", "customer")]: customer },
        })),
      ],
      [
        2,
        fc
          .tuple(
            errorName,
            among("no", "", "at all", "100%", '{"errorMessage":"nested"}'),
            perhaps(15, fc.constant({ trace: ["here"], code: 5 })),
          )
          .map(([name, message, more]) => (names) => ({
            throws: { name: names.of("error", name), message: names.of("message", message), ...more },
          })),
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

/** One response for all calls, or several that end in a result, so that loops terminate. */
const responses: Arbitrary<NamedPart<Json>> = weighted<NamedPart<Json>>(
  [3, response],
  [
    5,
    fc.tuple(fc.array(response, { minLength: 1, maxLength: 4 }), fc.boolean()).map(([some, isObject]) => (names) => [
      ...some.map((each) => each(names)),
      { returns: names.inside(isObject ? { done: true, a: 1 } : { a: "x" }) },
    ]),
  ],
);

const arrival: Arbitrary<NamedPart> = fc
  .record({
    at: instant,
    which: fc.nat(eventNames.length - 1),
    attributes: fc.record({
      customer: perhaps(65, among<Json>("7", "7", "8", "run", null, "")),
      a: perhaps(40, among<Json>("7", "1", "run")),
    }),
    // Two events with one id and source are one event. Producers do not reuse ids for other types: a store sees only
    // events of the types that its workflow receives.
    id: perhaps(10, among("twice", "thrice")),
    isElsewhere: weighted([9, fc.constant(false)], [1, fc.constant(true)]),
    data: perhaps(85, valueOver(keys, 2)),
  })
  .map(({ at, which, attributes, id, isElsewhere, data }) => (names) => ({
    at,
    event: {
      ...(id === undefined ? {} : { id: `${id}-${eventNames[which]}` }),
      type: names.of("type", eventNames[which]!.toLowerCase()),
      source: isElsewhere ? "/elsewhere" : names.of("source", "/here"),
      ...attributesNamed(attributes, names),
      ...(data === undefined ? {} : { data: names.inside(data) }),
    },
  }));

function attributesNamed(attributes: { readonly [name: string]: Json | undefined }, names: ProgramNames): JsonObject {
  const named: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) setOwn(named, names.of("token", name), value);
  return named;
}
