import type { Routing } from "../../../src/events/routing.ts";
import type {
  Alternative,
  CorrelationKey,
  EventPattern,
  EventRule,
  Rules,
  StartRule,
} from "../../../src/events/rules.ts";
import type { Json, JsonObject } from "../../../src/json.ts";

/** The events and waits of a group of workflows, as the generated module of one of them defines them. */
export interface Definition {
  /** Identifies the group in the table: the workflow that events start or that receives them. */
  readonly group: string;
  /** The correlation key by whose value the group is partitioned; undefined: it has one partition. */
  readonly key?: string | undefined;
  /** The prefix of the steps of the module's own workflow, if the group has several. */
  readonly prefix?: string | undefined;
  readonly workflows: readonly WorkflowEvents[];
}

/** The events, waits and start of one workflow. */
export interface WorkflowEvents {
  readonly id: string;
  /** The prefix of its steps, if the group has several workflows. */
  readonly prefix?: string | undefined;
  readonly events: readonly EventDefinition[];
  readonly waits: readonly WaitDefinition[];
  readonly start?: StartDefinition | undefined;
  /** The part of received events that its machine reads; default: `events`. */
  readonly reads?: ReceivedPart | undefined;
  /** The name of expression errors that have none; default: `ExpressionError`. */
  readonly unnamedError?: string | undefined;
}

/** The part of received events that a machine reads: in order of arrival, by group, or both. */
export type ReceivedPart = "events" | "groups" | "all";

/** How events are recognized; undefined attributes are not compared. */
export interface EventDefinition {
  readonly name: string;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Compares attributes without regard to case. */
  readonly foldCase?: boolean | undefined;
  /** The name of the correlation key; default: the unnamed one. */
  readonly key?: string | undefined;
  /** The event's value of the correlation key. */
  readonly correlation?: ((event: JsonObject) => Json | undefined) | undefined;
}

/** What a step waits for. */
export interface WaitDefinition {
  readonly step: string;
  readonly unused: "keep" | "drop";
  readonly alternatives: readonly AlternativeDefinition[];
}

/** A combination of events. Times in seconds. */
export interface AlternativeDefinition {
  readonly all: readonly (readonly PatternDefinition[])[];
  readonly none: readonly PatternDefinition[];
  readonly within?: number | undefined;
}

/** An event of a definition for which a condition holds. */
export interface PatternDefinition {
  readonly event: string;
  readonly when?: ((event: JsonObject, variables: JsonObject) => Json | undefined) | undefined;
}

/** How events start executions; as in `StartRule`. */
export interface StartDefinition {
  /** The environment variable with the ARN of the state machine. */
  readonly machine: string;
  /** How new executions begin behind their first wait. */
  readonly behind?: StartBehindWait | undefined;
  readonly on: readonly AlternativeDefinition[];
  readonly complete: boolean;
  readonly gap?: number | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** How executions begin behind their first wait. */
export interface StartBehindWait {
  readonly step: string;
  /** Computes the values of variables after the wait, by its alternatives. */
  readonly inputs: readonly ((received: ReceivedEvents) => Json)[];
  /** Whether the machine only starts in this way. The values are then its input. */
  readonly isOnly?: boolean | undefined;
}

/** The events that start an execution, in order of arrival and by group, and their correlation value or null. */
export interface ReceivedEvents {
  readonly events: Json;
  readonly groups: Json;
  readonly token: Json;
}

/** The name of the correlation key of events that name none. */
const unnamedKey = "";

/** The rules of a group. `newRun` returns the execution that an event would start. */
export function rulesOf(
  { workflows }: Definition,
  newRun: (start: StartDefinition, key: string) => string | undefined,
): Rules {
  const waits = new Map<string, ReturnType<Rules["waitRule"]>>();
  const unnamed = new Map<string, string | undefined>();
  const starts = new Map<StartRule, StartDefinition>();
  for (const { id, prefix = "", events, waits: own, start, unnamedError } of workflows) {
    const rules = new Map(events.map((event) => [event.name, eventRule(event)]));
    const alternatives = (each: readonly AlternativeDefinition[]) => each.map((one) => alternativeRule(one, rules));
    for (const { step, unused, alternatives: given } of own) {
      waits.set(prefix + step, { alternatives: alternatives(given), unused, events: [...rules.values()] });
      unnamed.set(prefix + step, unnamedError);
    }
    if (!start) continue;
    const { on, complete, gap, from, until } = start;
    starts.set({ workflow: id, on: alternatives(on), complete, gap, from, until }, start);
  }
  return {
    waitRule: ({ step }) => waits.get(step),
    starts: [...starts.keys()],
    newRun: (rule, { key }) => (key === undefined ? undefined : newRun(starts.get(rule)!, key)),
    failure: (thrown, { step }) => failureOf(thrown, unnamed.get(step)),
  };
}

/** Finds the part of received events that the machine of a step reads. */
export function partsOf({ workflows }: Definition): (step: string) => ReceivedPart {
  const parts = new Map<string, ReceivedPart>();
  for (const { prefix = "", waits, reads = "events" } of workflows)
    for (const { step } of waits) parts.set(prefix + step, reads);
  return (step) => parts.get(step) ?? "all";
}

/** Whether a wait needs a single event, and none that it excludes, and runs start by single events. */
export const isDecidedBySingleEvents = ({ workflows }: Definition): boolean =>
  workflows.every(
    ({ waits, start }) =>
      waits.every(({ unused }) => unused === "keep") &&
      [...waits.flatMap(({ alternatives }) => alternatives), ...(start?.on ?? [])].every(
        ({ all, none }) => all.length === 1 && none.length === 0,
      ),
  );

/** How a group is partitioned. */
export const routingOf = ({ workflows, key }: Definition): Routing => ({
  events: workflows.flatMap(({ events }) => events.map(eventRule)),
  key,
});

function eventRule({ name, key = unnamedKey, correlation, ...attributes }: EventDefinition): EventRule {
  const keys: readonly CorrelationKey[] = correlation ? [{ name: key, scope: "run", valueOf: correlation }] : [];
  return { name, ...attributes, keys };
}

function alternativeRule(
  { all, none, within }: AlternativeDefinition,
  rules: ReadonlyMap<string, EventRule>,
): Alternative {
  const pattern = ({ event, when }: PatternDefinition): EventPattern => ({
    event: rules.get(event)!,
    ...(when && { when: (value, variables) => when(value, variables) === true }),
  });
  return { all: all.map((group) => group.map(pattern)), none: none.map(pattern), within };
}

/** The error of a condition, as the state that waits receives it. */
function failureOf(thrown: unknown, unnamedError = "ExpressionError"): Json {
  const { value, message } = thrown as { readonly value?: unknown; readonly message: string };
  const isNamed = typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
  return { origin: "expression", name: isNamed ? (value.name as string) : unnamedError, message };
}
