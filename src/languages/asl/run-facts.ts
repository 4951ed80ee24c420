import { call, type Expression, freeVariables, literal, variable } from "../../expressions/index.ts";
import { createNames } from "../../ir/names.ts";
import type { BuiltIn } from "../../ir/protocols.ts";
import { expressionsOf, innerScopes, scopesOf } from "../../ir/walk.ts";
import type { FunctionDefinition, Reference, Scope, Step, StepBase, Workflow } from "../../ir/workflow.ts";
import { type Context, type ExecutionFacts, factNames, inputName, runFacts } from "./context.ts";
import { builtIn } from "./preparation.ts";

/** Adds the steps that record what expressions read of the run: its input, its id and when it began. */
export function withRunFacts(workflow: Workflow): Workflow {
  const read = factsRead(
    scopesOf(workflow).map(({ scope }) => scope),
    runFacts,
  );
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

/**
 * Adds the steps at the beginning of an execution of a distributed Map that record what its expressions read of it: its
 * input, its name and when it began.
 */
export function withExecutionFacts(context: Context, scope: Scope, facts: ExecutionFacts): Scope {
  const read = factsRead([scope, ...innerScopesOf(scope)], facts);
  if (read.length === 0) return scope;
  const { span } = scope;
  const first = scope.entry.name;
  const steps: Step[] = [];
  let entry = scope.entry;
  const before = (part: string, make: (base: StepBase, next: Reference) => Step): void => {
    const id = context.ids.step(first, part);
    const origin = { noun: "Map state", name: facts.maps.at(-1)!, entry: false, part };
    steps.unshift(make({ id, origin, span }, entry));
    entry = { name: id, span };
  };
  const assign = (part: string, variable: string, value: Expression): void =>
    before(part, (base, next) => ({ ...base, kind: "assign", values: [{ variable, value }], next }));
  const record = (part: string, kind: "clock" | "id", bind: string): void => {
    const called = { function: { name: builtIn(context, kind), span }, argument: literal(null), wait: true };
    before(part, (base, next) => ({ ...base, kind: "call", ...called, retries: [], handlers: [], bind, next }));
  };
  if (read.includes(facts.startTime)) {
    assign("start-time", facts.startTime, call("instant", variable(facts.startTime)));
    record("clock", "clock", facts.startTime);
  }
  if (read.includes(facts.name)) record("execution", "id", facts.name);
  if (read.includes(facts.input)) assign("input", facts.input, variable(inputName));
  const variables = [...scope.variables, ...read.map((name) => ({ name }))];
  return { ...scope, entry, variables, steps: [...steps, ...scope.steps] };
}

const innerScopesOf = ({ steps }: Scope): readonly Scope[] =>
  steps.flatMap((step) => innerScopes(step).flatMap((scope) => [scope, ...innerScopesOf(scope)]));

/** The facts that steps and the initial values of variables read. */
function factsRead(scopes: readonly Scope[], facts: ExecutionFacts): readonly string[] {
  const read = new Set<string>();
  for (const scope of scopes) {
    const initial = scope.variables.flatMap((each) => each.initial ?? []);
    for (const expression of [...initial, ...scope.steps.flatMap(expressionsOf)])
      for (const name of freeVariables(expression)) read.add(name);
  }
  return factNames(facts).filter((name) => read.has(name));
}
