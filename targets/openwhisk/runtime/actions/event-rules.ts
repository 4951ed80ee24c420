import { createHash } from "node:crypto";
import type { Routing } from "../../../../src/events/routing.ts";
import type {
  Alternative,
  Attributes,
  EventPattern,
  EventRule,
  Rules,
  StartRule,
  WaitRule,
} from "../../../../src/events/rules.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { own } from "../../../../src/json.ts";
import { type DeployedFunctions, errorOf, type FunctionId, findFunction, functionOf } from "./functions.ts";

/** The events of a program's workflows. The deployed action declares it as `program`. */
export interface EventProgram {
  readonly flows: readonly FlowDescription[];
  /** The correlation keys of groups that are partitioned by their values. */
  readonly keys?: { readonly [group: string]: string };
  readonly functions?: DeployedFunctions;
}

/** A workflow that receives events. */
export interface FlowDescription {
  /** The action of its conductor. */
  readonly flow: string;
  /** Workflows of one group receive each other's events; no event is for several groups. */
  readonly group?: string;
  readonly definitions: Definitions;
  /** How events start it. */
  readonly start?: StartDescription | undefined;
}

/** The event definitions of a workflow, by name. */
export interface Definitions {
  readonly [name: string]: DefinitionDescription;
}

/** An event definition. */
export interface DefinitionDescription extends Attributes {
  /** The correlation value of an event: a function of `{ event }`. Null or undefined: the event does not match. */
  readonly token?: FunctionId;
  /** The context attribute that holds the correlation value, instead of `token`. Compared without regard to case. */
  readonly attribute?: string;
  /** The name of its correlation key. Default: the anonymous one. */
  readonly key?: string;
}

/** An event of a definition for which a condition holds: a function of `{ event }` and the variables of the wait. */
export interface PatternDescription {
  readonly event: string;
  readonly when?: FunctionId;
}

/** A combination of events. */
export interface AlternativeDescription {
  readonly all: readonly (readonly PatternDescription[])[];
  readonly none?: readonly PatternDescription[];
  readonly withinMs?: number;
}

/** How events start runs. */
export interface StartDescription {
  readonly on: readonly AlternativeDescription[];
  readonly complete?: boolean;
  /** In seconds. */
  readonly gap?: number;
  /** ISO 8601: `from` inclusive, `until` exclusive. */
  readonly window?: { readonly from?: string; readonly until?: string };
}

/** What a wait is for, as its composition passes it. */
export interface Awaited {
  readonly alternatives: readonly AlternativeDescription[];
  readonly unused?: "drop";
  readonly definitions: Definitions;
}

/** Identifies what waits are for: runs that wait at the same step share it. */
export const digestOf = (awaited: Awaited): string =>
  createHash("sha256").update(JSON.stringify(awaited)).digest("base64url").slice(0, 16);

/** The events of a workflow, by the action of its conductor as `__OW_ACTION_NAME` has it. */
export const flowOf = ({ flows }: EventProgram, action: string): FlowDescription | undefined =>
  flows.find(({ flow }) => flow === action || action.endsWith(flow.replace(/^\/_/, "")));

/** The group of a workflow. */
export const groupOf = (program: EventProgram, action: string): string =>
  flowOf(program, action)?.group ?? defaultGroup;

const defaultGroup = "all";

/** The groups of a program, with the events that they receive. */
export function routingsOf({ flows, keys = {}, functions = {} }: EventProgram): ReadonlyMap<string, Routing> {
  const groups = Map.groupBy(flows, ({ group = defaultGroup }) => group);
  return new Map(
    [...groups].map(([group, members]) => {
      const events = members.flatMap(({ definitions }) => [...eventRules(definitions, functions).values()]);
      return [group, { events, key: own(keys, group) }];
    }),
  );
}

/** The rules of a partition: what its waits are for, and what events start. `newRun` returns the id of a run. */
export function rulesOf(
  { flows, functions = {} }: EventProgram,
  group: string,
  kinds: { readonly [digest: string]: Awaited },
  newRun: (flow: string) => string | undefined,
): Rules {
  const waits = new Map<string, WaitRule | undefined>();
  return {
    waitRule({ step }) {
      if (!waits.has(step)) {
        const awaited = own(kinds, step);
        const isKnown = awaited !== undefined && missingFunction(awaited, functions) === undefined;
        waits.set(step, isKnown ? waitRule(awaited, functions) : undefined);
      }
      return waits.get(step);
    },
    starts: flows.flatMap((flow) =>
      flow.start && (flow.group ?? defaultGroup) === group ? [startRule(flow, flow.start, functions)] : [],
    ),
    newRun: ({ workflow }) => newRun(workflow),
    failure: (thrown): Json => errorOf(thrown),
  };
}

/** A function of a wait that this deployment does not contain, if an earlier one has begun the wait. */
export function missingFunction(
  { alternatives, definitions }: Awaited,
  functions: DeployedFunctions,
): string | undefined {
  const patterns = alternatives.flatMap(({ all, none = [] }) => [...all.flat(), ...none]);
  const ids = [...patterns.map(({ when }) => when), ...Object.values(definitions).map(({ token }) => token)];
  return ids.find((id) => id !== undefined && !findFunction(functions, id));
}

function waitRule(
  { alternatives, unused = "keep" as "drop", definitions }: Awaited,
  functions: DeployedFunctions,
): WaitRule {
  const rules = eventRules(definitions, functions);
  return {
    alternatives: alternatives.map((each) => alternative(each, rules, functions)),
    unused,
    events: [...rules.values()],
  };
}

function startRule(
  { flow, definitions }: FlowDescription,
  { on, complete = false, gap, window = {} }: StartDescription,
  functions: DeployedFunctions,
): StartRule {
  const rules = eventRules(definitions, functions);
  const { from, until } = window;
  return {
    workflow: flow,
    on: on.map((each) => alternative(each, rules, functions)),
    complete,
    gap,
    from: from === undefined ? undefined : Date.parse(from),
    until: until === undefined ? undefined : Date.parse(until),
  };
}

function eventRules(definitions: Definitions, functions: DeployedFunctions): ReadonlyMap<string, EventRule> {
  return new Map(
    Object.entries(definitions).map(([name, { token, attribute, key = "", ...attributes }]) => {
      const read = (event: JsonObject) =>
        attribute === undefined ? correlationOf(event, token!, functions) : attributeOf(event, attribute);
      const hasValue = token !== undefined || attribute !== undefined;
      const keys = hasValue ? [{ name: key, scope: "run" as const, valueOf: read }] : [];
      return [name, { ...attributes, name, keys }];
    }),
  );
}

function attributeOf(event: JsonObject, attribute: string): Json | undefined {
  const folded = attribute.toLowerCase();
  const name = folded === "data" ? undefined : Object.keys(event).find((each) => each.toLowerCase() === folded);
  return name === undefined ? undefined : event[name];
}

/** An event whose correlation value cannot be computed has none. */
function correlationOf(event: JsonObject, token: FunctionId, functions: DeployedFunctions): Json | undefined {
  const compute = functionOf(functions, token);
  try {
    return compute({ event }) as Json | undefined;
  } catch {
    return undefined;
  }
}

function alternative(
  { all, none = [], withinMs }: AlternativeDescription,
  rules: ReadonlyMap<string, EventRule>,
  functions: DeployedFunctions,
): Alternative {
  const pattern = ({ event: name, when }: PatternDescription): EventPattern => {
    const event = rules.get(name)!;
    if (when === undefined) return { event };
    const isMet = functionOf(functions, when);
    return { event, when: (received: JsonObject, variables) => isMet({ ...variables, event: received }) === true };
  };
  return {
    all: all.map((group) => group.map(pattern)),
    none: none.map(pattern),
    within: withinMs === undefined ? undefined : withinMs / 1000,
  };
}
