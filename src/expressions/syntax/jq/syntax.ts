/**
 * jq's syntax tree: the unresolved grammar of jq 1.8.2 without modules. Parentheses leave no trace, and jq's shorthands
 * are expanded (`.a` is `.["a"]`, `{$x}` is `{x: $x}`).
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

/** A source range: UTF-16 offsets in the expression, the end exclusive. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A number literal: `1`, `.5`, `1.`, `1e1000`. jq keeps the digits until it calculates with them. */
export interface NumberLiteral extends SourceRange {
  readonly kind: "number";
  readonly text: string;
}

/** A string without interpolation, unescaped, always well-formed UTF-16. A format in front of it has no effect. */
export interface StringLiteral extends SourceRange {
  readonly kind: "string";
  readonly value: string;
}

/**
 * `"a\(E)b"`, `@base64 "a\(E)b"`: non-empty strings and at least one query. Values are converted by `format` (a name
 * without `@`), by default `tostring`. If queries have several outputs, the last query varies slowest.
 */
export interface Interpolation extends SourceRange {
  readonly kind: "interpolation";
  readonly format: string | undefined;
  readonly parts: readonly (string | Jq)[];
}

/** `$name`, `$module::name`; the name without the `$`. */
export interface Variable extends SourceRange {
  readonly kind: "variable";
  readonly name: string;
}

/** `$__loc__`: `{"file": "<top-level>", "line": …}`, with the line in the expression, from 1. */
export interface Location extends SourceRange {
  readonly kind: "location";
  readonly line: number;
}

/**
 * `T[K]`: K is evaluated with the outer input. `.a`, `."a"` and `.["a"]` are equivalent. `optional`, written `T[K]?`: a
 * failing access yields nothing, but a failing T or K still fails, unlike in `(T[K])?`.
 */
export interface Index extends SourceRange {
  readonly kind: "index";
  readonly target: Jq;
  readonly key: Jq;
  readonly optional: boolean;
}

/** `T[F:U]` with at least one bound; a missing one is null. Otherwise as `Index`. */
export interface Slice extends SourceRange {
  readonly kind: "slice";
  readonly target: Jq;
  readonly from: Jq | undefined;
  readonly upTo: Jq | undefined;
  readonly optional: boolean;
}

/** `T[]`: all elements or member values. Otherwise as `Index`. */
export interface Iteration extends SourceRange {
  readonly kind: "iteration";
  readonly target: Jq;
  readonly optional: boolean;
}

/** `{…}`: an object for every combination of keys and values; the last of equal keys wins. */
export interface ObjectConstruction extends SourceRange {
  readonly kind: "object";
  readonly entries: readonly ObjectEntry[];
}

/**
 * A member of an object construction. `{a: E}` has a string as key, `{$x: E}` a variable, `{(K): E}` any query. Only
 * strings may lack a value, as in `{a}`, `{"a"}` or `{"a\(E)"}`: the value is then the input's member of that name.
 */
export interface ObjectEntry extends SourceRange {
  readonly key: Jq;
  readonly value: Jq | undefined;
}

/** The operators of a `Binary`. */
export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";

/** The operators of an `Assignment`. */
export type AssignmentOperator = "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=";

/** `A, B, …`: the outputs of two or more queries in order. */
export interface Comma extends SourceRange {
  readonly kind: "comma";
  readonly items: readonly Jq[];
}

/**
 * `try E catch H`, `try E` or `E?`: an error ends E and is the input of H. Errors of downstream consumers are not
 * caught. `.a?` is an optional `Index`, not a `Try`.
 */
export interface Try extends SourceRange {
  readonly kind: "try";
  readonly body: Jq;
  readonly handler: Jq | undefined;
}

/** `if A then B elif C then D else E end`, for each output of A. Without `else`, yields the input. */
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

/** `reduce S as P (I; U)`: U computes the next state from the last; the variables are in scope only in U. */
export interface Reduce extends SourceRange {
  readonly kind: "reduce";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
}

/**
 * `foreach S as P (I; U; E)`: like `reduce`, but yields E (by default the state) for every state; the variables are in
 * scope in U and E.
 */
export interface Foreach extends SourceRange {
  readonly kind: "foreach";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
  readonly extract: Jq | undefined;
}

/**
 * `S as P1 ?// P2 | B`: B for each output of S. If destructuring or B fails, the next pattern is tried; variables that
 * only other patterns bind are null.
 */
export interface VariableBinding extends SourceRange {
  readonly kind: "binding";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly body: Jq;
}

/** `def name(parameters): body; rest`: a function in scope in its own body and in the rest. */
export interface Definition extends SourceRange {
  readonly kind: "definition";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Jq;
  readonly rest: Jq;
}

/** `f`, a closure; or `$f`, which is also evaluated before the body, once per output, and bound to `$f`. */
export interface Parameter extends SourceRange {
  readonly name: string;
  readonly byValue: boolean;
}

/** `label $name | body`. Labels and variables have separate namespaces. */
export interface Label extends SourceRange {
  readonly kind: "label";
  readonly name: string;
  readonly body: Jq;
}

/** `break $name`: ends the innermost enclosing label of that name. */
export interface Break extends SourceRange {
  readonly kind: "break";
  readonly name: string;
}

/** `f`, `f(A; B)`: a call whose name is at the start. Arguments are closures. */
export interface Call extends SourceRange {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Jq[];
}

/** A destructuring pattern. */
export type Pattern = VariablePattern | ArrayPattern | ObjectPattern;

/**
 * `$a` (variable only), `$a: P` (both), `a: P`, `"a\(E)": P` or `(E): P` (pattern only). The pattern's own variables
 * are not in scope in the key.
 */
export interface PatternEntry extends SourceRange {
  readonly key: Jq;
  readonly variable: string | undefined;
  readonly pattern: Pattern | undefined;
}

/** `.`: the input. */
interface Identity extends SourceRange {
  readonly kind: "identity";
}

/** `..`: the input and all its descendants, like `recurse`. */
interface Recursion extends SourceRange {
  readonly kind: "recursion";
}

/** `null`, `true`, `false`. They cannot be redefined. */
interface Constant extends SourceRange {
  readonly kind: "constant";
  readonly value: null | boolean;
}

/** `@base64`: formats the input; the name is without the `@`. Unknown formats fail at run time. */
interface Format extends SourceRange {
  readonly kind: "format";
  readonly name: string;
}

/** `[E]`: all outputs of E as one array; `[]` has no items. */
interface ArrayConstruction extends SourceRange {
  readonly kind: "array";
  readonly items: Jq | undefined;
}

/** `-E`: binds tighter than every operator, looser than suffixes: `-.a` is `-(.a)`. */
interface Negation extends SourceRange {
  readonly kind: "negation";
  readonly operand: Jq;
}

/** Arithmetic or comparison. The right operand is evaluated first and varies slowest. */
interface Binary extends SourceRange {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Jq;
  readonly right: Jq;
}

/** `A and B`, `A or B`: short-circuiting. */
interface Logic extends SourceRange {
  readonly kind: "logic";
  readonly operator: "and" | "or";
  readonly left: Jq;
  readonly right: Jq;
}

/** `A // B`: the truthy outputs of A, otherwise B. */
interface Alternative extends SourceRange {
  readonly kind: "alternative";
  readonly left: Jq;
  readonly right: Jq;
}

/** `P = E`, `P |= E`, `P += E` and so on: the input with the values at path P replaced. */
interface Assignment extends SourceRange {
  readonly kind: "assignment";
  readonly operator: AssignmentOperator;
  readonly left: Jq;
  readonly right: Jq;
}

/** `A | B`: B with each output of A as its input. */
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

/** `{…}`: members by name. */
interface ObjectPattern extends SourceRange {
  readonly kind: "object";
  readonly entries: readonly PatternEntry[];
}
