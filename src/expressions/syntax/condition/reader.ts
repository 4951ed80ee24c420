import { effectsOf, outputs } from "../../analysis/effects.ts";
import type { ComparisonOperator } from "../../builtins/dialect/conditions.ts";
import type { Expression } from "../../core/ast.ts";
import { call, conditional, variable } from "../../core/build.ts";
import { cursorOf } from "../cursor.ts";
import type { SpanAt } from "../jsonpath/jsonpath.ts";
import { failAt, type Range, type TokenStream, tokenStream } from "../token-stream.ts";
import { type ConditionToken, describeToken, type Lexicon, readToken } from "./lexer.ts";
import { isBoolean, type Operand } from "./operand.ts";

/** The names that a condition may use. */
export interface ConditionScope {
  /** The value of `$`; without it, paths are errors. Bare names are its members. */
  readonly root?: Expression | undefined;
  /** `$.error` may be a variable, for instance. */
  readonly member?: ((name: string) => Expression | undefined) | undefined;
  /** Resolves a bare name before the members. */
  readonly identifier?: ((name: string) => Expression | undefined) | undefined;
  readonly identifiers?: readonly string[] | undefined;
  /** The value of `stateData` in `#jsonPath(…)`, if supported. */
  readonly data?: Expression | undefined;
  readonly spanAt?: SpanAt | undefined;
}

/** A warning about a source range. */
export interface ParseWarning {
  /** A word that is read as a member of the data, where `identifiers` are known. */
  readonly bareName?: { readonly name: string; readonly identifiers: readonly string[] } | undefined;
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Receives warnings. */
export type Warn = (warning: ParseWarning) => void;

/** The rules of a condition language. */
export interface LanguageRules extends Lexicon {
  /** Its name in messages; undefined if no language is declared. */
  readonly title: string | undefined;
  readonly infix: ReadonlyMap<string, InfixRule>;
  readonly methods: ReadonlyMap<string, CallRule>;
  readonly functions: ReadonlyMap<string, CallRule>;
  /** The brackets of list literals. */
  readonly lists: "[" | "{" | "[{" | "";
  /** Values that `?:` replaces; without them, it is ambiguous. */
  readonly defaulted: readonly (string | number | boolean | null)[];
  /** Whether `+` with a string concatenates any values. */
  readonly concatenates: boolean;
  /** Unsupported constructs, by their first token. */
  readonly excluded: ReadonlyMap<string, string>;
  /** Reads an operand that only this language has. */
  readonly readPrimary?: (reader: ConditionReader) => Operand | undefined;
  /** Reads what may follow an operand only in this language; `operand` returns it. */
  readonly readPostfix?: (reader: ConditionReader, operand: () => Operand) => Operand | undefined;
}

/** An infix operator. `test`: reads its right side. */
export type InfixRule =
  | { readonly kind: "choice" | "default" | "coalesce"; readonly power: number }
  | { readonly kind: "chain"; readonly power: number; readonly name: "and" | "or" }
  | { readonly kind: "comparison"; readonly power: number; readonly name: ComparisonOperator }
  | { readonly kind: "arithmetic"; readonly power: number; readonly name: "+" | "-" | "*" | "/" | "%" }
  | { readonly kind: "test"; readonly power: number; readonly read: ReadTest };

/** Reads the right side of an operator, and applies it. */
export type ReadTest = (reader: ConditionReader, left: Operand, operator: Range) => Operand;

/** A function or method; `receiver` is undefined in functions. */
export type CallRule =
  | { readonly kind: "call"; readonly arity: readonly number[]; readonly apply: ApplyCall }
  /** Reads its arguments, up to the closing parenthesis. */
  | { readonly kind: "macro"; readonly read: ReadMacro };

/** Applies a function to its receiver, if any, and arguments. */
export type ApplyCall = (operands: readonly Operand[], reader: ConditionReader, place: Range) => OperandResult;

/** Reads the arguments of a macro. */
export type ReadMacro = (reader: ConditionReader, receiver: Operand | undefined, place: Range) => OperandResult;

/** An operand without its range. */
export interface OperandResult {
  readonly kind: "path" | "member" | "value" | "condition";
  readonly expression: Expression;
  readonly isFloat?: boolean;
}

/** The state of a parser of conditions. */
export interface ConditionReader extends TokenStream<ConditionToken> {
  readonly rules: LanguageRules;
  readonly scope: ConditionScope;
  readonly warn: Warn;
  readonly usedNames: Set<string>;
  /** Resolves bare names. */
  resolve: (name: string) => Expression | undefined;
  /** The value of `#this`. */
  self: Expression | undefined;
  /** How many operations are nested in each other so far. */
  operations: number;
}

/** Precedences of all languages. */
export const precedences = {
  choice: 1,
  or: 2,
  and: 3,
  comparison: 4,
  additive: 5,
  multiplicative: 6,
  unary: 7,
} as const;

/** Starts a parser; fails if the source text is too long. */
export function createReader(text: string, rules: LanguageRules, scope: ConditionScope, warn: Warn): ConditionReader {
  const stream = tokenStream<ConditionToken>(cursorOf(text), {
    read: (cursor) => readToken(cursor, rules),
    fixed: "sign",
    show: describeToken,
  });
  const used = [scope.root, scope.data].flatMap((each) => (each ? [...effectsOf(each).free.keys()] : []));
  return {
    ...stream,
    rules,
    scope,
    warn,
    usedNames: new Set([...used, "data", "error"]),
    resolve: () => undefined,
    self: scope.root,
    operations: 0,
  };
}

/** Reads something with other names and another `#this`. */
export function withNames<T>(
  reader: ConditionReader,
  inner: Pick<ConditionReader, "resolve"> & Partial<Pick<ConditionReader, "self">>,
  read: () => T,
): T {
  const { resolve, self } = reader;
  reader.resolve = inner.resolve;
  if ("self" in inner) reader.self = inner.self;
  const result = read();
  reader.resolve = resolve;
  reader.self = self;
  return result;
}

/** A unique variable. */
export function freshVariable(reader: ConditionReader, wanted: string): { name: string; value: Expression } {
  let name = wanted;
  for (let count = 2; reader.usedNames.has(name); count += 1) name = `${wanted}_${count}`;
  reader.usedNames.add(name);
  return { name, value: variable(name) };
}

/** Counts an operation that nests its operands; fails beyond the limit. */
export function countOperation(reader: ConditionReader, place: Range): void {
  if (++reader.operations > maxOperations)
    failAt(reader, "limit", `More than ${maxOperations} operations are nested in this expression.`, place);
}

/** Converts an operand to a condition. */
export function toCondition(reader: ConditionReader, operand: Operand): Expression {
  switch (operand.kind) {
    case "condition":
    case "negated":
      return operand.expression;
    case "path":
    case "member":
    case "value": {
      const { expression } = operand;
      const isTruth = outputs(expression) === "one" && effectsOf(expression).type === "boolean";
      return isTruth ? expression : call("truthy", expression);
    }
    case "list":
    case "literal":
      if (operand.kind === "literal" && isBoolean(operand)) return operand.expression;
      return failAt(reader, "syntax", "A value alone is not a condition.", operand);
    case "choice":
      return conditional(operand.condition, toCondition(reader, operand.then), toCondition(reader, operand.otherwise));
  }
}

/** Where a construct is missing, for messages: `SpEL conditions`. */
export const subjectOf = ({ rules }: ConditionReader): string =>
  rules.title === undefined ? "conditions" : `${rules.title} conditions`;

/** Rejects a construct by its name. */
export const rejectConstruct = (reader: ConditionReader, construct: string, place?: Range, hint?: string): never =>
  failAt(reader, "unsupported", `${construct} not supported in ${subjectOf(reader)}.`, place, hint);

const maxOperations = 500;
