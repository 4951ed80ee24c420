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
  const object = (): Json => Object.fromEntries(keys.filter(() => die.chance(40)).map((key) => [key, value(die, depth - 1)]));
  if (depth > 0 && die.chance(50)) return object();
  if (depth > 0 && die.chance(25)) return Array.from({ length: die.roll(3) }, () => value(die, depth - 1));
  return die.pick<Json>([null, true, false, 0, 1, 2, "x", "y", ""]);
}

/** Answers of all functions: errors now and then, at first; then only results, so that loops come to an end. */
export function replies(seed: number): (name: string, index: number) => Promise<Reply> {
  let made = 0;
  return async (name, index) => {
    if (++made > mostCalls) throw new Error("too many calls");
    const die = dice(seed + 31 * index + 7919 * functions.indexOf(name as "f"));
    const takes = die.pick([0, 0, 0, 1, 2, 7]);
    if (index < 5 && die.chance(40))
      return { takes, answer: { kind: "throws", name: die.pick(errors), message: die.pick(["", "no", "at all"]) } };
    return { takes, answer: { kind: "returns", value: index > 5 ? { done: true } : value(die) } };
  };
}

const mostCalls = 60;

/** A definition of a few states, and perhaps of a subflow beside it. */
export function definitions(seed: number): readonly JsonObject[] {
  const die = dice(seed);
  const child: JsonObject = {
    id: "child",
    name: "Child",
    version: "1",
    functions: functionList,
    states: statesOf(die, "C", 1, 1 + die.roll(2)),
  };
  const events = [{ name: "Told", type: "told", source: "/here" }];
  const states = statesOf(die, "S", 2, 1 + die.roll(5));
  const main: JsonObject = { id: "main", name: "Main", version: "1", events, functions: functionList, states };
  return JSON.stringify(states).includes('"child"') ? [main, child] : [main];
}

const functionList = functions.map((name) => ({ name, resource: name }));

interface Place {
  readonly die: Dice;
  readonly names: readonly string[];
  readonly index: number;
  /** How many scopes may still be inside. */
  readonly depth: number;
  /** States that call functions: the only ones that loops go back to. */
  readonly calling: readonly boolean[];
}

function statesOf(die: Dice, prefix: string, depth: number, count: number): readonly JsonObject[] {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const calling = names.map(() => die.chance(60));
  return names.map((name, index) => ({
    name,
    ...(index === 0 ? { start: { kind: "default" } } : {}),
    ...stateAt({ die, names, index, depth, calling }),
  }));
}

function stateAt(place: Place): JsonObject {
  const { die, index, names, depth, calling } = place;
  if (calling[index]) return { type: "operation", ...actionsOf(die), ...protection(place), ...filters(die), ...onward(place) };
  const kinds = [
    "inject",
    "inject",
    "delay",
    ...(index < names.length - 1 ? ["switch"] : []),
    ...(depth > 0 ? ["parallel", "foreach"] : []),
    ...(depth === 2 ? ["subflow"] : []),
  ];
  switch (die.pick(kinds)) {
    case "inject":
      return {
        type: "inject",
        data: Object.fromEntries(keys.filter(() => die.chance(40)).map((key) => [key, value(die, 1)])),
        ...filters(die),
        ...onward(place),
      };
    case "delay":
      return { type: "delay", timeDelay: `PT${1 + die.roll(9)}S`, ...filters(die), ...onward(place) };
    case "switch":
      return {
        type: "switch",
        ...filters(die),
        dataConditions: [condition(place), ...(die.chance(40) ? [condition(place)] : [])],
        ...(die.chance(85) ? { default: { nextState: later(place) } } : {}),
      };
    case "parallel":
      return {
        type: "parallel",
        branches: [branch(place, "L"), branch(place, "R")],
        ...protection(place),
        ...filters(die),
        ...onward(place),
      };
    case "foreach":
      return {
        type: "foreach",
        inputCollection: die.pick(["$.list", "$.a", "$.list[*]"]),
        inputParameter: "$.it",
        ...(die.chance(50) ? { outputCollection: die.pick(["$.out", "$.a.b"]) } : {}),
        ...(die.chance(30) ? { max: 1 + die.roll(2) } : {}),
        states: inner(place, "E"),
        ...protection(place),
        ...filters(die),
        ...onward(place),
      };
    default:
      return {
        type: "subflow",
        workflowId: "child",
        waitForCompletion: die.chance(70),
        ...protection(place),
        ...filters(die),
        ...onward(place),
      };
  }
}

const inner = ({ die, names, index, depth }: Place, suffix: string): readonly JsonObject[] =>
  statesOf(die, `${names[index]}${suffix}`, depth - 1, 1 + die.roll(2));

const branch = (place: Place, name: string): JsonObject => ({ name, states: inner(place, name) });

/** The name of a state further on, or sometimes of one before that calls a function. */
function later({ die, names, index, calling }: Place): string {
  const before = names.filter((_, i) => i <= index && calling[i]);
  if (before.length > 0 && die.chance(15)) return die.pick(before);
  return names[index + 1 + die.roll(names.length - index - 1)]!;
}

const expressions = ["$.a == 1", "$.a.b ne 'x'", "$.done eq true", "$.list != null", "not ($.c eq 'y')"] as const;

function onward(place: Place): JsonObject {
  const { die, index, names } = place;
  if (index === names.length - 1) return { end: { kind: "default" } };
  const guard = die.chance(10) ? { expression: die.pick(expressions) } : {};
  return { transition: { nextState: later(place), ...guard } };
}

function condition(place: Place): JsonObject {
  const { die } = place;
  const path = die.pick(["$.a", "$.b", "$.done", "$.list[*]", "$.a.b", "$..c"]);
  const [operator, ...values] = die.pick([
    ["exists"],
    ["notexists"],
    ["equals", "x"],
    ["equals", 1],
    ["notequals", "y"],
    ["greaterthan", "0"],
    ["null"],
  ]);
  return {
    path,
    operator: String(operator),
    ...(values.length > 0 ? { value: values[0] as Json } : {}),
    transition: { nextState: later(place) },
  };
}

function filters(die: Dice): JsonObject {
  if (!die.chance(20)) return {};
  const path = (): string => die.pick(["$.a", "$.b", "$", "$.list", "$.a.b"]);
  return {
    stateDataFilter: { ...(die.chance(40) ? { dataInputPath: path() } : {}), ...(die.chance(60) ? { dataOutputPath: path() } : {}) },
  };
}

function actionsOf(die: Dice): JsonObject {
  const actions = Array.from({ length: die.chance(70) ? 1 : 2 }, () => action(die));
  return { actionMode: die.chance(70) ? "sequential" : "parallel", actions };
}

function action(die: Dice): JsonObject {
  const refName = die.pick(functions);
  const parameters = die.chance(50) ? { parameters: { at: "$.a", n: 1, deep: { b: "$.b" } } } : {};
  const filter = die.chance(25)
    ? { actionDataFilter: { ...(die.chance(50) ? { dataInputPath: "$.a" } : {}), dataResultsPath: die.pick(["$.a", "$.b.c", "$.r"]) } }
    : {};
  return { functionRef: { refName, ...parameters }, ...filter, ...(die.chance(20) ? { timeout: "PT5S" } : {}) };
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
] as const;

function protection(place: Place): JsonObject {
  const { die, index, names } = place;
  const retry = (): JsonObject => ({
    expression: { body: die.pick(occasions) },
    ...(die.chance(70) ? { interval: `PT${1 + die.roll(4)}S` } : {}),
    ...(die.chance(30) ? { multiplier: die.pick(["PT3S", "2"]) } : {}),
    maxAttempts: die.roll(3),
  });
  const handler = (): JsonObject => ({
    expression: { body: die.pick(occasions) },
    ...(die.chance(30) ? { errorDataFilter: { dataOutputPath: die.pick(["$.problem", "$.name", "$.a.b"]) } } : {}),
    transition: { nextState: later(place) },
  });
  return {
    ...(die.chance(35) ? { retry: [retry(), ...(die.chance(40) ? [retry()] : [])] } : {}),
    ...(index < names.length - 1 && die.chance(35) ? { onError: [handler(), ...(die.chance(40) ? [handler()] : [])] } : {}),
  };
}
