import type { StepItem, StructuredBlock, Web } from "../../../src/cfg/index.ts";
import { type Fold, type Expression as Formula, freeVariables } from "../../../src/expressions/index.ts";
import {
  type ClosedUse,
  camelCase,
  type PrintedExpression,
  printedExpression,
  withInput,
  withVariable,
  writeNodes,
  writeOne,
} from "../../../src/expressions/js/index.ts";
import { stepNameIn } from "../../../src/ir/step-keys.ts";
import { handlersOf } from "../../../src/ir/walk.ts";
import type { Assign, Handler, Step, StepOrigin } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  equalNodes,
  type JsExpression,
  js,
  negate,
  oneLine,
  referencesName,
  type Statement,
  type TypeNode,
} from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { stripAssertions } from "./annotations.ts";
import { lowerAttempt, lowerForEach, lowerFork } from "./concurrent.ts";
import {
  type FunctionContext,
  type LocalVariable,
  printAt,
  printCondition,
  printWithConstants,
  scopeAt,
} from "./context.ts";
import { discardValue } from "./declarations.ts";
import { lowerCall, lowerDelay, lowerInvoke } from "./effects.ts";
import { lowerEnd } from "./ends.ts";
import { lowerEmit, lowerReceive } from "./events.ts";
import { mayFailAt, mayFailForProblem } from "./pointers.ts";
import { jsonType, runtime, runtimeType } from "./runtime-imports.ts";
import { errorUse, opaqueUse, problemUse } from "./value-types.ts";

const plainErrorType = { use: errorUse, type: runtimeType("ErrorValue") };

/** An error with problem details. */
const problemType = { use: problemUse, type: runtimeType("Problem") };

/** Lowers a block inside a step. */
export type BlockLowering = (block: StructuredBlock, context: FunctionContext) => Code;

/** Lowers a step with its error handlers: `try { step } catch (caught) { handlers }` */
export function lowerStep(act: StepItem, context: FunctionContext, inner: BlockLowering): Code {
  const { step } = act;
  const work = lowerStepKind(act, context);
  const begin = beginStep(step, context);
  if (act.handlers.length === 0) return [...begin, ...work];
  return [...begin, js.tryStatement(work, "caught", lowerHandlers(act, context, inner))];
}

function lowerStepKind(act: StepItem, context: FunctionContext): Code {
  const { step } = act;
  switch (step.kind) {
    case "assign":
      return lowerAssign(step, context);
    case "call":
      return lowerCall(step, context);
    case "delay":
      return lowerDelay(step, context);
    case "receive":
      return lowerReceive(step, context);
    case "emit":
      return lowerEmit(step, context);
    case "fork":
      return lowerFork(step, context);
    case "foreach":
      return lowerForEach(step, context);
    case "invoke":
      return lowerInvoke(step, context);
    case "attempt":
      return lowerAttempt(step, act.body ?? [], context);
    case "end":
      return lowerEnd(step, context);
    case "choose":
      throw new Error(`A choice is not lowered as a step: ${step.id}`);
    default:
      return assertNever(step);
  }
}

/** At the first step of a construct: `// Check (switch state)`, or `flow.at("/do/0/check");` */
export function beginStep({ id, origin }: Step, { pointing }: FunctionContext): Code {
  if (pointing.has(id)) return [setPointer(origin)];
  return origin.entry ? [js.comment(oneLine(`${origin.name} (${origin.noun})`))] : [];
}

/** `flow.at("/do/0/check");` */
const setPointer = ({ pointer = "" }: StepOrigin): Statement =>
  js.expressionStatement(js.method(js.name("flow"), "at", [js.literal(pointer)]));

/** The name of a step in its function, without the prefix of all its steps. */
export const stepName = ({ prefix }: Pick<FunctionContext, "prefix">, id: string): string => stepNameIn(prefix, id);

/** `await flow.method("step", …)` without undefined arguments. */
export function flowCall(
  context: FunctionContext,
  method: string,
  { id }: Step,
  args: readonly (JsExpression | undefined)[],
): JsExpression {
  const present = args.filter((arg) => arg !== undefined);
  return js.awaitExpression(js.method(js.name("flow"), method, [js.literal(stepName(context, id)), ...present]));
}

/**
 * `const value = …;`, `value = …;`, or discards it. A copy of a variable is annotated, since inference may be circular
 * in loops.
 */
export function bindResult(context: FunctionContext, web: Web | undefined, value: JsExpression): Statement {
  const variable = web && context.variables.get(web.id);
  if (!variable || !web) return discardValue(value);
  const { name, type } = variable;
  if (!context.constants.has(web.id)) return js.assign(name, value);
  return js.constant(name, value, { type: stripAssertions(value).kind === "identifier" ? type : undefined });
}

/** Casts the result, so that a shared variable keeps its declared type. */
export function bindJsonResult(context: FunctionContext, web: Web | undefined, value: JsExpression): Statement {
  const isShared = web !== undefined && !context.constants.has(web.id) && context.variables.has(web.id);
  return bindObjectResult(context, web, isShared ? js.as(value, jsonType) : value);
}

/** The same for a result whose type is related to those of variables: an object, or any JSON. */
export function bindObjectResult(context: FunctionContext, web: Web | undefined, value: JsExpression): Statement {
  const variable = web && !context.constants.has(web.id) ? context.variables.get(web.id) : undefined;
  return bindResult(context, web, variable ? castTo(value, variable) : value);
}

/** The web that a step binds. */
export const boundWeb = (
  context: FunctionContext,
  { id, bind }: { readonly id: string; readonly bind?: string | undefined },
) => (bind === undefined ? undefined : context.webs.defined(id, bind));

function lowerHandlers({ step, handlers: blocks }: StepItem, outer: FunctionContext, inner: BlockLowering): Code {
  const handlers = handlersOf(step);
  const context: FunctionContext = { ...outer, names: outer.names.inner() };
  const { problems, errorNames } = outer.module.workflow;
  const isProblem = problems !== undefined && step.kind === "attempt";
  const name = context.names.fresh("error");
  const error: CaughtError = { name, ...(isProblem ? problemType : plainErrorType) };
  const binds = handlers.map((handler, i) =>
    bindError(handler, context.webs.defined(step.id, handler.bind ?? "", i), error, context),
  );
  const body = handlerChain(
    reachableCases(testsOf(handlers, step.id, error, context)).map(({ test, index }) => ({
      test,
      body: [...binds[index]!, ...inner(blocks[index]!, context)],
    })),
  );
  const caught = [js.name("caught")];
  const method = js.method(js.name("flow"), isProblem ? "problem" : "failure", caught);
  const failure = isProblem || errorNames !== undefined ? method : js.call(runtime("failure"), caught);
  const mayRaise = isProblem && handlers.some(({ when }) => mayFailForProblem(when));
  return [
    referencesName(body, name) ? js.constant(name, failure) : js.expressionStatement(failure),
    ...(mayRaise ? [setPointer(step.origin)] : []),
    ...body,
  ];
}

/** The constant with the error of a handler. */
interface CaughtError {
  readonly name: string;
  readonly use: ClosedUse;
  readonly type: TypeNode;
}

/** After a negation, the error is cast so that TypeScript does not narrow it. */
function testsOf(
  handlers: readonly Handler[],
  step: string,
  { name, use, type }: CaughtError,
  context: FunctionContext,
): readonly (JsExpression | undefined)[] {
  let caught: JsExpression = js.name(name);
  return handlers.map((handler) => {
    if (isAlways(handler)) return undefined;
    const error = printedExpression(caught, { use, isPresent: true });
    const test = printCondition(context, step, handler.when, new Map([["error", error]])).code;
    if (hasNegation(test)) caught = js.as(js.name(name), type);
    return test;
  });
}

/** Omits false conditions, and those after a true one, whose test becomes undefined. */
export function reachableCases(
  tests: readonly (JsExpression | undefined)[],
): readonly { readonly test: JsExpression | undefined; readonly index: number }[] {
  const open = tests.map((test, index) => ({ test, index })).filter(({ test }) => !isLiteral(test, false));
  const last = open.findIndex(({ test }) => test === undefined || isLiteral(test, true));
  return last < 0 ? open : [...open.slice(0, last), { test: undefined, index: open[last]!.index }];
}

const isLiteral = (code: JsExpression | undefined, value: boolean): boolean =>
  code?.kind === "literal" && code.value === value;

function hasNegation(test: JsExpression): boolean {
  if (test.kind === "unary") return test.operator === "!" || hasNegation(test.operand);
  if (test.kind !== "binary") return false;
  return test.operator === "!==" || hasNegation(test.left) || hasNegation(test.right);
}

function handlerChain(cases: readonly { readonly test: JsExpression | undefined; readonly body: Code }[]): Code {
  const [first, ...rest] = cases;
  if (!first) return [js.throwStatement(js.name("caught"))];
  if (first.test === undefined) return first.body;
  if (rest.length === 0)
    return [js.ifStatement(negate(first.test), [js.throwStatement(js.name("caught"))]), ...first.body];
  const end = first.body.at(-1)?.kind;
  const completes = end !== "return" && end !== "throw" && end !== "jump";
  return completes
    ? [js.ifStatement(first.test, first.body, handlerChain(rest))]
    : [js.ifStatement(first.test, first.body), ...handlerChain(rest)];
}

/** An error that only the handler reads is the constant itself. */
function bindError(
  { bind }: Handler,
  web: Web | undefined,
  { name, use }: CaughtError,
  { variables, constants }: FunctionContext,
): Code {
  if (bind === undefined || !web) return [];
  if (constants.has(web.id)) variables.set(web.id, { name, use, type: jsonType, isPresent: true });
  const variable = variables.get(web.id);
  if (!variable || variable.name === name) return [];
  return [js.assign(variable.name, castTo(js.as(js.name(name), jsonType), variable))];
}

const isAlways = ({ when }: Handler): boolean => when.kind === "literal" && when.value === true;

/** Casts to the type of a variable. */
export const castTo = (value: JsExpression, { type }: LocalVariable): JsExpression =>
  equalNodes(type, jsonType) ? value : js.as(value, type);

/** Casts to the type of a variable. Values other than objects are unrelated to it, so they are cast to `Json` first. */
export function castIfNeeded(value: PrintedExpression, variable: LocalVariable | undefined): JsExpression {
  const fits = !variable || value.use === variable.use || (variable.isCount && value.type === "number");
  if (fits) return value.code;
  const isNull = value.type === "null" && value.code.kind === "literal";
  const isUnrelated = value.use === opaqueUse || (value.type !== undefined && value.type !== "object" && !isNull);
  return castTo(isUnrelated ? js.as(value.code, jsonType) : value.code, variable);
}

/** All values are computed from the old ones. */
function lowerAssign(step: Assign, context: FunctionContext): Code {
  const pending = new Set(
    step.values.map(({ variable, value }): PendingAssignment => pendingAssignment(step, variable, value, context)),
  );
  const statements = [...takeInOrder(pending)].flatMap((target) => lowerAssignment(step, target, context));
  if (pending.size === 0) return statements;
  const names = context.names.inner();
  const rest = [...pending].map((target) => ({ ...target, name: names.fresh(target.variable?.name ?? "value") }));
  const values = rest.map(({ name, value, variable }) =>
    js.constant(name, castIfNeeded(printAt(context, step.id, value), variable)),
  );
  return withConstants(
    [...statements, ...values],
    rest.map(({ name, web }) => bindResult(context, web, js.name(name))),
  );
}

interface PendingAssignment {
  readonly web: Web | undefined;
  readonly variable: LocalVariable | undefined;
  readonly value: Formula;
  readonly reads: ReadonlySet<Web>;
}

function pendingAssignment(step: Assign, name: string, value: Formula, context: FunctionContext): PendingAssignment {
  const web = context.webs.defined(step.id, name);
  const reads = new Set([...freeVariables(value)].flatMap((read) => context.webs.read(step.id, read) ?? []));
  return { web, variable: web && context.variables.get(web.id), value, reads };
}

/** Takes the assignments whose old value no other needs. */
function* takeInOrder(pending: Set<PendingAssignment>): Generator<PendingAssignment> {
  for (let found = true; found; ) {
    found = false;
    for (const target of [...pending]) {
      if ([...pending].some((other) => other !== target && target.web && other.reads.has(target.web))) continue;
      pending.delete(target);
      found = true;
      yield target;
    }
  }
}

function lowerAssignment(step: Assign, { value, web, variable }: PendingAssignment, context: FunctionContext): Code {
  const isConstant = web !== undefined && context.constants.has(web.id);
  const loop = variable && value.kind === "fold" && web && !isConstant && lowerReduce(step, value, variable, context);
  if (loop) return loop;
  if (!variable && !mayFailAt(step.id, value, context.module)) return [];
  const { constants, expression } = printWithConstants(context, step.id, value, false);
  const statement =
    isConstant || !variable
      ? bindResult(context, web, castIfNeeded(expression, variable))
      : assignOrAdd(variable, castIfNeeded(expression, variable));
  return isConstant ? [...constants, statement] : withConstants(constants, [statement]);
}

function assignOrAdd({ name, isCount }: LocalVariable, value: JsExpression): Statement {
  const isAdded = isCount && value.kind === "binary" && value.operator === "+" && equalNodes(value.left, js.name(name));
  return isAdded ? js.assign(name, value.right, "+=") : js.assign(name, value);
}

const withConstants = (constants: Code, statements: Code): Code =>
  constants.length === 0 ? statements : [js.block([...constants, ...statements])];

/** `x := reduce SOURCE as $each ($x; E)`: a loop that assigns E to x. */
function lowerReduce(
  step: Assign,
  { source, name, initial, update, extract }: Fold,
  variable: LocalVariable,
  context: FunctionContext,
): Code | undefined {
  const scope = scopeAt(context, step.id);
  if (extract || source.kind !== "query" || initial.kind !== "variable") return undefined;
  const begin = scope.variable(initial.name)?.code;
  if (begin?.kind !== "identifier" || begin.name !== variable.name) return undefined;
  const nodes = writeNodes(source, scope);
  if (!nodes) return undefined;
  const declared = nodes.elementUse;
  const item = context.names.inner().fresh(camelCase(name));
  const each = printedExpression(js.name(item), { use: declared ?? nodes.element, isPresent: declared !== undefined });
  const soFar = printedExpression(js.name(variable.name), { use: variable.use });
  const body = writeOne(update, withInput(withVariable(scope, name, each), soFar));
  return body && [js.forOf(item, nodes.code, [js.assign(variable.name, castIfNeeded(body, variable))])];
}
