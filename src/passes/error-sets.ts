import { comparisonIn, type Expression, negatedBy, simplify } from "../expressions/index.ts";
import type { Json } from "../json.ts";

/** Which errors a condition takes, when that depends on their names only: those listed, or all but those listed. */
export interface ErrorSet {
  readonly all: boolean;
  readonly names: ReadonlySet<ErrorName>;
}

/** Errors of a name, whatever raised them; or the time-outs of steps, which are none of a function that throws something of the same name. */
export type ErrorName = string | typeof timeouts;

/** The errors that say that a step took too long. */
export const timeouts: unique symbol = Symbol("time-outs of steps");

const nothing: ErrorSet = { all: false, names: new Set() };
const everything: ErrorSet = { all: true, names: new Set() };

/** The errors for which a condition over `$error` holds; undefined when it depends on anything but the error's name. */
export function errorsTaken(when: Expression): ErrorSet | undefined {
  return taken(simplify(when));
}

/** Whether that is every error. */
export const takesAll = (errors: ErrorSet | undefined): boolean => errors?.all === true && errors.names.size === 0;

function taken(when: Expression): ErrorSet | undefined {
  if (when.kind === "literal") return when.value === true ? everything : nothing;
  if (when.kind === "logic") {
    const [left, right] = [taken(when.left), taken(when.right)];
    return (
      left &&
      right &&
      (when.operator === "or" ? union(left, right) : complement(union(complement(left), complement(right))))
    );
  }
  if (when.kind === "binary" && (when.operator === "==" || when.operator === "!="))
    return compared(when.left, when.operator, when.right);
  if (when.kind !== "call") return undefined;
  const [first] = when.args;
  const negated = negatedBy(when);
  if (negated) return mapped(taken(negated), complement);
  if (when.name === "truthy" && first) return partOf(first) === undefined ? undefined : everything;
  const asked = comparisonIn(when);
  return asked && compared(asked.left, asked.operator, asked.right);
}

function compared(left: Expression, operator: Json, right: Expression): ErrorSet | undefined {
  if (operator !== "==" && operator !== "!=") return undefined;
  const [subject, constant] = left.kind === "literal" ? [right, left] : [left, right];
  const part = partOf(subject);
  if (part === undefined || constant.kind !== "literal") return undefined;
  const equal = equalTo(part, constant.value);
  return equal && (operator === "==" ? equal : complement(equal));
}

function equalTo(part: "error" | "name" | "message" | "origin", value: Json): ErrorSet | undefined {
  if (typeof value !== "string") return nothing;
  if (part === "error") return nothing;
  if (part === "message") return undefined;
  if (part === "origin") return value === "timeout" ? { all: false, names: new Set([timeouts]) } : undefined;
  return { all: false, names: new Set(value === "Timeout" ? [timeouts, "Timeout"] : [value]) };
}

/** What of the error an expression is: itself, or a member that is always there. */
function partOf(expression: Expression): "error" | "name" | "message" | "origin" | undefined {
  if (expression.kind === "variable") return expression.name === "error" ? "error" : undefined;
  if (expression.kind === "call" && expression.name === "first")
    return expression.args[0] && partOf(expression.args[0]);
  if (expression.kind !== "query" || expression.source.kind !== "variable" || expression.source.name !== "error")
    return undefined;
  const [segment] = expression.segments;
  const [selector] = segment?.selectors ?? [];
  if (
    expression.segments.length !== 1 ||
    segment?.descend ||
    segment?.selectors.length !== 1 ||
    selector?.kind !== "name"
  )
    return undefined;
  const { name } = selector;
  return name === "name" || name === "message" || name === "origin" ? name : undefined;
}

const complement = ({ all, names }: ErrorSet): ErrorSet => ({ all: !all, names });

const mapped = <T>(value: T | undefined, change: (value: T) => T): T | undefined => value && change(value);

function union(a: ErrorSet, b: ErrorSet): ErrorSet {
  if (a.all && b.all) return { all: true, names: new Set([...a.names].filter((name) => b.names.has(name))) };
  if (!a.all && !b.all) return { all: false, names: new Set([...a.names, ...b.names]) };
  const [most, few] = a.all ? [a, b] : [b, a];
  return { all: true, names: new Set([...most.names].filter((name) => !few.names.has(name))) };
}
