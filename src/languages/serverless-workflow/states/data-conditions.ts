import { expressionFault } from "../../../diagnostics/expressions.ts";
import { call, collect, type Expression, literal, orderOf, patternFault, timeOf } from "../../../expressions/index.ts";
import type { Json } from "../../../json.ts";
import { type Context, spanOf } from "../context.ts";
import { data, pathAt } from "../data/paths.ts";
import type { DataCondition } from "../definition.ts";
import { customOperator, missingOperand, neverHolds, textOrder } from "../diagnostics/kinds.ts";

/** A data condition of a switch state, over the data; false where it cannot be read. */
export function dataCondition(context: Context, condition: DataCondition): Expression {
  const path = pathAt(context, condition, "path", data);
  if (!checkOperand(context, condition) || !path) return literal(false);
  return call("satisfies", collect(path.query), literal(condition.operator), literal(condition.value ?? null));
}

/** Whether the operator can be applied to the value given with it; reports what is wrong with that. */
function checkOperand(context: Context, condition: DataCondition): boolean {
  const { operator, value } = condition;
  switch (operator) {
    case "exists":
    case "notexists":
    case "null":
    case "notnull":
      return true;
    case "custom":
      context.report(customOperator(spanOf(context, condition, "operator"), {}));
      return false;
    case "equals":
    case "notequals":
      return isGiven(context, condition) && canEqual(context, condition, value!);
    case "matches":
    case "notmatches":
      return isGiven(context, condition) && isPattern(context, condition, value!);
    default:
      return isGiven(context, condition) && hasOrder(context, condition, value!);
  }
}

function isGiven(context: Context, condition: DataCondition): boolean {
  if (condition.value !== undefined) return true;
  context.report(missingOperand(spanOf(context, condition, "operator"), { operator: condition.operator }));
  return false;
}

function canEqual(context: Context, condition: DataCondition, value: Json): boolean {
  if (value === null)
    context.report(
      neverHolds(spanOf(context, condition, "value"), {
        why: "null is compared by the operators `null` and `notnull`",
      }),
    );
  return true;
}

function isPattern(context: Context, condition: DataCondition, value: Json): boolean {
  const fault = typeof value === "string" ? patternFault(value) : undefined;
  if (typeof value !== "string")
    context.report(neverHolds(spanOf(context, condition, "value"), { why: "only a text can be a pattern" }));
  if (fault)
    context.report(
      expressionFault(context.document.spanWithin(condition, "value", fault.from, fault.to), fault, "pattern"),
    );
  return typeof value === "string" && !fault;
}

/** Numbers, also written as text, and times have an order of their own; other texts are compared as such. */
function hasOrder(context: Context, condition: DataCondition, value: Json): boolean {
  if (orderOf(value, 0) !== undefined || timeOf(value) !== undefined) return true;
  const span = spanOf(context, condition, "value");
  if (typeof value === "string") context.report(textOrder(span, { value }));
  else context.report(neverHolds(span, { why: "only numbers, times and texts have an order" }));
  return true;
}
