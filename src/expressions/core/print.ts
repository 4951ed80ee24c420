import { assertNever, printJson } from "../../json.ts";
import type { Access, Binary, Expression, ObjectConstruction, Query, Segment, Selector, Slice } from "./ast.ts";

/** Prints an expression on one line in jq-like syntax, for `--emit ir`. Structurally equal expressions print alike. */
export function printExpression(expression: Expression): string {
  return whole(expression);
}

/** Operator precedence, loosest first. */
const level = { pipe: 0, comma: 1, or: 2, and: 3, comparison: 4, sum: 5, product: 6, postfix: 7 } as const;

type Level = (typeof level)[keyof typeof level];

/** Prints an operand, in parentheses if it binds more loosely than its context. */
const print = (expression: Expression, around: Level): string => {
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
    case "access":
      return [level.postfix, `${sourceOf(expression.source)}${printKey(expression)}${mark(expression)}`];
    case "slice":
      return [level.postfix, `${sourceOf(expression.source)}[${printBounds(expression)}]${mark(expression)}`];
    case "iterate":
      return [level.postfix, `${sourceOf(expression.source)}[]${mark(expression)}`];
    case "recurse":
    case "path":
      return [level.postfix, `${expression.kind}(${whole(expression.body)})`];
    case "update":
      return [level.comma, `${print(expression.path, level.or)} |= ${print(expression.value, level.or)}`];
    case "reduce":
      return [level.postfix, `reduce ${printFold(expression, [expression.initial, expression.update])}`];
    case "foreach":
      return [
        level.postfix,
        `foreach ${printFold(expression, [expression.initial, expression.update, expression.extract])}`,
      ];
    case "alternative":
      return [level.comma, `${print(expression.left, level.or)} // ${print(expression.right, level.or)}`];
    case "try": {
      const handler = expression.handler ? ` catch ${print(expression.handler, level.postfix)}` : "";
      return [level.or, `try ${print(expression.body, level.postfix)}${handler}`];
    }
    case "label":
      return [level.pipe, `label $${expression.name} | ${whole(expression.body)}`];
    case "break":
      return [level.postfix, `break $${expression.name}`];
    case "define": {
      const parameters = expression.parameters.length === 0 ? "" : `(${expression.parameters.join("; ")})`;
      return [level.pipe, `def ${expression.name}${parameters}: ${whole(expression.body)}; ${whole(expression.rest)}`];
    }
    case "apply":
      return [
        level.postfix,
        expression.name + (expression.args.length === 0 ? "" : `(${expression.args.map(whole).join("; ")})`),
      ];
    case "interpolation":
      return [level.postfix, printParts(expression.parts)];
    default:
      return assertNever(expression);
  }
}

const whole = (expression: Expression): string => print(expression, level.pipe);

const list = (items: readonly Expression[], around: Level): string =>
  items.map((item) => print(item, around)).join(", ");

/** `first` takes one stream, so its commas need no parentheses. */
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

const isWord = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const printName = (name: string): string => (isWord(name) ? name : printJson(name));

const printFold = (
  { source, name }: { readonly source: Expression; readonly name: string },
  parts: readonly Expression[],
): string => `${print(source, level.postfix)} as $${name} (${parts.map(whole).join("; ")})`;

const printParts = (parts: readonly (string | Expression)[]): string =>
  `"${parts.map((part) => (typeof part === "string" ? printJson(part).slice(1, -1) : `\\(${whole(part)})`)).join("")}"`;

/** `.` before a member needs no second dot. */
const sourceOf = (source: Expression): string => (source.kind === "identity" ? "." : print(source, level.postfix));

function printKey({ source, key }: Access): string {
  const name = key.kind === "literal" && typeof key.value === "string" ? key.value : undefined;
  if (name === undefined) return `[${whole(key)}]`;
  const dot = source.kind === "identity" ? "" : ".";
  return isWord(name) ? `${dot}${name}` : `[${printJson(name)}]`;
}

const printBounds = ({ from, upTo }: Slice): string => `${from ? whole(from) : ""}:${upTo ? whole(upTo) : ""}`;

const mark = ({ optional }: { readonly optional: boolean }): string => (optional ? "?" : "");
