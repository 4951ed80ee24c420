import type { Workflow } from "./workflow.ts";

/** The workflows compiled together. */
export interface Program {
  readonly workflows: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** May define any name. */
  readonly unread?: readonly string[] | undefined;
}

/** Creates a program. The first of equal ids wins. */
export function programOf(workflows: readonly Workflow[]): Program {
  const byId = new Map<string, Workflow>();
  for (const workflow of workflows) if (!byId.has(workflow.id)) byId.set(workflow.id, workflow);
  return { workflows, byId };
}
