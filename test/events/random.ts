import fc from "fast-check";
import type { JsonObject } from "../../src/json.ts";
import type { EventProgram, ProgramAlternative, ProgramEvent, ProgramPattern, ProgramStart } from "./program.ts";

// Random programs for the broker, with everything that rules can express, and random commands for them.

const definitionNames = ["x", "y", "z"] as const;

/** A condition on the number in the data; it throws for an event without data. */
const isEnough = ({ data }: JsonObject, { least }: JsonObject): boolean =>
  ((data as JsonObject)["number"] as number) >= (least as number);

const definition = (name: string): fc.Arbitrary<ProgramEvent> =>
  fc
    .record({
      type: fc.constantFrom("a", "b", "a", "b", undefined),
      attribute: fc.constantFrom(undefined, "one", "one", "two"),
      scope: fc.constantFrom("run" as const, "run" as const, "wait" as const),
      key: fc.constantFrom("key", "key", "other"),
      isTwofold: fc.nat({ max: 5 }).map((n) => n === 0),
    })
    .map(({ isTwofold, attribute, ...rest }) => ({
      ...rest,
      name,
      attribute,
      further: isTwofold && attribute !== undefined ? { second: "two" } : undefined,
    }));

const pattern: fc.Arbitrary<ProgramPattern> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...definitionNames) },
  { weight: 1, arbitrary: fc.constantFrom(...definitionNames).map((event) => ({ event, when: isEnough })) },
);

const group = fc.array(pattern, { minLength: 1, maxLength: 2 });

const alternative: fc.Arbitrary<ProgramAlternative> = fc.record({
  all: fc.oneof(
    { weight: 2, arbitrary: fc.array(group, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(group, { minLength: 2, maxLength: 3 }) },
  ),
  none: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(pattern, { minLength: 1, maxLength: 1 }) },
  ),
  within: fc.constantFrom(undefined, undefined, 0, 2, 4),
});

const wait = fc.record({
  alternatives: fc.array(alternative, { minLength: 1, maxLength: 3 }),
  unused: fc.constantFrom("keep" as const, "keep" as const, "drop" as const),
});

const start = (workflow: string): fc.Arbitrary<ProgramStart> =>
  fc.record({
    workflow: fc.constant(workflow),
    on: fc.array(
      alternative.map(({ all }) => ({ all })),
      { minLength: 1, maxLength: 2 },
    ),
    complete: fc.boolean(),
    gap: fc.constantFrom(undefined, 1, 3),
    from: fc.constantFrom(undefined, undefined, undefined, 5_000),
    until: fc.constantFrom(undefined, undefined, undefined, 25_000),
  });

/** A program. */
export const program: fc.Arbitrary<EventProgram> = fc
  .record({
    events: fc.tuple(...definitionNames.map(definition)),
    waits: fc.record({ A: wait, B: wait, C: wait }),
    starts: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(start("first")) },
      { weight: 1, arbitrary: fc.tuple(start("first"), start("second")) },
    ),
  })
  .map((parts) => ({ name: "random", ...parts }));

/** A command whose numbers select among what there is when it is performed, modulo its count. */
export interface RandomCommand {
  readonly kind:
    | "arrive"
    | "begin"
    | "wait"
    | "repeat"
    | "retry"
    | "cancel"
    | "expire"
    | "confirm"
    | "leave"
    | "value"
    | "sweep"
    | "settle";
  readonly which: number;
  readonly step: "A" | "B" | "C" | "unknown";
  readonly type: "a" | "b" | "c";
  readonly one: JsonObject[string] | undefined;
  readonly two: JsonObject[string] | undefined;
  readonly number: number;
  readonly seconds: number;
  readonly flag: boolean;
  readonly other: boolean;
}

const weights: readonly [RandomCommand["kind"], number][] = [
  ["arrive", 10],
  ["begin", 3],
  ["wait", 9],
  ["repeat", 1],
  ["retry", 1],
  ["cancel", 2],
  ["expire", 2],
  ["confirm", 4],
  ["leave", 1],
  ["value", 1],
  ["sweep", 1],
  ["settle", 1],
];

const value = fc.constantFrom("1", "1", "2", 1, null, undefined, "1");

const command: fc.Arbitrary<RandomCommand> = fc.record({
  kind: fc.oneof(...weights.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
  which: fc.nat({ max: 30 }),
  step: fc.constantFrom("A", "B", "C", "A", "B", "C", "A", "B", "C", "unknown" as const),
  type: fc.constantFrom("a", "b", "a", "b", "a", "b", "c" as const),
  one: value,
  two: value,
  number: fc.nat({ max: 4 }),
  seconds: fc.constantFrom(0, 0, 1, 1, 2, 5),
  flag: fc.boolean(),
  other: fc.boolean(),
});

/** Commands for any program. */
export const commands: fc.Arbitrary<readonly RandomCommand[]> = fc.array(command, {
  minLength: 1,
  maxLength: 45,
  size: "max",
});
