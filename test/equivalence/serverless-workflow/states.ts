import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, fixed, list, object, type Part, perhaps, together, weighted } from "../draw.ts";
import { objectOver } from "../values.ts";
import { pathTo } from "./names.ts";
import { action, duration, eventName, keys, type Place, path, place, stateFilters } from "./parts.ts";
import { handlers, onward, retries, transition } from "./ways.ts";

/** The size and the features of generated programs. */
export interface Kind {
  /** Whether to use only features of targets that receive no events: no event waits, joins on all, whole seconds. */
  readonly isPortable: boolean;
  /** The maximum number of states in a scope. */
  readonly most: number;
  /** The maximum depth of nested scopes. */
  readonly depth: number;
  readonly isNested: boolean;
}

interface Unwritten {
  readonly waits: boolean;
  readonly hasId: boolean;
  readonly write: Part<Place, JsonObject>;
}

/** Builds the states of a scope. */
export type Scope = Part<Omit<Place, "states" | "index">, readonly JsonObject[]>;

/** A scope whose last state can end a run. */
export const scope = (kind: Kind): Arbitrary<Scope> =>
  fc
    .tuple(fc.array(state(kind, false), { maxLength: kind.most - 1, size: "max" }), state(kind, true), start(kind))
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

const start = ({ isPortable, isNested }: Kind): Arbitrary<Part<Place>> =>
  weighted<Part<Place>>(
    [14, fc.constant(() => ({ kind: "default" }))],
    [
      isPortable ? 0 : 1,
      among(...windows).map(
        (interval): Part<Place> =>
          () => ({ kind: "scheduled", schedule: { interval } }),
      ),
    ],
    [
      isPortable || !isNested ? 0 : 1,
      among(...windows).map(
        (interval): Part<Place> =>
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
function state(kind: Kind, isLast: boolean): Arbitrary<Unwritten> {
  const { isPortable, depth } = kind;
  const inner = depth > 0 ? 1 : 0;
  const events = isPortable ? 0 : 1;
  return weighted<Unwritten>(
    [8, written(inject, kind)],
    [24, written(operation(kind), kind, true)],
    [5, written(delay(kind), kind, true)],
    [isLast ? 0 : 9, unwritten(dataSwitch(), false)],
    [isLast ? 0 : 4 * events, unwritten(eventSwitch(kind), true)],
    [8 * inner, inner ? written(parallel(kind), kind) : written(inject, kind)],
    [8 * inner, inner ? written(foreach(kind), kind) : written(inject, kind)],
    [6, written(subflow(), kind)],
    [9 * events, written(eventState(kind), kind, true)],
    [5 * events, written(callback(kind), kind, true)],
  );
}

/** Builds members of a state. */
export type Members = Arbitrary<Part<Place, JsonObject>>;

const written = (own: Members, kind: Kind, waits = false): Arbitrary<Unwritten> =>
  unwritten(together<Place>(own, stateFilters, decorations, onward(kind)), waits);

const unwritten = (members: Members, waits: boolean): Arbitrary<Unwritten> =>
  fc.record({
    waits: fc.constant(waits),
    hasId: weighted([11, fc.constant(false)], [1, fc.constant(true)]),
    write: members,
  });

const decorations: Members = object<Place>({
  metadata: perhaps(2, fixed(among({ note: "x" }))),
  dataInputSchema: perhaps(1, fixed(among("nowhere/state.json"))),
  dataOutputSchema: perhaps(1, fixed(among("nowhere/state.json"))),
});

const type = (name: string): Arbitrary<Part<Place>> => fixed(fc.constant(name));

const inject: Members = object<Place>({
  type: type("inject"),
  data: perhaps(
    92,
    objectOver(keys, 2).map(
      (value): Part<Place> =>
        ({ names }) =>
          names.inside(value),
    ),
  ),
});

const operation = (kind: Kind): Members =>
  together<Place>(object<Place>({ type: type("operation"), ...actions(kind, 1) }), retries(kind), handlers());

const actions = ({ isPortable }: Kind, least: number) => ({
  actionMode: perhaps(40, fixed(among("sequential", "parallel", "PARALLEL"))),
  actions: weighted(
    [12, list(action(isPortable), 1, 1)],
    [5, list(action(isPortable), 2, 3)],
    [least === 0 ? 5 : 1, fc.constant((): readonly JsonObject[] => [])],
  ),
});

const delay = ({ isPortable }: Kind): Members =>
  object<Place>({ type: type("delay"), timeDelay: fixed(duration(isPortable)) });

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
  ["notmatches", "^1"],
);

const dataSwitch = (): Arbitrary<Part<Place, JsonObject>> =>
  together<Place>(
    object<Place>({
      type: type("switch"),
      dataConditions: list(
        together<Place>(
          operators.map(([operator, value]) => () => ({ operator, ...(value === undefined ? {} : { value }) })),
          object<Place>({ path, metadata: perhaps(1, fixed(among({ note: "x" }))), transition: transition(6) }),
        ),
        1,
        3,
      ),
      default: perhaps(88, transition(6)),
    }),
    stateFilters,
    decorations,
  );

const eventSwitch = (kind: Kind): Arbitrary<Part<Place, JsonObject>> =>
  together<Place>(
    object<Place>({
      type: type("switch"),
      eventConditions: list(
        object<Place>({
          eventRef: eventName,
          eventDataFilter: eventFilter,
          metadata: perhaps(1, fixed(among({ note: "x" }))),
          transition: transition(6),
        }),
        1,
        2,
      ),
      eventTimeout: perhaps(75, fixed(duration(kind.isPortable))),
      default: transition(10),
    }),
    stateFilters,
    decorations,
  );

const eventFilter = perhaps(
  35,
  object<Place>({
    dataOutputPath: weighted([3, path], [1, place.map((text) => (at: Place) => `$.data${text(at).slice(1)}`)]),
  }),
);

const eventState = (kind: Kind): Members =>
  together<Place>(
    object<Place>({
      type: type("event"),
      exclusive: perhaps(55, fixed(fc.boolean())),
      eventsActions: list(
        object<Place>({
          eventRefs: list(eventName, 1, 2).map((refs) => (at: Place) => [...new Set(refs(at))]),
          eventDataFilter: eventFilter,
          ...actions(kind, 0),
        }),
        1,
        2,
      ),
      timeout: perhaps(55, fixed(duration(kind.isPortable))),
    }),
    retries(kind),
    handlers(),
  );

const callback = (kind: Kind): Members =>
  together<Place>(
    object<Place>({
      type: type("callback"),
      action: action(kind.isPortable),
      eventRef: eventName,
      timeout: fixed(duration(kind.isPortable)),
      eventDataFilter: eventFilter,
    }),
    retries(kind),
    handlers(),
  );

/** A nested scope. `suffix` extends the prefix of its plain names. */
const states = (kind: Kind, suffix: string): Arbitrary<Part<Place, readonly JsonObject[]>> =>
  scope({ ...kind, most: Math.min(kind.most, 3), depth: kind.depth - 1, isNested: true }).map(
    (write) =>
      ({ names, prefix, index, subflows }) =>
        write({ names, subflows, prefix: `${prefix}${index}${suffix}` }),
  );

const parallel = (kind: Kind): Members =>
  together<Place>(
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

const foreach = (kind: Kind): Members =>
  together<Place>(
    object<Place>({
      type: type("foreach"),
      inputCollection: weighted(
        [5, fc.constant(({ names }: Place) => pathTo(names, ["list"]))],
        [2, fc.constant(({ names }: Place) => `${pathTo(names, ["list"])}[*]`)],
        [1, path],
      ),
      inputParameter: weighted([5, fc.constant(({ names }: Place) => pathTo(names, ["it"]))], [1, place]),
      outputCollection: perhaps(55, place),
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

const subflow = (): Members =>
  together<Place>(
    fc.tuple(fc.nat(5), among(true, true, false, undefined)).map(([n, wait]) => ({ names, subflows }) => ({
      type: "subflow",
      workflowId: names.of("workflow", subflows[n % (subflows.length + 1)] ?? "elsewhere"),
      ...(wait === undefined ? {} : { waitForCompletion: wait }),
    })),
    handlers(),
  );
