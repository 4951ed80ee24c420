import { binary, freeVariables, literal, member, variable } from "../expressions/index.ts";
import { namesOf } from "../ir/names.ts";
import { innerScopes, type Place, places } from "../ir/walk.ts";
import type { End, ForEach, Fork, Handler, Scope, Step, Workflow } from "../ir/workflow.ts";
import { partOf } from "./recovery.ts";

/** An end of the whole run within a branch or an iteration, of which a platform has none. */
type RunEnd = End & { readonly outcome: "leave"; readonly extent: "run" };

/**
 * Ends of the whole run from within branches and iterations, said by errors: each fails under a name of its own, which the branches and iterations around it
 * let through, and at which the outermost of these leads to an end. Others than those of which `canRaise` says so stay as they are.
 */
export function withRaisedEnds(workflow: Workflow): Workflow {
  const raised = places(workflow).flatMap((place) =>
    place.scope.steps.flatMap((step) => (isRunEnd(step) && canRaise(step, place) ? [step] : [])),
  );
  if (raised.length === 0) return workflow;
  const { steps: names } = namesOf(workflow);
  const errors = new Map(raised.map((end, i) => [end.id, raised.length === 1 ? errorName : `${errorName}${i + 1}`]));
  const inScope = (scope: Scope, isOutermost: boolean): Scope => {
    const added: Step[] = [];
    const steps = scope.steps.map((step): Step => {
      if (!isOutermost && isRunEnd(step) && errors.has(step.id)) return failing(step, step.id, errors.get(step.id)!);
      if (step.kind !== "fork" && step.kind !== "foreach") return step;
      const ends = endsWithin(step).filter(({ id }) => errors.has(id));
      const handlers = ends.map((end): Handler => {
        const id = names.fresh(`${step.id}/over`);
        const base = { origin: partOf(step, "over"), span: end.span };
        added.push(
          isOutermost
            ? { ...end, ...base, id, extent: "scope" }
            : { ...failing(end, id, errors.get(end.id)!), ...base },
        );
        const when = binary("==", member(variable("error"), "name"), literal(errors.get(end.id)!));
        return { when, next: { name: id, span: end.span }, span: end.span };
      });
      const inner = withInner(step, (each) => inScope(each, false));
      return handlers.length === 0 ? inner : { ...inner, handlers: [...handlers, ...step.handlers] };
    });
    return { ...scope, steps: [...steps, ...added] };
  };
  return { ...workflow, body: inScope(workflow.body, true) };
}

/**
 * Whether an end of the run can be said by an error: nothing around it takes errors or tries again, and its value is that of variables of the workflow itself,
 * which are the same outside.
 */
export function canRaise(end: Step, place: Place): boolean {
  if (!isRunEnd(end)) return false;
  const read = freeVariables(end.value);
  for (let { scope, owner, outer } = place; owner && outer; { scope, owner, outer } = outer) {
    if (owner.kind !== "fork" && owner.kind !== "foreach") return false;
    const hidden = [...scope.variables.map(({ name }) => name), ...elementsOf(owner)];
    if (owner.retries.length + owner.handlers.length > 0 || hidden.some((name) => read.has(name))) return false;
  }
  return true;
}

/** What the error is called that stands for the end of a run. */
const errorName = "RunEnds";

const isRunEnd = (step: Step): step is RunEnd =>
  step.kind === "end" && step.outcome === "leave" && step.extent === "run";

const elementsOf = (owner: Fork | ForEach): readonly string[] =>
  owner.kind === "foreach" ? [owner.element, owner.index ?? owner.element] : [];

/** The ends of the run in the scopes of a step, however deep. */
const endsWithin = (step: Step): readonly RunEnd[] =>
  innerScopes(step).flatMap(({ steps }) => steps.flatMap((inner) => (isRunEnd(inner) ? [inner] : endsWithin(inner))));

function failing(end: RunEnd, id: string, name: string): End {
  const value = literal({ origin: "fail", name, message: "The run ends here." });
  return { ...end, id, outcome: "fail", extent: "scope", value };
}

function withInner<S extends Fork | ForEach>(step: S, change: (scope: Scope) => Scope): S {
  if (step.kind === "foreach") return { ...step, scope: change(step.scope) };
  return { ...step, branches: step.branches.map((branch) => ({ ...branch, scope: change(branch.scope) })) };
}
