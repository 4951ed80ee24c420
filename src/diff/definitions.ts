import { patternsOf, stepsOf } from "../ir/walk.ts";
import type { EventDefinition, FunctionDefinition, Workflow } from "../ir/workflow.ts";

/** The functions and events that the steps or the start of a workflow refer to, by name. */
export function usedDefinitions(workflow: Workflow): {
  readonly functions: readonly FunctionDefinition[];
  readonly events: readonly EventDefinition[];
} {
  const functions = new Set<string>();
  const events = new Set(patternsOf(workflow.start.on ?? []).map(({ event }) => event.name));
  for (const step of stepsOf(workflow)) {
    if (step.kind === "call")
      for (const { name } of [step.function, ...(step.secrets ?? []).map(({ reader }) => reader)]) functions.add(name);
    if (step.kind === "emit") events.add(step.event.name);
    if (step.kind === "receive") for (const { event } of patternsOf(step.alternatives)) events.add(event.name);
  }
  return {
    functions: workflow.functions.filter(({ name }) => functions.has(name)).toSorted(byName),
    events: workflow.events.filter(({ name }) => events.has(name)).toSorted(byName),
  };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
