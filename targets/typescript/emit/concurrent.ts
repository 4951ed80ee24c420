import { createDataFlowGraph, type StructuredBlock } from "../../../src/cfg/index.ts";
import type { PrintedExpression } from "../../../src/expressions/js/index.ts";
import { type ClosedUse, camelCase, isFreeName } from "../../../src/expressions/js/index.ts";
import { commonPrefix } from "../../../src/ir/step-keys.ts";
import type { Attempt, Branch, ForEach, Fork, Tolerance, Width } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  type JsExpression,
  js,
  type ParameterDeclaration,
  type Property,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { lowerBlock } from "./blocks.ts";
import { defaultVariable, type FunctionContext, printWithConstants, scopeAt } from "./context.ts";
import { limitProperties, numberProperty, optionsObject, retryableValue, secondsProperty } from "./effects.ts";
import { type LoweredFunction, lowerFunction } from "./functions.ts";
import { jsonType, runtimeType } from "./runtime-imports.ts";
import { bindJsonResult, bindResult, boundWeb, castIfNeeded, castTo, flowCall } from "./steps.ts";

/** `await flow.fork("Check", { stock: (flow) => checkStock(flow, data) });` */
export function lowerFork(step: Fork, context: FunctionContext): Code {
  const branches = step.branches.map((branch) => {
    const body = lowerBranchScope(step, branch, context);
    const parameters = body.usesFlow ? [flowParameterOf(branch)] : [];
    return js.property(branch.name, js.arrow(parameters, callFunction(body, [], context, step.id)));
  });
  const members = [
    ...(step.join.kind === "all" ? [] : [numberProperty("join", step.join.count)]),
    ...(step.failure === "spare" ? [js.property("spare", js.literal(true))] : []),
    ...(step.width === undefined ? [] : [numberProperty("width", step.width)]),
    ...(isInOrder(step) ? [] : [js.property("order", js.value(step.branches.map(({ name }) => name)))]),
    ...limitProperties(step, context),
  ];
  return [
    bindResult(
      context,
      boundWeb(context, step),
      flowCall(context, "fork", step, [js.object(branches), optionsObject(members)]),
    ),
  ];
}

/** Whether an object keeps the order of branches: integer keys come first. */
function isInOrder({ branches }: Fork): boolean {
  const sorted = Object.keys(Object.fromEntries(branches.map(({ name }) => [name, true])));
  return branches.every(({ name }, i) => name === sorted[i]);
}

/** Contextual typing fails for names that `Object.prototype` has. */
const flowParameterOf = ({ name }: Branch): ParameterDeclaration =>
  js.parameter("flow", isFreeName(name) && name !== "__proto__" ? undefined : runtimeType("Flow"));

function lowerBranchScope(step: Fork, { name, scope }: Branch, context: FunctionContext): LoweredFunction {
  const prefix = commonPrefix(step, scope, `${name}/`);
  const preferredNames = [`${step.origin.name} ${name}`, `${step.id} ${name} branch`] as const;
  return lowerFunction(
    { scope, ownParameters: [], prefix, preferredNames, doc: `${step.origin.name} / ${name}` },
    context.module,
  );
}

/** The members of a fork's result. */
export function forkUse({ branches, join }: Fork): ClosedUse {
  const isOptional = join.kind === "some";
  return {
    kind: "closed",
    members: Object.fromEntries(branches.map(({ name }) => [name, { isOptional, isNullable: true }])),
  };
}

/** `await flow.forEach("Assign", items, (flow, item) => assign(flow, item, data));` */
export function lowerForEach(step: ForEach, context: FunctionContext): Code {
  const given = [step.element, ...(step.index === undefined ? [] : [step.index])];
  const doc = `${step.origin.name}, for each element`;
  const body = lowerFunction(
    {
      scope: step.scope,
      ownParameters: given,
      prefix: commonPrefix(step, step.scope),
      preferredNames: [step.id, `${step.id} each`],
      doc,
    },
    context.module,
  );
  const inner = context.names.inner();
  const names = given.map((name) => inner.fresh(camelCase(name)));
  const { constants, code } = lowerItems(step, context);
  const values = names.map((name, i) => castTo(js.name(name), { ...defaultVariable(given[i]!, context), name }));
  const each = js.arrow([body.usesFlow ? "flow" : "_flow", ...names], callFunction(body, values, context, step.id));
  const members = [
    ...(step.width === undefined ? [] : [widthProperty(step.width, step, context)]),
    ...(step.gap === undefined ? [] : [numberProperty("gap", step.gap)]),
    ...(step.tolerates ? [js.property("tolerates", lowerTolerance(step.tolerates, step, context))] : []),
    ...limitProperties(step, context),
  ];
  const call = flowCall(context, "forEach", step, [code, each, optionsObject(members)]);
  return [...constants, bindJsonResult(context, boundWeb(context, step), call)];
}

const lowerTolerance = (
  { count, percentage, counted, error }: Tolerance,
  { id }: ForEach,
  context: FunctionContext,
): JsExpression =>
  js.object([
    ...(count === undefined ? [] : [secondsProperty("count", count, id, context)]),
    ...(percentage === undefined ? [] : [secondsProperty("percentage", percentage, id, context)]),
    ...(counted === undefined ? [] : [js.property("counted", js.value(counted))]),
    js.property("error", js.value({ name: error.name, message: error.message })),
  ]);

function widthProperty(width: Width, { id }: ForEach, context: FunctionContext): Property {
  return secondsProperty("width", typeof width === "number" ? width : width.value, id, context);
}

/** The collection with its constants, or a function if failures are retried. */
function lowerItems(
  step: ForEach,
  context: FunctionContext,
): { readonly constants: Code; readonly code: JsExpression } {
  const again = retryableValue(step, step.items, context, asItems);
  if (again) return { constants: [], code: again };
  const { constants, expression } = printWithConstants(context, step.id, step.items, true);
  return { constants, code: asItems(expression) };
}

const asItems = (items: PrintedExpression): JsExpression =>
  items.type === "array" ? items.code : js.as(items.code, js.arrayType(jsonType));

/** Passes the outer variables, cast to the parameter types. */
function callFunction(
  { name, parameters, usesFlow, usesFunctions }: LoweredFunction,
  given: readonly JsExpression[],
  context: FunctionContext,
  step: string,
): JsExpression {
  const scope = scopeAt(context, step);
  const outer = parameters.map((variable) => {
    const value = scope.variable(variable);
    return value ? castIfNeeded(value, { ...defaultVariable(variable, context), name: variable }) : js.literal(null);
  });
  const names = [...(usesFlow ? ["flow"] : []), ...(usesFunctions ? ["fn"] : [])];
  return js.call(name, [...names.map((each) => js.name(each)), ...given, ...outer]);
}

/** `await flow.attempt("Pay", async (flow) => { … });` */
export function lowerAttempt(step: Attempt, body: StructuredBlock, context: FunctionContext): Code {
  const bind = boundWeb(context, step);
  const inner: FunctionContext = { ...context, isOutermost: false, attempt: { bind } };
  const work = withoutLastReturn(lowerBlock(body, inner));
  if (isPlainAttempt(step, work, context)) return work;
  const restored = restoredVariables(step, context);
  const saved = restored.map(({ name }) => ({ name, before: context.names.fresh(`${name}Before`) }));
  const restore = saved.map(({ name, before }) => js.assign(name, js.name(before)));
  const attempt = js.arrow(["flow"], [...restore, ...work], { async: true });
  return [
    ...saved.map(({ name, before }) => js.constant(before, js.name(name))),
    bindJsonResult(
      context,
      bind,
      flowCall(context, "attempt", step, [attempt, optionsObject(limitProperties(step, context))]),
    ),
  ];
}

/** Whether an attempt only handles errors of an assignment, so that its work needs no function of its own. */
const isPlainAttempt = ({ bind, timeout, retries, body }: Attempt, work: Code, { module }: FunctionContext): boolean =>
  module.workflow.detailedErrors === true &&
  bind === undefined &&
  timeout === undefined &&
  retries.length === 0 &&
  body.steps.every(({ kind }) => kind === "assign" || kind === "end") &&
  !walkNodes(work).some(({ kind }) => kind === "return");

function restoredVariables(step: Attempt, context: FunctionContext): readonly { readonly name: string }[] {
  if (step.retries.length === 0) return [];
  const inside = createDataFlowGraph(step.body);
  return step.restore.flatMap((variable) => {
    const web = context.webs.read(step.body.entry.name, variable);
    const isChanged = web !== undefined && [...web.definitions].some((id) => inside.has(id));
    return (isChanged && context.variables.get(web.id)) || [];
  });
}

function withoutLastReturn(statements: Code): Code {
  const last = statements.at(-1);
  return last?.kind === "return" && last.value === undefined ? statements.slice(0, -1) : statements;
}
