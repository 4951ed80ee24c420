import fc, { type Arbitrary } from "fast-check";
import { type ConditionLanguage, conditionLanguages } from "../../../src/expressions/syntax/condition/languages.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { conditionOf } from "../../expressions/condition/random.ts";
import { among, independent, list, object, type ProgramPart, perhaps, weighted } from "../arbitraries.ts";
import { valueOver } from "../values.ts";
import { type ProgramNames, pathTo } from "./names.ts";

/** The position of a state in its program. */
export interface StatePosition {
  readonly names: ProgramNames;
  /** The states of its scope. Loops lead back only to states that wait. */
  readonly states: readonly { readonly name: string; readonly id: string | undefined; readonly waits: boolean }[];
  readonly index: number;
  /** The prefix of plain names in the scope. */
  readonly prefix: string;
  /** The plain names of workflows that may be started: later ones only, which excludes recursion. */
  readonly subflows: readonly string[];
}

/** The plain names of data members. */
export const keys: readonly string[] = ["a", "b", "c", "list", "customer", "done"];

const key = among(...keys);

/** A part that is a string. */
export type StringPart = ProgramPart<StatePosition, string>;

/** A path that can be assigned to. */
export const assignablePath: Arbitrary<StringPart> = fc.array(key, { minLength: 1, maxLength: 2 }).map(
  (made) =>
    ({ names }) =>
      pathTo(names, made),
);

/** An assignable path or `$`. */
export const definitePath: Arbitrary<StringPart> = weighted<StringPart>(
  [8, assignablePath],
  [1, fc.constant(() => "$")],
);

const tails = [
  "[*]",
  "[0]",
  "[-1]",
  "[0:2]",
  "[?(@.a)]",
  "[?(@.a == 1)]",
  "[?(@ != null)]",
  "..a",
  ".*",
  "[0].a",
] as const;

/** Any path. */
export const path: Arbitrary<StringPart> = weighted<StringPart>(
  [8, definitePath],
  [
    3,
    fc.tuple(assignablePath, among(...tails)).map(
      ([begin, tail]) =>
        (at) =>
          begin(at) + tail,
    ),
  ],
);

/** A state's data filters. */
export const stateFilters: Arbitrary<ProgramPart<StatePosition, JsonObject>> = object<StatePosition>({
  stateDataFilter: perhaps(
    25,
    object<StatePosition>({ dataInputPath: perhaps(35, path), dataOutputPath: perhaps(65, path) }),
  ),
});

const errorNames = ["Busy", "Fatal", "Timeout", "DataMergeError", "constructor", "No such: thing"] as const;

/** The names of errors that functions throw. */
export const errorName: Arbitrary<string> = among(...errorNames);

const operand: Arbitrary<StringPart> = weighted<StringPart>(
  [4, among("1", "true", "null", "0", "1.5", "-1").map((text) => () => text)],
  [
    2,
    among("x", "1", "").map(
      (text) =>
        ({ names }) =>
          quoted(names.of("text", text)),
    ),
  ],
  [1, assignablePath],
);

const onData: Arbitrary<StringPart> = weighted<StringPart>(
  [
    7,
    fc.tuple(assignablePath, among("==", "!=", "eq", "ne", "<", "le", "gt", ">="), operand).map(
      ([left, operator, right]) =>
        (at) =>
          `${left(at)} ${operator} ${right(at)}`,
    ),
  ],
  [1, assignablePath.map((text) => (at) => `empty(${text(at)})`)],
);

/** Quotes a string for use in a condition. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const onError: Arbitrary<StringPart> = weighted<StringPart>(
  [
    5,
    fc.tuple(errorName, among("eq", "eq", "ne", "!=")).map(
      ([name, operator]) =>
        ({ names }) =>
          `name ${operator} ${quoted(names.of("error", name))}`,
    ),
  ],
  [
    1,
    among<StringPart>(
      () => "$.error ne null",
      () => "$.error == null",
      ({ names }) => `message eq ${quoted(names.of("message", "no"))}`,
      ({ names }) => `$.error.name eq ${quoted(names.of("error", "Busy"))}`,
    ),
  ],
);

const combined = (one: Arbitrary<StringPart>): Arbitrary<ProgramPart<StatePosition>> => {
  const text = weighted<StringPart>(
    [8, one],
    [1, one.map((inner) => (at) => `not (${inner(at)})`)],
    [
      2,
      fc.tuple(one, among("and", "or"), one).map(
        ([left, word, right]) =>
          (at) =>
            `${left(at)} ${word} ${right(at)}`,
      ),
    ],
  );
  return weighted<ProgramPart<StatePosition>>(
    [3, text],
    [
      2,
      text.map(
        (body): ProgramPart<StatePosition> =>
          (at) => ({ language: "spel", body: body(at) }),
      ),
    ],
  );
};

/** A condition in the grammar of its language. The parser rejects a few for their types. */
const conditionIn = (language: ConditionLanguage): Arbitrary<ProgramPart<StatePosition>> =>
  conditionOf(language).map((body) => () => ({ language, body }));

/** A condition on the data, as a string or with its language. */
export const dataCondition: Arbitrary<ProgramPart<StatePosition>> = weighted<ProgramPart<StatePosition>>(
  [4, combined(onData)],
  ...conditionLanguages.map((language) => [1, conditionIn(language)] as const),
);

/** A condition on the data or on the error. */
export const errorCondition: Arbitrary<ProgramPart<StatePosition>> = combined(weighted([1, onError], [1, onData]));

/** A value over the program's data members. */
export const data = (depth: number): Arbitrary<ProgramPart<StatePosition>> =>
  valueOver(keys, depth).map(
    (value) =>
      ({ names }) =>
        names.inside(value),
  );

/** A function argument; its strings are paths. */
const template: Arbitrary<ProgramPart<StatePosition>> = weighted<ProgramPart<StatePosition>>(
  [6, path],
  [2, data(1)],
  [
    1,
    fc.tuple(path, path).map(
      ([first, second]): ProgramPart<StatePosition> =>
        (at) =>
          `x ${first(at)} y ${second(at)}`,
    ),
  ],
  [
    1,
    path.map(
      (text): ProgramPart<StatePosition> =>
        (at) =>
          `\\${text(at)}`,
    ),
  ],
);

/** An object of such values, possibly nested. */
export const templates: Arbitrary<ProgramPart<StatePosition, JsonObject>> = fc
  .array(
    fc.tuple(
      key,
      weighted<ProgramPart<StatePosition>>(
        [5, template],
        [
          1,
          template.map(
            (inner): ProgramPart<StatePosition> =>
              (at) => ({ deep: inner(at)! }),
          ),
        ],
        [1, list(template as Arbitrary<ProgramPart<StatePosition, Json>>, 0, 2)],
      ),
    ),
    { maxLength: 3 },
  )
  .map((made) => (at) => {
    const members = new Map(made.map(([name, part]) => [name, part(at)!]));
    return at.names.members(Object.fromEntries(members)) as JsonObject;
  });

/** Durations shared by calls, delays and events, so that several things happen at one instant. */
export const wholeSeconds = ["PT1S", "PT2S", "PT5S", "PT0S", "PT3S", "PT10S"] as const;

/** Fractions of a second and durations with several units. */
const oddTimes = ["PT0.5S", "PT1.5S", "PT0M2S", "P0DT1S", "PT1M"] as const;

/** A duration, in whole seconds if `isWhole`. */
export const duration = (isWhole: boolean): Arbitrary<string> =>
  isWhole
    ? among(...wholeSeconds.filter((time) => time !== "PT0S"))
    : weighted<string>([4, among(...wholeSeconds)], [1, among(...oddTimes)]);

/** A function call. */
export const action = (isWhole: boolean): Arbitrary<ProgramPart<StatePosition, JsonObject>> =>
  object<StatePosition>({
    name: perhaps(
      15,
      fc.nat(9).map(
        (n) =>
          ({ names }) =>
            names.of("action", `do${n}`),
      ),
    ),
    functionRef: object<StatePosition>({
      refName: fc.nat(5).map(
        (n) =>
          ({ names }) =>
            names.of("function", functionNames[n % functionNames.length]!),
      ),
      parameters: perhaps(55, templates),
    }),
    timeout: perhaps(22, independent(duration(isWhole))),
    actionDataFilter: perhaps(
      35,
      object<StatePosition>({
        dataInputPath: perhaps(30, path),
        dataResultsPath: perhaps(75, weighted([5, assignablePath], [1, path])),
      }),
    ),
  }) as Arbitrary<ProgramPart<StatePosition, JsonObject>>;

/** The plain names of all functions. */
export const functionNames: readonly string[] = ["f", "g", "h"];

/** The plain names of all events. */
export const eventNames: readonly string[] = ["Told", "Asked", "Paid"];

/** The name of an event. */
export const eventName: Arbitrary<StringPart> = among(...eventNames).map(
  (plain) =>
    ({ names }) =>
      names.of("event", plain),
);

/** An event that a transition or an end produces. */
export const producedEvent: Arbitrary<ProgramPart<StatePosition>> = object<StatePosition>({
  eventRef: eventName,
  data: perhaps(75, weighted<ProgramPart<StatePosition>>([3, path], [2, templates])),
});
