import {
  type Conditional,
  type Expression,
  factsOf,
  foldBalanced,
  type Logic,
  outputs,
} from "../../../src/expressions/index.ts";
import { apply, type Code, choice, code, infix, isNothing, isPath, level, linked } from "./code.ts";
import { value } from "./each.ts";
import { type Printer, withPresent } from "./printer.ts";

/** A test of a value that is there: what holds where the value is true, or false when `negated`. */
export interface Test {
  readonly holds: Code;
  readonly negated: boolean;
}

/** Whether an output of an expression is true as jq takes it. */
export function test(expression: Expression, output: Code): Test {
  if (factsOf(expression).type === "boolean") return { holds: output, negated: false };
  return { holds: infix("in", level.comparison, output, code("[null, false]")), negated: true };
}

/** Whether an output of an expression is true, as true or false. */
export function truth(expression: Expression, output: Code): Code {
  const { holds, negated } = test(expression, output);
  return negated ? apply("not", holds) : holds;
}

/** `condition ? then : otherwise`, where either may be nothing. */
export const chosen = (condition: Code, then: Code, otherwise: Code): Code =>
  isNothing(then) && !isNothing(otherwise)
    ? choice(apply("not", condition), otherwise, then)
    : choice(condition, then, otherwise);

/** A choice with exactly one output. */
export function conditionalText({ condition, then, otherwise }: Conditional, printer: Printer): Code {
  const { holds, negated } = test(condition, value(condition, printer));
  const branches = [value(then, knowing(condition, printer)), value(otherwise, printer)] as const;
  return negated ? choice(holds, branches[1], branches[0]) : choice(holds, ...branches);
}

/** The printer where a condition holds that may say that there is something at the end of a path. */
function knowing(condition: Expression, printer: Printer): Printer {
  const [found] = condition.kind === "call" && condition.name === "exists" ? condition.args : [];
  if (found?.kind !== "query") return printer;
  const path = outputs(found) === "optional" ? value(found, printer) : undefined;
  return path && isPath(path) && path.before.length === 0 && path.text.startsWith("$type($")
    ? withPresent(printer, path.path.text)
    : printer;
}

/** Longer chains are written as trees. */
const longestChain = 16;

/** `and` or `or` with exactly one output; a long chain as a tree. */
export function logicText(expression: Logic, printer: Printer): Code {
  const { operator } = expression;
  const parts = links(expression, operator).map((part) => truth(part, value(part, printer)));
  if (parts.length <= longestChain) return linked(operator, parts);
  return foldBalanced(parts, (left, right) => infix(operator, level[operator], left, right))!;
}

/** What a chain of the same operator links, from left to right. */
function links(expression: Expression, operator: Logic["operator"]): readonly Expression[] {
  const parts: Expression[] = [];
  const waiting: Expression[] = [expression];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (part.kind === "logic" && part.operator === operator && outputs(part) === "one")
      waiting.push(part.right, part.left);
    else parts.push(part);
  }
  return parts;
}
