import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, SecretRead, Workflow } from "../../../src/ir/workflow.ts";
import { type JsonObject, own } from "../../../src/json.ts";
import type { Composition } from "../composition.ts";
import type { SelectedWorkflow } from "../select/workflow.ts";
import { type Alarm, alarmOf, isAlarm } from "../timers.ts";
import type { Deployment } from "./deployment.ts";
import { isEmittedToProgram } from "./event-triggers.ts";
import type { Requirements } from "./requirements.ts";

/** A workflow and its composition. */
export interface CompiledWorkflow {
  readonly workflow: Workflow;
  readonly name: string;
  readonly composition: Composition;
  /** Undefined for a native composition. */
  readonly selected?: SelectedWorkflow | undefined;
}

/** A compiled workflow with the requirements of its composition. */
export interface PlannedWorkflow extends CompiledWorkflow {
  readonly requirements: Requirements;
  readonly action: string;
}

/** The settings of a program, with defaults. */
export interface PackageSettings {
  readonly runtime: string;
  /** The parameter `$settings` of helpers. */
  readonly helperSettings: JsonObject;
}

/** The settings of a program's first workflow. They apply to the whole package. */
export function packageSettingsOf(deployment: Deployment, workflow: Workflow): PackageSettings {
  const { values } = deployment.bindingsOf(workflow);
  const seconds = (name: string) => {
    const setting = own(values, name);
    return typeof setting === "number" ? setting * 1000 : undefined;
  };
  const helperSettings = {
    helper: deployment.helper,
    timers: own(values, "timers"),
    keepEventsMs: seconds("keepEvents"),
    keepOutcomesMs: seconds("keepOutcomes"),
    stalledMs: seconds("stalledAfter"),
  };
  return {
    runtime: String(own(values, "runtime") ?? "nodejs:20"),
    helperSettings: JSON.parse(JSON.stringify(helperSettings)) as JsonObject,
  };
}

/**
 * The helper action that a program needs, each containing the previous: `calls` if its runs are never suspended, `runs`
 * if they may be, `events` if it receives events.
 */
export type HelperKind = "calls" | "runs" | "events";

/** The helper action that a program needs, if any. */
export function helperKind(workflows: readonly PlannedWorkflow[]): HelperKind | undefined {
  if (workflows.some((flow) => isStarted(flow) || flow.requirements.receives)) return "events";
  if (workflows.some(({ requirements }) => requirements.reasons.length > 0)) return "runs";
  return workflows.some(({ requirements }) => requirements.usesHelper) ? "calls" : undefined;
}

/** Whether runs of a program need a store: they may be suspended, or events start them. */
export function needsStore(workflows: readonly PlannedWorkflow[]): boolean {
  const kind = helperKind(workflows);
  return kind === "runs" || kind === "events";
}

/** Whether something waits for time or for events, so that a janitor has to look after it. */
export const needsJanitor = (workflows: readonly PlannedWorkflow[]): boolean =>
  helperKind(workflows) === "events" || workflows.some(({ requirements }) => requirements.delays);

const isStarted = ({ selected }: CompiledWorkflow): boolean => selected?.subscription?.start !== undefined;

/** The triggers that are fired when suspended runs end, by action. */
export const endTriggers = (
  workflows: readonly PlannedWorkflow[],
): readonly (readonly [action: string, trigger: string])[] =>
  workflows
    .filter((flow) => flow.requirements.reasons.length > 0 || isStarted(flow))
    .map(({ action }) => [action, `${action}-ended`] as const);

/** An alarm that starts runs of a workflow. */
export interface ProgramTimer {
  readonly trigger: string;
  readonly alarm: Alarm;
  readonly flow: PlannedWorkflow;
}

/** The alarms of a program, in the order of the workflows and their timers. */
export const timersOf = (workflows: readonly PlannedWorkflow[]): readonly ProgramTimer[] =>
  workflows.flatMap((flow) =>
    (flow.workflow.start.timers ?? [])
      .map(alarmOf)
      .filter(isAlarm)
      .map((alarm, i) => ({ trigger: `${flow.action.slice(0, 200)}-timer${i === 0 ? "" : `-${i + 1}`}`, alarm, flow })),
  );

/** The distinct secrets that a program reads. */
export function secretsOf(
  workflows: readonly CompiledWorkflow[],
): readonly Pick<SecretRead, "id" | "key" | "version">[] {
  const read = workflows.flatMap(({ workflow }) =>
    stepsOf(workflow).flatMap((step) => (step.kind === "call" ? (step.secrets ?? []) : [])),
  );
  const places = read.map(({ id, key, version }) => ({ id, key, ...(version === undefined ? {} : { version }) }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** A trigger of a program with its events. */
export interface ProgramEvent {
  readonly trigger: string;
  readonly isReceived: boolean;
  readonly feed?: string | undefined;
  readonly inputs: JsonObject;
  readonly definitions: readonly EventDefinition[];
}

/** The triggers of a program's events, in the order of the workflows. */
export function eventsOf(workflows: readonly PlannedWorkflow[], deployment: Deployment): readonly ProgramEvent[] {
  const events = new Map<string, ProgramEvent>();
  const all = workflows.map(({ workflow }) => workflow);
  for (const { workflow } of workflows) {
    const received = receivedEventNames(workflow);
    for (const event of workflow.events) {
      const trigger = lastOf(deployment.trigger(workflow, event));
      const triggerBinding = deployment.triggerBinding(workflow, event);
      const existing = events.get(trigger);
      const { name, type = name, source, subject } = event;
      const attributes = triggerBinding?.isData ? { $event: jsonText({ type, source, subject }) } : {};
      events.set(trigger, {
        trigger,
        isReceived:
          (existing?.isReceived ?? false) || received.has(event.name) || isEmittedToProgram(event, workflow, all),
        feed: triggerBinding?.feed,
        inputs: { ...triggerBinding?.parameters, ...attributes },
        definitions: [...(existing?.definitions ?? []), event],
      });
    }
  }
  return [...events.values()];
}

function receivedEventNames(workflow: Workflow): ReadonlySet<string> {
  const waits = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const patterns = [...waits, ...(workflow.start.on ?? [])].flatMap(({ all, none }) => [...all.flat(), ...none]);
  return new Set(patterns.map(({ event }) => event.name));
}

/** The last segment of a name: `charge` for `/_/waybill/charge`. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Prints JSON for a manifest, where wskdeploy would substitute variables after a `$`. */
export const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll("$", "\\u0024");
