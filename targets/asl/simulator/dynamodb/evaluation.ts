import { assertNever } from "../../../../src/json.ts";
import { validationError } from "./errors.ts";
import type { AttributePath, ComparisonOperator, Condition, Operand, Update, UpdateValue } from "./expressions.ts";
import {
  type AttributeValue,
  byteLength,
  compareValues,
  equalValues,
  type Item,
  typeOf,
  validateValue,
} from "./items.ts";

/** Whether a condition holds for an item. An absent item has no attributes. */
export function holds(condition: Condition, item: Item): boolean {
  switch (condition.kind) {
    case "and":
      return condition.parts.every((part) => holds(part, item));
    case "or":
      return condition.parts.some((part) => holds(part, item));
    case "not":
      return !holds(condition.part, item);
    case "attribute_exists":
      return valueAt(condition.path, item) !== undefined;
    case "attribute_not_exists":
      return valueAt(condition.path, item) === undefined;
    case "comparison":
      return compares(condition.operator, operandValue(condition.left, item), operandValue(condition.right, item));
    case "between": {
      const [value, low, high] = [condition.value, condition.low, condition.high].map((each) =>
        operandValue(each, item),
      );
      return compares(">=", value, low) && compares("<=", value, high);
    }
    case "in":
      return condition.options.some((each) =>
        compares("=", operandValue(condition.value, item), operandValue(each, item)),
      );
    case "begins_with": {
      const [value, prefix] = [valueAt(condition.path, item), operandValue(condition.argument, item)];
      return value?.S !== undefined && prefix?.S !== undefined && value.S.startsWith(prefix.S);
    }
    case "contains":
      return containsValue(valueAt(condition.path, item), operandValue(condition.argument, item));
    case "attribute_type": {
      const value = valueAt(condition.path, item);
      return value !== undefined && typeOf(value) === operandValue(condition.argument, item)?.S;
    }
    default:
      return assertNever(condition);
  }
}

function compares(
  operator: ComparisonOperator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (!left || !right) return operator === "<>";
  if (operator === "=") return equalValues(left, right);
  if (operator === "<>") return !equalValues(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return assertNever(operator);
  }
}

function containsValue(whole: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (!whole || !part) return false;
  if (whole.S !== undefined) return part.S !== undefined && whole.S.includes(part.S);
  if (whole.SS) return part.S !== undefined && whole.SS.includes(part.S);
  if (whole.NS) return part.N !== undefined && whole.NS.map(Number).includes(Number(part.N));
  return whole.L?.some((each) => equalValues(each, part)) ?? false;
}

function operandValue(operand: Operand, item: Item): AttributeValue | undefined {
  switch (operand.kind) {
    case "value":
      return operand.value;
    case "path":
      return valueAt(operand.path, item);
    case "size": {
      const value = valueAt(operand.path, item);
      const length = value && lengthOf(value);
      return length === undefined ? undefined : { N: String(length) };
    }
    default:
      return assertNever(operand);
  }
}

function lengthOf({ S, B, SS, NS, L, M }: AttributeValue): number | undefined {
  if (S !== undefined) return byteLength(S);
  return (B ?? SS ?? NS ?? L ?? (M && Object.keys(M)))?.length;
}

function valueAt(path: AttributePath, item: Item): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item };
  for (const key of path) {
    const { M: map, L: list }: AttributeValue = value ?? {};
    if (typeof key === "number") value = list?.[key];
    else value = map && Object.hasOwn(map, key) ? map[key] : undefined;
  }
  return value;
}

/** Applies an update to an item. All values are computed from the item before the update. */
export function updateItem(update: Update, item: Item): Item {
  const result: { [name: string]: AttributeValue } = { ...item };
  for (const { name, value } of update.set) {
    result[name] = updatedValue(value, item);
    validateValue(result[name]);
  }
  for (const name of update.remove) delete result[name];
  for (const { name, value } of update.add) result[name] = addedValue(item[name], value);
  for (const { name, value } of update.delete) {
    const rest = item[name]?.SS?.filter((each) => !value.SS?.includes(each)) ?? [];
    if (!value.SS) throw validationError("An operand in the update expression has an incorrect data type");
    if (rest.length > 0) result[name] = { SS: rest };
    else delete result[name];
  }
  return result;
}

function updatedValue(value: UpdateValue, item: Item): AttributeValue {
  switch (value.kind) {
    case "+":
    case "-": {
      const [left, right] = [updatedValue(value.left, item), updatedValue(value.right, item)];
      if (left.N === undefined || right.N === undefined)
        throw validationError("An operand in the update expression has an incorrect data type");
      return { N: String(Number(left.N) + (value.kind === "+" ? Number(right.N) : -Number(right.N))) };
    }
    case "if_not_exists":
      return valueAt(value.path, item) ?? updatedValue(value.otherwise, item);
    default: {
      const found = operandValue(value, item);
      if (!found)
        throw validationError("The provided expression refers to an attribute that does not exist in the item");
      return found;
    }
  }
}

function addedValue(old: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (value.N !== undefined && (old === undefined || old.N !== undefined))
    return { N: String(Number(old?.N ?? 0) + Number(value.N)) };
  if (value.SS && (old === undefined || old.SS)) return { SS: [...new Set([...(old?.SS ?? []), ...value.SS])] };
  throw validationError("An operand in the update expression has an incorrect data type");
}
