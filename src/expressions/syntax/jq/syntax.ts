/**
 * jq's syntax tree, as the text says it and with nothing resolved: what jq 1.8.2's grammar accepts, but for modules. Parentheses leave no trace;
 * what jq only knows as a shorter way to write something else is that something else (`.a` is `.["a"]`, `{$x}` is `{x: $x}`).
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
  | Binding
  | Definition
  | Label
  | Break
  | Call;

/** Where something was written: UTF-16 offsets in the text of the expression, the end exclusive. */
export interface Placed {
  readonly start: number;
  readonly end: number;
}

/** A number as it was written: `1`, `.5`, `1.`, `1e1000`. jq keeps the digits until it calculates with them. */
export interface NumberLiteral extends Placed {
  readonly kind: "number";
  readonly text: string;
}

/** A string without interpolation, its escapes resolved. Always well-formed UTF-16. A format in front of it means nothing. */
export interface StringLiteral extends Placed {
  readonly kind: "string";
  readonly value: string;
}

/**
 * `"a\(E)b"`, `@base64 "a\(E)b"`: texts and queries in turn, at least one of them a query, none of the texts empty. What a query gives is made
 * text by `format`, a name without the `@`; `tostring` where there is none. With several outputs, the last query varies slowest.
 */
export interface Interpolation extends Placed {
  readonly kind: "interpolation";
  readonly format: string | undefined;
  readonly parts: readonly (string | Jq)[];
}

/** `$name`, `$module::name`; the name without the `$`. */
export interface Variable extends Placed {
  readonly kind: "variable";
  readonly name: string;
}

/** `$__loc__`: `{"file": "<top-level>", "line": …}`, with the line of this text, counted from 1. */
export interface Location extends Placed {
  readonly kind: "location";
  readonly line: number;
}

/**
 * `T[K]`: K is evaluated with the input, not with what T gives. `.a`, `."a"` and `.["a"]` are the same. `optional`, written `T[K]?`: nothing
 * where the access fails; but a failing T or K still fails, unlike in `(T[K])?`.
 */
export interface Index extends Placed {
  readonly kind: "index";
  readonly target: Jq;
  readonly key: Jq;
  readonly optional: boolean;
}

/** `T[F:U]`, at least one of the bounds given, an absent one being null; otherwise as `Index`. */
export interface Slice extends Placed {
  readonly kind: "slice";
  readonly target: Jq;
  readonly from: Jq | undefined;
  readonly upTo: Jq | undefined;
  readonly optional: boolean;
}

/** `T[]`: all elements, or all members' values; otherwise as `Index`. */
export interface Iteration extends Placed {
  readonly kind: "iteration";
  readonly target: Jq;
  readonly optional: boolean;
}

/** `{…}`: an object for every combination of what keys and values give; of equal keys the last wins. */
export interface ObjectConstruction extends Placed {
  readonly kind: "object";
  readonly entries: readonly ObjectEntry[];
}

/**
 * One member of an object to construct. `{a: E}` has a string as key, `{$x: E}` a variable, `{(K): E}` any query. A value is left out only after a
 * string, as in `{a}`, `{"a"}` or `{"a\(E)"}`: it is then the input's member of that name, for each name the key gives.
 */
export interface ObjectEntry extends Placed {
  readonly key: Jq;
  readonly value: Jq | undefined;
}

/** The operators of a `Binary`. */
export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";

/** The operators of an `Assignment`. */
export type AssignmentOperator = "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=";

/** `A, B, …`: the outputs of two or more queries, one query after the other. */
export interface Comma extends Placed {
  readonly kind: "comma";
  readonly items: readonly Jq[];
}

/**
 * `try E catch H`, or `try E` and `E?` where there is no handler: errors of E end it, and are the input of H. What comes after, though evaluated
 * in between, is not caught. `.a?` is an optional `Index`, no `Try`.
 */
export interface Try extends Placed {
  readonly kind: "try";
  readonly body: Jq;
  readonly handler: Jq | undefined;
}

/** `if A then B elif C then D else E end`: for each output of A. Without `else`, the input stays. */
export interface Conditional extends Placed {
  readonly kind: "if";
  readonly branches: readonly Branch[];
  readonly otherwise: Jq | undefined;
}

/** What is given under a condition. */
export interface Branch {
  readonly condition: Jq;
  readonly result: Jq;
}

/** `reduce S as P (I; U)`: U gives the next state from the last; the variables are only there in U. */
export interface Reduce extends Placed {
  readonly kind: "reduce";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
}

/** `foreach S as P (I; U; E)`: as `reduce`, but gives E, or the state itself, for every state; the variables are there in U and E. */
export interface Foreach extends Placed {
  readonly kind: "foreach";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
  readonly extract: Jq | undefined;
}

/**
 * `S as P1 ?// P2 | B`: B for each output of S, with the variables of the patterns. If destructuring or B fails, the next pattern is tried; variables
 * that the pattern in use does not have are null.
 */
export interface Binding extends Placed {
  readonly kind: "binding";
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly body: Jq;
}

/** `def name(parameters): body; rest`: the function is there in its own body and in the rest. */
export interface Definition extends Placed {
  readonly kind: "definition";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Jq;
  readonly rest: Jq;
}

/** `f`, a closure that is called as `f`; or `$f`, which is also evaluated before the body, once for each output, and is then `$f` there. */
export interface Parameter extends Placed {
  readonly name: string;
  readonly byValue: boolean;
}

/** `label $name | body`. Labels are told apart from variables. */
export interface Label extends Placed {
  readonly kind: "label";
  readonly name: string;
  readonly body: Jq;
}

/** `break $name`: ends the innermost label of that name around it. */
export interface Break extends Placed {
  readonly kind: "break";
  readonly name: string;
}

/** `f`, `f(A; B)`: a function with as many parameters; its name is at the start. Arguments are closures. */
export interface Call extends Placed {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Jq[];
}

/** What a value is taken apart with. */
export type Pattern = VariablePattern | ArrayPattern | ObjectPattern;

/** `$a` (the variable alone), `$a: P` (both), `a: P`, `"a\(E)": P` or `(E): P` (the pattern alone). None of the pattern's own variables are there in the key. */
export interface PatternEntry extends Placed {
  readonly key: Jq;
  readonly variable: string | undefined;
  readonly pattern: Pattern | undefined;
}

/** `.`: the input. */
interface Identity extends Placed {
  readonly kind: "identity";
}

/** `..`: the input and everything in it, as `recurse` gives it. */
interface Recursion extends Placed {
  readonly kind: "recursion";
}

/** `null`, `true`, `false`. They cannot be redefined. */
interface Constant extends Placed {
  readonly kind: "constant";
  readonly value: null | boolean;
}

/** `@base64`: the input as text in a format, a name without the `@`. Fails when evaluated if there is no such format. */
interface Format extends Placed {
  readonly kind: "format";
  readonly name: string;
}

/** `[E]`: all that E gives, as one array. `[]`: no items. */
interface ArrayConstruction extends Placed {
  readonly kind: "array";
  readonly items: Jq | undefined;
}

/** `-E`. It binds tighter than every operator, and looser than what stands behind a term: `-.a` is `-(.a)`. */
interface Negation extends Placed {
  readonly kind: "negation";
  readonly operand: Jq;
}

/** Arithmetic and comparison of two values. The right operand is evaluated first, and varies slowest. */
interface Binary extends Placed {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Jq;
  readonly right: Jq;
}

/** `A and B`, `A or B`: B is not evaluated where A decides. */
interface Logic extends Placed {
  readonly kind: "logic";
  readonly operator: "and" | "or";
  readonly left: Jq;
  readonly right: Jq;
}

/** `A // B`: what A gives other than false and null; if that is nothing, B. */
interface Alternative extends Placed {
  readonly kind: "alternative";
  readonly left: Jq;
  readonly right: Jq;
}

/** `P = E`, `P |= E`, `P += E` and so on: the input with what the path P leads to replaced. */
interface Assignment extends Placed {
  readonly kind: "assignment";
  readonly operator: AssignmentOperator;
  readonly left: Jq;
  readonly right: Jq;
}

/** `A | B`: B with each output of A as its input. */
interface Pipe extends Placed {
  readonly kind: "pipe";
  readonly left: Jq;
  readonly right: Jq;
}

/** `$name`. */
interface VariablePattern extends Placed {
  readonly kind: "variable";
  readonly name: string;
}

/** `[P1, P2]`: the elements from the first on. */
interface ArrayPattern extends Placed {
  readonly kind: "array";
  readonly items: readonly Pattern[];
}

/** `{…}`: members by name. */
interface ObjectPattern extends Placed {
  readonly kind: "object";
  readonly entries: readonly PatternEntry[];
}
