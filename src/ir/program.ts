import type { Workflow } from "./workflow.ts";

/** The workflows that are compiled together. Subflows are resolved within a program. */
export interface Program {
  /** In the order of the sources, then of the documents in each. */
  readonly workflows: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** The text of documents that could not be lowered: a name that appears in one of them may be defined there. */
  readonly unread?: readonly string[] | undefined;
}

/** Builds a program. If two workflows have the same id, the first one is found by it. */
export function programOf(workflows: readonly Workflow[]): Program {
  const byId = new Map<string, Workflow>();
  for (const workflow of workflows) if (!byId.has(workflow.id)) byId.set(workflow.id, workflow);
  return { workflows, byId };
}
