import type { CloudEvent, Taken } from "../events.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow, Start } from "../workflow.ts";
import { definitionOf, fulfilled, inOrder, isSameToken, matches, nameOf, tokenOf } from "./matching.ts";
import { isActive } from "./window.ts";

/** An event that may help to start a run, with its correlation value and when it came (in milliseconds since 1970). */
export interface Arrival extends Taken {
  readonly at: number;
  readonly token?: Json | undefined;
}

/** What an event does to the runs that may start: the events that start one now, if they are complete, and those that wait for others. */
export interface Starting {
  readonly collected: readonly Arrival[];
  readonly events?: readonly Taken[];
}

/** What comes of an event that arrives: `collected` are those that came before and started nothing yet. */
export function arrive(workflow: AnyWorkflow, collected: readonly Arrival[], event: CloudEvent, now: number): Starting {
  const { start = {} } = workflow;
  const name = start.window && !isActive(start.window, now) ? undefined : startingName(workflow, event);
  if (name === undefined) return { collected };
  if (!start.complete) return { collected, events: [{ name, event }] };
  const arrival = { name, event, at: now, token: tokenOf(definitionOf(name, workflow), event) };
  return complete(workflow, [...timely(start, collected, arrival), arrival], arrival);
}

/** The name of the definition by which an event starts a run, alone or with others. */
function startingName(workflow: AnyWorkflow, event: CloudEvent): string | undefined {
  const patterns = (workflow.start?.on ?? []).flatMap(({ all }) => all.flat());
  const pattern = patterns.find((candidate) => matches(nameOf(candidate), event, workflow, undefined));
  return pattern === undefined ? undefined : nameOf(pattern);
}

function complete(workflow: AnyWorkflow, collected: readonly Arrival[], arrival: Arrival): Starting {
  const partners = collected.filter((other) => together(other, arrival));
  const events = partners.map(({ event }) => event);
  for (const alternative of workflow.start?.on ?? []) {
    const groups = fulfilled(alternative, events, workflow, undefined);
    if (!groups) continue;
    const used = inOrder(groups, events);
    return { collected: collected.filter((other) => !used.some(({ event }) => event === other.event)), events: used };
  }
  return { collected };
}

/** What came before, without what has waited too long for an event to go with. */
function timely({ gap }: Start, collected: readonly Arrival[], arrival: Arrival): readonly Arrival[] {
  const last = collected.findLast((other) => together(other, arrival));
  const isLate = gap !== undefined && last !== undefined && arrival.at - last.at > gap * 1000;
  return isLate ? collected.filter((other) => !together(other, arrival)) : collected;
}

const together = (a: Arrival, b: Arrival): boolean =>
  a.token === undefined || b.token === undefined || isSameToken(a.token, b.token);
