import { patternsOf, stepsOf } from "../../ir/walk.ts";
import type { EventDefinition, FunctionDefinition, Reference, Step, Workflow } from "../../ir/workflow.ts";
import type { Report } from "../../text/diagnostics.ts";
import { inheritedDefinition } from "./diagnostics/kinds.ts";

/** Gives subflows the missing definitions of their caller, with a warning. */
export function inheritDefinitions(workflows: readonly Workflow[], report: Report): readonly Workflow[] {
  const ids = new Set(workflows.map(({ id }) => id));
  const parents = new Map<string, Workflow[]>();
  for (const workflow of workflows) {
    for (const { name } of stepsOf(workflow).flatMap((step) => (step.kind === "invoke" ? [step.workflow] : []))) {
      if (ids.has(name)) parents.set(name, [...(parents.get(name) ?? []), workflow]);
    }
  }
  return workflows.map((workflow) => {
    const around = parents.get(workflow.id);
    return around ? inheriting(workflow, around, report) : workflow;
  });
}

function inheriting(workflow: Workflow, parents: readonly Workflow[], report: Report): Workflow {
  const steps = stepsOf(workflow);
  const called = steps.flatMap((step) => (step.kind === "call" ? [step.function] : []));
  const named = [...patternsOf(workflow.start.on ?? []).map(({ event }) => event), ...steps.flatMap(eventsOf)];
  const functions = missing<FunctionDefinition>(
    called,
    workflow.functions,
    parents,
    (parent) => parent.functions,
    "function",
    report,
  );
  const events = missing<EventDefinition>(named, workflow.events, parents, (parent) => parent.events, "event", report);
  if (functions.length === 0 && events.length === 0) return workflow;
  return { ...workflow, functions: [...workflow.functions, ...functions], events: [...workflow.events, ...events] };
}

function missing<Definition extends { readonly name: string }>(
  references: readonly Reference[],
  own: readonly Definition[],
  parents: readonly Workflow[],
  definitionsOf: (parent: Workflow) => readonly Definition[],
  noun: string,
  report: Report,
): readonly Definition[] {
  const known = new Set(own.map(({ name }) => name));
  const found = new Map<string, Definition>();
  for (const { name, span } of references) {
    if (known.has(name)) continue;
    const parent = parents.find((candidate) => definitionsOf(candidate).some((definition) => definition.name === name));
    const definition = parent && definitionsOf(parent).find((candidate) => candidate.name === name);
    if (!parent || !definition) continue;
    found.set(name, definition);
    report(inheritedDefinition(span, { noun, name, parent: parent.id }));
  }
  return [...found.values()];
}

function eventsOf(step: Step): readonly Reference[] {
  if (step.kind === "emit") return [step.event];
  return step.kind === "receive" ? patternsOf(step.alternatives).map(({ event }) => event) : [];
}
