import type { FunctionDefinition, Workflow } from "../../src/ir/workflow.ts";
import type { Entities } from "./lower/context.ts";

/** The names of what a workflow calls: functions and flows in the package of the program. */
export function entitiesOf(_workflow: Workflow): Entities {
  const action = (name: string): string => (name.startsWith("/") ? name : `/_/waybill/${name}`);
  return {
    action: ({ name, resource }: FunctionDefinition) => action(resource?.startsWith("/") ? resource : name),
    flow: action,
    helper: action,
    trigger: ({ type, name }) => type ?? name,
  };
}
