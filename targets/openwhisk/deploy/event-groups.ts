import {
  describeObstacle,
  fixOfObstacle,
  partitionKeyOf,
  partitionObstacle,
  spanOfObstacle,
} from "../../../src/ir/correlation.ts";
import { awaitedEvents, mayMatchSameEvent, receivedEvents } from "../../../src/ir/event-patterns.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { openwhiskOnePartition } from "../diagnostics/kinds.ts";

/** Workflows among which an event is arbitrated. */
export interface EventGroup {
  /** The id of the first workflow. */
  readonly group: string;
  readonly members: readonly Workflow[];
  /** The correlation key by whose value the group is partitioned; undefined: it has one partition. */
  readonly key: string | undefined;
}

/** Groups the workflows that receive events: no event is for two groups. */
export function eventGroups(workflows: readonly Workflow[]): ReadonlyMap<Workflow, EventGroup> {
  const groups = new Map<Workflow, EventGroup>();
  const open = new Set(workflows.filter((workflow) => receivedEvents(workflow).length > 0));
  for (const first of open) {
    const members = new Set([first]);
    for (const member of members) for (const other of open) if (areRelated(member, other)) members.add(other);
    const group = { group: first.id, members: [...members], key: partitionKeyOf([...members]) };
    for (const member of members) {
      open.delete(member);
      groups.set(member, group);
    }
  }
  return groups;
}

const areRelated = (a: Workflow, b: Workflow): boolean =>
  receivedEvents(a).some((event) => receivedEvents(b).some((other) => mayMatchSameEvent(event, other)));

/** Reports groups whose events cannot be partitioned, if their runs wait for some. */
export function checkPartitions(workflows: readonly Workflow[], report: Report): void {
  for (const { members } of new Set(eventGroups(workflows).values())) {
    const obstacle = members.some((each) => awaitedEvents(each).length > 0) ? partitionObstacle(members) : undefined;
    if (!obstacle) continue;
    const ids = members.map(({ id }) => id);
    report(
      openwhiskOnePartition(spanOfObstacle(obstacle), {
        ids,
        why: describeObstacle(obstacle),
        hint: fixOfObstacle(obstacle),
      }),
    );
  }
}
