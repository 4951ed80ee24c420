import type { Workflow } from "./workflow.ts";

/** The workflows compiled together. Subflows are resolved within the program. */
export interface Program {
  /** In the order of the sources and of the documents in each. */
  readonly workflows: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** The source text of documents that could not be lowered. A name in one of them may be defined there. */
  readonly unread?: readonly string[] | undefined;
}

/** Creates a program. `byId` has the first of workflows with the same id. */
export function programOf(workflows: readonly Workflow[]): Program {
  const byId = new Map<string, Workflow>();
  for (const workflow of workflows) if (!byId.has(workflow.id)) byId.set(workflow.id, workflow);
  return { workflows, byId };
}
