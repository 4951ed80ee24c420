/**
 * The unresolved syntax tree of jq 1.8.2 without modules. Shorthands are expanded: `.a` → `.["a"]`, `{$x}` → `{x: $x}`.
 */
export type Jq =
  | Identity
  | Recursion
  | NumberLiteral
  | StringLiteral
  | Interpolation
  | Constant
  | Format
  | Variable
  | Location
  | Index
  | Slice
  | Iteration
  | ArrayConstruction
  | ObjectConstruction
  | Negation
  | Binary
  | Logic
  | Alternative
  | Assignment
  | Comma
  | Pipe
  | Try
  | Conditional
  | Reduce
  | Foreach
  | VariableBinding
  | Definition
  | Label
  | Break
  | Call;

/** UTF-16 offsets in the expression, the end exclusive. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A number literal; jq keeps its digits until it calculates. */
export interface NumberLiteral extends SourceRange {
  readonly kind: "number";
  readonly text: string;
}

/** An unescaped string without interpolation, always well-formed UTF-16. */
export interface StringLiteral extends SourceRange {
  readonly kind: "string";
  readonly value: string;
}

/**
 * `"a\(E)b"`, `@base64 "a\(E)b"`: non-empty strings and at least one query. `format` (without `@`) defaults to
 * `tostring`. The last query varies slowest.
 */
export interface Interpolation extends SourceRange {
  readonly kind: "interpolation";
  readonly format: string | undefined;
  readonly parts: readonly (string | Jq)[];
}

/** `$name` or `$module::name`, without the `$`. */
export interface Variable extends SourceRange {
  readonly kind: "variable";
  readonly name: string;
}

/** `$__loc__`: `{"file": "<top-level>", "line": …}`. */
export interface Location extends SourceRange {
  readonly kind: "location";
  readonly line: number;
}

/**
 * `T[K]`, `.a`, `."a"`: K is evaluated with the outer input. `T[K]?` (`optional`) suppresses only errors of the access,
 * unlike `(T[K])?`.
 */
export interface Index extends SourceRange {
  readonly kind: "index";
  readonly target: Jq;
  readonly key: Jq;
  readonly optional: boolean;
}

/** `T[F:U]`; at most one bound is missing. */
export interface Slice extends SourceRange {
  readonly kind: "slice";
  readonly target: Jq;
  readonly from: Jq | undefined;
  readonly upTo: Jq | undefined;
  readonly optional: boolean;
}

/** `T[]`; `optional` is as in `Index`. */
export interface Iteration extends SourceRange {
  readonly kind: "iteration";
  readonly target: Jq;
  readonly optional: boolean;
}

/** `{…}`: an object per combination of keys and values; the last of equal keys wins. */
export interface ObjectConstruction extends SourceRange {
  readonly kind: "object";
  readonly entries: readonly ObjectEntry[];
}

/**
 * A member: `{a: E}`, `{$x: E}` or `{(K): E}`. Only strings may lack a value, as in `{a}`: it is then the input's
 * member.
 */
export interface ObjectEntry extends SourceRange {
  readonly key: Jq;
  readonly value: Jq | undefined;
}

/** Arithmetic and comparison operators. */
export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";

/** Assignment operators. */
export type AssignmentOperator = "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=";

/** `A, B, …`: two or more queries. */
export interface Comma extends SourceRange {
  readonly kind: "comma";
  readonly items: readonly Jq[];
}

/**
 * `try E catch H`, `try E` or `E?`: an error ends E and is the input of H. Errors downstream are not caught. `.a?` is
 * an `Index`.
 */
export interface Try extends SourceRange {
  readonly kind: "try";
  readonly body: Jq;
  readonly handler: Jq | undefined;
}

/** `if A then B elif C then D else E end`; without `else`, yields the input. */
export interface Conditional extends SourceRange {
  readonly kind: "if";
  readonly branches: readonly Branch[];
  readonly otherwise: Jq | undefined;
}

/** A conditional branch. */
export interface Branch {
  readonly condition: Jq;
  readonly result: Jq;
}

/** `reduce S as P (I; U)`; the variables are in scope only in U. */
export interface Reduce extends SourceRange {
  readonly kind: "reduce";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
}

/** `foreach S as P (I; U; E)`; E defaults to the state. */
export interface Foreach extends SourceRange {
  readonly kind: "foreach";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
  readonly extract: Jq | undefined;
}

/**
 * `S as P1 ?// P2 | B`: if destructuring or B fails, the next pattern is tried; variables of other patterns are null.
 */
export interface VariableBinding extends SourceRange {
  readonly kind: "binding";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly body: Jq;
}

/** `def name(parameters): body; rest`, in scope in body and rest. */
export interface Definition extends SourceRange {
  readonly kind: "definition";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Jq;
  readonly rest: Jq;
}

/** `f`, a closure; or `$f`, also evaluated before the body. */
export interface Parameter extends SourceRange {
  readonly name: string;
  readonly byValue: boolean;
}

/** `label $name | body`; labels are not variables. */
export interface Label extends SourceRange {
  readonly kind: "label";
  readonly name: string;
  readonly body: Jq;
}

/** `break $name`: ends the innermost such label. */
export interface Break extends SourceRange {
  readonly kind: "break";
  readonly name: string;
}

/** `f`, `f(A; B)`; arguments are closures. */
export interface Call extends SourceRange {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Jq[];
}

/** A destructuring pattern. */
export type Pattern = VariablePattern | ArrayPattern | ObjectPattern;

/**
 * `$a` (variable only), `$a: P` (both), `a: P`, `"a\(E)": P` or `(E): P` (pattern only). The pattern's variables are
 * not in scope in the key.
 */
export interface PatternEntry extends SourceRange {
  readonly key: Jq;
  readonly variable: string | undefined;
  readonly pattern: Pattern | undefined;
}

/** `.` */
interface Identity extends SourceRange {
  readonly kind: "identity";
}

/** `..`, like `recurse`. */
interface Recursion extends SourceRange {
  readonly kind: "recursion";
}

/** Cannot be redefined. */
interface Constant extends SourceRange {
  readonly kind: "constant";
  readonly value: null | boolean;
}

/** `@base64`, without the `@`. Unknown formats fail at run time. */
interface Format extends SourceRange {
  readonly kind: "format";
  readonly name: string;
}

/** `[E]`; `[]` has no items. */
interface ArrayConstruction extends SourceRange {
  readonly kind: "array";
  readonly items: Jq | undefined;
}

/** `-E`: binds tighter than operators, looser than suffixes. */
interface Negation extends SourceRange {
  readonly kind: "negation";
  readonly operand: Jq;
}

/** The right operand is evaluated first and varies slowest. */
interface Binary extends SourceRange {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Jq;
  readonly right: Jq;
}

interface Logic extends SourceRange {
  readonly kind: "logic";
  readonly operator: "and" | "or";
  readonly left: Jq;
  readonly right: Jq;
}

interface Alternative extends SourceRange {
  readonly kind: "alternative";
  readonly left: Jq;
  readonly right: Jq;
}

/** `P = E`, `P |= E`, `P += E` and so on. */
interface Assignment extends SourceRange {
  readonly kind: "assignment";
  readonly operator: AssignmentOperator;
  readonly left: Jq;
  readonly right: Jq;
}

interface Pipe extends SourceRange {
  readonly kind: "pipe";
  readonly left: Jq;
  readonly right: Jq;
}

/** `$name`. */
interface VariablePattern extends SourceRange {
  readonly kind: "variable";
  readonly name: string;
}

/** `[P1, P2]`: the leading elements. */
interface ArrayPattern extends SourceRange {
  readonly kind: "array";
  readonly items: readonly Pattern[];
}

interface ObjectPattern extends SourceRange {
  readonly kind: "object";
  readonly entries: readonly PatternEntry[];
}
