import type { BranchItem } from "../../../src/cfg/index.ts";
import { canFail, type Expression, equalExpressions, literal, object } from "../../../src/expressions/index.ts";
import { type OpenUse, type PrintedExpression, provenMember } from "../../../src/expressions/js/index.ts";
import { noChoiceMatchedError } from "../../../src/ir/errors.ts";
import type { StandardErrors } from "../../../src/ir/problems.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { End, Workflow } from "../../../src/ir/workflow.ts";
import { type Block as Code, js, type JsExpression as Tree } from "../../../src/js-ast/index.ts";
import { isObject, own } from "../../../src/json.ts";
import { type FunctionContext, printAt } from "./context.ts";
import { jsonType, runtime } from "./runtime-imports.ts";
import { fitsUse } from "./schemas.ts";

/** Ends a scope or the whole run: `return value;`, `throw errorOf(value);`, `throw new RunEnd({ value });` */
export function lowerEnd(step: End, context: FunctionContext): Code {
  const isRun = step.extent === "run" && !(context.isOutermost && !mayEndCaller(context.module));
  if (step.outcome === "fail") {
    const error = lowerError(step, context);
    return [js.throwStatement(isRun ? runEnd({ error }) : error)];
  }
  const isRead = !context.attempt || context.attempt.bind !== undefined;
  if (!isRun && !isRead && !canFail(step.value)) return [js.returnStatement()];
  const value = printAt(context, step.id, step.value);
  if (isRun) return [js.throwStatement(runEnd({ value: value.code }))];
  return [js.returnStatement(context.isOutermost ? castToOutput(value, context) : value.code)];
}

const runEnd = (members: { readonly [name: string]: Tree }): Tree =>
  js.newExpression(runtime("RunEnd"), [js.record(members)]);

/** Casts a value to the output type of the schema, which is not checked. */
function castToOutput({ code, use }: PrintedExpression, { module }: FunctionContext): Tree {
  const { output } = module.schemas;
  if (!output) return code;
  const isVariable = code.kind === "identifier" && use?.kind === "open" && fitsUse(use, output.type) && output.isWhole;
  return js.as(isVariable && !requiresMembers(use) ? code : js.as(code, jsonType), js.type(output.name));
}

/** Whether the type of a variable has members that the output may lack. */
const requiresMembers = (use: OpenUse): boolean =>
  [...use.members.keys()].some((name) => provenMember(use.proven, name).isAlways);

/** Whether ending the run may also end a run that invoked this workflow. */
const mayEndCaller = ({ program, workflow }: FunctionContext["module"]): boolean =>
  program.workflows.some((other) =>
    stepsOf(other).some((step) => step.kind === "invoke" && step.terminates && step.workflow.name === workflow.id),
  );

/** Throws the error of a choice none of whose conditions holds. */
export function throwNoMatch({ by }: BranchItem): Code {
  if (by.kind === "select") return [];
  const { name, message } = noChoiceMatchedError(by.step);
  const more = js.record({ origin: js.literal("noMatch") });
  return [js.throwStatement(workflowError(name, message, more))];
}

const workflowError = (name: string, message: string, ...more: readonly Tree[]): Tree =>
  js.newExpression(runtime("WorkflowError"), [js.literal(name), js.literal(message), ...more]);

function lowerError(step: End, context: FunctionContext): Tree {
  const plain = constantError(step.value);
  if (plain) return workflowError(plain.name, plain.message);
  const details = problemDetailsOf(step, context.module.workflow);
  if (details) return js.method(js.name("flow"), "error", [printAt(context, step.id, details).code]);
  return js.call(runtime("errorOf"), [printAt(context, step.id, step.value).code]);
}

/** The problem details of an error whose name, message and `instance` follow from the others and the step. */
function problemDetailsOf({ value, origin }: End, { problems }: Workflow): Expression | undefined {
  if (problems === undefined || origin.pointer === undefined) return undefined;
  const { errors, prefix } = problems as unknown as StandardErrors;
  const error = membersOf(value);
  const details = membersOf(error?.get("data"));
  if (!error || !details) return undefined;
  const [type, title] = [details.get("type"), details.get("title") ?? literal("")];
  if (type?.kind !== "literal" || typeof type.value !== "string") return undefined;
  const known = Object.keys(errors).find((name) => prefix + name === type.value);
  const isSame = (given: Expression | undefined, derived: Expression): boolean =>
    given !== undefined && equalExpressions(given, derived);
  const isDerived =
    isSame(error.get("name"), literal(known ?? type.value)) &&
    isSame(error.get("message"), title) &&
    isSame(error.get("origin") ?? literal("fail"), literal("fail")) &&
    isSame(details.get("instance"), literal(origin.pointer));
  return isDerived ? object([...details].filter(([name]) => name !== "instance")) : undefined;
}

/** The members of an object whose names are known. */
function membersOf(expression: Expression | undefined): ReadonlyMap<string, Expression> | undefined {
  if (expression?.kind === "literal" && isObject(expression.value))
    return new Map(Object.entries(expression.value).map(([name, value]) => [name, literal(value)]));
  if (expression?.kind !== "object") return undefined;
  const members = new Map<string, Expression>();
  for (const { key, value } of expression.entries) {
    if (key.kind !== "literal" || typeof key.value !== "string") return undefined;
    members.set(key.value, value);
  }
  return members;
}

/** A literal error with only a name and a message. */
function constantError(value: Expression): { readonly name: string; readonly message: string } | undefined {
  if (value.kind !== "literal" || !isObject(value.value)) return undefined;
  const [name, message] = [own(value.value, "name"), own(value.value, "message")];
  const isPlain = Object.keys(value.value).every((key) => key === "name" || key === "message");
  return isPlain && typeof name === "string" && typeof message === "string" ? { name, message } : undefined;
}
