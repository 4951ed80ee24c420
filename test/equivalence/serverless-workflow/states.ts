import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, independent, list, merged, object, type ProgramPart, perhaps, weighted } from "../arbitraries.ts";
import { objectOver } from "../values.ts";
import { pathTo } from "./names.ts";
import { action, assignablePath, duration, eventName, keys, path, type StatePosition, stateFilters } from "./parts.ts";
import { exit, handlers, retries, transition } from "./transitions.ts";

/** The size and the features of generated programs. */
export interface ProgramShape {
  /** Whether to use only features of targets that receive no events: no event waits, joins on all, whole seconds. */
  readonly isPortable: boolean;
  /** The maximum number of states in a scope. */
  readonly maxStates: number;
  /** The maximum depth of nested scopes. */
  readonly maxDepth: number;
  readonly isNested: boolean;
}

interface StateTemplate {
  readonly waits: boolean;
  readonly hasId: boolean;
  readonly write: ProgramPart<StatePosition, JsonObject>;
}

/** Builds the states of a scope. */
export type ScopePart = ProgramPart<Omit<StatePosition, "states" | "index">, readonly JsonObject[]>;

/** A scope whose last state can end a run. */
export const scope = (kind: ProgramShape): Arbitrary<ScopePart> =>
  fc
    .tuple(fc.array(state(kind, false), { maxLength: kind.maxStates - 1, size: "max" }), state(kind, true), start(kind))
    .map(([some, last, begin]) => (around) => {
      const all = [...some, last];
      const { names, prefix } = around;
      const states = all.map(({ waits, hasId }, i) => ({
        name: names.of("state", `${prefix}${i}`),
        id: hasId ? names.of("id", `id-${prefix}${i}`) : undefined,
        waits,
      }));
      return all.map(({ write }, index) => {
        const { name, id } = states[index]!;
        const at = { ...around, states, index };
        const start = index === 0 ? { start: begin(at)! } : {};
        return { ...(id === undefined ? {} : { id }), name, ...start, ...write(at) };
      });
    });

const start = ({ isPortable, isNested }: ProgramShape): Arbitrary<ProgramPart<StatePosition>> =>
  weighted<ProgramPart<StatePosition>>(
    [14, fc.constant(() => ({ kind: "default" }))],
    [
      isPortable ? 0 : 1,
      among(...windows).map(
        (interval): ProgramPart<StatePosition> =>
          () => ({ kind: "scheduled", schedule: { interval } }),
      ),
    ],
    [
      isPortable || !isNested ? 0 : 1,
      among(...windows).map(
        (interval): ProgramPart<StatePosition> =>
          () => ({ kind: "scheduled", schedule: { interval } }),
      ),
    ],
  );

/** Intervals around the start of a run. */
const windows = [
  "2026-01-01T00:00:00Z/2026-01-02T00:00:00Z",
  "2026-01-01T00:00:00Z/PT5S",
  "2026-01-01T00:00:02Z/PT1H",
  "PT1H/2026-01-01T00:00:00Z",
  "2025-01-01T00:00:00Z/P30D",
  "PT5S",
] as const;

/** A state of any type that may be in that position. */
function state(kind: ProgramShape, isLast: boolean): Arbitrary<StateTemplate> {
  const { isPortable, maxDepth: depth } = kind;
  const inner = depth > 0 ? 1 : 0;
  const events = isPortable ? 0 : 1;
  return weighted<StateTemplate>(
    [8, stateWith(inject, kind)],
    [24, stateWith(operation(kind), kind, true)],
    [5, stateWith(delay(kind), kind, true)],
    [isLast ? 0 : 9, stateOf(dataSwitch(), false)],
    [isLast ? 0 : 4 * events, stateOf(eventSwitch(kind), true)],
    [8 * inner, inner ? stateWith(parallel(kind), kind) : stateWith(inject, kind)],
    [8 * inner, inner ? stateWith(foreach(kind), kind) : stateWith(inject, kind)],
    [6, stateWith(subflow(), kind)],
    [9 * events, stateWith(eventState(kind), kind, true)],
    [5 * events, stateWith(callback(kind), kind, true)],
  );
}

/** Builds members of a state. */
export type MembersPart = Arbitrary<ProgramPart<StatePosition, JsonObject>>;

const stateWith = (own: MembersPart, kind: ProgramShape, waits = false): Arbitrary<StateTemplate> =>
  stateOf(merged<StatePosition>(own, stateFilters, decorations, exit(kind)), waits);

const stateOf = (members: MembersPart, waits: boolean): Arbitrary<StateTemplate> =>
  fc.record({
    waits: fc.constant(waits),
    hasId: weighted([11, fc.constant(false)], [1, fc.constant(true)]),
    write: members,
  });

const decorations: MembersPart = object<StatePosition>({
  metadata: perhaps(2, independent(among({ note: "x" }))),
  dataInputSchema: perhaps(1, independent(among("nowhere/state.json"))),
  dataOutputSchema: perhaps(1, independent(among("nowhere/state.json"))),
});

const type = (name: string): Arbitrary<ProgramPart<StatePosition>> => independent(fc.constant(name));

const inject: MembersPart = object<StatePosition>({
  type: type("inject"),
  data: perhaps(
    92,
    objectOver(keys, 2).map(
      (value): ProgramPart<StatePosition> =>
        ({ names }) =>
          names.inside(value),
    ),
  ),
});

const operation = (kind: ProgramShape): MembersPart =>
  merged<StatePosition>(
    object<StatePosition>({ type: type("operation"), ...actions(kind, 1) }),
    retries(kind),
    handlers(),
  );

const actions = ({ isPortable }: ProgramShape, least: number) => ({
  actionMode: perhaps(40, independent(among("sequential", "parallel", "PARALLEL"))),
  actions: weighted(
    [12, list(action(isPortable), 1, 1)],
    [5, list(action(isPortable), 2, 3)],
    [least === 0 ? 5 : 1, fc.constant((): readonly JsonObject[] => [])],
  ),
});

const delay = ({ isPortable }: ProgramShape): MembersPart =>
  object<StatePosition>({ type: type("delay"), timeDelay: independent(duration(isPortable)) });

const operators = among<readonly [string, Json?]>(
  ["exists"],
  ["notexists"],
  ["null"],
  ["notnull"],
  ["equals", "x"],
  ["equals", 1],
  ["equals", "1"],
  ["equals", true],
  ["notequals", "y"],
  ["notequals", 1],
  ["greaterthan", "0"],
  ["greaterthanorequals", 1],
  ["lessthan", "2026-01-01T01:00:00+01:00"],
  ["lessthanorequals", "1"],
  ["matches", "^[xy]$"],
  ["matches", "(?i)^.\\b"],
  ["notmatches", "^(?!y)[^1]+$"],
  ["notmatches", "^1"],
);

const dataSwitch = (): Arbitrary<ProgramPart<StatePosition, JsonObject>> =>
  merged<StatePosition>(
    object<StatePosition>({
      type: type("switch"),
      dataConditions: list(
        merged<StatePosition>(
          operators.map(([operator, value]) => () => ({ operator, ...(value === undefined ? {} : { value }) })),
          object<StatePosition>({
            path,
            metadata: perhaps(1, independent(among({ note: "x" }))),
            transition: transition(6),
          }),
        ),
        1,
        3,
      ),
      default: perhaps(88, transition(6)),
    }),
    stateFilters,
    decorations,
  );

const eventSwitch = (kind: ProgramShape): Arbitrary<ProgramPart<StatePosition, JsonObject>> =>
  merged<StatePosition>(
    object<StatePosition>({
      type: type("switch"),
      eventConditions: list(
        object<StatePosition>({
          eventRef: eventName,
          eventDataFilter: eventFilter,
          metadata: perhaps(1, independent(among({ note: "x" }))),
          transition: transition(6),
        }),
        1,
        2,
      ),
      eventTimeout: perhaps(75, independent(duration(kind.isPortable))),
      default: transition(10),
    }),
    stateFilters,
    decorations,
  );

const eventFilter = perhaps(
  35,
  object<StatePosition>({
    dataOutputPath: weighted(
      [3, path],
      [1, assignablePath.map((text) => (at: StatePosition) => `$.data${text(at).slice(1)}`)],
    ),
  }),
);

const eventState = (kind: ProgramShape): MembersPart =>
  merged<StatePosition>(
    object<StatePosition>({
      type: type("event"),
      exclusive: perhaps(55, independent(fc.boolean())),
      eventsActions: list(
        object<StatePosition>({
          eventRefs: list(eventName, 1, 2).map((refs) => (at: StatePosition) => [...new Set(refs(at))]),
          eventDataFilter: eventFilter,
          ...actions(kind, 0),
        }),
        1,
        2,
      ),
      timeout: perhaps(55, independent(duration(kind.isPortable))),
    }),
    retries(kind),
    handlers(),
  );

const callback = (kind: ProgramShape): MembersPart =>
  merged<StatePosition>(
    object<StatePosition>({
      type: type("callback"),
      action: action(kind.isPortable),
      eventRef: eventName,
      timeout: independent(duration(kind.isPortable)),
      eventDataFilter: eventFilter,
    }),
    retries(kind),
    handlers(),
  );

/** A nested scope. `suffix` extends the prefix of its plain names. */
const states = (kind: ProgramShape, suffix: string): Arbitrary<ProgramPart<StatePosition, readonly JsonObject[]>> =>
  scope({ ...kind, maxStates: Math.min(kind.maxStates, 3), maxDepth: kind.maxDepth - 1, isNested: true }).map(
    (write) =>
      ({ names, prefix, index, subflows }) =>
        write({ names, subflows, prefix: `${prefix}${index}${suffix}` }),
  );

const parallel = (kind: ProgramShape): MembersPart =>
  merged<StatePosition>(
    fc
      .tuple(
        fc.array(states(kind, "L"), { minLength: 1, maxLength: 3, size: "max" }),
        kind.isPortable ? fc.constant(undefined) : among(undefined, undefined, "and", "xor", "n_of_m", "n_of_m"),
        fc.nat(2),
      )
      .map(([branches, completionType, n]) => (at) => ({
        type: "parallel",
        branches: branches.map((write, i) => ({
          name: at.names.of("branch", `${at.prefix}${at.index}B${i}`),
          states: write({ ...at, prefix: `${at.prefix}${"LMN"[i]}` }),
        })),
        ...(completionType === undefined ? {} : { completionType }),
        ...(completionType === "n_of_m" ? { n: (n % branches.length) + 1 } : {}),
      })),
    retries(kind),
    handlers(),
  );

const foreach = (kind: ProgramShape): MembersPart =>
  merged<StatePosition>(
    object<StatePosition>({
      type: type("foreach"),
      inputCollection: weighted(
        [5, fc.constant(({ names }: StatePosition) => pathTo(names, ["list"]))],
        [2, fc.constant(({ names }: StatePosition) => `${pathTo(names, ["list"])}[*]`)],
        [1, path],
      ),
      inputParameter: weighted(
        [5, fc.constant(({ names }: StatePosition) => pathTo(names, ["it"]))],
        [1, assignablePath],
      ),
      outputCollection: perhaps(55, assignablePath),
      states: states(kind, "E"),
    }),
    weighted(
      [4, fc.constant(() => ({}))],
      [3, fc.nat(3).map((max) => () => ({ max }))],
      [2, duration(kind.isPortable).map((timeDelay) => () => ({ timeDelay }))],
      [kind.isPortable ? 0 : 1, duration(false).map((timeDelay) => () => ({ timeDelay, max: 1 }))],
    ),
    retries(kind),
    handlers(),
  );

const subflow = (): MembersPart =>
  merged<StatePosition>(
    fc.tuple(fc.nat(5), among(true, true, false, undefined)).map(([n, wait]) => ({ names, subflows }) => ({
      type: "subflow",
      workflowId: names.of("workflow", subflows[n % (subflows.length + 1)] ?? "elsewhere"),
      ...(wait === undefined ? {} : { waitForCompletion: wait }),
    })),
    handlers(),
  );
