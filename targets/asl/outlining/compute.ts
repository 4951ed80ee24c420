import type { DataFlow } from "../../../src/analysis/types/flow.ts";
import {
  binary,
  call,
  canFail,
  collect,
  comma,
  conditional,
  type Expression,
  firstOr,
  freeVariables,
  inferType,
  literal,
  mayThrow,
  member,
  object,
  query,
  simplify,
  type VariableTypes,
  variable,
} from "../../../src/expressions/index.ts";
import {
  compileJavaScript,
  isRefusal,
  type JavaScriptProgram,
  runtimeText,
} from "../../../src/expressions/js/index.ts";
import { createNames, identifierStyle, type WorkflowNames } from "../../../src/ir/names.ts";
import type { Assign, Call, Reference, Step } from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/text/source.ts";
import { any, boolean, nullType, recordOf, type Type } from "../../../src/types/index.ts";
import { unsupportedParts } from "../jsonata/print.ts";

/** An expression that the Lambda function computes. */
export interface OutlinedExpression {
  /** The id of the calling step. */
  readonly name: string;
  readonly program: JavaScriptProgram;
  /** The keys of the program's variables in the function's argument, in order. */
  readonly variables: readonly string[];
  readonly canFail: boolean;
  readonly parts: readonly OutlinedPart[];
}

/** A part of a definition, and why it cannot be JSONata. */
export interface OutlinedPart {
  readonly span: Span;
  readonly reason: string;
}

/** An expression that JavaScript cannot compute either, and why. */
export interface UnsupportedPart {
  readonly span: Span;
  readonly reason: string;
}

/** The state of outlining a workflow; its collections grow. */
export interface OutlineContext {
  readonly document: string;
  readonly names: WorkflowNames;
  /** The function's name. */
  readonly expressions: string;
  /** The step that each new step was derived from, by id. */
  readonly derivedFrom: Map<string, string>;
  /** Steps whose values may fail in the scope of a handler, where no state can catch. */
  readonly uncaught: ReadonlySet<string>;
  /** Choices whose conditions may fail according to types of the lowered workflow. */
  readonly open: ReadonlySet<string>;
  readonly types: DataFlow["before"];
  /** Variables that hold only errors. */
  readonly errors: Set<string>;
  readonly computed: OutlinedExpression[];
  /** By the id of the calling step. */
  readonly resultTypes: Map<string, Type>;
  readonly unsupported: UnsupportedPart[];
  readonly declare: (...names: readonly string[]) => void;
}

export const uncaughtReason = "No state here can catch what this may fail with";

/** The part without an exact form in JSONata. */
export interface IllegalPart {
  readonly construct: string;
  readonly span: Span | undefined;
}

/** The first illegal part of an expression. */
export const illegalPart = (expression: Expression): IllegalPart | undefined =>
  unsupportedParts(simplify(expression))[0];

/** Why an expression is outlined: it is illegal, or no state could catch its error. */
export function outlineReason(expression: Expression, span: Span, mustBeCaught: boolean): OutlinedPart | undefined {
  const found = illegalPart(expression);
  if (found)
    return { span: found.span ?? expression.span ?? span, reason: `JSONata has no exact form for ${found.construct}` };
  return mustBeCaught && mayFail(expression) ? { span: expression.span ?? span, reason: uncaughtReason } : undefined;
}

export const mayFail = (expression: Expression): boolean => canFail(simplify(expression));

/** Whether an expression may fail, given the types of variables. */
export function failsAt({ id }: Step, expression: Expression, { types: variableTypes }: OutlineContext): boolean {
  const simple = simplify(expression);
  const variables = variableTypes.get(id);
  return variables ? mayThrow(simple, { input: nullType, variables }) : canFail(simple);
}

/** A new id, derived from a step's. */
export function freshId(id: string, what: string, { names, derivedFrom }: OutlineContext): string {
  const result = names.steps.fresh(`${id}/${what}`);
  derivedFrom.set(result, id);
  return result;
}

/** The origin and span of a derived step. */
export const derivedBase = ({ origin, span }: Step, part = origin.part): Pick<Step, "origin" | "span"> => ({
  origin: { ...origin, entry: false, part },
  span,
});

export const reference = (name: string, { span }: Step): Reference => ({ name, span });

/** Steps that compute an expression, and the variable with its value. */
export interface Computation {
  readonly steps: readonly Step[];
  readonly value: Expression;
}

/**
 * Builds steps, the first with the id `id`, that compute an expression by the function, fail as it does, and continue
 * at `next`. Undefined if JavaScript cannot compute it.
 */
export function compute(
  id: string,
  step: Step,
  expression: Expression,
  parts: readonly OutlinedPart[],
  next: string,
  context: OutlineContext,
): Computation | undefined {
  const simple = simplify(expression);
  const variables = [...freeVariables(simple)].sort();
  const program = compileJavaScript(simple, { name: `expression${context.computed.length + 1}`, variables });
  if (isRefusal(program)) {
    for (const { span } of parts) context.unsupported.push({ span, reason: program.refused });
    return undefined;
  }
  const names = plainNames(variables);
  const fails = canFail(simple) || raises(program);
  context.computed.push({ name: id, program, variables: names, canFail: fails, parts });
  context.resultTypes.set(id, responseType(simple, context.types.get(step.id)));
  const value = context.names.variables.fresh(`${id} value`);
  return {
    steps: callSteps(
      id,
      step,
      functionArgument(id, program, names, context),
      fails,
      { variable: value, next },
      context,
    ),
    value: variable(value),
  };
}

/** As selection reads it. */
const responseType = (expression: Expression, variables: VariableTypes = new Map()): Type =>
  recordOf([
    ["failed", boolean],
    ["failure", any],
    ["value", inferType(expression, variables)],
  ]);

const raises = ({ helpers }: JavaScriptProgram): boolean => runtimeText(helpers).includes("class EvaluationError");

function callSteps(
  id: string,
  step: Step,
  argument: Expression,
  fails: boolean,
  to: { readonly variable: string; readonly next: string },
  context: OutlineContext,
): readonly Step[] {
  const response = context.names.variables.fresh(`${id} answer`);
  context.declare(response, to.variable);
  const unwrapping: Assign = {
    kind: "assign",
    id: freshId(id, "value", context),
    ...derivedBase(step),
    values: [
      {
        variable: to.variable,
        value: fails ? unwrapResponse(response) : firstOr(member(variable(response), "value"), literal(null)),
      },
    ],
    next: reference(to.next, step),
  };
  const calling: Call = {
    kind: "call",
    id,
    origin: { ...step.origin, entry: step.origin.entry && id === step.id },
    span: step.span,
    function: reference(context.expressions, step),
    argument,
    wait: true,
    retries: [],
    bind: response,
    handlers: [],
    next: reference(unwrapping.id, step),
  };
  return [calling, unwrapping];
}

/** Fails as the expression did. Selection reads responses with all three members. */
function unwrapResponse(response: string): Expression {
  const part = (name: string): Expression => firstOr(member(variable(response), name), literal(null));
  return conditional(binary("==", part("failed"), literal(true)), call("error", part("failure")), part("value"));
}

function functionArgument(
  name: string,
  { variables }: JavaScriptProgram,
  names: readonly string[],
  context: OutlineContext,
): Expression {
  const entries = variables.map(
    (each, i) => [names[i]!, context.errors.has(each) ? readError(each) : variable(each)] as const,
  );
  return object([
    ["expression", literal(name)],
    ["variables", object(entries)],
  ]);
}

/** Machines store null for missing data. */
function readError(name: string): Expression {
  const part = (key: string): Expression => firstOr(member(variable(name), key), literal(null));
  const isNull = (key: string): Expression => binary("==", part(key), literal(null));
  const always = (["origin", "name", "message"] as const).map((key) => [key, part(key)] as const);
  const error = conditional(isNull("data"), object(always), object([...always, ["data", part("data")]]));
  return conditional(isNull("origin"), variable(name), error);
}

function plainNames(variables: readonly string[]): readonly string[] {
  const names = createNames([], identifierStyle);
  return variables.map((name) => {
    const stem = name.replace(/\W+/g, "_").replace(/^[\d_]+|_+$/g, "") || "value";
    return names.fresh(stem in {} ? `${stem}Value` : stem);
  });
}

/** Steps that compute some of several values, and all values. */
export interface OutlinedValues {
  readonly steps: readonly Step[];
  readonly values: readonly Expression[];
}

/**
 * Outlines the illegal values in one call, and those before them that may fail, so that the same error comes first.
 * Undefined if none can be outlined.
 */
export function computeIllegal(
  id: string,
  step: Step,
  values: readonly Expression[],
  next: string,
  mustBeCaught: boolean,
  context: OutlineContext,
): OutlinedValues | undefined {
  const reasons = values.map((value) => outlineReason(value, step.span, mustBeCaught));
  const last = reasons.findLastIndex((reason) => reason !== undefined);
  if (last < 0) return undefined;
  const indexes = values.flatMap((value, i) => (reasons[i] || (i < last && mayFail(value)) ? [i] : []));
  const parts = reasons.flatMap((reason) => reason ?? []);
  const outlined = indexes.map((i) => values[i]!);
  const computation = compute(
    id,
    step,
    outlined.length === 1 ? outlined[0]! : collect(comma(...outlined)),
    parts,
    next,
    context,
  );
  if (!computation) return undefined;
  const { value } = computation;
  const replacements = new Map(indexes.map((i, place) => [i, outlined.length === 1 ? value : elementOf(value, place)]));
  return { steps: computation.steps, values: values.map((each, i) => replacements.get(i) ?? each) };
}

const elementOf = (list: Expression, index: number): Expression =>
  firstOr(query(list, [{ descend: false, selectors: [{ kind: "index", index }] }]), literal(null));
