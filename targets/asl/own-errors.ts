import {
  binary,
  childrenOf,
  type Expression,
  literal,
  member,
  object,
  simplify,
  variable,
} from "../../src/expressions/index.ts";
import { expressionsOf, stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { isObject, type Json } from "../../src/json.ts";

/**
 * The names of errors that machines raise to stop concurrent states, which only an error can do. The first two carry a
 * value in their `data`.
 */
export interface OwnErrors {
  /** A branch joined its fork. */
  readonly joined: string;
  /** The run ends with a value; without a value, a number is appended. */
  readonly ended: string;
  /** The timeout of an attempt expired. */
  readonly late: string;
  /** Never raised. */
  readonly never: string;
}

/**
 * Chooses names with a prefix that no constant of the workflows contains: `Waybill.`, or else `Waybill2.`, and so on.
 */
export function chooseOwnErrors(workflows: readonly Workflow[]): OwnErrors {
  const texts = workflows.flatMap(similarConstants);
  let prefix = "Waybill.";
  for (let count = 2; texts.some((text) => text.includes(prefix)); count++) prefix = `Waybill${count}.`;
  return { joined: `${prefix}Joined`, ended: `${prefix}RunEnds`, late: `${prefix}Late`, never: `${prefix}Never` };
}

/** The constants of a workflow that may contain such a prefix. */
function similarConstants(workflow: Workflow): readonly string[] {
  const initials = workflow.body.variables.flatMap(({ initial }) => initial ?? []);
  const pending: Expression[] = [...initials, ...stepsOf(workflow).flatMap(expressionsOf)];
  const texts: string[] = [];
  for (let each = pending.pop(); each; each = pending.pop()) {
    if (each.kind === "literal") {
      const text = typeof each.value === "string" ? each.value : JSON.stringify(each.value);
      if (text.includes("Waybill")) texts.push(text);
      continue;
    }
    for (const { expression } of childrenOf(each)) pending.push(expression);
  }
  return texts;
}

/** Whether a name is that of an own error with a value. */
export const carriesValue = (name: unknown, { joined, ended }: OwnErrors): boolean => name === joined || name === ended;

/** The names of own errors that a workflow raises. */
export function ownErrorsRaised(workflow: Workflow, raised: OwnErrors): readonly string[] {
  const failures = stepsOf(workflow).flatMap((step) => (step.kind === "end" && step.outcome === "fail" ? [step] : []));
  const names = failures.map(({ value }) => constantOf(simplify(member(value, "name"))));
  return [...new Set(names.filter((name) => typeof name === "string"))].filter((name) => isOwnError(name, raised));
}

const isOwnError = (name: string, { joined, ended, late }: OwnErrors): boolean =>
  name === joined || name === late || name.startsWith(ended);

/** The own error that a failing end raises, if its value is one that carries data. */
export function carryingError(
  value: Expression,
  raised: OwnErrors,
): { readonly name: string; readonly data: Expression } | undefined {
  const members = membersOf(value);
  const name = constantOf(members.get("name"));
  const data = members.get("data");
  return typeof name === "string" && carriesValue(name, raised) && data ? { name, data } : undefined;
}

/** The members of a constant or of an object constructor. */
function membersOf(value: Expression): ReadonlyMap<Json | undefined, Expression> {
  if (value.kind === "literal" && isObject(value.value))
    return new Map(Object.entries(value.value).map(([key, item]) => [key, literal(item)]));
  return new Map(value.kind === "object" ? value.entries.map((entry) => [constantOf(entry.key), entry.value]) : []);
}

const constantOf = (expression: Expression | undefined): Json | undefined =>
  expression?.kind === "literal" ? expression.value : undefined;

/** The error value for a failing end that carries data. */
export const ownError = (name: string, value: Expression): Expression =>
  object([
    ["origin", literal("fail")],
    ["name", literal(name)],
    ["message", literal("")],
    ["data", value],
  ]);

/** The condition that an error has a name. */
export const hasName = (name: string): Expression => binary("==", member(variable("error"), "name"), literal(name));

/** The value that an own error carries. */
export const carriedValue = (error: string): Expression => member(variable(error), "data");
