import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, SecretRead, Workflow } from "../../../src/ir/workflow.ts";
import { type JsonObject, own } from "../../../src/json.ts";
import type { Composition } from "../composition.ts";
import type { Lowered } from "../select/workflow.ts";
import type { Deployment } from "./deployment.ts";
import type { Needs } from "./needs.ts";

/** A workflow that has been lowered. */
export interface Flow {
  readonly workflow: Workflow;
  /** What its files are called. */
  readonly name: string;
  readonly composition: Composition;
  /** What its composition was made of; absent where that was given. */
  readonly lowered?: Lowered | undefined;
}

/** A flow, what it needs, and what its action is called in the package. */
export interface Planned extends Flow {
  readonly needs: Needs;
  readonly action: string;
}

/** What the configuration says of a program, or what is so where it says nothing. */
export interface ProgramSettings {
  readonly runtime: string;
  /** What helpers are told in their parameter `$settings`. */
  readonly told: JsonObject;
}

/** The settings of a program: those of its first workflow, as there is one package. */
export function settingsOf(deployment: Deployment, workflow: Workflow): ProgramSettings {
  const { values } = deployment.bindingsOf(workflow);
  const seconds = (name: string) => {
    const said = own(values, name);
    return typeof said === "number" ? said * 1000 : undefined;
  };
  const told = {
    package: deployment.helper("").slice(0, -1),
    timers: own(values, "timers"),
    keepEventsMs: seconds("keepEvents"),
    keepOutcomesMs: seconds("keepOutcomes"),
    stalledMs: seconds("stalledAfter"),
  };
  return {
    runtime: String(own(values, "runtime") ?? "nodejs:20"),
    told: JSON.parse(JSON.stringify(told)) as JsonObject,
  };
}

/** The helper actions of a program. */
export const helpersOf = (flows: readonly Planned[]): readonly string[] =>
  [...new Set(flows.flatMap(({ needs }) => needs.helpers).concat(flows.some(isStarted) ? startHelpers : []))].sort();

const startHelpers = ["rt-join", "rt-resume", "rt-sweep", "rt-timeout"];

const isStarted = ({ lowered }: Flow): boolean => lowered?.hearing?.start !== undefined;

/** Whether some run of a program may be suspended, or started by an event. */
export const needsStore = (flows: readonly Planned[]): boolean =>
  flows.some((flow) => flow.needs.reasons.length > 0 || isStarted(flow));

/** The triggers that tell how runs have ended, by the names of the actions in the package. */
export const endedTriggers = (flows: readonly Planned[]): readonly (readonly [action: string, trigger: string])[] =>
  flows
    .filter((flow) => flow.needs.reasons.length > 0 || isStarted(flow))
    .map(({ action }) => [action, `${action}-ended`] as const);

/** The secrets that the calls of a program read, each once. */
export function secretsOf(flows: readonly Flow[]): readonly Pick<SecretRead, "id" | "key" | "version">[] {
  const read = flows.flatMap(({ workflow }) =>
    stepsOf(workflow).flatMap((step) => (step.kind === "call" ? (step.secrets ?? []) : [])),
  );
  const places = read.map(({ id, key, version }) => ({ id, key, ...(version === undefined ? {} : { version }) }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** An event of a program: its trigger, and what the manifest says of that. */
export interface ProgramEvent {
  readonly trigger: string;
  readonly isHeard: boolean;
  readonly feed?: string | undefined;
  readonly inputs: JsonObject;
  readonly definitions: readonly EventDefinition[];
}

/** The events that a program hears or emits, each trigger once, in the order of the workflows. */
export function eventsOf(flows: readonly Planned[], deployment: Deployment): readonly ProgramEvent[] {
  const events = new Map<string, ProgramEvent>();
  for (const { workflow } of flows) {
    const heard = heardIn(workflow);
    for (const event of workflow.events) {
      const trigger = lastOf(deployment.trigger(workflow, event));
      const channel = deployment.channel(workflow, event);
      const known = events.get(trigger);
      const { name, type = name, source, subject } = event;
      const attributes = channel?.isData ? { $event: textOf({ type, source, subject }) } : {};
      events.set(trigger, {
        trigger,
        isHeard: (known?.isHeard ?? false) || heard.has(event.name),
        feed: channel?.feed,
        inputs: { ...channel?.parameters, ...attributes },
        definitions: [...(known?.definitions ?? []), event],
      });
    }
  }
  return [...events.values()];
}

/** The names of the events that a workflow waits for, or is started by. */
function heardIn(workflow: Workflow): ReadonlySet<string> {
  const waits = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const patterns = [...waits, ...(workflow.start.on ?? [])].flatMap(({ all, none }) => [...all.flat(), ...none]);
  return new Set(patterns.map(({ event }) => event.name));
}

/** `charge` of `/_/waybill/charge`. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A value as a text in which nothing is replaced by who reads the manifest: a `$` is written as JSON can. */
export const textOf = (value: unknown): string => JSON.stringify(value).replaceAll("$", "\\u0024");
