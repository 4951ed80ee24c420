import { validationError } from "./errors.ts";
import { type AttributeValue, byteLength, type Item, limits, validateValue } from "./items.ts";
import { reservedWords } from "./reserved-words.ts";

/** The attribute that a path refers to: names of members, and indices of lists. */
export type AttributePath = readonly (string | number)[];

/** What a condition or an update computes with. */
export type Operand =
  | { readonly kind: "path"; readonly path: AttributePath }
  | { readonly kind: "size"; readonly path: AttributePath }
  | { readonly kind: "value"; readonly value: AttributeValue };

export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** A condition expression, filter expression or key condition expression. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | {
      readonly kind: "comparison";
      readonly operator: ComparisonOperator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: "between"; readonly value: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: "in"; readonly value: Operand; readonly options: readonly Operand[] }
  | { readonly kind: "attribute_exists" | "attribute_not_exists"; readonly path: AttributePath }
  | {
      readonly kind: "begins_with" | "contains" | "attribute_type";
      readonly path: AttributePath;
      readonly argument: Operand;
    };

/** What an update sets an attribute to. */
export type UpdateValue =
  | Operand
  | { readonly kind: "+" | "-"; readonly left: UpdateValue; readonly right: UpdateValue }
  | { readonly kind: "if_not_exists"; readonly path: AttributePath; readonly otherwise: UpdateValue };

/** An update expression. It changes only attributes on the top level. */
export interface Update {
  readonly set: readonly { readonly name: string; readonly value: UpdateValue }[];
  readonly remove: readonly string[];
  readonly add: readonly { readonly name: string; readonly value: AttributeValue }[];
  readonly delete: readonly { readonly name: string; readonly value: AttributeValue }[];
}

/** Reads the expressions of one request, whose placeholders they share. Every method throws a `ValidationException`. */
export interface ExpressionReader {
  condition(text: string): Condition;
  update(text: string): Update;
  /** The attributes on the top level that a projection expression names. */
  projection(text: string): readonly string[];
  /** Rejects placeholders that no expression has used. */
  finish(): void;
}

/** The placeholders of a request. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: { readonly [placeholder: string]: string } | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

/** Creates a reader for a request with these placeholders. */
export function createExpressionReader(placeholders: Placeholders): ExpressionReader {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = placeholders;
  const used = new Set<string>();
  for (const value of Object.values(values)) validateValue(value);
  const parse = <Result>(text: string, read: (parser: Parser) => Result): Result => {
    const parser = createParser(text, names, values, used);
    const result = read(parser);
    if (parser.next() !== undefined) throw parser.syntaxError();
    return result;
  };
  return {
    condition: (text) => parse(text, readOr),
    update: (text) => parse(text, readUpdate),
    projection: (text) => parse(text, (parser) => readList(parser, readName)),
    finish() {
      for (const placeholder of [...Object.keys(names), ...Object.keys(values)])
        if (!used.has(placeholder))
          throw validationError(`Value unused in expressions: unused placeholder ${placeholder}`);
    },
  };
}

interface Parser {
  /** The next token; undefined at the end. */
  next(): string | undefined;
  /** Consumes the next token if it is this one. Words are compared without regard to case. */
  accept(token: string): boolean;
  expect(token: string): void;
  take(): string;
  nameOf(token: string): string;
  valueOf(token: string): AttributeValue;
  syntaxError(): Error;
}

const tokenPattern = /\s*(<>|<=|>=|[=<>(),.[\]+-]|[:#]?\w+|\S)/y;

function createParser(
  text: string,
  names: { readonly [placeholder: string]: string },
  values: Item,
  used: Set<string>,
): Parser {
  if (byteLength(text) > limits.expression)
    throw validationError("Expression size has exceeded the maximum allowed size");
  const tokens = [...text.trim().matchAll(new RegExp(tokenPattern, "g"))].map(([, token]) => token!);
  if (tokens.length === 0) throw validationError("The expression can not be empty;");
  let at = 0;
  const resolve = <Value>(map: { readonly [name: string]: Value }, token: string): Value => {
    used.add(token);
    if (!Object.hasOwn(map, token)) throw validationError(`Placeholder used in expression is not defined: ${token}`);
    return map[token]!;
  };
  const parser: Parser = {
    next: () => tokens[at],
    accept(token) {
      if (tokens[at]?.toUpperCase() !== token.toUpperCase()) return false;
      at += 1;
      return true;
    },
    expect(token) {
      if (!parser.accept(token)) throw parser.syntaxError();
    },
    take() {
      const token = tokens[at++];
      if (token === undefined) throw parser.syntaxError();
      return token;
    },
    nameOf(token) {
      if (token.startsWith("#")) return resolve(names, token);
      if (!/^[A-Za-z_]\w*$/.test(token)) throw parser.syntaxError();
      if (reservedWords.has(token.toUpperCase()))
        throw validationError(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
      return token;
    },
    valueOf(token) {
      if (!token.startsWith(":")) throw parser.syntaxError();
      return resolve(values, token);
    },
    syntaxError: () => validationError(`Syntax error; token: ${tokens[at] ?? "<EOF>"}, in: ${text}`),
  };
  return parser;
}

function readList<Each>(parser: Parser, read: (parser: Parser) => Each): readonly Each[] {
  const list = [read(parser)];
  while (parser.accept(",")) list.push(read(parser));
  return list;
}

function readOr(parser: Parser): Condition {
  const parts = [readAnd(parser)];
  while (parser.accept("OR")) parts.push(readAnd(parser));
  return parts.length === 1 ? parts[0]! : { kind: "or", parts };
}

function readAnd(parser: Parser): Condition {
  const parts = [readNot(parser)];
  while (parser.accept("AND")) parts.push(readNot(parser));
  return parts.length === 1 ? parts[0]! : { kind: "and", parts };
}

function readNot(parser: Parser): Condition {
  return parser.accept("NOT") ? { kind: "not", part: readNot(parser) } : readPredicate(parser);
}

const comparisons: readonly string[] = ["=", "<>", "<", "<=", ">", ">="] satisfies ComparisonOperator[];

function readPredicate(parser: Parser): Condition {
  if (parser.accept("(")) {
    const inner = readOr(parser);
    parser.expect(")");
    return inner;
  }
  for (const kind of ["attribute_exists", "attribute_not_exists"] as const)
    if (parser.accept(kind)) return { kind, path: readParentheses(parser, readPath) };
  for (const kind of ["begins_with", "contains", "attribute_type"] as const)
    if (parser.accept(kind))
      return readParentheses(parser, () => {
        const path = readPath(parser);
        parser.expect(",");
        return { kind, path, argument: readOperand(parser) };
      });
  const value = readOperand(parser);
  if (parser.accept("BETWEEN")) {
    const low = readOperand(parser);
    parser.expect("AND");
    return { kind: "between", value, low, high: readOperand(parser) };
  }
  if (parser.accept("IN"))
    return { kind: "in", value, options: readParentheses(parser, () => readList(parser, readOperand)) };
  if (!comparisons.includes(parser.next() ?? "")) throw parser.syntaxError();
  const operator = parser.take() as ComparisonOperator;
  return { kind: "comparison", operator, left: value, right: readOperand(parser) };
}

function readParentheses<Result>(parser: Parser, read: (parser: Parser) => Result): Result {
  parser.expect("(");
  const result = read(parser);
  parser.expect(")");
  return result;
}

function readOperand(parser: Parser): Operand {
  if (parser.next()?.startsWith(":")) return { kind: "value", value: parser.valueOf(parser.take()) };
  if (parser.accept("size")) return { kind: "size", path: readParentheses(parser, readPath) };
  return { kind: "path", path: readPath(parser) };
}

function readPath(parser: Parser): AttributePath {
  const path: (string | number)[] = [readName(parser)];
  for (;;) {
    if (parser.accept(".")) path.push(readName(parser));
    else if (parser.accept("[")) {
      path.push(Number(parser.take()));
      parser.expect("]");
    } else return path;
  }
}

const readName = (parser: Parser): string => parser.nameOf(parser.take());

function readUpdate(parser: Parser): Update {
  const update = {
    set: [] as Update["set"],
    remove: [] as Update["remove"],
    add: [] as Update["add"],
    delete: [] as Update["delete"],
  };
  const change = (from: Parser) => ({ name: readName(from), value: from.valueOf(from.take()) });
  const sections = new Set<string>();
  while (parser.next() !== undefined) {
    const section = parser.take().toUpperCase();
    if (sections.has(section)) throw validationError(`The "${section}" section can only be used once`);
    sections.add(section);
    if (section === "SET") update.set = readList(parser, readAssignment);
    else if (section === "REMOVE") update.remove = readList(parser, readName);
    else if (section === "ADD") update.add = readList(parser, change);
    else if (section === "DELETE") update.delete = readList(parser, change);
    else throw parser.syntaxError();
  }
  const names = [...update.set, ...update.add, ...update.delete].map(({ name }) => name).concat(update.remove);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw validationError(`Two document paths overlap with each other; path: ${twice}`);
  const key = names.find((name) => name === "pk" || name === "sk");
  if (key !== undefined) throw validationError(`Cannot update attribute ${key}. This attribute is part of the key`);
  return update;
}

function readAssignment(parser: Parser): Update["set"][number] {
  const name = readName(parser);
  parser.expect("=");
  const left = readUpdateValue(parser);
  const kind = parser.accept("+") ? "+" : parser.accept("-") ? "-" : undefined;
  return { name, value: kind ? { kind, left, right: readUpdateValue(parser) } : left };
}

function readUpdateValue(parser: Parser): UpdateValue {
  if (!parser.accept("if_not_exists")) return readOperand(parser);
  return readParentheses(parser, () => {
    const path = readPath(parser);
    parser.expect(",");
    return { kind: "if_not_exists", path, otherwise: readUpdateValue(parser) };
  });
}
