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
 * What goes on beside an end in Step Functions is only stopped by an error. The errors that say so have names of ours; those of the first two carry a
 * value, which is the `data` of such an error.
 */
export interface OwnErrors {
  /** A branch has joined its fork. */
  readonly joined: string;
  /** The run ends, with a value; one that ends without has a number behind this name. */
  readonly ended: string;
  /** The time of steps that have one together is over. */
  readonly late: string;
  /** Nothing has this one. */
  readonly never: string;
}

/** Names that begin as no text of the workflows does: `Waybill.Joined`, or else `Waybill2.Joined`. The README beside a template tells functions not to throw such. */
export function chooseOwnErrors(workflows: readonly Workflow[]): OwnErrors {
  const texts = workflows.flatMap(similarConstants);
  let prefix = "Waybill.";
  for (let count = 2; texts.some((text) => text.includes(prefix)); count++) prefix = `Waybill${count}.`;
  return { joined: `${prefix}Joined`, ended: `${prefix}RunEnds`, late: `${prefix}Late`, never: `${prefix}Never` };
}

/** The constants of a workflow that may have a name like those of ours in them. */
function similarConstants(workflow: Workflow): readonly string[] {
  const initials = workflow.body.variables.flatMap(({ initial }) => initial ?? []);
  const pending: Expression[] = [...initials, ...stepsOf(workflow).flatMap(expressionsOf)];
  const texts: string[] = [];
  for (let each = pending.pop(); each; each = pending.pop()) {
    const text = each.kind === "literal" ? JSON.stringify(each.value) : "";
    if (text.includes("Waybill")) texts.push(text);
    for (const { expression } of childrenOf(each)) pending.push(expression);
  }
  return texts;
}

/** Whether an error is one of ours that carries a value, and nothing else. */
export const carriesValue = (name: unknown, { joined, ended }: OwnErrors): boolean => name === joined || name === ended;

/** The errors of ours that a workflow fails with as it is performed: nothing else may be called so. */
export function ownErrorsRaised(workflow: Workflow, raised: OwnErrors): readonly string[] {
  const failures = stepsOf(workflow).flatMap((step) => (step.kind === "end" && step.outcome === "fail" ? [step] : []));
  const names = failures.map(({ value }) => constantOf(simplify(member(value, "name"))));
  return [...new Set(names.filter((name) => typeof name === "string"))].filter((name) => isOwnError(name, raised));
}

const isOwnError = (name: string, { joined, ended, late }: OwnErrors): boolean =>
  name === joined || name === late || name.startsWith(ended);

/** The error of ours that a `Fail` has for its value: its name, and what it carries; undefined where it is none. */
export function carryingError(
  value: Expression,
  raised: OwnErrors,
): { readonly name: string; readonly data: Expression } | undefined {
  const members = membersOf(value);
  const name = constantOf(members.get("name"));
  const data = members.get("data");
  return typeof name === "string" && carriesValue(name, raised) && data ? { name, data } : undefined;
}

/** The members of an object that is written out, or is a constant. */
function membersOf(value: Expression): ReadonlyMap<Json | undefined, Expression> {
  if (value.kind === "literal" && isObject(value.value))
    return new Map(Object.entries(value.value).map(([key, item]) => [key, literal(item)]));
  return new Map(value.kind === "object" ? value.entries.map((entry) => [constantOf(entry.key), entry.value]) : []);
}

const constantOf = (expression: Expression | undefined): Json | undefined =>
  expression?.kind === "literal" ? expression.value : undefined;

/** The value of a `Fail` for such an error. */
export const ownError = (name: string, value: Expression): Expression =>
  object([
    ["origin", literal("fail")],
    ["name", literal(name)],
    ["message", literal("")],
    ["data", value],
  ]);

/** Whether an error is that of a name. */
export const hasName = (name: string): Expression => binary("==", member(variable("error"), "name"), literal(name));

/** The value that an error of ours carries. */
export const carriedValue = (error: string): Expression => member(variable(error), "data");
