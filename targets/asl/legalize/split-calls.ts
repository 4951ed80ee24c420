import { literal, variable } from "../../../src/expressions/index.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Call, End, Step, Workflow } from "../../../src/ir/workflow.ts";
import { type Program, programOf } from "../../../src/ir/workflow.ts";
import { programIds, replaceSteps } from "./replace-steps.ts";

/**
 * Moves calls without waiting into workflows of their own: a Task waits for the function that it calls, but can start
 * an execution without waiting.
 *
 *   fire log({ n: 1 }) → run orders-log({ n: 1 }), not waiting; and workflow orders-log: call log($argument)
 */
export function splitCalls(program: Program): Program {
  const ids = programIds(program);
  const added: Workflow[] = [];
  const workflows = program.workflows.map((workflow) => {
    if (!stepsOf(workflow).some(isAsynchronous)) return workflow;
    const callers = new Map<string, string>();
    const callerOf = (call: Call): string => {
      const { name } = call.function;
      const id = callers.get(name) ?? ids.fresh(`${workflow.id}-${name}`);
      if (!callers.has(name)) added.push(callerWorkflow(call, id, workflow));
      callers.set(name, id);
      return id;
    };
    return replaceSteps(workflow, (step) => (isAsynchronous(step) ? [startCaller(step, callerOf(step))] : [step]));
  });
  return added.length === 0 ? program : programOf([...workflows, ...added]);
}

/** The input of a workflow that makes a call without waiting. */
const argument = "argument";

/** Whether a workflow of the legalized program makes the calls that were split from another. */
export const isSplitCall = ({ id, input }: Workflow, source: Program): boolean =>
  input === argument && !source.byId.has(id);

const isAsynchronous = (step: Step): step is Call => step.kind === "call" && !step.wait && step.secrets === undefined;

function startCaller({ function: called, argument, timeout: _, secrets: __, ...step }: Call, id: string): Step {
  return { ...step, kind: "invoke", workflow: { name: id, span: called.span }, input: argument, terminates: false };
}

function callerWorkflow({ id: step, origin, span, function: called }: Call, id: string, workflow: Workflow): Workflow {
  const call: Call = {
    kind: "call",
    id: step,
    origin,
    span,
    function: called,
    argument: variable(argument),
    wait: true,
    retries: [],
    handlers: [],
    next: { name: `${step}/end`, span },
  };
  const end: End = {
    kind: "end",
    id: call.next.name,
    origin: { ...origin, entry: false },
    span,
    outcome: "leave",
    extent: "scope",
    value: literal(null),
  };
  const { name, version, language, errorNames, statesAllRetries } = workflow;
  return {
    kind: "workflow",
    id,
    name: `${name}: ${called.name}`,
    version,
    language,
    errorNames,
    statesAllRetries,
    start: { span },
    input: argument,
    anyInput: true,
    body: { entry: { name: step, span }, variables: [{ name: argument }], steps: [call, end], span },
    functions: workflow.functions.filter((each) => each.name === called.name),
    events: [],
    span: workflow.span,
  };
}
