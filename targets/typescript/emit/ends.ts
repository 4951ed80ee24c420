import type { BranchItem } from "../../../src/cfg/index.ts";
import { canFail, type Expression } from "../../../src/expressions/index.ts";
import { type OpenUse, type PrintedExpression, provenMember } from "../../../src/expressions/js/index.ts";
import { noChoiceMatchedError } from "../../../src/ir/errors.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { End } from "../../../src/ir/workflow.ts";
import { type Block as Code, js, type JsExpression as Tree } from "../../../src/js-ast/index.ts";
import { isObject, own } from "../../../src/json.ts";
import { type FunctionContext, printAt } from "./context.ts";
import { constantNamed } from "./module.ts";
import { helper, jsonType, runtime } from "./runtime-imports.ts";
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
  const problem = lowerProblem(step, context);
  if (problem) return js.call(runtime("errorOf"), [problem]);
  return js.call(runtime("errorOf"), [printAt(context, step.id, step.value).code]);
}

/** `problemOf(error, "/do/0/pay", standardErrors)` */
function lowerProblem({ id, value }: End, context: FunctionContext): Tree | undefined {
  if (value.kind !== "call" || value.name !== "problem" || value.isLocal) return undefined;
  const [error, pointer, standard] = value.args as readonly [Expression, Expression, Expression];
  if (standard.kind !== "literal") return undefined;
  const name = constantNamed("standardErrors", standard.value, context.module);
  return js.call(helper("problemOf"), [
    printAt(context, id, error).code,
    printAt(context, id, pointer).code,
    js.name(name),
  ]);
}

/** A literal error with only a name and a message. */
function constantError(value: Expression): { readonly name: string; readonly message: string } | undefined {
  if (value.kind !== "literal" || !isObject(value.value)) return undefined;
  const [name, message] = [own(value.value, "name"), own(value.value, "message")];
  const isPlain = Object.keys(value.value).every((key) => key === "name" || key === "message");
  return isPlain && typeof name === "string" && typeof message === "string" ? { name, message } : undefined;
}
