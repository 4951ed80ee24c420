import { binary, conditional, literal, variable } from "../../../src/expressions/index.ts";
import { acceptedInput } from "../../../src/ir/inputs.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { startsOnEvents } from "../../../src/ir/starts.ts";
import type { Assign, Workflow } from "../../../src/ir/workflow.ts";

/**
 * Lets a workflow check its input in its first step, with the setting `checkInput`: an input that is not an object or
 * does not fit the schema fails with `InvalidInput`. The data of a run that events start is empty; it is not checked.
 */
export function checkInput(workflow: Workflow): Workflow {
  const { inputRules, inputType: _, ...unchecked } = workflow;
  const { body, input, anyInput } = workflow;
  if (anyInput && !inputRules) return workflow;
  const { entry, steps, span } = body;
  const accepted = acceptedInput(workflow, variable(input), false);
  const first: Assign = {
    kind: "assign",
    id: workflowNames(workflow).steps.fresh(`${entry.name}/input`),
    origin: { ...steps.find(({ id }) => id === entry.name)!.origin, entry: false, part: "input" },
    span,
    values: [
      {
        variable: input,
        value: startsOnEvents(workflow)
          ? conditional(binary("==", variable(input), literal({})), variable(input), accepted)
          : accepted,
      },
    ],
    next: entry,
  };
  return { ...unchecked, anyInput: true, body: { ...body, entry: { name: first.id, span }, steps: [first, ...steps] } };
}
