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
import { createEvaluate, type Evaluate, errorOf, type FunctionText } from "./evaluate.ts";

/** The events of a program's workflows. The deployed action declares it as `program`. */
export interface EventProgram {
  readonly flows: readonly FlowDescription[];
  /** The correlation keys of groups that are partitioned by their values. */
  readonly keys?: { readonly [group: string]: string };
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
  readonly token?: FunctionText;
  /** The context attribute that holds the correlation value, instead of `token`. Compared without regard to case. */
  readonly attribute?: string;
  /** The name of its correlation key. Default: the anonymous one. */
  readonly key?: string;
}

/** An event of a definition for which a condition holds: a function of `{ event }` and the variables of the wait. */
export interface PatternDescription {
  readonly event: string;
  readonly when?: FunctionText;
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
export function routingsOf({ flows, keys = {} }: EventProgram): ReadonlyMap<string, Routing> {
  const evaluate = createEvaluate();
  const groups = Map.groupBy(flows, ({ group = defaultGroup }) => group);
  return new Map(
    [...groups].map(([group, members]) => {
      const events = members.flatMap(({ definitions }) => [...eventRules(definitions, evaluate).values()]);
      return [group, { events, key: own(keys, group) }];
    }),
  );
}

/** The rules of a partition: what its waits are for, and what events start. `newRun` returns the id of a run. */
export function rulesOf(
  { flows }: EventProgram,
  group: string,
  kinds: { readonly [digest: string]: Awaited },
  newRun: (flow: string) => string | undefined,
): Rules {
  const evaluate = createEvaluate();
  const waits = new Map<string, WaitRule | undefined>();
  return {
    waitRule({ step }) {
      if (!waits.has(step)) {
        const awaited = own(kinds, step);
        waits.set(step, awaited && waitRule(awaited, evaluate));
      }
      return waits.get(step);
    },
    starts: flows.flatMap((flow) =>
      flow.start && (flow.group ?? defaultGroup) === group ? [startRule(flow, flow.start, evaluate)] : [],
    ),
    newRun: ({ workflow }) => newRun(workflow),
    failure: (thrown): Json => errorOf(thrown),
  };
}

function waitRule({ alternatives, unused = "keep" as "drop", definitions }: Awaited, evaluate: Evaluate): WaitRule {
  const rules = eventRules(definitions, evaluate);
  return {
    alternatives: alternatives.map((each) => alternative(each, rules, evaluate)),
    unused,
    events: [...rules.values()],
  };
}

function startRule(
  { flow, definitions }: FlowDescription,
  { on, complete = false, gap, window = {} }: StartDescription,
  evaluate: Evaluate,
): StartRule {
  const rules = eventRules(definitions, evaluate);
  const { from, until } = window;
  return {
    workflow: flow,
    on: on.map((each) => alternative(each, rules, evaluate)),
    complete,
    gap,
    from: from === undefined ? undefined : Date.parse(from),
    until: until === undefined ? undefined : Date.parse(until),
  };
}

function eventRules(definitions: Definitions, evaluate: Evaluate): ReadonlyMap<string, EventRule> {
  return new Map(
    Object.entries(definitions).map(([name, { token, attribute, key = "", ...attributes }]) => {
      const read = (event: JsonObject) =>
        attribute === undefined ? correlationOf(event, token!, evaluate) : attributeOf(event, attribute);
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
function correlationOf(event: JsonObject, token: FunctionText, evaluate: Evaluate): Json | undefined {
  try {
    return evaluate(token, { event }) as Json | undefined;
  } catch {
    return undefined;
  }
}

function alternative(
  { all, none = [], withinMs }: AlternativeDescription,
  rules: ReadonlyMap<string, EventRule>,
  evaluate: Evaluate,
): Alternative {
  const pattern = ({ event: name, when }: PatternDescription): EventPattern => ({
    event: rules.get(name)!,
    ...(when !== undefined && {
      when: (event: JsonObject, variables: JsonObject) => evaluate(when, { ...variables, event }) === true,
    }),
  });
  return {
    all: all.map((group) => group.map(pattern)),
    none: none.map(pattern),
    within: withinMs === undefined ? undefined : withinMs / 1000,
  };
}
