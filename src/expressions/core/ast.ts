import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import type { Alternative, Apply, Break, Define, Foreach, Interpolation, Label, Try } from "./ast/control.ts";
import type { Access, Iterate, Path, Recurse, Slice, Update } from "./ast/paths.ts";

export type { Alternative, Apply, Break, Define, Foreach, Interpolation, Label, Try } from "./ast/control.ts";
export type { Access, Iterate, Path, Recurse, Slice, Update } from "./ast/paths.ts";

/**
 * The expression core: jq's syntax tree, with jq's meaning. An expression is a filter: evaluated with a current
 * value (`.`) and variables, it yields a stream of JSON values (none, one or many), or fails. Every expression
 * language that a front end reads is parsed into it, and every target prints it; `Query` (JSONPath) and the dialect
 * functions of `builtins.ts` are the only things in it that jq does not have.
 *
 * In the IR the data of a workflow is in variables; `.` is null except inside a query's filter, the right side of a
 * pipe and a function's argument that says so.
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
  | Logic
  | Binary
  | Reduce
  | Call
  | Access
  | Slice
  | Iterate
  | Recurse
  | Path
  | Update
  | Alternative
  | Try
  | Foreach
  | Label
  | Break
  | Define
  | Apply
  | Interpolation;

/** Where an expression was written; absent for what the compiler made up. */
export interface Placed {
  readonly span?: Span | undefined;
}

/** One fixed JSON value. */
export interface Literal extends Placed {
  readonly kind: "literal";
  readonly value: Json;
}

/** The current value, `.` (JSONPath's `@`). */
export interface Identity extends Placed {
  readonly kind: "identity";
}

/** The value of a variable, `$name`. Every variable of the IR has a value from the start of its scope on: null if none is given. */
export interface Variable extends Placed {
  readonly kind: "variable";
  readonly name: string;
}

/** The nodes that a JSONPath selects in each value of `source`, in document order; nothing where it selects nothing. Never fails. */
export interface Query extends Placed {
  readonly kind: "query";
  readonly source: Expression;
  readonly segments: readonly Segment[];
}

/** One segment of a JSONPath (RFC 9535, 2.5): what its selectors select in each node so far, or in it and all its descendants. */
export interface Segment {
  readonly descend: boolean;
  readonly selectors: readonly Selector[];
}

/** One selector of a segment (RFC 9535, 2.3). */
export type Selector = Placed &
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
    /** Elements or members for which `condition`, with the element as `.`, gives true. */
    | { readonly kind: "filter"; readonly condition: Expression }
  );

/** An object with the given members, in this order; of equal keys the last wins. */
export interface ObjectConstruction extends Placed {
  readonly kind: "object";
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

/** `[E]`: all that `items` yields, as one array. */
export interface ArrayConstruction extends Placed {
  readonly kind: "array";
  readonly items: Expression | undefined;
}

/** `A, B, …`: all outputs of each, in order. */
export interface Comma extends Placed {
  readonly kind: "comma";
  readonly items: readonly Expression[];
}

/** `A | B`: B with each output of A as `.`. */
export interface Pipe extends Placed {
  readonly kind: "pipe";
  readonly left: Expression;
  readonly right: Expression;
}

/** `A as $x | B`: B with each output of A as `$x`; `.` stays. */
export interface Let extends Placed {
  readonly kind: "let";
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
}

/** `if A then B else C end`; false and null are false, all else is true. */
export interface Conditional extends Placed {
  readonly kind: "if";
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

/** `A and B`, `A or B`: true or false; B is not evaluated when A decides. */
export interface Logic extends Placed {
  readonly kind: "logic";
  readonly operator: "and" | "or";
  readonly left: Expression;
  readonly right: Expression;
}

/** Arithmetic and comparison, as jq has them: any two values can be compared, `+` joins strings, arrays and objects. */
export interface Binary extends Placed {
  readonly kind: "binary";
  readonly operator: "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly left: Expression;
  readonly right: Expression;
}

/** `reduce SOURCE as $name (INITIAL; UPDATE)`: in UPDATE, `.` is the value so far. */
export interface Reduce extends Placed {
  readonly kind: "reduce";
  readonly source: Expression;
  readonly name: string;
  readonly initial: Expression;
  readonly update: Expression;
}

/** A function of `builtins.ts`, by name and number of arguments. */
export interface Call extends Placed {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expression[];
}
