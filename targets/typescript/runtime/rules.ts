import type { Answer } from "../../../src/events/partition.ts";
import type * as broker from "../../../src/events/rules.ts";
import type { Json as CoreJson, JsonObject as CoreJsonObject } from "../../../src/json.ts";
import { type ErrorValue, errorOf, failureOf, namedFailure } from "./errors.ts";
import type { Alternative, CloudEvent, EventDefinition, Pattern, ReceivedEvent, Wait } from "./events.ts";
import type { WaitResult } from "./host.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { AnyWorkflow, Workflow } from "./workflow.ts";

/** The broker's rules for a program. */
export interface ProgramRules extends broker.Rules {
  /** Adds the waits of a workflow, and its start unless a workflow with its id has been added before. */
  add(workflow: AnyWorkflow): void;
}

/**
 * The rules for the waits of all versions of the workflows of a program, and for the starts of the current ones, which
 * come first among workflows with one id. `newRun` depends on the host.
 */
export function rulesOf(workflows: readonly AnyWorkflow[], newRun: broker.Rules["newRun"]): broker.Rules {
  const rules = createRules(newRun);
  for (const workflow of workflows) rules.add(workflow);
  return rules;
}

/** Rules without workflows. */
export function createRules(newRun: broker.Rules["newRun"]): ProgramRules {
  const waits = new Map<string, { readonly workflow: AnyWorkflow; readonly rule: broker.WaitRule }>();
  const added = new Set<AnyWorkflow>();
  const current = new Set<string>();
  const starts: broker.StartRule[] = [];
  return {
    add(workflow) {
      if (added.has(workflow)) return;
      added.add(workflow);
      const events = eventRules(workflow);
      for (const [name, wait] of Object.entries(workflow.waits ?? {}))
        waits.set(waitStep(workflow, name), { workflow, rule: waitRule(wait, events) });
      const start = current.has(workflow.id) ? undefined : startRule(workflow, events);
      current.add(workflow.id);
      if (start) starts.push(start);
    },
    waitRule: ({ step }) => waits.get(step)?.rule,
    starts,
    newRun,
    failure: (thrown, { step }) => failureValue(thrown, waits.get(step)?.workflow) as CoreJson,
  };
}

/** The broker's name for a wait of a workflow: unique among the versions of all workflows. */
export const waitStep = ({ id, version }: AnyWorkflow, wait: string): string => JSON.stringify([id, version, wait]);

/** The result of a wait that has ended. Throws the error of a condition. */
export function waitResult({ error, ...answer }: Answer): WaitResult {
  if (error !== undefined) throw errorOf(error as Json);
  return answer as WaitResult;
}

/** The names of the definitions whose events a wait waits for. */
export function awaitedEvents(workflow: AnyWorkflow, wait: string): readonly string[] {
  const patterns = waitOf(workflow, wait).alternatives.flatMap(({ all }) => all.flat());
  return [...new Set(patterns.map(definitionName))];
}

/** A wait of a workflow. */
export function waitOf({ id, version, waits = {} }: AnyWorkflow, name: string): Wait {
  const wait = Object.hasOwn(waits, name) ? waits[name] : undefined;
  if (wait) return wait;
  const advice = "If an earlier release of Waybill generated it, finish its runs with the runtime of that release.";
  throw new Error(`Version ${version} of workflow ${id} has no wait ${name}. ${advice}`);
}

/** An event definition of a workflow. */
export function definitionOf(name: string, { id, events = {} }: AnyWorkflow): EventDefinition {
  const definition = Object.hasOwn(events, name) ? events[name] : undefined;
  if (!definition) throw new Error(`The workflow ${id} has no event ${name}.`);
  return definition;
}

/** The correlation value of a run at its start: of the first event that has one, or else as the workflow says. */
export function initialValue(
  workflow: AnyWorkflow,
  run: string,
  input: Json,
  events: readonly ReceivedEvent[],
): Json | undefined {
  for (const { name, event } of events) {
    const value = correlationOf(definitionOf(name, workflow), event);
    if (value !== undefined) return value;
  }
  return (workflow as unknown as Workflow<unknown, Json>).correlation?.(input, { id: run }) ?? undefined;
}

/** The correlation value of an event. Null, and the error of an expression, count as none. */
function correlationOf({ correlation }: EventDefinition, event: CloudEvent): Json | undefined {
  try {
    return correlation?.(event) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The first value that is a string, a number or a boolean; otherwise the last one. */
export const firstScalar = (...values: readonly (Json | undefined)[]): Json | undefined =>
  values.find(isScalar) ?? values.at(-1);

/** Whether a value of a wait or an emitted event counts; otherwise the run's value is used. */
export const isScalar = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && !isObject(value) && !Array.isArray(value);

function eventRules(workflow: AnyWorkflow): ReadonlyMap<string, broker.EventRule> {
  const definitions = Object.entries(workflow.events ?? {});
  return new Map(definitions.map(([name, definition]) => [name, eventRule(name, definition)]));
}

function eventRule(name: string, definition: EventDefinition): broker.EventRule {
  const { type, source, subject, foldCase, correlation, correlationKey = "" } = definition;
  const key = correlation && {
    name: correlationKey,
    scope: "run" as const,
    valueOf: (event: CoreJsonObject) => correlationOf(definition, event as CloudEvent) as CoreJson | undefined,
  };
  return { name, type, source, subject, foldCase, keys: key ? [key] : [] };
}

function waitRule({ alternatives, unused }: Wait, events: ReadonlyMap<string, broker.EventRule>): broker.WaitRule {
  return {
    alternatives: alternatives.map((alternative) => alternativeRule(alternative, events)),
    unused: unused ?? "keep",
    events: [...events.values()],
  };
}

const alternativeRule = (
  { all, none = [], within }: Alternative,
  events: ReadonlyMap<string, broker.EventRule>,
): broker.Alternative => ({
  all: all.map((group) => group.map((pattern) => patternRule(pattern, events))),
  none: none.map((pattern) => patternRule(pattern, events)),
  within,
});

function patternRule(pattern: Pattern, events: ReadonlyMap<string, broker.EventRule>): broker.EventPattern {
  const event = events.get(definitionName(pattern));
  if (!event) throw new Error(`No event is named ${definitionName(pattern)}.`);
  if (typeof pattern === "string") return { event };
  return { event, when: (each, variables) => pattern.when(each as unknown as CloudEvent, variables) };
}

const definitionName = (pattern: Pattern): string => (typeof pattern === "string" ? pattern : pattern.event);

function startRule(
  { id, start }: AnyWorkflow,
  events: ReadonlyMap<string, broker.EventRule>,
): broker.StartRule | undefined {
  const { on = [], complete = false, gap, window } = start ?? {};
  if (on.length === 0) return undefined;
  return {
    workflow: id,
    on: on.map((alternative) => alternativeRule(alternative, events)),
    complete,
    gap,
    from: instantOf(window?.from),
    until: instantOf(window?.until),
  };
}

const instantOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

/**
 * An error of a condition as JSON. Other errors than those of expressions are our own faults: they fail only that run.
 */
function failureValue(thrown: unknown, workflow: AnyWorkflow | undefined): JsonObject {
  const { origin, name, message, data } = ((): Pick<ErrorValue, "origin" | "name" | "message" | "data"> => {
    try {
      return namedFailure(failureOf(thrown), workflow?.errors);
    } catch {
      return { origin: "expression", name: "InternalError", message: String(thrown) };
    }
  })();
  return { origin, name, message, ...(data === undefined ? {} : { data }) };
}
