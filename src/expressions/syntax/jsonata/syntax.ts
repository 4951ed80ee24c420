/** The syntax tree of JSONata 2.2 as written: paths are chains of `map` and `filter`. */
export type Jsonata =
  | Name
  | Variable
  | StringLiteral
  | NumberLiteral
  | ConstantLiteral
  | RegexLiteral
  | Wildcard
  | Descendants
  | Parent
  | MapStep
  | Filter
  | KeepArray
  | Grouping
  | Ordering
  | FocusBinding
  | IndexBinding
  | Assignment
  | Negation
  | Operation
  | Chain
  | Fallback
  | Conditional
  | ArrayConstruction
  | RangeConstruction
  | ObjectConstruction
  | Block
  | Call
  | Lambda
  | Transform;

/** UTF-16 offsets in the expression, the end exclusive. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** `a`, `` `a b` ``; also `and`, `or` and `in` where an operand is expected. */
export interface Name extends SourceRange {
  readonly kind: "name";
  readonly name: string;
}

/** `$a`, without the `$`: `$` itself has the name "", `$$` the name "$". */
export interface Variable extends SourceRange {
  readonly kind: "variable";
  readonly name: string;
}

/** An unescaped string. As a step of a path, it is a name. */
export interface StringLiteral extends SourceRange {
  readonly kind: "string";
  readonly value: string;
}

/** A number; a minus sign is a `Negation`. */
export interface NumberLiteral extends SourceRange {
  readonly kind: "number";
  readonly value: number;
}

/** `true`, `false`, `null`. */
export interface ConstantLiteral extends SourceRange {
  readonly kind: "constant";
  readonly value: null | boolean;
}

/** `/pattern/flags` in JavaScript's syntax; the flags are `i` and `m`. */
export interface RegexLiteral extends SourceRange {
  readonly kind: "regex";
  readonly pattern: string;
  readonly flags: string;
}

/** `A.B`: evaluates B for each item of A. */
export interface MapStep extends SourceRange {
  readonly kind: "map";
  readonly left: Jsonata;
  readonly right: Jsonata;
}

/** `E[P]`: a condition, or an index. */
export interface Filter extends SourceRange {
  readonly kind: "filter";
  readonly target: Jsonata;
  readonly predicate: Jsonata;
}

/** `E[]`: a result of one item stays an array. */
export interface KeepArray extends SourceRange {
  readonly kind: "keepArray";
  readonly target: Jsonata;
}

/** `E{K: V, …}`. */
export interface Grouping extends SourceRange {
  readonly kind: "group";
  readonly target: Jsonata;
  readonly entries: readonly ObjectEntry[];
}

/** A key and its value. */
export interface ObjectEntry {
  readonly key: Jsonata;
  readonly value: Jsonata;
}

/** `E^(<A, >B)`. */
export interface Ordering extends SourceRange {
  readonly kind: "sort";
  readonly target: Jsonata;
  readonly terms: readonly SortTerm[];
}

/** A sort key. */
export interface SortTerm {
  readonly expression: Jsonata;
  readonly descending: boolean;
}

/** `E@$v`: binds each item, and keeps the context of E. */
export interface FocusBinding extends SourceRange {
  readonly kind: "focus";
  readonly target: Jsonata;
  readonly variable: Variable;
}

/** `E#$i`: binds the position of each item. */
export interface IndexBinding extends SourceRange {
  readonly kind: "index";
  readonly target: Jsonata;
  readonly variable: Variable;
}

/** `$v := E`, in scope in the rest of the block. */
export interface Assignment extends SourceRange {
  readonly kind: "assign";
  readonly variable: Variable;
  readonly value: Jsonata;
}

/** Operators of two values; `and` and `or` evaluate the right operand only if necessary. */
export type Operator = "+" | "-" | "*" | "/" | "%" | "&" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "and" | "or";

/** `A + B`. */
export interface Operation extends SourceRange {
  readonly kind: "operation";
  readonly operator: Operator;
  readonly left: Jsonata;
  readonly right: Jsonata;
}

/** `A ~> F`: passes A to F, or composes two functions. */
export interface Chain extends SourceRange {
  readonly kind: "chain";
  readonly left: Jsonata;
  readonly right: Jsonata;
}

/** `A ?? B`: B if A yields nothing; `A ?: B`: B if A is falsy. A is evaluated twice. */
export interface Fallback extends SourceRange {
  readonly kind: "fallback";
  readonly operator: "??" | "?:";
  readonly left: Jsonata;
  readonly right: Jsonata;
}

/** `C ? A : B`, `C ? A`. */
export interface Conditional extends SourceRange {
  readonly kind: "if";
  readonly condition: Jsonata;
  readonly result: Jsonata;
  readonly otherwise: Jsonata | undefined;
}

/** `[A, B..C]`. */
export interface ArrayConstruction extends SourceRange {
  readonly kind: "array";
  readonly items: readonly Jsonata[];
}

/** `A..B`, only an item of an array constructor. */
export interface RangeConstruction extends SourceRange {
  readonly kind: "range";
  readonly from: Jsonata;
  readonly upTo: Jsonata;
}

/** `{K: V, …}`. */
export interface ObjectConstruction extends SourceRange {
  readonly kind: "object";
  readonly entries: readonly ObjectEntry[];
}

/** `(A; B)`, with a scope of its own; yields the last value. */
export interface Block extends SourceRange {
  readonly kind: "block";
  readonly expressions: readonly Jsonata[];
}

/** `F(A, ?)`; with a placeholder, a partial application. */
export interface Call extends SourceRange {
  readonly kind: "call";
  readonly procedure: Jsonata;
  readonly args: readonly (Jsonata | Placeholder)[];
}

/** `?` in a partial application. */
export interface Placeholder extends SourceRange {
  readonly kind: "placeholder";
}

/** `function($a, $b)<s-n:n>{ E }`. */
export interface Lambda extends SourceRange {
  readonly kind: "lambda";
  readonly parameters: readonly Variable[];
  readonly signature: string | undefined;
  readonly body: Jsonata;
}

/** `|P|U, D|`: a function that updates and deletes members of what P selects in a copy of its argument. */
export interface Transform extends SourceRange {
  readonly kind: "transform";
  readonly pattern: Jsonata;
  readonly update: Jsonata;
  readonly deletions: Jsonata | undefined;
}

/** `*`. */
interface Wildcard extends SourceRange {
  readonly kind: "wildcard";
}

/** `**`. */
interface Descendants extends SourceRange {
  readonly kind: "descendants";
}

/** `%`: the object that contains the context. */
interface Parent extends SourceRange {
  readonly kind: "parent";
}

/** `-E`. */
interface Negation extends SourceRange {
  readonly kind: "negation";
  readonly operand: Jsonata;
}
