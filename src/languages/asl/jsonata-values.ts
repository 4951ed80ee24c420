import {
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  effectsOf,
  literal,
  object,
  simplify,
  variable,
} from "../../expressions/index.ts";
import { isObject } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { literalExpression } from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { queryFailure } from "./failures.ts";
import { type ProgramRoots, programAt } from "./programs.ts";
import { type Field, valueAt } from "./templates.ts";

/**
 * The value of a field of a state in JSONata: strings that are expressions are evaluated at any depth. `label` names the
 * field in messages.
 */
export function jsonataAt(roots: ProgramRoots, field: Field, label: string = field.key): Expression {
  const value = valueAt(field)!;
  if (isProgram(value)) return programAt(roots, field, label);
  if (typeof value === "string") {
    const { context } = roots.writer;
    if (/\{%.*%\}/s.test(value)) context.report(literalExpression(spanOf(context, field.owner, field.key), {}));
    return literal(value);
  }
  if (Array.isArray(value)) {
    const items = value.map((_, i) => jsonataAt(roots, { owner: value, key: String(i) }, `${label}[${i}]`));
    if (items.every(({ kind }) => kind === "literal")) return literal(value);
    return collect(items.length === 1 ? items[0] : comma(...items));
  }
  if (!isObject(value)) return literal(value);
  const entries = Object.keys(value).map(
    (key) => [key, jsonataAt(roots, { owner: value, key }, `${label}/${key}`)] as const,
  );
  return entries.every(([, each]) => each.kind === "literal") ? literal(value) : object(entries);
}

/** The value of a field that must have a type; anything else fails. */
export function typedAt(
  roots: ProgramRoots,
  field: Field,
  type: "array" | "boolean" | "string",
  label: string = field.key,
): Expression {
  const { name } = roots.writer;
  const message = `An error occurred while executing the state '${name}'. The value of the field '${label}' has an unexpected type. Expected '${type}'.`;
  return ofType(jsonataAt(roots, field, label), type, message);
}

/** A value that must have a type; anything else fails. */
export function ofType(given: Expression, type: string, message: string): Expression {
  if (effectsOf(given).type === type) return given;
  const value = variable("typed value");
  const check = conditional(binary("==", call("type", value), literal(type)), value, queryFailure(message));
  return simplify(bind("typed value", given, check));
}

/** The variables of an `Assign`, by name. */
export function jsonataAssignments(roots: ProgramRoots, owner: object): readonly (readonly [string, Expression])[] {
  const variables = valueAt({ owner, key: "Assign" });
  if (!isObject(variables)) return [];
  return Object.keys(variables).map(
    (name) => [name, jsonataAt(roots, { owner: variables, key: name }, `Assign/${name}`)] as const,
  );
}
