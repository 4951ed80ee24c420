import { type Expression, effectsOf } from "../expressions/index.ts";
import { assertNever } from "../json.ts";
import { computedSeconds } from "./seconds.ts";
import { computedTolerance } from "./tolerance.ts";
import { computedWidth } from "./width.ts";
import type { EventCombination, EventPattern, Handler, Reference, Retry, Scope, Step, Workflow } from "./workflow.ts";

/** A scope and the step that runs it. */
export interface ScopeNode {
  readonly scope: Scope;
  readonly owner: Step | undefined;
  readonly parent: ScopeNode | undefined;
}

/** All scopes in source order, outer before inner. */
export function scopesOf({ body }: Workflow): readonly ScopeNode[] {
  const known = scopesOfBodies.get(body) ?? findScopes(body);
  scopesOfBodies.set(body, known);
  return known;
}

const scopesOfBodies = new WeakMap<Scope, readonly ScopeNode[]>();

function findScopes(body: Scope): readonly ScopeNode[] {
  const found: ScopeNode[] = [{ scope: body, owner: undefined, parent: undefined }];
  for (let i = 0; i < found.length; i++) {
    const parent = found[i]!;
    for (const owner of parent.scope.steps)
      for (const scope of innerScopes(owner)) found.push({ scope, owner, parent });
  }
  return found;
}

/** The scopes that a step runs. */
export function innerScopes(step: Step): readonly Scope[] {
  switch (step.kind) {
    case "fork":
      return step.branches.map(({ scope }) => scope);
    case "foreach":
      return [step.scope];
    case "attempt":
      return [step.body];
    default:
      return none;
  }
}

const none: readonly never[] = [];

/** The possible next steps, including handlers. */
export function successors(step: Step): readonly Reference[] {
  return [...exits(step), ...handlersOf(step).map(({ next }) => next)];
}

/** The possible next steps after success. */
export function exits(step: Step): readonly Reference[] {
  switch (step.kind) {
    case "choose":
      return [...step.cases.map(({ next }) => next), ...(step.otherwise ? [step.otherwise] : [])];
    case "end":
      return [];
    default:
      return [step.next];
  }
}

/** The handlers of a step, if any. */
export const handlersOf = (step: Step): readonly Handler[] => ("handlers" in step ? step.handlers : none);

/** The retries of a step, if any. */
export const retriesOf = (step: Step): readonly Retry[] => ("retries" in step ? step.retries : none);

/** All steps in source order, outer scopes first. */
export function stepsOf(workflow: Workflow): readonly Step[] {
  const known = stepsOfBodies.get(workflow.body) ?? scopesOf(workflow).flatMap(({ scope }) => scope.steps);
  stepsOfBodies.set(workflow.body, known);
  return known;
}

const stepsOfBodies = new WeakMap<Scope, readonly Step[]>();

/** The steps of a scope by id. */
export const stepsById = (scope: Scope): ReadonlyMap<string, Step> =>
  new Map(scope.steps.map((step) => [step.id, step]));

/** Rewrites all scopes, inner before outer. Returns the same workflow if nothing changes. */
export function mapScopes<W extends Workflow>(workflow: W, change: (scope: Scope) => Scope): W {
  return rewriteScopes(workflow, change, change);
}

/** Rewrites all scopes except the bodies of attempts. */
export function mapOwnScopes<W extends Workflow>(workflow: W, change: (scope: Scope) => Scope): W {
  return rewriteScopes(workflow, change, (body) => body);
}

function rewriteScopes<W extends Workflow>(
  workflow: W,
  change: (scope: Scope) => Scope,
  changeBody: (body: Scope) => Scope,
): W {
  const within = (scope: Scope): Scope => withSteps(scope, mapKeeping(scope.steps, inside));
  const changed = (scope: Scope): Scope => change(within(scope));
  const inside = (step: Step): Step => {
    switch (step.kind) {
      case "fork": {
        const branches = mapKeeping(step.branches, (branch) => {
          const scope = changed(branch.scope);
          return scope === branch.scope ? branch : { ...branch, scope };
        });
        return branches === step.branches ? step : { ...step, branches };
      }
      case "foreach": {
        const scope = changed(step.scope);
        return scope === step.scope ? step : { ...step, scope };
      }
      case "attempt": {
        const body = changeBody(within(step.body));
        return body === step.body ? step : { ...step, body };
      }
      default:
        return step;
    }
  };
  const body = changed(workflow.body);
  return body === workflow.body ? workflow : { ...workflow, body };
}

/** Returns the scope with other steps; the same scope if they are its own. */
export const withSteps = (scope: Scope, steps: readonly Step[]): Scope =>
  steps === scope.steps ? scope : { ...scope, steps };

/** Maps an array; returns the same array if no element changes, so that caches by identity stay valid. */
export function mapKeeping<T>(list: readonly T[], change: (element: T) => T): readonly T[] {
  const mapped = list.map(change);
  return mapped.every((element, i) => element === list[i]) ? list : mapped;
}

/** Rewrites the references of a step. */
export function redirectStep(step: Step, to: (reference: Reference) => Reference): Step {
  switch (step.kind) {
    case "end":
      return step;
    case "choose": {
      const cases = step.cases.map((each) => ({ ...each, next: to(each.next) }));
      return { ...step, cases, otherwise: step.otherwise && to(step.otherwise) };
    }
    default: {
      const handlers = handlersOf(step).map((handler) => ({ ...handler, next: to(handler.next) }));
      return { ...step, ...("handlers" in step ? { handlers } : {}), next: to(step.next) } as Step;
    }
  }
}

/** The event patterns of combinations. */
export const patternsOf = (alternatives: readonly EventCombination[]): readonly EventPattern[] =>
  alternatives.flatMap(({ all, none }) => [...all.flat(), ...none]);

/** All expressions of a step, with the initial values of inner scopes. */
export function expressionsOf(step: Step): readonly Expression[] {
  let known = expressionsOfSteps.get(step);
  if (!known) {
    known = [...workExpressions(step), ...[...retriesOf(step), ...handlersOf(step)].map(({ when }) => when)];
    expressionsOfSteps.set(step, known);
  }
  return known;
}

const expressionsOfSteps = new WeakMap<Step, readonly Expression[]>();

/** Without the conditions of retries and handlers. */
export function workExpressions(step: Step): readonly Expression[] {
  const initials = innerScopes(step).flatMap(({ variables }) =>
    variables.flatMap(({ initial }) => (initial ? [initial] : [])),
  );
  return [...ownExpressions(step), ...initials];
}

/** Also without inner scopes. */
export const ownExpressions = (step: Step): readonly Expression[] => [
  ...workOf(step),
  ...computedSeconds(step),
  ...computedWidth(step),
  ...computedTolerance(step),
];

function workOf(step: Step): readonly Expression[] {
  switch (step.kind) {
    case "assign":
      return step.values.map(({ value }) => value);
    case "choose":
      return step.cases.map(({ when }) => when);
    case "call":
      return [step.argument];
    case "delay":
      return [step.wait.kind === "for" ? step.wait.seconds : step.wait.instant];
    case "receive":
      return [
        ...patternsOf(step.alternatives).flatMap(({ when }) => (when ? [when] : [])),
        ...(step.correlation ?? []).map(({ value }) => value),
      ];
    case "emit":
      return [step.data, ...(step.correlation ? [step.correlation] : []), ...Object.values(step.attributes ?? {})];
    case "foreach":
      return [step.items];
    case "invoke":
      return [step.input];
    case "end":
      return [step.value];
    case "fork":
    case "attempt":
      return [];
    default:
      return assertNever(step);
  }
}

/** The free names of a step's expressions, including `error` and `event`. */
export function namesRead(step: Step): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expression of expressionsOf(step)) for (const name of effectsOf(expression).free.keys()) names.add(name);
  return names;
}

/** The variables that a step assigns itself. */
export function assignedVariables(step: Step): readonly string[] {
  if (step.kind === "assign") return step.values.map(({ variable }) => variable);
  const bound = "bind" in step && step.bind !== undefined ? [step.bind] : [];
  return [...bound, ...handlersOf(step).flatMap(({ bind }) => (bind === undefined ? [] : [bind]))];
}

/** The reachable steps of a scope, by id. */
export function reachableSteps(scope: Scope): ReadonlySet<string> {
  const steps = stepsById(scope);
  const reached = new Set<string>();
  const pending = [scope.entry.name];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const step = steps.get(id);
    if (!step || reached.has(id)) continue;
    reached.add(id);
    for (const { name } of successors(step)) if (!reached.has(name)) pending.push(name);
  }
  return reached;
}
