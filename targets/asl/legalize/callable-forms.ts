import { binary, literal, member, object, variable } from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Assign, Choose, End, Invoke, Scope, Step, Window, Workflow } from "../../../src/ir/workflow.ts";
import { type Program, programOf } from "../../../src/ir/workflow.ts";
import { programIds, replaceSteps } from "./replace-steps.ts";

/**
 * Adds workflows for subflows whose called form differs, because a machine does not know its caller. A called workflow
 * outside its window completes with its input. One that may end its caller's run reports that in its output.
 *
 *   run child($data) whose terminate ends this -> result
 *   → run child-called($data) -> outcome; choose when $outcome.ends then end the run with $outcome.value …
 */
export function addCallableForms(program: Program): Program {
  const ending = findCallerEnding(program);
  const ids = programIds(program);
  const forms = new Map<string, CallableForm>();
  const formOf = ({ workflow: { name }, wait, terminates }: Invoke): CallableForm | undefined => {
    const ends = wait && terminates && ending.has(name);
    const workflow = program.byId.get(name);
    if (!workflow || !(ends || workflow.start.window)) return undefined;
    const key = `${name}${ends ? " ends" : ""}`;
    const form = forms.get(key) ?? { id: ids.fresh(`${name}-called`), workflow, ends };
    forms.set(key, form);
    return form;
  };
  const workflows = program.workflows.map((workflow) => redirectCalls(workflow, formOf));
  const added: Workflow[] = [];
  for (const form of forms.values()) added.push(buildForm({ ...form, workflow: redirectCalls(form.workflow, formOf) }));
  return added.length === 0 ? program : programOf([...workflows, ...added]);
}

interface CallableForm {
  readonly id: string;
  readonly workflow: Workflow;
  /** Whether its output says if it ended its caller's run. */
  readonly ends: boolean;
}

/** Directly or through their subflows. */
function findCallerEnding({ workflows, byId }: Program): ReadonlySet<string> {
  const ending = new Set<string>();
  const ends = (step: Step): boolean =>
    (step.kind === "end" && step.extent === "run") ||
    (step.kind === "invoke" && step.wait && step.terminates && ending.has(step.workflow.name));
  for (let size = -1; size < ending.size; ) {
    size = ending.size;
    for (const workflow of workflows)
      if (byId.get(workflow.id) === workflow && stepsOf(workflow).some(ends)) ending.add(workflow.id);
  }
  return ending;
}

function buildForm({ id, workflow, ends }: CallableForm): Workflow {
  const { start, body } = workflow;
  const name = `${workflow.name}: called`;
  const called: Workflow = { ...workflow, id, name, start: { span: start.span }, native: undefined };
  if (!ends) return { ...called, body: { ...body, window: start.window } };
  const reporting = mapScopes(called, wrapEnds("run"));
  return {
    ...reporting,
    body: wrapEnds("scope")(start.window ? wrapInWindow(reporting, start.window) : reporting.body),
  };
}

const wrapEnds =
  (extent: End["extent"]) =>
  (scope: Scope): Scope => ({
    ...scope,
    steps: scope.steps.map((step) =>
      step.kind === "end" && step.outcome === "leave" && step.extent === extent
        ? {
            ...step,
            value: object([
              ["ends", literal(extent === "run")],
              ["value", step.value],
            ]),
          }
        : step,
    ),
  });

/** Only branches complete outside their window. */
function wrapInWindow(workflow: Workflow, window: Window): Scope {
  const { body, input, span } = workflow;
  const { steps: names, variables } = workflowNames(workflow);
  const [results, fork, end] = [variables.fresh("results"), names.fresh("window"), names.fresh("window/end")];
  const { origin } = body.steps.find(({ id }) => id === body.entry.name)!;
  const base = { origin: { ...origin, entry: false, part: "window" }, span };
  const given = body.variables.map((each) => (each.name === input ? { ...each, initial: variable(input) } : each));
  const branch = { name: "called", scope: { ...body, variables: given, window }, span };
  return {
    entry: { name: fork, span },
    variables: [{ name: input }, { name: results }],
    steps: [
      {
        ...base,
        kind: "fork",
        id: fork,
        branches: [branch],
        join: { kind: "all" },
        failure: "fatal",
        retries: [],
        bind: results,
        handlers: [],
        next: { name: end, span },
      },
      { ...base, kind: "end", id: end, outcome: "leave", extent: "scope", value: member(variable(results), "called") },
    ],
    span,
  };
}

function redirectCalls(workflow: Workflow, formOf: (step: Invoke) => CallableForm | undefined): Workflow {
  if (!stepsOf(workflow).some((step) => step.kind === "invoke" && formOf(step))) return workflow;
  const names = workflowNames(workflow);
  return replaceSteps(workflow, (step, declare) => {
    const form = step.kind === "invoke" ? formOf(step) : undefined;
    if (step.kind !== "invoke" || !form) return [step];
    const call: Invoke = { ...step, workflow: { ...step.workflow, name: form.id }, terminates: false };
    return form.ends ? checkOutcome(call, names, declare) : [call];
  });
}

/** The steps end the run if the call's output says so. */
function checkOutcome(
  call: Invoke,
  { steps: names, variables }: WorkflowNames,
  declare: (name: string) => void,
): readonly Step[] {
  const { span, origin, bind, next } = call;
  const outcome = variables.fresh("outcome");
  declare(outcome);
  const part = (name: string) => ({
    id: names.fresh(`${call.id}/${name}`),
    origin: { ...origin, entry: false, part: name },
    span,
  });
  const value = member(variable(outcome), "value");
  const endOfRun: End = { ...part("over"), kind: "end", outcome: "leave", extent: "run", value };
  const values = bind === undefined ? [] : [{ variable: bind, value }];
  const given: Assign = { ...part("given"), kind: "assign", values, next };
  const test: Choose = {
    ...part("outcome"),
    kind: "choose",
    cases: [
      { when: binary("==", member(variable(outcome), "ends"), literal(true)), next: { name: endOfRun.id, span }, span },
    ],
    otherwise: { name: given.id, span },
  };
  return [{ ...call, bind: outcome, next: { name: test.id, span } }, test, endOfRun, given];
}
