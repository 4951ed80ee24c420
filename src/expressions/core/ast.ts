import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import type { KeptFacts } from "../analysis/effects.ts";

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

/** `A // B`: the outputs of A other than false and null; if there are none, B. It fails where A does, as in jq since 1.8. */
export interface Alternative extends Placed {
  readonly kind: "alternative";
  readonly left: Expression;
  readonly right: Expression;
}

/**
 * `try E catch H`: the outputs of E until it fails, then those of H with what it failed with as `.`; without H nothing. Errors of what comes after
 * pass through. Without H, a break out of E ends it too, as in jq; with H there is none.
 */
export interface Try extends Placed {
  readonly kind: "try";
  readonly body: Expression;
  readonly handler: Expression | undefined;
}

/** `foreach SOURCE as $name (INITIAL; UPDATE; EXTRACT)`: as `Reduce`, but EXTRACT is given for each output of UPDATE, with that as `.`. */
export interface Foreach extends Placed {
  readonly kind: "foreach";
  readonly source: Expression;
  readonly name: string;
  readonly initial: Expression;
  readonly update: Expression;
  readonly extract: Expression;
}

/** `label $name | E`: the outputs of E until it breaks to this label. Labels of one expression have different names. */
export interface Label extends Placed {
  readonly kind: "label";
  readonly name: string;
  readonly body: Expression;
}

/** `break $name`: ends the label of that name around it; it has no outputs and is no error. */
export interface Break extends Placed {
  readonly kind: "break";
  readonly name: string;
}

/**
 * `def name(parameters): body; rest`: a function that is there in its own body and in the rest. Parameters are filters without parameters. All functions
 * and parameters of one expression have different names.
 */
export interface Define extends Placed {
  readonly kind: "define";
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Expression;
  readonly rest: Expression;
}

/** A function of a `Define` around it applied to the input, or a parameter of one; arguments see the variables where they are written. */
export interface Apply extends Placed {
  readonly kind: "apply";
  readonly name: string;
  readonly args: readonly Expression[];
}

/** `"a\(E)b"`: texts in a row, where expressions give strings; with several outputs, the last expression varies slowest. */
export interface Interpolation extends Placed {
  readonly kind: "interpolation";
  readonly parts: readonly (string | Expression)[];
}

/**
 * `T[K]`, `.name`: the member or element of each output of `source` under each key; null where there is none. The key is evaluated first, with the
 * `.` around the whole. Objects take strings, arrays numbers (cut off to integers, negative ones from the end) and arrays (the places where that one
 * occurs); null takes each of these. Anything else fails; `optional`: gives nothing instead.
 */
export interface Access extends Placed {
  readonly kind: "access";
  readonly source: Expression;
  readonly key: Expression;
  readonly optional: boolean;
}

/** `T[F:U]`: part of an array or string, by elements or code points; of null, null. A bound that is absent or null is the end. Otherwise as `Access`. */
export interface Slice extends Placed {
  readonly kind: "slice";
  readonly source: Expression;
  readonly from: Expression | undefined;
  readonly upTo: Expression | undefined;
  readonly optional: boolean;
}

/** `T[]`: all elements, or the values of all members in their order. Fails for other values; `optional`: gives nothing instead. */
export interface Iterate extends Placed {
  readonly kind: "iterate";
  readonly source: Expression;
  readonly optional: boolean;
}

/**
 * `recurse(E)`: the input, then `recurse(E)` of each output of E for it, one after the other; as deep as it goes. `while` and `..` are this too.
 */
export interface Recurse extends Placed {
  readonly kind: "recurse";
  readonly body: Expression;
}

/** `path(E)`: where in `.` each output of E stands, as an array of keys. Fails where E gives something that is not a place in `.`. */
export interface Path extends Placed {
  readonly kind: "path";
  readonly body: Expression;
}

/**
 * `P |= E`: the input with what is at each place that P gives, one after the other, replaced by the first output of E, for which `.` is what is there.
 * Places for which E gives nothing are deleted, when all others have been replaced.
 */
export interface Update extends Placed {
  readonly kind: "update";
  readonly path: Expression;
  readonly value: Expression;
}

/** Where an expression was written; absent for what the compiler made up. */
interface Placed {
  readonly span?: Span | undefined;
  /** What was found out about an expression. Only `factsOf` reads and writes it: in a copy it may be that of the original. */
  facts?: KeptFacts | undefined;
}

/** One fixed JSON value. */
interface Literal extends Placed {
  readonly kind: "literal";
  readonly value: Json;
}

/** The current value, `.` (JSONPath's `@`). */
interface Identity extends Placed {
  readonly kind: "identity";
}

/** The value of a variable, `$name`. Every variable of the IR has a value from the start of its scope on: null if none is given. */
interface Variable extends Placed {
  readonly kind: "variable";
  readonly name: string;
}
