import type { DataFlow } from "../../../src/analysis/types/flow.ts";
import { errorVariables, stepReads } from "../../../src/cfg/index.ts";
import {
  type Expression,
  firstOr,
  freeVariables,
  literal,
  member,
  object,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { handlersOf, retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type {
  Assign,
  Branch,
  ForEach,
  Reference,
  Scope,
  ScopeVariable,
  Step,
  Workflow,
} from "../../../src/ir/workflow.ts";
import type { Type } from "../../../src/types/index.ts";
import {
  computeIllegal,
  derivedBase,
  freshId,
  illegalPart,
  mayFail,
  type OutlineContext,
  type OutlinedExpression,
  reference,
  type UnsupportedPart,
} from "./compute.ts";
import { outlineRecovery, outlineWork, type RecoveringStep } from "./steps.ts";

/** A workflow that calls a Lambda function for illegal expressions. */
export interface OutlinedWorkflow {
  readonly workflow: Workflow;
  readonly computed: readonly OutlinedExpression[];
  /** By the id of the calling step. */
  readonly resultTypes: ReadonlyMap<string, Type>;
  /** Illegal expressions that the function cannot compute; they stay. */
  readonly unsupported: readonly UnsupportedPart[];
  /** The function's name. */
  readonly expressions: string;
  /** The step that each new step was derived from, by id. */
  readonly derivedFrom: ReadonlyMap<string, string>;
}

/** Outlines illegal expressions into calls of one Lambda function, with the same behavior and errors. */
export function outline(
  workflow: Workflow,
  { uncaught, open }: Pick<OutlineContext, "uncaught" | "open">,
  types: DataFlow["before"],
): OutlinedWorkflow {
  const names = workflowNames(workflow);
  const expressions = names.functions.fresh("expressions");
  const context: OutlineContext = {
    document: workflow.input,
    names,
    expressions,
    derivedFrom: new Map(),
    uncaught,
    open,
    types,
    errors: new Set(errorVariables(stepsOf(workflow), new Set())),
    computed: [],
    resultTypes: new Map(),
    unsupported: [],
    declare: () => {},
  };
  const body = outlineScope(workflow.body, undefined, context);
  const functions = [...workflow.functions, { name: expressions, span: workflow.span }];
  return {
    workflow: { ...workflow, body, functions },
    computed: context.computed,
    resultTypes: context.resultTypes,
    unsupported: context.unsupported,
    expressions,
    derivedFrom: context.derivedFrom,
  };
}

/** `owner`: the step that runs the scope. */
function outlineScope(scope: Scope, owner: Step | undefined, context: OutlineContext): Scope {
  const names = new Set(scope.variables.map(({ name }) => name));
  const added: ScopeVariable[] = [];
  const declare = (...declared: readonly string[]): void => {
    for (const name of declared) if (!names.has(name)) added.push({ name });
    for (const name of declared) names.add(name);
  };
  const own: OutlineContext = { ...context, declare };
  const steps = scope.steps.flatMap((step) => outlineStep(step, own));
  const start = outlineInitials({ ...scope, steps }, owner, own);
  return { ...scope, ...start, variables: [...start.variables, ...added] };
}

function outlineStep(step: Step, context: OutlineContext): readonly Step[] {
  const whole = outlineInnerScopes(step, context);
  if (!("retries" in whole) || retriesOf(whole).length + handlersOf(whole).length === 0)
    return outlineWork(whole, context);
  const { before, tried, after } = outlineRecovery(whole satisfies RecoveringStep, context);
  return [...before, tried, ...after].flatMap((each) => outlineWork(each, context));
}

function outlineInnerScopes(step: Step, context: OutlineContext): Step {
  switch (step.kind) {
    case "fork":
      return {
        ...step,
        branches: step.branches.map((each): Branch => ({ ...each, scope: outlineScope(each.scope, step, context) })),
      };
    case "foreach":
      return { ...step, scope: outlineScope(step.scope, step, context) };
    case "attempt":
      return { ...step, body: { ...step.body, steps: step.body.steps.flatMap((each) => outlineStep(each, context)) } };
    default:
      return step;
  }
}

/** A scope whose initial values are legal; its first steps compute the others. */
export interface ScopeStart {
  readonly entry: Reference;
  readonly variables: readonly ScopeVariable[];
  readonly steps: readonly Step[];
}

/** Moves illegal initial values into steps. They read outer variables, which the scope may shadow. */
export function outlineInitials(scope: Scope, owner: Step | undefined, context: OutlineContext): ScopeStart {
  const open = initialsToOutline(scope.variables);
  const first = scope.steps.find(({ id }) => id === scope.entry.name);
  if (open.length === 0 || !first) return scope;
  const { given, variables, around } =
    owner?.kind === "foreach"
      ? planIteration(scope, owner, context)
      : planBranch(scope, open, first.id, owner, context);
  const values = given.map(({ initial }) => substitute(initial, around));
  const id = freshId(first.id, "first values", context);
  const last = freshId(first.id, "begin", context);
  const refused = context.unsupported.length;
  const computed = computeIllegal(id, first, values, last, false, { ...context, types: new Map() }) ?? {
    steps: [],
    values,
  };
  if (context.unsupported.length > refused) return scope;
  const assign: Assign = {
    kind: "assign",
    id: last,
    ...derivedBase(first),
    values: given.map(({ name }, i) => ({ variable: name, value: computed.values[i]! })),
    next: scope.entry,
  };
  const steps = [...computed.steps, assign];
  return { entry: reference(steps[0]!.id, first), variables, steps: [...steps, ...scope.steps] };
}

interface Initial {
  readonly name: string;
  readonly initial: Expression;
}

/** The variables that steps initialize, and the names of outer variables inside the scope. */
interface InitialsPlan {
  readonly given: readonly Initial[];
  readonly variables: readonly ScopeVariable[];
  readonly around: ReadonlyMap<string, Expression>;
}

/** Shadowed outer variables are copied under another name, or under their own until they are initialized. */
function planBranch(
  { variables }: Scope,
  given: readonly Initial[],
  id: string,
  owner: Step | undefined,
  { names }: OutlineContext,
): InitialsPlan {
  const read = new Set(given.flatMap(({ initial }) => [...freeVariables(initial)]));
  const own = new Set(given.map(({ name }) => name));
  const hidden = owner ? variables.filter(({ name }) => read.has(name) && !own.has(name)).map(({ name }) => name) : [];
  const copies = hidden.map(
    (name): Initial => ({ name: names.variables.fresh(`${name} around ${id}`), initial: variable(name) }),
  );
  const copy = (name: string): ScopeVariable => (read.has(name) ? { name, initial: variable(name) } : { name });
  return {
    given,
    variables: [...variables.map((each) => (own.has(each.name) ? copy(each.name) : each)), ...copies],
    around: new Map(hidden.map((name, i) => [name, variable(copies[i]!.name)])),
  };
}

/** An iteration receives one object of what its initial values read, and its element if that is read later. */
function planIteration(scope: Scope, { element, index }: ForEach, { document }: OutlineContext): InitialsPlan {
  const { variables } = scope;
  const given = initialsOf(variables);
  const isLater = (name: string): boolean => name === document || (name === element && stepReads(scope).has(element));
  const declared = new Set(variables.map(({ name }) => name));
  const added = [document, element].filter((name) => !declared.has(name) && isLater(name));
  for (const name of added) given.push({ name, initial: variable(name) });
  const own = new Set([...declared, document, element, ...(index === undefined ? [] : [index])]);
  const read = new Set(given.flatMap(({ initial }) => [...freeVariables(initial)]));
  const names = [...own].filter((name) => read.has(name));
  const pack = { name: document, initial: object(names.map((name) => [name, variable(name)])) };
  const others = [...declared, ...added].filter((name) => name !== document).map((name) => ({ name }));
  const around = names.map((name) => [name, firstOr(member(variable(document), name), literal(null))] as const);
  return { given, variables: [pack, ...others], around: new Map(around) };
}

const initialsOf = (variables: readonly ScopeVariable[]): Initial[] =>
  variables.flatMap(({ name, initial }) => (initial ? [{ name, initial }] : []));

/** Illegal ones, and those before them that may fail. */
function initialsToOutline(variables: readonly ScopeVariable[]): readonly Initial[] {
  const last = variables.findLastIndex(({ initial }) => initial !== undefined && illegalPart(initial) !== undefined);
  return initialsOf(variables.slice(0, last + 1)).filter(
    ({ initial }) => illegalPart(initial) !== undefined || mayFail(initial),
  );
}
