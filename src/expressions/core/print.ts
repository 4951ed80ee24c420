import { assertNever, printJson } from "../../json.ts";
import type {
  Binary,
  Comma,
  Conditional,
  Expression,
  Let,
  Logic,
  ObjectConstruction,
  Pipe,
  Query,
  Segment,
  Selector,
} from "./ast.ts";
import { printedControl } from "./print/control.ts";
import { printedPath } from "./print/paths.ts";
import { isPathKind } from "./walk/paths.ts";

/** An expression as one line of text, like jq's where jq has it: for people, in `--emit ir`. Equal expressions give equal texts. */
export function printExpression(expression: Expression): string {
  return whole(expression);
}

/** How tightly constructs bind, loosest first. */
export const level = { pipe: 0, comma: 1, or: 2, and: 3, comparison: 4, sum: 5, product: 6, postfix: 7 } as const;

/** How tightly a text holds together. */
export type Level = (typeof level)[keyof typeof level];

/** An expression where what is around it binds so tightly: in parentheses where it would fall apart. */
export const print = (expression: Expression, around: Level): string => {
  const [own, text] = printed(expression);
  return own < around ? `(${text})` : text;
};

function printed(expression: Expression): readonly [Level, string] {
  switch (expression.kind) {
    case "literal":
      return [level.postfix, printJson(expression.value)];
    case "identity":
      return [level.postfix, "."];
    case "variable":
      return [level.postfix, `$${expression.name}`];
    case "query":
      return [level.postfix, printQuery(expression)];
    case "object":
      return [level.postfix, printObject(expression)];
    case "array":
      return [level.postfix, `[${expression.items ? print(expression.items, level.pipe) : ""}]`];
    case "call":
      return [level.postfix, `${expression.name}(${printArguments(expression.name, expression.args)})`];
    case "comma":
    case "pipe":
    case "let":
    case "if":
    case "logic":
    case "binary":
      return printedOperation(expression);
    default:
      return isPathKind(expression) ? printedPath(expression) : printedControl(expression);
  }
}

function printedOperation(expression: Comma | Pipe | Let | Conditional | Logic | Binary): readonly [Level, string] {
  switch (expression.kind) {
    case "comma":
      return expression.items.length === 0 ? [level.postfix, "empty"] : [level.comma, list(expression.items, level.or)];
    case "pipe":
      return [level.pipe, `${print(expression.left, level.comma)} | ${print(expression.right, level.pipe)}`];
    case "let":
      return [
        level.pipe,
        `${print(expression.value, level.postfix)} as $${expression.name} | ${print(expression.body, level.pipe)}`,
      ];
    case "if":
      return [
        level.postfix,
        `if ${whole(expression.condition)} then ${whole(expression.then)} else ${whole(expression.otherwise)} end`,
      ];
    case "logic": {
      const own = level[expression.operator];
      return [own, `${print(expression.left, own)} ${expression.operator} ${print(expression.right, own)}`];
    }
    case "binary":
      return printBinary(expression);
    default:
      return assertNever(expression);
  }
}

/** An expression where any may stand. */
export const whole = (expression: Expression): string => print(expression, level.pipe);

const list = (items: readonly Expression[], around: Level): string =>
  items.map((item) => print(item, around)).join(", ");

/** Functions that take one stream show it without further parentheses: `first($a, null)`. */
function printArguments(name: string, args: readonly Expression[]): string {
  const [only] = args;
  return name === "first" && only && args.length === 1 ? whole(only) : list(args, level.or);
}

function printBinary({ operator, left, right }: Binary): readonly [Level, string] {
  const own =
    operator === "+" || operator === "-"
      ? level.sum
      : operator === "*" || operator === "/" || operator === "%"
        ? level.product
        : level.comparison;
  const tighter = (own + 1) as Level;
  return [own, `${print(left, own === level.comparison ? tighter : own)} ${operator} ${print(right, tighter)}`];
}

function printObject(expression: ObjectConstruction): string {
  if (expression.entries.length === 0) return "{}";
  const entries = expression.entries.map(({ key, value }) => {
    const name = key.kind === "literal" && typeof key.value === "string" ? printName(key.value) : `(${whole(key)})`;
    return `${name}: ${print(value, level.or)}`;
  });
  return `{ ${entries.join(", ")} }`;
}

function printQuery({ source, segments }: Query): string {
  const start = source.kind === "identity" ? "" : print(source, level.postfix);
  const path = segments.map(printSegment).join("");
  return start === "" && !path.startsWith(".") ? `.${path}` : start + path;
}

function printSegment(segment: Segment): string {
  const [only] = segment.selectors;
  const dots = segment.descend ? ".." : "";
  if (segment.selectors.length === 1 && only?.kind === "name" && isWord(only.name)) return `${dots || "."}${only.name}`;
  return `${dots}[${segment.selectors.map(printSelector).join(", ")}]`;
}

function printSelector(selector: Selector): string {
  switch (selector.kind) {
    case "name":
      return printJson(selector.name);
    case "index":
      return String(selector.index);
    case "slice":
      return `${selector.start ?? ""}:${selector.end ?? ""}${selector.step === undefined ? "" : `:${selector.step}`}`;
    case "wildcard":
      return "*";
    case "filter":
      return `?${print(selector.condition, level.or)}`;
    default:
      return assertNever(selector);
  }
}

/** Whether a name can stand after a dot. */
export const isWord = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
const printName = (name: string): string => (isWord(name) ? name : printJson(name));
