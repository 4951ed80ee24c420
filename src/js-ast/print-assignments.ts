import { type Document, group, indent, indentIfBroken, line, mayBreak } from "../layout/index.ts";
import { propertyKey, stringLiteral } from "./literals.ts";
import { isLongChain } from "./print-chains.ts";
import { printExpression } from "./print-expressions.ts";
import { hasInlineRight } from "./print-operators.ts";
import { printDocComment } from "./print-types.ts";
import type { Style } from "./style.ts";
import type { BindingPattern, CallExpression, JsExpression, Property } from "./tree.ts";
import type { TypeNode } from "./types.ts";

/** An assignment, declaration or property. */
interface Assignment {
  readonly left: Document;
  /** ` =` or `:`. */
  readonly operator: string;
  readonly value: JsExpression;
  readonly pattern?: BindingPattern | undefined;
  readonly type?: TypeNode | undefined;
  /** Whether the left side is a key that is hardly longer than the indentation. */
  readonly hasShortKey?: boolean;
}

/** Prints an assignment: its right side begins on the same line, unless a break before it avoids others. */
export function printAssignment(assignment: Assignment, style: Style): Document {
  const { left, operator, value } = assignment;
  const right = printExpression(value, style, "assigned");
  switch (layoutOf(assignment, style)) {
    case "breakLeft":
      return group([left, operator, " ", group(right)]);
    case "breakAfterOperator":
      return group([group(left), operator, group(indent([line, right]))]);
    case "sameLine":
      return group([group(left), operator, " ", right]);
    case "fluid": {
      const gap = group(indent(line));
      return group([group(left), operator, gap, indentIfBroken(right, gap)]);
    }
  }
}

type AssignmentLayout = "breakLeft" | "breakAfterOperator" | "sameLine" | "fluid";

function layoutOf(assignment: Assignment, style: Style): AssignmentLayout {
  const { left, value, pattern, type, hasShortKey = false } = assignment;
  const isArrow = value.kind === "function" && value.style === "arrow";
  const leftMayBreak = mayBreak(left);
  if (isComplexPattern(pattern) || isComplexType(type) || (isArrow && type && leftMayBreak)) return "breakLeft";
  if (breaksAfterOperator(value, hasShortKey, style)) return "breakAfterOperator";
  const isShort =
    hasShortKey ||
    value.kind === "template" ||
    (value.kind === "literal" && (typeof value.value === "boolean" || typeof value.value === "number"));
  return isShort && !leftMayBreak ? "sameLine" : "fluid";
}

const isComplexPattern = (pattern: BindingPattern | undefined): boolean =>
  pattern?.kind === "objectPattern" &&
  pattern.members.length + (pattern.rest ? 1 : 0) > 2 &&
  pattern.members.some(({ key, target, initial }) => initial || target.kind !== "identifier" || target.name !== key);

const isComplexType = (type: TypeNode | undefined): boolean =>
  type?.kind === "namedType" &&
  type.args.length > 1 &&
  type.args.some((argument) => argument.kind === "namedType" && argument.args.length > 0);

function breaksAfterOperator(value: JsExpression, hasShortKey: boolean, style: Style): boolean {
  const tested = value.kind === "conditional" ? value.condition : value;
  if (tested.kind === "binary" && !hasInlineRight(tested)) return true;
  if (value.kind === "conditional" || hasShortKey) return false;
  let operand: JsExpression = value;
  while (operand.kind === "unary" || operand.kind === "await" || operand.kind === "nonNull") operand = operand.operand;
  return (operand.kind === "literal" && typeof operand.value === "string") || isHardlyBreakable(operand, style);
}

/** Whether an expression is a path of members and calls without long arguments. */
function isHardlyBreakable(expression: JsExpression, style: Style): boolean {
  if (expression.kind === "identifier") return false;
  let at: JsExpression = expression;
  let isInChain = false;
  while (true) {
    switch (at.kind) {
      case "nonNull":
        at = at.operand;
        break;
      case "member":
      case "element":
        at = at.object;
        break;
      case "call": {
        const [first, second] = at.args;
        if (second || (first && !isShortArgument(first, style)) || hasLongTypes(at)) return false;
        if (!isInChain && isLongChain(at)) return false;
        isInChain = true;
        at = at.callee;
        break;
      }
      default:
        return at.kind === "identifier";
    }
  }
}

const hasLongTypes = ({ types }: CallExpression): boolean =>
  types.length > 1 || types.some(({ kind }) => kind === "objectType" || kind === "unionType");

function isShortArgument(argument: JsExpression, style: Style): boolean {
  const most = style.width / 4;
  switch (argument.kind) {
    case "identifier":
      return argument.name.length <= most;
    case "literal":
      return typeof argument.value !== "string" || stringLiteral(argument.value, style.charset).length <= most;
    case "regex":
      return argument.source.length <= most;
    case "template":
      return argument.parts.every((part) => typeof part === "string" && part.length <= most);
    case "unary":
      return isShortArgument(argument.operand, style);
    case "call":
      return (
        argument.args.length === 0 && argument.callee.kind === "identifier" && argument.callee.name.length <= most - 2
      );
    default:
      return false;
  }
}

/** Wrapping the value of a key that is shorter than this saves almost nothing. */
const shortKeyWidth = 5;

/** Prints `key: value` or a shorthand. */
export function printProperty({ key, value, doc }: Property, style: Style): Document {
  const comment = printDocComment(doc);
  const isShort = typeof key === "string" && value.kind === "identifier" && value.name === key && key !== "__proto__";
  if (isShort) return [comment, key];
  const left =
    typeof key === "string" ? propertyKey(key, style.charset) : ["[", printExpression(key, style, "argument"), "]"];
  const hasShortKey = typeof left === "string" && left.length < shortKeyWidth;
  return [comment, printAssignment({ left, operator: ":", value, hasShortKey }, style)];
}
