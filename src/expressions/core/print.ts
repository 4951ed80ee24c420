import { assertNever, type Json, printJson } from "../../json.ts";
import type { Access, Binary, Call, Expression, ObjectConstruction, Query, Segment, Selector } from "./ast.ts";
import { formOf, isBinary, sliceBounds } from "./views.ts";

/** Prints an expression on one line in jq-like syntax. */
export function printExpression(expression: Expression): string {
  return printOperand(expression, precedence.pipe);
}

const precedence = { pipe: 0, comma: 1, or: 2, and: 3, comparison: 4, sum: 5, product: 6, postfix: 7 } as const;

type Precedence = (typeof precedence)[keyof typeof precedence];

const printOperand = (expression: Expression, around: Precedence): string => {
  const [own, text] = printNode(expression);
  return own < around ? `(${text})` : text;
};

function printNode(expression: Expression): readonly [Precedence, string] {
  switch (expression.kind) {
    case "literal":
      return [precedence.postfix, printLiteral(expression.value)];
    case "identity":
      return [precedence.postfix, "."];
    case "variable":
      return [precedence.postfix, `$${expression.name}`];
    case "query":
      return [precedence.postfix, printQuery(expression)];
    case "object":
      return [precedence.postfix, printObject(expression)];
    case "array":
      return [precedence.postfix, `[${expression.items ? printOperand(expression.items, precedence.pipe) : ""}]`];
    case "call":
      return printCall(expression);
    case "comma":
      return expression.items.length === 0
        ? [precedence.postfix, "empty"]
        : [precedence.comma, printList(expression.items, precedence.or)];
    case "pipe":
      return [
        precedence.pipe,
        `${printOperand(expression.left, precedence.comma)} | ${printOperand(expression.right, precedence.pipe)}`,
      ];
    case "let":
      return [
        precedence.pipe,
        `${printOperand(expression.value, precedence.postfix)} as $${expression.name} | ${printOperand(expression.body, precedence.pipe)}`,
      ];
    case "if":
      return [
        precedence.postfix,
        `if ${printExpression(expression.condition)} then ${printExpression(expression.then)} else ${printExpression(expression.otherwise)} end`,
      ];
    case "access":
      return [
        precedence.postfix,
        `${printSource(expression.source)}${printKey(expression)}${printOptional(expression)}`,
      ];
    case "iterate":
      return [precedence.postfix, `${printSource(expression.source)}[]${printOptional(expression)}`];
    case "fold": {
      const { initial, update, extract } = expression;
      return [
        precedence.postfix,
        extract
          ? `foreach ${printFold(expression, [initial, update, extract])}`
          : `reduce ${printFold(expression, [initial, update])}`,
      ];
    }
    case "try": {
      const handler = expression.handler ? ` catch ${printOperand(expression.handler, precedence.postfix)}` : "";
      return [precedence.or, `try ${printOperand(expression.body, precedence.postfix)}${handler}`];
    }
    case "label":
      return [precedence.pipe, `label $${expression.name} | ${printExpression(expression.body)}`];
    case "break":
      return [precedence.postfix, `break $${expression.name}`];
    case "define": {
      const parameters = expression.parameters.length === 0 ? "" : `(${expression.parameters.join("; ")})`;
      return [
        precedence.pipe,
        `def ${expression.name}${parameters}: ${printExpression(expression.body)}; ${printExpression(expression.rest)}`,
      ];
    }
    case "dialect": {
      const { dialect, text, inputs } = expression;
      const values = inputs.map(({ name, value }) => `${printName(name)}: ${printOperand(value, precedence.or)}`);
      return [precedence.postfix, `${dialect.name}(${[printJson(text), ...values].join(", ")})`];
    }
    default:
      return assertNever(expression);
  }
}

function printCall(call: Call): readonly [Precedence, string] {
  const { name, args } = call;
  if (call.isLocal)
    return [precedence.postfix, name + (args.length === 0 ? "" : `(${args.map(printExpression).join("; ")})`)];
  if (isBinary(call)) return printBinary(call);
  const form = formOf(call);
  switch (form?.name) {
    case "and":
    case "or": {
      const own = precedence[form.name];
      return [own, form.args.map((side) => printOperand(side, own)).join(` ${form.name} `)];
    }
    case "alternative":
      return [precedence.comma, form.args.map((side) => printOperand(side, precedence.or)).join(" // ")];
    case "update":
      return [precedence.comma, form.args.map((side) => printOperand(side, precedence.or)).join(" |= ")];
    case "recurse":
    case "path":
      return [precedence.postfix, `${form.name}(${printExpression(form.args[0])})`];
    case undefined:
      return [precedence.postfix, `${name}(${printArguments(name, args)})`];
    default:
      return assertNever(form);
  }
}

/** jq's names for numbers that JSON does not have. */
function printLiteral(value: Json): string {
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return printJson(value);
  if (Number.isNaN(value)) return "nan";
  return Object.is(value, -0) ? "-0" : value > 0 ? "infinite" : "-infinite";
}

const printList = (items: readonly Expression[], around: Precedence): string =>
  items.map((item) => printOperand(item, around)).join(", ");

/** `first` takes one stream, so its commas need no parentheses. */
function printArguments(name: string, args: readonly Expression[]): string {
  const [only] = args;
  return name === "first" && only && args.length === 1 ? printExpression(only) : printList(args, precedence.or);
}

function printBinary({ name: operator, args: [left, right] }: Binary): readonly [Precedence, string] {
  const own =
    operator === "+" || operator === "-"
      ? precedence.sum
      : operator === "*" || operator === "/" || operator === "%"
        ? precedence.product
        : precedence.comparison;
  const tighter = (own + 1) as Precedence;
  return [
    own,
    `${printOperand(left, own === precedence.comparison ? tighter : own)} ${operator} ${printOperand(right, tighter)}`,
  ];
}

function printObject(expression: ObjectConstruction): string {
  if (expression.entries.length === 0) return "{}";
  const entries = expression.entries.map(({ key, value }) => {
    const name =
      key.kind === "literal" && typeof key.value === "string" ? printName(key.value) : `(${printExpression(key)})`;
    return `${name}: ${printOperand(value, precedence.or)}`;
  });
  return `{ ${entries.join(", ")} }`;
}

function printQuery({ source, segments }: Query): string {
  const start = source.kind === "identity" ? "" : printOperand(source, precedence.postfix);
  const path = segments.map(printSegment).join("");
  return start === "" && !path.startsWith(".") ? `.${path}` : start + path;
}

function printSegment(segment: Segment): string {
  const [only] = segment.selectors;
  const dots = segment.descend ? ".." : "";
  if (segment.selectors.length === 1 && only?.kind === "name" && isIdentifier(only.name))
    return `${dots || "."}${only.name}`;
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
      return `?${printOperand(selector.condition, precedence.or)}`;
    default:
      return assertNever(selector);
  }
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const printName = (name: string): string => (isIdentifier(name) ? name : printJson(name));

const printFold = (
  { source, name }: { readonly source: Expression; readonly name: string },
  parts: readonly Expression[],
): string => `${printOperand(source, precedence.postfix)} as $${name} (${parts.map(printExpression).join("; ")})`;

/** `.` before a member needs no second dot. */
const printSource = (source: Expression): string =>
  source.kind === "identity" ? "." : printOperand(source, precedence.postfix);

function printKey(expression: Access): string {
  const bounds = sliceBounds(expression);
  if (bounds) return `[${bounds.map(printBound).join(":")}]`;
  const { source, key } = expression;
  const name = key.kind === "literal" && typeof key.value === "string" ? key.value : undefined;
  if (name === undefined) return `[${printExpression(key)}]`;
  const dot = source.kind === "identity" ? "" : ".";
  return isIdentifier(name) ? `${dot}${name}` : `[${printJson(name)}]`;
}

const printBound = (bound: Expression): string =>
  bound.kind === "literal" && bound.value === null ? "" : printExpression(bound);

const printOptional = ({ optional }: { readonly optional: boolean }): string => (optional ? "?" : "");
