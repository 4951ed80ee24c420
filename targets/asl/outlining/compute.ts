import type { DataFlow } from "../../../src/analysis/types/index.ts";
import {
  binary,
  call,
  canFail,
  collect,
  comma,
  compileJavaScript,
  conditional,
  type Expression,
  firstOr,
  freeVariables,
  inferType,
  isRefusal,
  type JavaScriptProgram,
  literal,
  mayThrow,
  member,
  object,
  query,
  runtimeText,
  simplify,
  type VariableTypes,
  variable,
} from "../../../src/expressions/index.ts";
import { createNames, identifierStyle, type WorkflowNames } from "../../../src/ir/names.ts";
import type { Assign, Call, Reference, Step } from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/text/source.ts";
import { any, boolean, nullType, recordOf, type Type } from "../../../src/types/index.ts";
import { unsupportedParts } from "../jsonata/index.ts";

/** An expression that this function computes. */
export interface OutlinedExpression {
  /** What the machine asks for it by: the id of the step that does so. */
  readonly name: string;
  readonly program: JavaScriptProgram;
  /** The names under which it is given the variables of the program, in their order. */
  readonly variables: readonly string[];
  readonly canFail: boolean;
  /** Which parts of the definition it computes, and why. */
  readonly parts: readonly OutlinedPart[];
}

/** A part of a definition, and what of it cannot be written as JSONata where it stands. */
export interface OutlinedPart {
  readonly span: Span;
  readonly reason: string;
}

/** An expression that no function can compute either: `reason` is what the printer of JavaScript says. */
export interface UnsupportedPart {
  readonly span: Span;
  readonly reason: string;
}

/** What making steps that compute expressions needs to know, and what has been made. */
export interface OutlineContext {
  /** The workflow's document. */
  readonly document: string;
  readonly names: WorkflowNames;
  /** The function that computes what JSONata cannot. */
  readonly expressions: string;
  /** Of the steps that were made, the id of the step that they were made for. Grows. */
  readonly derivedFrom: Map<string, string>;
  /** Steps whose values may fail where a handler wants the error, and no state can catch it. */
  readonly uncaught: ReadonlySet<string>;
  /** Choices whose conditions turned out to fail for all that is known in the machine. */
  readonly open: ReadonlySet<string>;
  /** What is known of the variables before each step of the workflow. */
  readonly types: DataFlow["before"];
  /** The variables that hold errors, and nothing else. */
  readonly errors: Set<string>;
  /** Grows. */
  readonly computed: OutlinedExpression[];
  /** What is known of the answers of the function, by the ids of the steps that ask it. Grows. */
  readonly resultTypes: Map<string, Type>;
  /** Grows. */
  readonly unsupported: UnsupportedPart[];
  /** Gives the scope that the steps are in variables. */
  readonly declare: (...names: readonly string[]) => void;
}

/** Why a condition, or a value that may fail, is computed elsewhere. */
export const uncaughtReason = "No state here can catch what this may fail with";

/** The part of an expression that JSONata has no exact form for, if there is one. */
export interface IllegalPart {
  readonly construct: string;
  readonly span: Span | undefined;
}

/** What of an expression JSONata has no exact form for; undefined where it has one for all of it. */
export const illegalPart = (expression: Expression): IllegalPart | undefined =>
  unsupportedParts(simplify(expression))[0];

/** Why an expression is computed by the function: JSONata has no form for it, or its errors could not be caught. `span`: where it stands. */
export function outlineReason(expression: Expression, span: Span, mustBeCaught: boolean): OutlinedPart | undefined {
  const found = illegalPart(expression);
  if (found)
    return { span: found.span ?? expression.span ?? span, reason: `JSONata has no exact form for ${found.construct}` };
  return mustBeCaught && mayFail(expression) ? { span: expression.span ?? span, reason: uncaughtReason } : undefined;
}

/** Whether an expression may fail, constants aside. */
export const mayFail = (expression: Expression): boolean => canFail(simplify(expression));

/** Whether an expression of a step may fail, by what is known of the variables when the step begins. */
export function failsAt({ id }: Step, expression: Expression, { types: known }: OutlineContext): boolean {
  const simple = simplify(expression);
  const variables = known.get(id);
  return variables ? mayThrow(simple, { input: nullType, variables }) : canFail(simple);
}

/** An id for a new step: that of the step that it is made for, and what it does. */
export function freshId(id: string, what: string, { names, derivedFrom: madeFor }: OutlineContext): string {
  const result = names.steps.fresh(`${id}/${what}`);
  madeFor.set(result, id);
  return result;
}

/** What a made step has in common with the step that it is made for; `part`: what it does for that. */
export const derivedBase = ({ origin, span }: Step, part = origin.part): Pick<Step, "origin" | "span"> => ({
  origin: { ...origin, entry: false, part },
  span,
});

/** A reference to a made step. */
export const reference = (name: string, { span }: Step): Reference => ({ name, span });

/** Steps that compute an expression, and the variable that has its value when they are done. */
export interface Computation {
  readonly steps: readonly Step[];
  readonly value: Expression;
}

/**
 * Steps that have the function compute an expression for a step, and go on to `next`. The first has the id `id`; the last fails as the expression does.
 * Undefined for what JavaScript is not made of either, which is noted.
 */
export function compute(
  id: string,
  step: Step,
  expression: Expression,
  parts: readonly OutlinedPart[],
  next: string,
  site: OutlineContext,
): Computation | undefined {
  const simple = simplify(expression);
  const variables = [...freeVariables(simple)].sort();
  const program = compileJavaScript(simple, { name: `expression${site.computed.length + 1}`, variables });
  if (isRefusal(program)) {
    for (const { span } of parts) site.unsupported.push({ span, reason: program.refused });
    return undefined;
  }
  const names = plainNames(variables);
  const fails = canFail(simple) || raises(program);
  site.computed.push({ name: id, program, variables: names, canFail: fails, parts });
  site.resultTypes.set(id, responseType(simple, site.types.get(step.id)));
  const value = site.names.variables.fresh(`${id} value`);
  return {
    steps: callSteps(id, step, functionArgument(id, program, names, site), fails, { variable: value, next }, site),
    value: variable(value),
  };
}

/** What is known of an answer, as lowering makes it, by what is known of the variables of an expression. */
const responseType = (expression: Expression, variables: VariableTypes = new Map()): Type =>
  recordOf([
    ["failed", boolean],
    ["failure", any],
    ["value", inferType(expression, variables)],
  ]);

/** Whether a program throws errors of expressions, be it by a limit. */
const raises = ({ helpers }: JavaScriptProgram): boolean => runtimeText(helpers).includes("class EvaluationError");

function callSteps(
  id: string,
  step: Step,
  argument: Expression,
  fails: boolean,
  to: { readonly variable: string; readonly next: string },
  site: OutlineContext,
): readonly Step[] {
  const answer = site.names.variables.fresh(`${id} answer`);
  site.declare(answer, to.variable);
  const taking: Assign = {
    kind: "assign",
    id: freshId(id, "value", site),
    ...derivedBase(step),
    values: [
      {
        variable: to.variable,
        value: fails ? unwrapResponse(answer) : firstOr(member(variable(answer), "value"), literal(null)),
      },
    ],
    next: reference(to.next, step),
  };
  const asking: Call = {
    kind: "call",
    id,
    origin: { ...step.origin, entry: step.origin.entry && id === step.id },
    span: step.span,
    function: reference(site.expressions, step),
    argument,
    wait: true,
    retries: [],
    bind: answer,
    handlers: [],
    next: reference(taking.id, step),
  };
  return [asking, taking];
}

/** The value in an answer of the function. Fails as its expression did. What lowering makes of an answer has all three members. */
function unwrapResponse(answer: string): Expression {
  const part = (name: string): Expression => firstOr(member(variable(answer), name), literal(null));
  return conditional(binary("==", part("failed"), literal(true)), call("error", part("failure")), part("value"));
}

/** What the function is called with: the name of an expression, and its variables. */
function functionArgument(
  name: string,
  { variables }: JavaScriptProgram,
  names: readonly string[],
  site: OutlineContext,
): Expression {
  const given = variables.map(
    (each, i) => [names[i]!, site.errors.has(each) ? readError(each) : variable(each)] as const,
  );
  return object([
    ["expression", literal(name)],
    ["variables", object(given)],
  ]);
}

/** An error that a variable holds, if it does yet, as expressions see it: a machine keeps null for data that it does not have. */
function readError(name: string): Expression {
  const part = (key: string): Expression => firstOr(member(variable(name), key), literal(null));
  const isNull = (key: string): Expression => binary("==", part(key), literal(null));
  const always = (["origin", "name", "message"] as const).map((key) => [key, part(key)] as const);
  const error = conditional(isNull("data"), object(always), object([...always, ["data", part("data")]]));
  return conditional(isNull("origin"), variable(name), error);
}

/** Names of variables as keys that are plain words, and different. */
function plainNames(variables: readonly string[]): readonly string[] {
  const names = createNames([], identifierStyle);
  return variables.map((name) => {
    const stem = name.replace(/\W+/g, "_").replace(/^[\d_]+|_+$/g, "") || "value";
    return names.fresh(stem in {} ? `${stem}Value` : stem);
  });
}

/** Steps that compute some of several values, and all of the values where they are. */
export interface OutlinedValues {
  readonly steps: readonly Step[];
  readonly values: readonly Expression[];
}

/**
 * Values of which the function computes those that JSONata cannot, all at once, and before them in the list what may fail: the first that fails is the same.
 * Undefined where there is nothing for it to do, or nothing that it could.
 */
export function computeIllegal(
  id: string,
  step: Step,
  values: readonly Expression[],
  next: string,
  mustBeCaught: boolean,
  site: OutlineContext,
): OutlinedValues | undefined {
  const reasons = values.map((value) => outlineReason(value, step.span, mustBeCaught));
  const last = reasons.findLastIndex((reason) => reason !== undefined);
  if (last < 0) return undefined;
  const indexes = values.flatMap((value, i) => (reasons[i] || (i < last && mayFail(value)) ? [i] : []));
  const parts = reasons.flatMap((reason) => reason ?? []);
  const chosen = indexes.map((i) => values[i]!);
  const computation = compute(
    id,
    step,
    chosen.length === 1 ? chosen[0]! : collect(comma(...chosen)),
    parts,
    next,
    site,
  );
  if (!computation) return undefined;
  const { value } = computation;
  const places = new Map(indexes.map((i, place) => [i, chosen.length === 1 ? value : elementOf(value, place)]));
  return { steps: computation.steps, values: values.map((each, i) => places.get(i) ?? each) };
}

const elementOf = (list: Expression, index: number): Expression =>
  firstOr(query(list, [{ descend: false, selectors: [{ kind: "index", index }] }]), literal(null));
