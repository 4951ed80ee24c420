import type {
  Comma,
  Conditional,
  Definition,
  Foreach,
  Index,
  Interpolation,
  Iteration,
  Jq,
  ObjectEntry,
  Pattern,
  PatternEntry,
  Reduce,
  Slice,
  Try,
} from "../../../src/expressions/syntax/jq/syntax.ts";
import { assertNever, printJson } from "../../../src/json.ts";

/**
 * Prints a tree as one line of jq that parses to the same tree except for positions, with no more parentheses than a
 * reader expects.
 */
export const printJq = (query: Jq): string => print(query, level.pipe);

/** Precedence, loosest first; `postfix` may be followed by `.a`, `[…]` and `?`. */
const level = {
  pipe: 0,
  comma: 1,
  alternative: 2,
  assignment: 3,
  or: 4,
  and: 5,
  comparison: 6,
  sum: 7,
  product: 8,
  term: 9,
  postfix: 10,
} as const;

type Level = (typeof level)[keyof typeof level];

/** Prints a query, in parentheses if it binds more loosely than `around`. */
function print(query: Jq, around: Level): string {
  const [own, text] = printed(query, around);
  return own < around ? `(${text})` : text;
}

function printed(query: Jq, around: Level): readonly [Level, string] {
  switch (query.kind) {
    case "pipe":
      return [level.pipe, `${print(query.left, level.comma)} | ${print(query.right, level.pipe)}`];
    case "binding":
      return [
        level.pipe,
        `${print(query.source, level.alternative)} as ${printPatterns(query.patterns)} | ${printJq(query.body)}`,
      ];
    case "definition":
      return [level.pipe, printDefinition(query)];
    case "label":
      return [level.pipe, `label $${query.name} | ${printJq(query.body)}`];
    case "comma":
      return [level.comma, printComma(query, around)];
    case "alternative":
      return [level.alternative, `${print(query.left, level.assignment)} // ${print(query.right, level.alternative)}`];
    case "assignment":
      return [level.assignment, printOperator(query.operator, query.left, query.right, level.or, level.or)];
    case "logic": {
      const own = level[query.operator];
      return [own, printOperator(query.operator, query.left, query.right, own, (own + 1) as Level)];
    }
    case "binary": {
      const own = levelOf(query.operator);
      const left = own === level.comparison ? level.sum : own;
      return [own, printOperator(query.operator, query.left, query.right, left, (own + 1) as Level)];
    }
    default:
      return printedTerm(query);
  }
}

const printOperator = (operator: string, left: Jq, right: Jq, leftLevel: Level, rightLevel: Level): string =>
  `${print(left, leftLevel)} ${operator} ${print(right, rightLevel)}`;

function levelOf(operator: string): Level {
  if (operator === "+" || operator === "-") return level.sum;
  return operator === "*" || operator === "/" || operator === "%" ? level.product : level.comparison;
}

/** A construct that extends as far as possible needs no parentheses at the end. */
function printComma({ items }: Comma, around: Level): string {
  const last = items.at(-1)!;
  const isOpen = last.kind === "binding" || last.kind === "definition" || last.kind === "label";
  const texts = items.slice(0, -1).map((item) => print(item, level.alternative));
  return [...texts, print(last, isOpen && around === level.pipe ? level.pipe : level.alternative)].join(", ");
}

type Operation = Extract<
  Jq,
  { kind: "pipe" | "binding" | "definition" | "label" | "comma" | "alternative" | "assignment" | "logic" | "binary" }
>;

function printedTerm(query: Exclude<Jq, Operation>): readonly [Level, string] {
  switch (query.kind) {
    case "negation":
      return [level.term, `-${print(query.operand, level.term)}`];
    case "try":
      return printTry(query);
    default:
      return [level.postfix, printTerm(query)];
  }
}

function printTerm(query: Exclude<Jq, Operation | Try | { kind: "negation" }>): string {
  switch (query.kind) {
    case "string":
      return printJson(query.value);
    case "interpolation":
      return printInterpolation(query);
    case "call":
      return query.args.length === 0 ? query.name : `${query.name}(${query.args.map(printJq).join("; ")})`;
    case "array":
      return `[${query.items ? printJq(query.items) : ""}]`;
    case "object":
      return query.entries.length === 0 ? "{}" : `{ ${query.entries.map(printEntry).join(", ")} }`;
    case "index":
    case "slice":
    case "iteration":
      return printAccess(query);
    case "if":
      return printConditional(query);
    case "reduce":
    case "foreach":
      return printFold(query);
    default:
      return printWord(query);
  }
}

type AtomKind = "identity" | "recursion" | "number" | "constant" | "format" | "variable" | "location" | "break";

function printWord(query: Extract<Jq, { readonly kind: AtomKind }>): string {
  switch (query.kind) {
    case "identity":
      return ".";
    case "recursion":
      return "..";
    case "number":
      return query.text;
    case "constant":
      return String(query.value);
    case "format":
      return `@${query.name}`;
    case "variable":
      return `$${query.name}`;
    case "location":
      return "$__loc__";
    case "break":
      return `break $${query.name}`;
    default:
      return assertNever(query);
  }
}

/** `.a?` would be an optional access; `(.a)?` is not. */
function printTry({ body, handler }: Try): readonly [Level, string] {
  if (handler) return [level.term, `try ${print(body, level.term)} catch ${print(handler, level.term)}`];
  const isAccess = body.kind === "index" || body.kind === "slice" || body.kind === "iteration";
  return [level.postfix, isAccess && !body.optional ? `(${printAccess(body)})?` : `${print(body, level.postfix)}?`];
}

function printInterpolation({ format, parts }: Interpolation): string {
  const texts = parts.map((part) => (typeof part === "string" ? printJson(part).slice(1, -1) : `\\(${printJq(part)})`));
  return `${format === undefined ? "" : `@${format} `}"${texts.join("")}"`;
}

function printAccess(access: Index | Slice | Iteration): string {
  const optional = access.optional ? "?" : "";
  if (access.kind === "index" && access.key.kind === "string" && isWord(access.key.value)) {
    return `${printTarget(access.target)}.${access.key.value}${optional}`;
  }
  const target = access.target.kind === "identity" ? "." : print(access.target, level.postfix);
  return `${target}[${printInside(access)}]${optional}`;
}

/** A dot after a number would belong to the number. */
function printTarget(target: Jq): string {
  if (target.kind === "identity") return "";
  return target.kind === "number" ? `(${target.text})` : print(target, level.postfix);
}

function printInside(access: Index | Slice | Iteration): string {
  if (access.kind === "iteration") return "";
  if (access.kind === "index") return printJq(access.key);
  return `${access.from ? printJq(access.from) : ""}:${access.upTo ? printJq(access.upTo) : ""}`;
}

function printEntry({ key, value }: ObjectEntry): string {
  if (value === undefined) return printKey(key);
  const isSame = key.kind === "string" && value.kind === "variable" && value.name === key.value && isWord(key.value);
  return isSame ? `$${value.name}` : `${printKey(key)}: ${print(value, level.alternative)}`;
}

/** The key of a member in a construction or pattern. */
function printKey(key: Jq): string {
  if (key.kind === "string" && isWord(key.value)) return key.value;
  return key.kind === "string" || key.kind === "interpolation" || key.kind === "variable"
    ? print(key, level.postfix)
    : `(${printJq(key)})`;
}

const isWord = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** `if … then … elif … then … else … end`. */
function printConditional({ branches, otherwise }: Conditional): string {
  const texts = branches.map(({ condition, result }) => `if ${printJq(condition)} then ${printJq(result)}`);
  return `${texts.join(" el")}${otherwise ? ` else ${printJq(otherwise)}` : ""} end`;
}

/** `def …; rest`. */
function printDefinition({ name, parameters, body, rest }: Definition): string {
  const names = parameters.map((parameter) => `${parameter.byValue ? "$" : ""}${parameter.name}`);
  return `def ${name}${names.length > 0 ? `(${names.join("; ")})` : ""}: ${printJq(body)}; ${printJq(rest)}`;
}

/** `reduce` and `foreach`. */
function printFold(fold: Reduce | Foreach): string {
  const parts = [fold.initial, fold.update, ...(fold.kind === "foreach" && fold.extract ? [fold.extract] : [])];
  const source = print(fold.source, level.alternative);
  return `${fold.kind} ${source} as ${printPatterns(fold.patterns)} (${parts.map(printJq).join("; ")})`;
}

/** Patterns separated by `?//`. */
const printPatterns = (patterns: readonly Pattern[]): string => patterns.map(printPattern).join(" ?// ");

function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case "variable":
      return `$${pattern.name}`;
    case "array":
      return `[${pattern.items.map(printPattern).join(", ")}]`;
    default:
      return `{ ${pattern.entries.map(printPatternEntry).join(", ")} }`;
  }
}

function printPatternEntry({ key, variable, pattern }: PatternEntry): string {
  const name = variable === undefined ? keyOfPattern(key) : `$${variable}`;
  return pattern ? `${name}: ${printPattern(pattern)}` : name;
}

/** `{$a: P}` would bind the variable; `{($a): P}` selects the member that it names. */
const keyOfPattern = (key: PatternEntry["key"]): string =>
  key.kind === "variable" ? `(${printJq(key)})` : printKey(key);
