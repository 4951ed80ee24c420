import type { JsonObject } from "../../../../src/json.ts";
import { type Dice, dice, members } from "./dice.ts";
import { handlers, protection } from "./recovery.ts";

/** A place where a state stands. */
export interface Place {
  readonly die: Dice;
  readonly names: readonly string[];
  readonly index: number;
  /** States that call functions: the only ones that loops go back to. */
  readonly calling: readonly boolean[];
  readonly functions: readonly string[];
  /** How many scopes may still be inside. */
  readonly depth: number;
  /**
   * Whether data may fail in it. Of branches that fail at one instant any may be the first, so data fails only where nothing beside it can: in
   * the one branch that does more than wait, in iterations one after the other.
   */
  readonly isWild: boolean;
}

const functions = ["f", "g", "h"] as const;

/** The time-outs of calls: calls that begin at one instant do not end at one by these. */
const timeouts: { readonly [name: string]: string } = { f: "PT5S", g: "PT6S", h: "PT8S", k: "PT3S" };

/** Seconds of delays: none rings when a call that began with it is timed out. */
const delays = [1, 2, 4, 7, 9] as const;

/** Whether data may fail in the definitions of a seed. */
export const isWild = (seed: number): boolean => dice(seed).chance(50);

/** Definitions of a few states, and perhaps of a subflow beside them, which has a function of its own. */
export function definitions(seed: number): readonly JsonObject[] {
  const die = dice(seed);
  const common = { die, depth: 2, isWild: die.chance(50) };
  const child: JsonObject = {
    ...head("child", ["k"]),
    states: statesOf({ ...common, depth: 0, functions: ["k"] }, "C", 1 + die.roll(2)),
  };
  const states = statesOf({ ...common, functions }, "S", 1 + die.roll(6));
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

function statesOf(
  around: Pick<Place, "die" | "depth" | "isWild" | "functions">,
  prefix: string,
  count: number,
): readonly JsonObject[] {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const calling = names.map(() => around.die.chance(60));
  return names.map((name, index) => ({
    name,
    ...(index === 0 ? { start: { kind: "default" } } : {}),
    ...stateAt({ ...around, names, index, calling }),
  }));
}

function stateAt(place: Place): JsonObject {
  const { die, index, names, depth, calling, functions: called } = place;
  const rest = (): JsonObject => ({ ...filters(place), ...onward(place) });
  if (calling[index]) return { type: "operation", ...actionsOf(place), ...protection(place), ...rest() };
  const some = [
    "inject",
    "delay",
    ...(index < names.length - 1 ? ["switch"] : []),
    ...(depth > 0 ? ["parallel", "foreach"] : []),
    ...(called.length > 1 ? ["subflow"] : []),
  ];
  switch (die.pick(some)) {
    case "inject":
      return { type: "inject", data: members(die, 2), ...rest() };
    case "delay":
      return { type: "delay", timeDelay: `PT${die.pick(delays)}S`, ...rest() };
    case "switch":
      return switchAt(place);
    case "parallel":
      return { type: "parallel", branches: branchesOf(place), ...protection(place), ...rest() };
    case "foreach":
      return { type: "foreach", ...iteration(place), states: inner(place, "E"), ...protection(place), ...rest() };
    default:
      return {
        type: "subflow",
        workflowId: "child",
        waitForCompletion: depth < 2 || die.chance(70),
        ...handlers(place),
        ...rest(),
      };
  }
}

function branchesOf(place: Place): readonly JsonObject[] {
  const left = { name: "L", states: inner(place, "L") };
  if (!place.isWild) return [left, { name: "R", states: inner(place, "R") }];
  const name = `${place.names[place.index]}R`;
  const waiting = {
    name,
    start: { kind: "default" },
    type: "delay",
    timeDelay: `PT${place.die.pick(delays)}S`,
    end: { kind: "default" },
  };
  return [left, { name: "R", states: [waiting] }];
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

function iteration({ die, depth, isWild }: Place): JsonObject {
  const pace = isWild
    ? { max: 1 }
    : die.chance(30)
      ? { max: 1 + die.roll(2) }
      : die.chance(20)
        ? { timeDelay: "PT4S" }
        : {};
  return {
    inputCollection: die.pick(isWild || depth === 2 ? ["$.list", "$.a", "$.list[*]"] : ["$.list[*]"]),
    inputParameter: "$.it",
    ...(die.chance(50) ? { outputCollection: die.pick(["$.out", "$.a.b"]) } : {}),
    ...pace,
  };
}

const inner = (place: Place, suffix: string): readonly JsonObject[] =>
  statesOf({ ...place, depth: place.depth - 1 }, `${place.names[place.index]}${suffix}`, 1 + place.die.roll(3));

/** The name of a state further on, mostly the next; or sometimes of one before that calls a function. */
export function later({ die, names, index, calling }: Place): string {
  const before = names.filter((_, i) => i <= index && calling[i]);
  if (before.length > 0 && die.chance(15)) return die.pick(before);
  return names[die.chance(60) ? index + 1 : index + 1 + die.roll(names.length - index - 1)]!;
}

const expressions = ["$.a == 1", "$.a.b ne 'x'", "$.done eq true", "$.list != null", "not ($.c eq 'y')"] as const;

function onward(place: Place): JsonObject {
  const { die, index, names, isWild, functions: called } = place;
  const event = {
    eventRef: "Told",
    ...(die.chance(70) ? { data: die.pick(["$.a", "$.list[*]", "$", { b: "$.b", n: 1 }]) } : {}),
  };
  const produced = die.chance(10) && called.length > 1 && isWild ? { produceEvent: event } : {};
  const kind = "produceEvent" in produced ? "event" : die.chance(10) && names[0] === "S0" ? "terminate" : "default";
  if (index === names.length - 1) return { end: { kind, ...produced } };
  const guard = isWild && die.chance(10) ? { expression: die.pick(expressions) } : {};
  return { transition: { nextState: later(place), ...guard, ...produced } };
}

const operators: readonly (readonly [string, (string | number)?])[] = [
  ["exists"],
  ["notexists"],
  ["null"],
  ["notnull"],
  ["equals", "x"],
  ["equals", 1],
  ["notequals", "y"],
  ["greaterthan", "0"],
  ["lessthanorequals", "1"],
  ["matches", "^[xy]$"],
];

function condition(place: Place): JsonObject {
  const { die } = place;
  const path = die.pick(["$.a", "$.b", "$.done", "$.list[*]", "$.a.b", "$..c"]);
  const [operator, operand] = die.pick(operators);
  return {
    path,
    operator,
    ...(operand === undefined ? {} : { value: operand }),
    transition: { nextState: later(place) },
  };
}

function filters({ die, isWild }: Place): JsonObject {
  if (!isWild || !die.chance(25)) return {};
  const path = (): string => die.pick(["$.a", "$.b", "$", "$.list", "$.a.b"]);
  return {
    stateDataFilter: {
      ...(die.chance(40) ? { dataInputPath: path() } : {}),
      ...(die.chance(60) ? { dataOutputPath: path() } : {}),
    },
  };
}

function actionsOf(place: Place): JsonObject {
  const { die } = place;
  const actions = Array.from({ length: die.chance(70) ? 1 : 2 }, () => action(place));
  return { actionMode: die.chance(70) ? "sequential" : "parallel", actions };
}

function action({ die, functions: called }: Place): JsonObject {
  const name = die.pick(called);
  const parameters = die.chance(50) ? { parameters: { at: "$.a", n: 1, deep: { b: "$.b" } } } : {};
  const results = (): JsonObject => ({
    ...(die.chance(50) ? { dataInputPath: "$.a" } : {}),
    dataResultsPath: die.pick(["$.a", "$.b.c", "$.r"]),
  });
  return {
    functionRef: { refName: name, ...parameters },
    ...(die.chance(25) ? { actionDataFilter: results() } : {}),
    ...(die.chance(20) ? { timeout: timeouts[name]! } : {}),
  };
}
