import type { Workflow } from "./workflow.ts";

/** The workflows compiled together. Subflows are resolved within the program. */
export interface Program {
  readonly workflows: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** Source text that could not be lowered. Names in it may be defined there. */
  readonly unread?: readonly string[] | undefined;
}

/** Creates a program. The first of workflows with the same id wins. */
export function programOf(workflows: readonly Workflow[]): Program {
  const byId = new Map<string, Workflow>();
  for (const workflow of workflows) if (!byId.has(workflow.id)) byId.set(workflow.id, workflow);
  return { workflows, byId };
}
