import {
  type Conditional,
  canFail,
  childrenOf,
  type Expression,
  factsOf,
  isTotal,
  type Let,
  type Logic,
  outputs,
  type Pipe,
} from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import { eachAccess, eachIterate, eachRecurse, eachSlice } from "./access.ts";
import { arrayText } from "./array.ts";
import { eachAlternative, eachTry } from "./attempt.ts";
import { binaryText } from "./binary.ts";
import { eachCall } from "./call.ts";
import { sound } from "./caught.ts";
import { type Code, code } from "./code.ts";
import { eachApplied, eachDefined } from "./functions.ts";
import { withHead } from "./heads.ts";
import { eachInterpolation } from "./interpolation.ts";
import { brokenOff, eachLabelled } from "./labels.ts";
import { chosen, conditionalText, logicText, test, truth } from "./logic.ts";
import { joined, type Mode, search, shared, type Use } from "./modes.ts";
import { eachNode } from "./nodes.ts";
import { eachObject } from "./object.ts";
import { eachPath } from "./places.ts";
import { named, type Printer, withBound, withDot } from "./printer.ts";
import { reduceText } from "./reduce.ts";
import { eachState } from "./streams.ts";
import { valueText } from "./text.ts";
import { eachUpdate } from "./update.ts";

/** The first output of an expression; nothing where it has none. What comes after that output is not computed. */
export const value = (expression: Expression, printer: Printer): Code => each(expression, printer, search, search.pass);

/**
 * What a mode makes of the outputs of an expression, each in its turn. The text computes what jq would compute, in the same order, as far as the order
 * can be noticed: by which of several failures is the first.
 */
export function each(expression: Expression, printer: Printer, mode: Mode, use: Use): Code {
  switch (expression.kind) {
    case "literal":
      return use(valueText(expression.value));
    case "identity":
      return use(code(printer.dot));
    case "variable":
      return use(code(printer.bound.get(expression.name) ?? printer.environment(expression.name)));
    case "array":
      return sound(arrayText(expression, printer), printer, mode, use);
    case "query":
      return eachNode(expression, printer, mode, use);
    case "object":
      return eachObject(expression, printer, mode, use);
    case "call":
      return eachCall(expression, printer, mode, use);
    case "binary": {
      const { left, right } = expression;
      return operands([right, left], printer, mode, ([b, a]) => {
        const result = binaryText(expression, a!, b!, printer);
        return canFail(expression) ? sound(result, printer, mode, use) : use(result);
      });
    }
    default:
      return eachBranch(expression, printer, mode, use);
  }
}

type Branching = Exclude<
  Expression,
  { kind: "literal" | "identity" | "variable" | "array" | "query" | "object" | "call" | "binary" }
>;

/** Expressions that compute some of their parts only, or several times. */
function eachBranch(expression: Branching, printer: Printer, mode: Mode, use: Use): Code {
  switch (expression.kind) {
    case "comma": {
      const { items } = expression;
      return shared(items.length, mode, printer, use, (then) => {
        const parts = items.map((item) => asSure(item, each(item, printer, mode, then)));
        const failing = use !== mode.pass && printer.canFail ? items : items.filter(canFail);
        return joined(parts, mode, printer, failing.length);
      });
    }
    case "pipe":
      return eachPiped(expression, printer, mode, use);
    case "let":
      return eachBound(expression, printer, mode, use);
    case "if":
      return isValue(expression, printer)
        ? use(conditionalText(expression, printer))
        : eachChosen(expression, printer, mode, use);
    case "logic":
      return isValue(expression, printer)
        ? use(logicText(expression, printer))
        : eachDecided(expression, printer, mode, use);
    case "reduce":
      return each(expression.initial, printer, mode, (initial) =>
        sound(reduceText(expression, initial, printer), printer, mode, use),
      );
    default:
      return eachFurther(expression, printer, mode, use);
  }
}

type Further = Exclude<Branching, { kind: "comma" | "pipe" | "let" | "if" | "logic" | "reduce" }>;

/** Expressions of jq alone. */
function eachFurther(expression: Further, printer: Printer, mode: Mode, use: Use): Code {
  switch (expression.kind) {
    case "access":
      return eachAccess(expression, printer, mode, use);
    case "slice":
      return eachSlice(expression, printer, mode, use);
    case "iterate":
      return eachIterate(expression, printer, mode, use);
    case "recurse":
      return eachRecurse(expression, printer, mode, use);
    case "path":
      return eachPath(expression.body, printer, mode, use);
    case "update":
      return eachUpdate(expression, printer, mode, use);
    case "alternative":
      return eachAlternative(expression, printer, mode, use);
    case "try":
      return eachTry(expression, printer, mode, use);
    default:
      return eachControlled(expression, printer, mode, use);
  }
}

type Controlled = Extract<Further, { kind: "foreach" | "label" | "break" | "define" | "apply" | "interpolation" }>;

function eachControlled(expression: Controlled, printer: Printer, mode: Mode, use: Use): Code {
  switch (expression.kind) {
    case "foreach":
      return eachState(expression, printer, mode, use);
    case "define":
      return eachDefined(expression, printer, mode, use);
    case "apply":
      return eachApplied(expression, printer, mode, use);
    case "interpolation":
      return eachInterpolation(expression, printer, mode, use);
    case "label":
      return eachLabelled(expression, printer, mode, use);
    case "break":
      return brokenOff(expression, mode);
    default:
      return assertNever(expression);
  }
}

/** Whether an expression gives exactly one value, and no failure in its place. */
const isValue = (expression: Expression, printer: Printer): boolean =>
  outputs(expression) === "one" && !(printer.caught && canFail(expression));

/** What is only there under a condition, where that is the only reason for which it can be missing. */
function asSure(expression: Expression, piece: Code): Code {
  return piece.open && missingParts(expression) === 1 ? { ...piece, open: { ...piece.open, isSure: true } } : piece;
}

/** How many parts of an expression may be missing, and it with them. */
function missingParts(expression: Expression): number {
  if (outputs(expression) === "one") return 0;
  const parts = childrenOf(expression).map((child) => child.expression);
  const inside = parts.reduce((count, part) => count + missingParts(part), 0);
  if (outputs(expression) !== "optional") return Number.POSITIVE_INFINITY;
  return expression.kind === "query"
    ? 1 + missingParts(expression.source)
    : ["object", "pipe", "let"].includes(expression.kind)
      ? inside
      : Number.POSITIVE_INFINITY;
}

/**
 * Every combination of outputs of expressions, the first varying slowest. A value gets a name where something that comes after it could
 * fail before it, or where it would be computed several times.
 */
export function operands(
  parts: readonly Expression[],
  printer: Printer,
  mode: Mode,
  use: (values: readonly Code[]) => Code,
  before: readonly Code[] = [],
): Code {
  const [part, ...rest] = parts;
  if (!part) return use(before);
  const keeps = rest.some((other) => outputs(other) !== "one" || (canFail(part) && canFail(other)));
  const next = (output: Code) => operands(rest, printer, mode, use, [...before, output]);
  return each(part, printer, mode, (output) =>
    keeps && part.kind !== "literal" ? named(output, printer, "value", next) : next(output),
  );
}

function eachPiped({ left, right }: Pipe, printer: Printer, mode: Mode, use: Use): Code {
  if (isTotal(left) && !factsOf(right).usesInput) return each(right, printer, mode, use);
  const whole = withHead(right, left);
  if (whole) return each(whole, printer, mode, use);
  return each(left, printer, mode, (output) =>
    named(output, printer, "item", (item) => each(right, withDot(printer, item), mode, use)),
  );
}

function eachBound({ name, value: bound, body }: Let, printer: Printer, mode: Mode, use: Use): Code {
  return each(bound, printer, mode, (output) =>
    named(output, printer, name, (item) => each(body, withBound(printer, name, item), mode, use)),
  );
}

function eachChosen({ condition, then, otherwise }: Conditional, printer: Printer, mode: Mode, use: Use): Code {
  const uses = [then, otherwise].filter((branch) => outputs(branch) !== "none").length;
  return shared(uses, mode, printer, use, (next) =>
    each(condition, printer, mode, (output) => {
      const { holds, negated } = test(condition, output);
      const branches = [then, otherwise].map((branch) => each(branch, printer, mode, next)) as [Code, Code];
      return negated ? chosen(holds, branches[1], branches[0]) : chosen(holds, ...branches);
    }),
  );
}

function eachDecided({ operator, left, right }: Logic, printer: Printer, mode: Mode, use: Use): Code {
  const decisive = operator === "or";
  return shared(2, mode, printer, use, (next) =>
    each(left, printer, mode, (output) => {
      const { holds, negated } = test(left, output);
      const undecided = each(right, printer, mode, (value) => next(truth(right, value)));
      const decided = next(code(String(decisive)));
      return decisive === negated ? chosen(holds, undecided, decided) : chosen(holds, decided, undecided);
    }),
  );
}
