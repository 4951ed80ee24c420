import type { Identifier, JsExpression } from "../../js-ast/index.ts";
import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import type { Type } from "../../types/index.ts";
import type { JqTypeName } from "../library/types.ts";

/**
 * An expression of any source language, with jq's semantics: given `.` and variables, it yields a stream of JSON values
 * or fails. Only `Query` (JSONPath) and the dialect builtins have no counterpart in jq.
 *
 * In the IR, workflow data lives in variables; `.` is null except in a query's filter, on the right side of a pipe and
 * in arguments documented otherwise.
 */
export type Expression =
  | Literal
  | Identity
  | Variable
  | Query
  | ObjectConstruction
  | ArrayConstruction
  | Comma
  | Pipe
  | Let
  | Conditional
  | Call
  | Access
  | Iterate
  | Fold
  | Try
  | Label
  | Break
  | Define
  | DialectProgram;

/** The nodes that a JSONPath selects, in document order. Never fails. */
export interface Query extends Node {
  readonly kind: "query";
  readonly source: Expression;
  readonly segments: readonly Segment[];
}

/** A segment of a JSONPath (RFC 9535, 2.5); `descend` includes descendants. */
export interface Segment {
  readonly descend: boolean;
  readonly selectors: readonly Selector[];
}

/** One selector of a segment (RFC 9535, 2.3). */
export type Selector = Node &
  (
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "index"; readonly index: number }
    | {
        readonly kind: "slice";
        readonly start?: number | undefined;
        readonly end?: number | undefined;
        readonly step?: number | undefined;
      }
    | { readonly kind: "wildcard" }
    /** `condition` is evaluated with each element or member as `.`. */
    | { readonly kind: "filter"; readonly condition: Expression }
  );

/** An object construction; the last of equal keys wins. */
export interface ObjectConstruction extends Node {
  readonly kind: "object";
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

/** `[E]`: all outputs as one array. */
export interface ArrayConstruction extends Node {
  readonly kind: "array";
  readonly items: Expression | undefined;
}

/** `A, B, …`: the outputs of each item in order. */
export interface Comma extends Node {
  readonly kind: "comma";
  readonly items: readonly Expression[];
}

/** `A | B`: B with each output of A as `.`. */
export interface Pipe extends Node {
  readonly kind: "pipe";
  readonly left: Expression;
  readonly right: Expression;
}

/** `A as $x | B`: B with each output of A as `$x`. */
export interface Let extends Node {
  readonly kind: "let";
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
}

/** `if A then B else C end`; only false and null are falsy. */
export interface Conditional extends Node {
  readonly kind: "if";
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

/**
 * A call of a builtin by name and arity, or of an enclosing function or parameter. The arguments of a local function are
 * closures over its `.`; builtins say how they evaluate theirs.
 */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expression[];
  /** Whether `name` is that of an enclosing `Define` or of one of its parameters. */
  readonly isLocal?: boolean | undefined;
}

/** A call with these names and arguments. */
interface CallOf<Name extends string, Args extends readonly Expression[]> extends Call {
  readonly name: Name;
  readonly args: Args;
}

type Unary = readonly [body: Expression];
type Pair = readonly [left: Expression, right: Expression];

/** `A and B`, `A or B`, short-circuiting. */
export type Logic = CallOf<"and" | "or", Pair>;

/** jq's operators; the right operand is evaluated first, so it varies slowest. */
export type Binary = CallOf<"+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=", Pair>;

/** `A // B`: the truthy outputs of A, otherwise B. Fails if A fails. */
export type Alternative = CallOf<"alternative", Pair>;

/** `recurse(E)`: the input, then `recurse(E)` of each output of E. */
export type Recurse = CallOf<"recurse", Unary>;

/** `path(E)`: the path of each output in `.`, as an array of keys. */
export type Path = CallOf<"path", Unary>;

/** `P |= E`: replaces the value at each path by the first output of E. Paths without output are deleted at the end. */
export type Update = CallOf<"update", readonly [path: Expression, value: Expression]>;

/** A call whose arguments are evaluated in a way of its own. */
export type Form = Logic | Alternative | Recurse | Path | Update;

/**
 * `try E catch H`: the outputs of E until it fails, then H with the error as `.`. Without H, also ends at a break.
 * Errors downstream are not caught.
 */
export interface Try extends Node {
  readonly kind: "try";
  readonly body: Expression;
  readonly handler: Expression | undefined;
}

/**
 * `foreach SOURCE as $name (INITIAL; UPDATE; EXTRACT)`: EXTRACT per output of UPDATE. Without EXTRACT, `reduce`: the last
 * output of UPDATE, once. In UPDATE and EXTRACT, `.` is the accumulator.
 */
export interface Fold extends Node {
  readonly kind: "fold";
  readonly source: Expression;
  readonly name: string;
  readonly initial: Expression;
  readonly update: Expression;
  readonly extract: Expression | undefined;
}

/** `label $name | E`: E until it breaks. Label names are unique in an expression. */
export interface Label extends Node {
  readonly kind: "label";
  readonly name: string;
  readonly body: Expression;
}

/** `break $name`: ends the enclosing label. */
export interface Break extends Node {
  readonly kind: "break";
  readonly name: string;
}

/** `def name(parameters): body; rest`; recursive, with names unique in an expression. */
export interface Define extends Node {
  readonly kind: "define";
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Expression;
  readonly rest: Expression;
}

/**
 * `T[K]`, `.name`: the member or element under each key, or null if missing. Keys are evaluated first, with the outer
 * `.`. Objects accept strings; arrays accept numbers (truncated, negative from the end), arrays (occurrences of a
 * subarray) and slices `{"start": F, "end": U}`, where null means the end, as do strings; null accepts all of them.
 * Anything else fails, or yields nothing if `optional`. `T[F:U]` is an access by a slice.
 */
export interface Access extends Node {
  readonly kind: "access";
  readonly source: Expression;
  readonly key: Expression;
  readonly optional: boolean;
}

/** `T[]`: all elements or member values. Other values fail unless `optional`. */
export interface Iterate extends Node {
  readonly kind: "iterate";
  readonly source: Expression;
  readonly optional: boolean;
}

/**
 * A program of another expression language, evaluated with values for its names. Rewriting leaves the text as it is and
 * sees the inputs.
 */
export interface DialectProgram extends Node {
  readonly kind: "dialect";
  readonly dialect: Dialect;
  readonly text: string;
  readonly inputs: readonly { readonly name: string; readonly value: Expression }[];
  /** Where the program is in its source, innermost first, for the messages of errors. */
  readonly place?: readonly string[] | undefined;
}

/** A program without its inputs. */
export type DialectText = Pick<DialectProgram, "text" | "place">;

/** An expression language whose programs are not lowered when they are read. Programs were checked before. */
export interface Dialect {
  /** For messages. */
  readonly name: string;
  /** The number of outputs for each combination of inputs, if nothing fails. */
  outputs(text: string): "none" | "one" | "optional" | "many";
  /** Whether a program may fail, except by exceeding a limit. */
  canFail(text: string): boolean;
  /** Whether the outputs contain only numbers that JSON can carry. */
  readonly yieldsFinite?: true;
  /** The type of all outputs, given those of the inputs. */
  type(text: string, inputs: ReadonlyMap<string, Type>): Type;
  /** Yields the outputs; fails with an `EvaluationError`. */
  evaluate(program: DialectText, inputs: ReadonlyMap<string, Json>): Iterable<Json>;
  /** Returns an equivalent expression over the inputs, for printers without the dialect, if the dialect has one. */
  lower(program: DialectText, inputs: ReadonlyMap<string, Expression>): Expression | undefined;
  /** The program as JavaScript, if it reads better than what it is lowered to. */
  javascript?(program: DialectProgram): DialectCode | undefined;
}

/** The JavaScript of a program. */
export interface DialectCode {
  /** What the code reads. Each is evaluated once, before the program. */
  readonly reads: readonly Expression[];
  print(values: readonly DialectValue[], names: DialectNames): JsExpression;
}

/** The code of what a program reads. */
export interface DialectValue {
  readonly code: JsExpression;
  /** The declared type. */
  readonly type?: JqTypeName | undefined;
  /** The type that TypeScript may infer. */
  readonly inferred?: JqTypeName | undefined;
}

/** The names of printed programs. */
export interface DialectNames {
  /** A function of the runtime. */
  helper(name: string): Identifier;
  /** A name for a variable, the wanted one if it is free. */
  fresh(wanted: string): string;
}

interface Node {
  readonly span?: Span | undefined;
}

interface Literal extends Node {
  readonly kind: "literal";
  readonly value: Json;
}

/** `.` (JSONPath's `@`). */
interface Identity extends Node {
  readonly kind: "identity";
}

/** Has a value throughout its scope, null by default. */
interface Variable extends Node {
  readonly kind: "variable";
  readonly name: string;
}
