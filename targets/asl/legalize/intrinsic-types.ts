import { type DataFlow, proveDataFlow } from "../../../src/analysis/types/flow.ts";
import { call, variable } from "../../../src/expressions/index.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";
import type { Type } from "../../../src/types/index.ts";
import { intrinsics } from "../intrinsics.ts";

/** Declares the intrinsics of Step Functions that passes use as variables. */
export function declareIntrinsics<W extends Workflow>(workflow: W): W {
  const string = call("text", variable(workflow.input));
  const declarations = [
    { name: intrinsics.now, initial: string },
    { name: intrinsics.millis, initial: call("length", string) },
    { name: intrinsics.uuid, initial: string },
    { name: intrinsics.expiry, initial: string },
    { name: intrinsics.execution, initial: string },
    { name: intrinsics.taskToken, initial: string },
  ];
  return { ...workflow, body: { ...workflow.body, variables: [...workflow.body.variables, ...declarations] } };
}

/** The types of variables before each step, for any input. `resultTypes`: those of outlined expressions. */
export const typesBefore = (
  workflow: Workflow,
  program: Program,
  resultTypes?: ReadonlyMap<string, Type>,
): DataFlow["before"] => proveDataFlow(declareIntrinsics(workflow), program.workflows, resultTypes).before;
