import { describeObstacle, fixOfObstacle, partitionObstacle, spanOfObstacle } from "../../src/ir/correlation.ts";
import { awaitedEvents, mayMatchSameEvent, receivedEvents } from "../../src/ir/event-patterns.ts";
import { startsOnEvents } from "../../src/ir/starts.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { receives } from "./correlation.ts";
import * as messages from "./diagnostics/kinds.ts";

/** Reports groups whose events cannot be partitioned, if their runs wait for some. */
export function checkPartitions(workflows: readonly Workflow[], report: Report): void {
  for (const { members } of new Set(eventGroups(workflows).values())) {
    const obstacle = members.some((each) => awaitedEvents(each).length > 0) ? partitionObstacle(members) : undefined;
    if (!obstacle) continue;
    const ids = members.map(({ id }) => id);
    report(
      messages.aslOnePartition(spanOfObstacle(obstacle), {
        ids,
        why: describeObstacle(obstacle),
        hint: fixOfObstacle(obstacle),
      }),
    );
  }
}

/** Workflows that receive the same events; one run among theirs consumes an event. */
export interface EventGroup {
  /** The workflow whose function receives the events: the first that they start, if any. */
  readonly leader: Workflow;
  readonly members: readonly Workflow[];
}

/** The group of each workflow that receives events. */
export function eventGroups(workflows: readonly Workflow[]): ReadonlyMap<Workflow, EventGroup> {
  const groups = new Map<Workflow, EventGroup>();
  const open = new Set(workflows.filter(receives));
  for (const first of open) {
    const members = new Set([first]);
    for (const member of members) for (const other of open) if (sharesEvents(member, other)) members.add(other);
    for (const member of members) open.delete(member);
    const ordered = workflows.filter((each) => members.has(each));
    const group = { leader: ordered.find(startsOnEvents) ?? first, members: ordered };
    for (const member of ordered) groups.set(member, group);
  }
  return groups;
}

const sharesEvents = (a: Workflow, b: Workflow): boolean =>
  receivedEvents(a).some((event) => receivedEvents(b).some((other) => mayMatchSameEvent(event, other)));

/** The workflows of a group that events start, in starting order. */
export const startedWorkflows = (members: readonly Workflow[]): readonly Workflow[] => members.filter(startsOnEvents);

/** The environment variable with the ARN of the n-th machine that events start. */
export const machineVariable = (n: number): string => (n === 0 ? "STATE_MACHINE_ARN" : `STATE_MACHINE_ARN_${n + 1}`);
