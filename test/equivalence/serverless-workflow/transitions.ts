import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, independent, list, object, type ProgramPart, perhaps, weighted } from "../arbitraries.ts";
import {
  assignablePath,
  dataCondition,
  duration,
  errorCondition,
  errorName,
  path,
  producedEvent,
  quoted,
  type StatePosition,
} from "./parts.ts";
import type { MembersPart, ProgramShape } from "./states.ts";

/** Optional retries, including ones on results, since their conditions see the data. */
export const retries = ({ isPortable }: ProgramShape): MembersPart =>
  object<StatePosition>({
    retry: perhaps(
      32,
      list(
        object<StatePosition>({
          expression: errorCondition,
          interval: perhaps(
            65,
            independent(weighted<string>([4, duration(isPortable)], [1, among("R2/PT1S", "R0/PT3S", "R1/PT0S")])),
          ),
          multiplier: perhaps(
            30,
            independent<StatePosition, Json>(among<Json>("PT1S", "PT0S", "2", 2, isPortable ? "PT3S" : "PT0.5S")),
          ),
          maxAttempts: perhaps(75, independent(fc.nat(3))),
        }),
        1,
        2,
      ),
    ),
  });

/** Optional error handlers, omitted from the last state. */
export const handlers = (): MembersPart =>
  object<StatePosition>({
    onError: perhaps(
      30,
      fc
        .array(
          object<StatePosition>({
            expression: weighted(
              [3, errorCondition],
              [
                1,
                errorName.map(
                  (name): ProgramPart<StatePosition> =>
                    ({ names }) =>
                      `name ne ${quoted(`${names.of("error", name)}-`)}`,
                ),
              ],
            ),
            errorDataFilter: perhaps(
              30,
              object<StatePosition>({ dataOutputPath: weighted([3, assignablePath], [1, path]) }),
            ),
            transition: transition(8),
          }),
          { minLength: 1, maxLength: 2 },
        )
        .map(
          (made): ProgramPart<StatePosition> =>
            (at) =>
              hasLaterState(at) ? made.map((part) => part(at)) : undefined,
        ),
    ),
  });

export const hasLaterState = ({ states, index }: StatePosition): boolean => index < states.length - 1;

/** Mostly the next state, or a later one, or, with weight `back`, an earlier one that waits. */
const target = (back: number) =>
  fc
    .tuple(weighted([60, fc.constant("next")], [40, fc.constant("later")], [back, fc.constant("back")]), fc.nat(9))
    .map(([where, n]) => ({ states, index }: StatePosition): string => {
      const before = states.slice(0, index + 1).filter(({ waits }) => waits);
      const after = states.slice(index + 1);
      const isBack = (where === "back" || after.length === 0) && before.length > 0;
      const { name, id } = isBack
        ? before[n % before.length]!
        : where === "next"
          ? after[0]!
          : after[n % after.length]!;
      return n % 2 === 0 ? name : (id ?? name);
    });

/** A transition, `guards` percent of them with a condition. `back` is the weight of earlier states. */
export function transition(guards: number, back = 20): Arbitrary<ProgramPart<StatePosition, JsonObject>> {
  return object<StatePosition>({
    nextState: target(back),
    expression: perhaps(guards, dataCondition),
    produceEvent: perhaps(14, producedEvent),
  }) as Arbitrary<ProgramPart<StatePosition, JsonObject>>;
}

/** A transition to a later state, otherwise the end. */
export const exit = ({ isPortable, isNested }: ProgramShape): MembersPart =>
  fc
    .tuple(
      transition(4, 1),
      weighted<ProgramPart<StatePosition, JsonObject>>(
        [10, fc.constant(() => ({ kind: "default" }))],
        [isNested && isPortable ? 0 : 1, fc.constant(() => ({ kind: "terminate" }))],
        [
          3,
          producedEvent.map(
            (event): ProgramPart<StatePosition, JsonObject> =>
              (at) => ({ kind: "event", produceEvent: event(at)! }),
          ),
        ],
      ),
    )
    .map(
      ([next, end]) =>
        (at) =>
          hasLaterState(at) ? { transition: next(at) } : { end: end(at) },
    );
