import { balanced, freeVariables, literal, variable } from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { innerScopes, scopesOf } from "../../../src/ir/walk.ts";
import type { End, ForEach, Fork, Handler, Retry, ScopeVariable, Step, StepOrigin } from "../../../src/ir/workflow.ts";
import {
  derivedOrigin,
  type FlatForEach,
  type FlatFork,
  type FlatScope,
  type FlatStep,
  type FlatWorkflow,
} from "../../../src/passes/index.ts";
import { carriedValue, hasName, type OwnErrors, ownError } from "../own-errors.ts";

/**
 * Lowers ends of the run inside branches and iterations to errors. Enclosing branches and iterations do not handle the
 * error; the outermost leads to an end. The error carries the value unless that is the same outside.
 */
export function raiseEnds(workflow: FlatWorkflow, ownErrors: OwnErrors): FlatWorkflow {
  const ends = findRunEnds(workflow, ownErrors);
  if (ends.size === 0) return workflow;
  return {
    ...workflow,
    body: raiseInScope(workflow.body, true, { ends, document: workflow.input, names: workflowNames(workflow) }),
  };
}

interface RunEnd {
  readonly name: string;
  readonly end: End;
  /** Its value reads only variables of the workflow's body. */
  readonly isSame: boolean;
}

/** By id. Ends whose errors carry a value share a name. */
function findRunEnds(workflow: FlatWorkflow, ownErrors: OwnErrors): ReadonlyMap<string, RunEnd> {
  const ends = new Map<string, RunEnd>();
  let count = 0;
  for (const place of scopesOf(workflow))
    for (const end of place.owner ? place.scope.steps : []) {
      if (!isRunEnd(end)) continue;
      const hidden = new Set<string>();
      for (let { scope, owner, parent } = place; owner && parent; { scope, owner, parent } = parent)
        for (const name of [...scope.variables.map((each) => each.name), ...elementsOf(owner as Fork | ForEach)])
          hidden.add(name);
      const isSame = [...freeVariables(end.value)].every((name) => !hidden.has(name));
      ends.set(end.id, { name: isSame ? `${ownErrors.ended}${++count}` : ownErrors.ended, end, isSame });
    }
  return ends;
}

const isRunEnd = (step: Step): step is End & { readonly outcome: "leave" } =>
  step.kind === "end" && step.outcome === "leave" && step.extent === "run";

const elementsOf = (owner: Fork | ForEach): readonly string[] =>
  owner.kind === "foreach" ? [owner.element, owner.index ?? owner.element] : [];

type Ends = ReadonlyMap<string, RunEnd>;

interface RaiseContext {
  readonly ends: Ends;
  readonly document: string;
  readonly names: WorkflowNames;
}

function raiseInScope(scope: FlatScope, isOutermost: boolean, context: RaiseContext): FlatScope {
  const added: FlatStep[] = [];
  const declared: ScopeVariable[] = [];
  const steps = scope.steps.map((step): FlatStep => {
    const end = context.ends.get(step.id);
    if (end) return raiseEnd(end, step.id);
    if (step.kind !== "fork" && step.kind !== "foreach") return step;
    const inner = mapInnerScopes(step, (each) => raiseInScope(each, false, context));
    const isLetThrough = !isOutermost && step.retries.length + step.handlers.length === 0;
    const inside = isLetThrough ? [] : endsInside(step, context.ends);
    const handlers = inside.map((each): Handler => {
      const { handler, over: steps } = handleEnd(step, each, isOutermost, context);
      if (handler.bind !== undefined) declared.push({ name: handler.bind });
      added.push(...steps);
      return handler;
    });
    const retries = inside.length > 0 && step.retries.length > 0 ? [neverRetry(inside), ...step.retries] : step.retries;
    return { ...inner, retries, handlers: [...handlers, ...step.handlers] };
  });
  return { ...scope, variables: [...scope.variables, ...declared], steps: [...steps, ...added] };
}

/** Ends the run here, or raises the error again. */
function handleEnd(
  step: FlatFork | FlatForEach,
  raisedEnd: RunEnd,
  isOutermost: boolean,
  { names: { steps, variables }, document }: RaiseContext,
): { readonly handler: Handler; readonly over: readonly FlatStep[] } {
  const { name, end, isSame } = raisedEnd;
  const bind = isSame ? undefined : variables.fresh("ended");
  const id = steps.fresh(`${step.id}/over`);
  const origin = derivedOrigin(step, "over");
  const handler = { when: hasName(name), bind, next: { name: id, span: end.span }, span: end.span };
  const reraised = bind === undefined ? raisedEnd : { ...raisedEnd, end: { ...end, value: carriedValue(bind) } };
  if (!isOutermost) return { handler, over: [{ ...raiseEnd(reraised, id), origin }] };
  if (bind === undefined) return { handler, over: [{ ...end, id, origin, extent: "scope" }] };
  return { handler, over: endRun(end, bind, { id, origin, document, end: steps.fresh(`${id}/end`) }) };
}

/** With the error's value as the document. */
function endRun(
  end: End,
  error: string,
  made: { readonly id: string; readonly origin: StepOrigin; readonly document: string; readonly end: string },
): readonly FlatStep[] {
  const { id, origin, document } = made;
  const values = [{ variable: document, value: carriedValue(error) }];
  return [
    { kind: "assign", id, origin, span: end.span, values, next: { name: made.end, span: end.span } },
    { ...end, id: made.end, origin, value: variable(document), extent: "scope" },
  ];
}

const raiseEnd = ({ name, end, isSame }: RunEnd, id: string): End => ({
  ...end,
  id,
  outcome: "fail",
  extent: "scope",
  value: isSame ? literal({ origin: "fail", name, message: "The run ends here." }) : ownError(name, end.value),
});

const neverRetry = (ends: readonly RunEnd[]): Retry => ({
  when: balanced(
    "or",
    ends.map(({ name }) => hasName(name)),
  ),
  limit: 0,
  delay: { base: 1, factor: 1, step: 0 },
  span: ends[0]!.end.span,
});

/** At any depth, one for each name. */
function endsInside(step: FlatFork | FlatForEach, ends: Ends): readonly RunEnd[] {
  const found = new Map<string, RunEnd>();
  const pending: Step[] = [step];
  for (let each = pending.pop(); each; each = pending.pop()) {
    const end = ends.get(each.id);
    if (end) found.set(end.name, end);
    for (const { steps } of innerScopes(each)) pending.push(...steps.toReversed());
  }
  return [...found.values()];
}

function mapInnerScopes<S extends FlatFork | FlatForEach>(step: S, change: (scope: FlatScope) => FlatScope): S {
  if (step.kind === "foreach") return { ...step, scope: change(step.scope) };
  return { ...step, branches: step.branches.map((branch) => ({ ...branch, scope: change(branch.scope) })) };
}
