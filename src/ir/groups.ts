import { emittedAttributes, receivedEvents } from "./event-patterns.ts";
import { stepsOf } from "./walk.ts";
import type { Program, Workflow } from "./workflow.ts";

/**
 * The groups of workflows that subflows and events connect, directly or through others, in the order of the program.
 * Facts about a workflow depend on no other group. Linear: events are joined by their type alone.
 */
export function joinedWorkflows({ workflows }: Program): readonly (readonly Workflow[])[] {
  const first = new Map<string, number>();
  const leaders = workflows.map((_, i) => i);
  const leaderOf = (i: number): number => {
    let leader = i;
    while (leaders[leader] !== leader) leader = leaders[leader] = leaders[leaders[leader]!]!;
    return leader;
  };
  /** Joins a workflow with all that have the key. */
  const join = (key: string, i: number): void => {
    const known = first.get(key);
    if (known === undefined) first.set(key, i);
    else leaders[leaderOf(i)] = leaderOf(known);
  };
  const types = workflows.map(eventTypes);
  const matchesAny = types.some((each) => each.has(anyType));
  for (const [i, workflow] of workflows.entries()) {
    join(`workflow ${workflow.id}`, i);
    for (const step of stepsOf(workflow)) if (step.kind === "invoke") join(`workflow ${step.workflow.name}`, i);
    for (const type of types[i]!) join(matchesAny ? "event" : `event ${type}`, i);
  }
  return [...Map.groupBy(workflows, (_, i) => leaderOf(i)).values()];
}

const anyType = "";

/** The types of the events that a workflow receives and emits, without case; empty for any type. */
function eventTypes(workflow: Workflow): ReadonlySet<string> {
  const received = receivedEvents(workflow).map(({ type }) => type);
  const emitted = stepsOf(workflow).flatMap((step) => {
    if (step.kind !== "emit") return [];
    const { type, computed } = emittedAttributes(step, workflow);
    return [computed.has("type") ? undefined : type];
  });
  return new Set([...received, ...emitted].map((type) => type?.toLowerCase() ?? anyType));
}
