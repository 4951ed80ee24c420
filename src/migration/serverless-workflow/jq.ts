import { childrenOf, type Expression, type Segment, type Selector } from "../../expressions/index.ts";
import type { Json } from "../../json.ts";
import { literalOf, memberPath, operand } from "../jq-text.ts";

/** The program of what segments select from the value of a program; undefined without such a program. */
export function pathText(segments: readonly Segment[], root: string): string | undefined {
  let text = root;
  for (const { descend, selectors } of segments) {
    const [selector, ...others] = selectors;
    const step = selector && others.length === 0 ? stepOf(selector) : undefined;
    if (!selector || step === undefined || (descend && selector.kind !== "name")) return undefined;
    const found = descend ? `${text} | .. | objects | select(has(${JSON.stringify(nameOf(selector))}))` : text;
    text = append(found, step);
  }
  return text;
}

const nameOf = (selector: Selector): string => (selector.kind === "name" ? selector.name : "");

/** Appends a path to a program: `.a` and `.b` give `.a.b`, and `.a[] | select(.x)` gives `… | .b`. */
function append(text: string, step: string): string {
  const path = step.startsWith(".") ? step : `.${step}`;
  if (text === ".") return path;
  return text.endsWith(")") ? `${text} | ${path}` : text + (path.startsWith(".[") ? path.slice(1) : path);
}

function stepOf(selector: Selector): string | undefined {
  switch (selector.kind) {
    case "name":
      return memberPath(selector.name);
    case "index":
      return `[${selector.index}]`;
    case "wildcard":
      return "[]?";
    case "slice":
      return (selector.step ?? 1) === 1 ? `[${selector.start ?? ""}:${selector.end ?? ""}][]?` : undefined;
    case "filter": {
      const condition = conditionText(selector.condition);
      return condition === undefined ? undefined : `[]? | select(${condition})`;
    }
  }
}

/** What a condition reads other than the data. */
export type ReadVariable = (name: string) => string | undefined;

/** A condition of the draft as jq; undefined if it has no such form. */
export function conditionText(condition: Expression, read: ReadVariable = ofData): string | undefined {
  if (condition.kind === "literal") return typeof condition.value === "boolean" ? String(condition.value) : undefined;
  if (condition.kind !== "call") return undefined;
  const { name, args } = condition;
  switch (name) {
    case "and":
    case "or": {
      const parts = args.map((each) => conditionText(each, read));
      return parts.includes(undefined)
        ? undefined
        : parts.map((each, i) => nested(each!, args[i]!, name)).join(` ${name} `);
    }
    case "not":
      return negated(args[0]!, read);
    case "truthy": {
      const value = valueText(args[0]!, read);
      return value === undefined ? undefined : `${value} != null and ${value} != false`;
    }
    case "exists": {
      const value = valueText(args[0]!, read);
      return value === undefined ? undefined : `${value} != null`;
    }
    case "isEmpty": {
      const value = valueText(args[0]!, read);
      return value === undefined ? undefined : `(${value} | length) == 0`;
    }
    case "compareInCondition":
    case "comparesNodes":
      return comparison(args, read);
    default:
      return undefined;
  }
}

const nested = (text: string, expression: Expression, parent: "and" | "or"): string =>
  (expression.kind === "call" && expression.name === "or" && parent === "and") ||
  (parent === "or" && / and /.test(text) && expression.kind === "call" && expression.name !== "and")
    ? `(${text})`
    : text;

/** `not` of a comparison by order may be false for both, so it has no form. */
function negated(condition: Expression, read: ReadVariable): string | undefined {
  if (condition.kind === "call" && isComparison(condition.name)) {
    const [left, operator, right] = condition.args;
    if (operator?.kind !== "literal" || operator.value !== "==") return undefined;
    return equality(left!, "!=", right!, read);
  }
  if (hasOrder(condition)) return undefined;
  const text = conditionText(condition, read);
  return text === undefined ? undefined : `(${text} | not)`;
}

const isComparison = (name: string): boolean => name === "compareInCondition" || name === "comparesNodes";

const hasOrder = (expression: Expression): boolean =>
  (expression.kind === "literal" && typeof expression.value === "string" && /^[<>]=?$/.test(expression.value)) ||
  childrenOf(expression).some((child) => hasOrder(child.expression));

function comparison(args: readonly Expression[], read: ReadVariable): string | undefined {
  const [left, operator, right] = args;
  if (!left || !right || operator?.kind !== "literal") return undefined;
  const sign = String(operator.value);
  if (sign === "==") return equality(left, sign, right, read);
  const [a, b] = [valueText(left, read), valueText(right, read)];
  if (a === undefined || b === undefined) return undefined;
  if (sign === "!=") return isNull(left) || isNull(right) ? `${a} != ${b}` : `${a} != null and ${a} != ${b}`;
  const literal = [left, right].find((each) => each.kind === "literal");
  if (literal?.kind !== "literal") return undefined;
  const ordered = (each: Expression, text: string): string => (each === literal ? text : ofKind(literal.value, text));
  return typeof literal.value === "string" && isNumeric(literal.value)
    ? undefined
    : `${ordered(left, a)} ${sign} ${ordered(right, b)}`;
}

const isNull = (expression: Expression): boolean => expression.kind === "literal" && expression.value === null;

function equality(left: Expression, sign: "==" | "!=", right: Expression, read: ReadVariable): string | undefined {
  const [a, b] = [valueText(left, read), valueText(right, read)];
  return a === undefined || b === undefined ? undefined : `${a} ${sign} ${b}`;
}

/** Whether a string is the spelling of a number. */
export const isNumeric = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text);

/** The program of a value that can be ordered with another; without output if it cannot. */
export const ofKind = (other: Json, text: string): string =>
  typeof other === "number" ? `(${text} | tonumber?)` : `(${text} | strings)`;

/** The program of a value that a condition compares. */
function valueText(expression: Expression, read: ReadVariable): string | undefined {
  switch (expression.kind) {
    case "literal":
      return literalOf(expression.value);
    case "variable":
      return read(expression.name);
    case "identity":
      return ".";
    case "query": {
      const root =
        expression.source.kind === "variable"
          ? read(expression.source.name)
          : expression.source.kind === "identity"
            ? "."
            : undefined;
      if (root === undefined || !expression.segments.every(isPlain)) return undefined;
      return pathText(expression.segments, root);
    }
    case "call": {
      const [left, right] = expression.args;
      if (expression.name === "first" && left) return valueText(left, read);
      if (!/^[-+*/%]$/.test(expression.name) || !left || !right) return undefined;
      const [a, b] = [valueText(left, read), valueText(right, read)];
      return a === undefined || b === undefined ? undefined : `(${operand(a)} ${expression.name} ${operand(b)})`;
    }
    default:
      return undefined;
  }
}

const isPlain = ({ descend, selectors }: Segment): boolean =>
  !descend && selectors.length === 1 && ["name", "index"].includes(selectors[0]!.kind);

const ofData: ReadVariable = (name) => (name === "data" ? "." : undefined);
