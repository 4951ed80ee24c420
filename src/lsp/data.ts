import { proveDataFlow } from "../analysis/types/flow.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Type } from "../types/index.ts";

const flows = new WeakMap<Workflow, ReturnType<typeof proveDataFlow>>();

/** The type of the data before a step, if it can be reached. */
export function dataBefore(workflow: Workflow, step: string): Type | undefined {
  const flow = flows.get(workflow) ?? proveDataFlow(workflow, []);
  flows.set(workflow, flow);
  return flow.before.get(step)?.get(workflow.input);
}
