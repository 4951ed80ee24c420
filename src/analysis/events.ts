import { indistinguishableEvent } from "../diagnostics/flow.ts";
import { equalExpressions } from "../expressions/index.ts";
import { stepsOf } from "../ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Program, Receive, Workflow } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";

/** Reports events that a step waits for and never receives, because an earlier one has the same attributes. */
export function checkEvents({ workflows }: Program, report: Report): void {
  for (const workflow of workflows)
    for (const step of stepsOf(workflow)) if (step.kind === "receive") checkWait(step, workflow, report);
}

function checkWait(step: Receive, { events }: Workflow, report: Report): void {
  const byName = new Map(events.map((event) => [event.name, event]));
  const patterns = step.alternatives.flatMap((alternative, place) =>
    alternative.all.flatMap((group) => group.map((pattern) => ({ pattern, alternative, place }))),
  );
  const received = new Set<string>();
  const hidden = new Map<string, { readonly pattern: EventPattern; readonly by: EventPattern }>();
  for (const [i, later] of patterns.entries()) {
    const hiding = patterns.slice(0, i).find((earlier) => hides(earlier, later, byName));
    const { pattern } = later;
    if (!hiding) received.add(pattern.event.name);
    else if (!hidden.has(pattern.event.name)) hidden.set(pattern.event.name, { pattern, by: hiding.pattern });
  }
  const { noun, name } = step.origin;
  for (const [event, { pattern, by }] of hidden) {
    if (received.has(event)) continue;
    const notes = [{ message: `\`${by.event.name}\` is here.`, span: by.event.span }];
    report(indistinguishableEvent(pattern.event.span, { noun, name, event, first: by.event.name }, notes));
  }
}

interface PlacedPattern {
  readonly pattern: EventPattern;
  readonly alternative: EventCombination;
  readonly place: number;
}

/** Whether each event that a pattern matches ends the wait, or satisfies its group, by the earlier pattern. */
function hides(earlier: PlacedPattern, later: PlacedPattern, byName: ReadonlyMap<string, EventDefinition>): boolean {
  const [first, second] = [earlier, later].map(({ pattern }) => byName.get(pattern.event.name));
  if (!first || !second || first.name === second.name || !isSameEvent(first, second)) return false;
  const { when } = earlier.pattern;
  if (when && !(later.pattern.when && equalExpressions(when, later.pattern.when))) return false;
  if (earlier.place === later.place) return true;
  const { all, none, within = Number.POSITIVE_INFINITY } = earlier.alternative;
  return all.length === 1 && none.length === 0 && within >= (later.alternative.within ?? Number.POSITIVE_INFINITY);
}

function isSameEvent(a: EventDefinition, b: EventDefinition): boolean {
  const fold = (text: string | undefined) => (a.foldCase ? text?.toLowerCase() : text);
  const isSame = (["type", "source", "subject"] as const).every((name) => fold(a[name]) === fold(b[name]));
  return (
    isSame &&
    a.foldCase === b.foldCase &&
    (!a.correlation || (b.correlation !== undefined && equalExpressions(a.correlation, b.correlation)))
  );
}
