import type { Json, JsonObject } from "../../src/json.ts";
import type { Reply } from "../../src/scenario/stage.ts";

/** Draws numbers from a seed: always the same ones. */
export interface Dice {
  /** From 0 inclusive to `sides` exclusive. */
  roll(sides: number): number;
  pick<T>(from: readonly T[]): T;
  /** True so many times of a hundred. */
  chance(percent: number): boolean;
}

/** Dice with a seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (sides: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
  return { roll, pick: (from) => from[roll(from.length)]!, chance: (percent) => roll(100) < percent };
}

const keys = ["a", "b", "c", "list"] as const;
const functions = ["f", "g", "h"] as const;
const errors = ["Busy", "Fatal", "Timeout", "DataMergeError"] as const;

/** A small value, mostly an object. */
export function value(die: Dice, depth = 2): Json {
  if (depth > 0 && die.chance(50)) return members(die, depth);
  if (depth > 0 && die.chance(25)) return Array.from({ length: die.roll(3) }, () => value(die, depth - 1));
  return die.pick<Json>([null, true, false, 0, 1, 2, "x", "y", ""]);
}

/** A small object. */
export const members = (die: Dice, depth = 2): JsonObject =>
  Object.fromEntries(keys.filter(() => die.chance(40)).map((key) => [key, value(die, depth - 1)]));

/**
 * Answers of all functions: of calls that branches make at one instant any may come first, so what an answer is depends on the function, its
 * argument and the time, and not on how many calls there were before. After some time there are only results, so that loops come to an end.
 */
export function replies(seed: number): (name: string, argument: Json, seconds: number) => Reply {
  let made = 0;
  return (name, argument, seconds) => {
    if (++made > mostCalls) throw new Error(tooManyCalls);
    const die = dice(seed + textHash(`${name} ${seconds} ${JSON.stringify(argument)}`));
    const takes = die.pick([0, 0, 0, 1, 2, 7]);
    if (seconds < 40 && die.chance(40)) {
      const trace = die.chance(30) ? { data: { trace: ["here", "there"] } } : {};
      return { takes, answer: { kind: "throws", name: die.pick(errors), message: die.pick(["", "no", "at all"]), ...trace } };
    }
    return { takes: takes + (seconds < 40 ? 0 : 1), answer: { kind: "returns", value: seconds > 40 ? { done: true } : value(die) } };
  };
}

const mostCalls = 60;

/** What a run is broken off with that seems not to end. */
export const tooManyCalls = "The run makes too many calls.";

const textHash = (text: string): number => [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 7);

/** A place where a state stands. */
interface Place {
  readonly die: Dice;
  readonly names: readonly string[];
  readonly index: number;
  /** States that call functions: the only ones that loops go back to. */
  readonly calling: readonly boolean[];
  readonly functions: readonly string[];
  /** How many scopes may still be inside. */
  readonly depth: number;
  /** Whether data may fail in it. Of branches that fail at one instant any may be the first, so where there are branches, data does not fail. */
  readonly isWild: boolean;
}

/** Definitions of a few states, and perhaps of a subflow beside them, which has a function of its own. */
export function definitions(seed: number): readonly JsonObject[] {
  const die = dice(seed);
  const isWild = die.chance(50);
  const common = { die, depth: isWild ? 0 : 2, isWild };
  const child: JsonObject = { ...head("child", ["k"]), states: statesOf({ ...common, depth: 0, functions: ["k"] }, "C", 1 + die.roll(2)) };
  const states = statesOf({ ...common, functions }, "S", 1 + die.roll(5));
  const main: JsonObject = { ...head("main", functions), states };
  return JSON.stringify(states).includes('"child"') ? [main, child] : [main];
}

const head = (id: string, names: readonly string[]): JsonObject => ({
  id,
  name: id,
  version: "1",
  events: [{ name: "Told", type: "told", source: "/here" }],
  functions: names.map((name) => ({ name, resource: name })),
});

function statesOf(around: Pick<Place, "die" | "depth" | "isWild" | "functions">, prefix: string, count: number): readonly JsonObject[] {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const calling = names.map(() => around.die.chance(60));
  return names.map((name, index) => ({
    name,
    ...(index === 0 ? { start: { kind: "default" } } : {}),
    ...stateAt({ ...around, names, index, calling }),
  }));
}

function stateAt(place: Place): JsonObject {
  const { die, index, names, depth, calling } = place;
  const rest = (): JsonObject => ({ ...filters(place), ...onward(place) });
  if (calling[index]) return { type: "operation", ...actionsOf(place), ...protection(place), ...rest() };
  const some = [
    "inject",
    "inject",
    "delay",
    ...(index < names.length - 1 ? ["switch"] : []),
    ...(depth > 0 ? ["parallel", "foreach"] : []),
  ];
  switch (die.pick([...some, ...(names[0] === "S0" ? ["subflow"] : [])])) {
    case "inject":
      return { type: "inject", data: members(die, 2), ...rest() };
    case "delay":
      return { type: "delay", timeDelay: `PT${1 + die.roll(9)}S`, ...rest() };
    case "switch":
      return switchAt(place);
    case "parallel":
      return {
        type: "parallel",
        branches: ["L", "R"].map((name) => ({ name, states: inner(place, name) })),
        ...protection(place),
        ...rest(),
      };
    case "foreach":
      return { type: "foreach", ...iteration(place), states: inner(place, "E"), ...protection(place), ...rest() };
    default:
      return { type: "subflow", workflowId: "child", waitForCompletion: die.chance(70), ...handlers(place), ...rest() };
  }
}

function switchAt(place: Place): JsonObject {
  const { die, isWild } = place;
  const dataConditions = [condition(place), ...(die.chance(40) ? [condition(place)] : [])];
  return {
    type: "switch",
    ...filters(place),
    dataConditions,
    ...(isWild && die.chance(20) ? {} : { default: { nextState: later(place) } }),
  };
}

function iteration({ die, depth }: Place): JsonObject {
  return {
    inputCollection: die.pick(depth === 2 ? ["$.list", "$.a", "$.list[*]"] : ["$.list[*]"]),
    inputParameter: "$.it",
    ...(die.chance(50) ? { outputCollection: die.pick(["$.out", "$.a.b"]) } : {}),
    ...(die.chance(30) ? { max: 1 + die.roll(2) } : die.chance(20) ? { timeDelay: "PT4S" } : {}),
  };
}

const inner = (place: Place, suffix: string): readonly JsonObject[] =>
  statesOf({ ...place, depth: place.depth - 1 }, `${place.names[place.index]}${suffix}`, 1 + place.die.roll(2));

/** The name of a state further on, or sometimes of one before that calls a function. */
function later({ die, names, index, calling }: Place): string {
  const before = names.filter((_, i) => i <= index && calling[i]);
  if (before.length > 0 && die.chance(15)) return die.pick(before);
  return names[index + 1 + die.roll(names.length - index - 1)]!;
}

const expressions = ["$.a == 1", "$.a.b ne 'x'", "$.done eq true", "$.list != null", "not ($.c eq 'y')"] as const;

function onward(place: Place): JsonObject {
  const { die, index, names, isWild, functions: called } = place;
  const produced = die.chance(8) && called.length > 1 && isWild ? { produceEvent: { eventRef: "Told", data: "$.a" } } : {};
  if (index === names.length - 1) return { end: { kind: "produceEvent" in produced ? "event" : "default", ...produced } };
  const guard = isWild && die.chance(10) ? { expression: die.pick(expressions) } : {};
  return { transition: { nextState: later(place), ...guard, ...produced } };
}

function condition(place: Place): JsonObject {
  const { die } = place;
  const path = die.pick(["$.a", "$.b", "$.done", "$.list[*]", "$.a.b", "$..c"]);
  const operators: readonly (readonly [string, Json?])[] = [
    ["exists"],
    ["notexists"],
    ["equals", "x"],
    ["equals", 1],
    ["notequals", "y"],
    ["greaterthan", "0"],
    ["null"],
  ];
  const [operator, operand] = die.pick(operators);
  return { path, operator, ...(operand === undefined ? {} : { value: operand }), transition: { nextState: later(place) } };
}

function filters({ die, isWild }: Place): JsonObject {
  if (!isWild || !die.chance(25)) return {};
  const path = (): string => die.pick(["$.a", "$.b", "$", "$.list", "$.a.b"]);
  return {
    stateDataFilter: { ...(die.chance(40) ? { dataInputPath: path() } : {}), ...(die.chance(60) ? { dataOutputPath: path() } : {}) },
  };
}

function actionsOf(place: Place): JsonObject {
  const { die } = place;
  const actions = Array.from({ length: die.chance(70) ? 1 : 2 }, () => action(place));
  return { actionMode: die.chance(70) ? "sequential" : "parallel", actions };
}

function action({ die, functions: called }: Place): JsonObject {
  const parameters = die.chance(50) ? { parameters: { at: "$.a", n: 1, deep: { b: "$.b" } } } : {};
  const results = (): JsonObject => ({
    ...(die.chance(50) ? { dataInputPath: "$.a" } : {}),
    dataResultsPath: die.pick(["$.a", "$.b.c", "$.r"]),
  });
  return {
    functionRef: { refName: die.pick(called), ...parameters },
    ...(die.chance(25) ? { actionDataFilter: results() } : {}),
    ...(die.chance(20) ? { timeout: "PT5S" } : {}),
  };
}

const occasions = [
  "name eq 'Busy'",
  "name eq 'Timeout'",
  "name ne 'Fatal'",
  "$.error ne null",
  "name eq 'Busy' or name eq 'Fatal'",
  "name eq 'DataMergeError'",
  "name eq 'Busy' and $.a == 1",
  "$.a == 1",
  "message eq 'no'",
] as const;

const protection = (place: Place): JsonObject => ({ ...retries(place), ...handlers(place) });

function retries({ die }: Place): JsonObject {
  if (!die.chance(35)) return {};
  const retry = (): JsonObject => ({
    expression: { body: die.pick(occasions) },
    ...(die.chance(70) ? { interval: `PT${1 + die.roll(4)}S` } : {}),
    ...(die.chance(30) ? { multiplier: die.pick(["PT3S", "2"]) } : {}),
    maxAttempts: die.roll(3),
  });
  return { retry: [retry(), ...(die.chance(40) ? [retry()] : [])] };
}

function handlers(place: Place): JsonObject {
  const { die, index, names } = place;
  if (index === names.length - 1 || !die.chance(35)) return {};
  const handler = (): JsonObject => ({
    expression: { body: die.pick(occasions) },
    ...(die.chance(30) ? { errorDataFilter: { dataOutputPath: die.pick(["$.problem", "$.name", "$.a.b"]) } } : {}),
    transition: { nextState: later(place) },
  });
  return { onError: [handler(), ...(die.chance(40) ? [handler()] : [])] };
}
