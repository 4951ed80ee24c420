import { call, type Expression, freeVariables, literal, variable } from "../../expressions/index.ts";
import { createNames } from "../../ir/names.ts";
import type { BuiltIn } from "../../ir/protocols.ts";
import { expressionsOf, scopesOf } from "../../ir/walk.ts";
import type { FunctionDefinition, Reference, Step, StepBase, Workflow } from "../../ir/workflow.ts";
import { inputName, runFacts } from "./context.ts";

/** Adds the steps that record what expressions read of the run: its input, its id and when it began. */
export function withRunFacts(workflow: Workflow): Workflow {
  const read = factsRead(workflow);
  if (read.length === 0) return workflow;
  const { body, span } = workflow;
  const functions = createNames(workflow.functions.map(({ name }) => name));
  const ids = createNames(scopesOf(workflow).flatMap(({ scope }) => scope.steps.map(({ id }) => id)));
  const added: FunctionDefinition[] = [];
  const steps: Step[] = [];
  let entry: Reference = body.entry;
  const before = (what: string, make: (base: StepBase, next: Reference) => Step): void => {
    const id = ids.fresh(`${workflow.id}/${what}`);
    const origin = { noun: "machine", name: workflow.name, entry: false, part: what };
    steps.unshift(make({ id, origin, span }, entry));
    entry = { name: id, span };
  };
  const assign = (what: string, to: string, value: Expression): void =>
    before(what, (base, next) => ({ ...base, kind: "assign", values: [{ variable: to, value }], next }));
  const record = (what: string, kind: BuiltIn["kind"], bind: string): void => {
    const name = functions.fresh(kind);
    added.push({ name, protocol: { kind }, span });
    const called = { function: { name, span }, argument: literal(null), wait: true, retries: [], handlers: [] };
    before(what, (base, next) => ({ ...base, kind: "call", ...called, bind, next }));
  };
  if (read.includes(runFacts.startTime)) {
    assign("start-time", runFacts.startTime, call("instant", variable(runFacts.startTime)));
    record("clock", "clock", runFacts.startTime);
  }
  if (read.includes(runFacts.name)) record("run", "run", runFacts.name);
  if (read.includes(runFacts.input)) assign("input", runFacts.input, variable(inputName));
  const variables = [...body.variables, ...read.map((name) => ({ name }))];
  return {
    ...workflow,
    functions: [...workflow.functions, ...added],
    body: { ...body, entry, variables, steps: [...steps, ...body.steps] },
  };
}

/** The facts that steps and the initial values of variables read. */
function factsRead(workflow: Workflow): readonly string[] {
  const read = new Set<string>();
  for (const { scope } of scopesOf(workflow)) {
    const initial = scope.variables.flatMap((each) => each.initial ?? []);
    for (const expression of [...initial, ...scope.steps.flatMap(expressionsOf)])
      for (const name of freeVariables(expression)) read.add(name);
  }
  return Object.values(runFacts).filter((name) => read.has(name));
}
