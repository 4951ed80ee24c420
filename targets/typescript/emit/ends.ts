import type { BranchItem } from "../../../src/cfg/index.ts";
import { canFail, type Expression } from "../../../src/expressions/index.ts";
import { noChoiceMatchedError } from "../../../src/ir/errors.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { End } from "../../../src/ir/workflow.ts";
import { type Block as Code, js, type JsExpression as Tree } from "../../../src/js-ast/index.ts";
import { isObject, own } from "../../../src/json.ts";
import type { Written } from "../../../src/readable/written.ts";
import { jsonType, runtime } from "../expressions/runtime.ts";

import { expressionAt, type Place } from "./place.ts";
import { isOfUse } from "./schemas.ts";

/** The end of a scope, or of the whole run: `return value;`, `throw errorOf(value);`, `throw new RunEnd({ value });` */
export function writeEnd(step: End, place: Place): Code {
  const isRun = step.extent === "run" && !(place.isOutermost && !mayEndAnother(place.module));
  if (step.outcome === "fail") {
    const error = errorOf(step, place);
    return [js.throwStatement(isRun ? runEnd({ error }) : error)];
  }
  const isRead = !place.isAttempt || place.isAttempt.bind !== undefined;
  if (!isRun && !isRead && !canFail(step.value)) return [js.returnStatement()];
  const value = expressionAt(place, step.id, step.value);
  if (isRun) return [js.throwStatement(runEnd({ value: value.code }))];
  return [js.returnStatement(place.isOutermost ? ofOutput(value, place) : value.code)];
}

const runEnd = (members: { readonly [name: string]: Tree }): Tree =>
  js.newExpression(runtime("RunEnd"), [js.record(members)]);

/** A value as the output that the schema says it is: nothing makes sure of that. */
function ofOutput({ code, use }: Written, { module }: Place): Tree {
  const { output } = module.schemas;
  if (!output) return code;
  const isVariable = code.kind === "identifier" && use?.kind === "open" && isOfUse(use, output.type) && output.isWhole;
  return js.as(isVariable ? code : js.as(code, jsonType), js.type(output.name));
}

/** Whether the end of the workflow's run may be that of a run which has started it as its subflow. */
const mayEndAnother = ({ program, workflow }: Place["module"]): boolean =>
  program.workflows.some((other) =>
    stepsOf(other).some((step) => step.kind === "invoke" && step.terminates && step.workflow.name === workflow.id),
  );

/** The failure of a choice that has no way. */
export function noWay({ by }: BranchItem): Code {
  if (by.kind === "select") return [];
  const { name, message } = noChoiceMatchedError(by.step);
  const more = js.record({ origin: js.literal("noMatch") });
  return [js.throwStatement(workflowError(name, message, more))];
}

const workflowError = (name: string, message: string, ...more: readonly Tree[]): Tree =>
  js.newExpression(runtime("WorkflowError"), [js.literal(name), js.literal(message), ...more]);

function errorOf(step: End, place: Place): Tree {
  const plain = plainError(step.value);
  if (plain) return workflowError(plain.name, plain.message);
  return js.call(runtime("errorOf"), [expressionAt(place, step.id, step.value).code]);
}

/** An error that is written out, and has nothing but a name and a message. */
function plainError(value: Expression): { readonly name: string; readonly message: string } | undefined {
  if (value.kind !== "literal" || !isObject(value.value)) return undefined;
  const [name, message] = [own(value.value, "name"), own(value.value, "message")];
  const isPlain = Object.keys(value.value).every((key) => key === "name" || key === "message");
  return isPlain && typeof name === "string" && typeof message === "string" ? { name, message } : undefined;
}
