import type { Expression } from "../../../src/expressions/index.ts";
import type { Branch } from "../../../src/flow/index.ts";
import { noChoiceMatched } from "../../../src/ir/failures.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { End } from "../../../src/ir/workflow.ts";
import { isObject, own } from "../../../src/json.ts";
import { quoted } from "../expressions/literal.ts";
import { inside, level, type Written } from "../expressions/written.ts";
import { imported } from "./module.ts";
import { expressionAt, type Place } from "./place.ts";
import { isOfUse } from "./schemas.ts";

/** The end of a scope, or of the whole run. */
export function writeEnd(step: End, place: Place): readonly string[] {
  const written = () => expressionAt(place, step.id, step.value);
  const value = () => written().text;
  const isRun = step.extent === "run" && !(place.isOutermost && !mayEndAnother(place.module));
  if (step.outcome === "fail") {
    const error = errorText(step, place);
    return [isRun ? `throw new ${imported(place.module, "RunEnd")}({ error: ${error} });` : `throw ${error};`];
  }
  if (isRun) return [`throw new ${imported(place.module, "RunEnd")}({ value: ${value()} });`];
  const isRead = !place.isAttempt || place.isAttempt.bind !== undefined;
  return [isRead ? `return ${place.isOutermost ? ofOutput(written(), place) : value()};` : "return;"];
}

/** A value as the output that the schema says it is: nothing makes sure of that. */
function ofOutput(value: Written, { module }: Place): string {
  const { output } = module.schemas;
  if (!output) return value.text;
  const isVariable =
    /^[\w$]+$/.test(value.text) &&
    value.use?.kind === "open" &&
    isOfUse(value.use, output.shape, false) &&
    output.isWhole;
  return `${inside(value, level.order)}${isVariable ? "" : " as Json"} as ${output.name}`;
}

/** Whether the end of the workflow's run may be that of a run which has started it as its subflow. */
const mayEndAnother = ({ program, workflow }: Place["module"]): boolean =>
  program.workflows.some((other) =>
    stepsOf(other).some((step) => step.kind === "invoke" && step.terminates && step.workflow.name === workflow.id),
  );

/** The failure of a choice that has no way. */
export function noWay({ by }: Branch, { module }: Place): readonly string[] {
  if (by.kind === "aim") return [];
  const { name, message } = noChoiceMatched(by.step);
  return [
    `throw new ${imported(module, "WorkflowError")}(${quoted(name)}, ${quoted(message)}, { origin: "noMatch" });`,
  ];
}

function errorText(step: End, place: Place): string {
  const { module } = place;
  const literal = plainError(step.value);
  if (literal) return `new ${imported(module, "WorkflowError")}(${quoted(literal.name)}, ${quoted(literal.message)})`;
  return `${imported(module, "errorOf")}(${expressionAt(place, step.id, step.value).text})`;
}

/** An error that is written out, and has nothing but a name and a message. */
function plainError({ kind, ...rest }: Expression): { readonly name: string; readonly message: string } | undefined {
  const value = kind === "literal" && "value" in rest ? rest.value : undefined;
  if (typeof value !== "object" || !isObject(value as never)) return undefined;
  const [name, message] = [own(value as never, "name"), own(value as never, "message")];
  const isPlain = Object.keys(value as object).every((key) => key === "name" || key === "message");
  return isPlain && typeof name === "string" && typeof message === "string" ? { name, message } : undefined;
}
