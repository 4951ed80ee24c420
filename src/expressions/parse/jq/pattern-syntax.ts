import type { Jq, Placed } from "./syntax.ts";

/** What a value is taken apart with. */
export type Pattern = VariablePattern | ArrayPattern | ObjectPattern;

/** `$name`. */
export interface VariablePattern extends Placed {
  readonly kind: "variable";
  readonly name: string;
}

/** `[P1, P2]`: the elements from the first on. */
export interface ArrayPattern extends Placed {
  readonly kind: "array";
  readonly items: readonly Pattern[];
}

/** `{…}`: members by name. */
export interface ObjectPattern extends Placed {
  readonly kind: "object";
  readonly entries: readonly PatternEntry[];
}

/** `$a` (the variable alone), `$a: P` (both), `a: P`, `"a\(E)": P` or `(E): P` (the pattern alone). None of the pattern's own variables are there in the key. */
export interface PatternEntry extends Placed {
  readonly key: Jq;
  readonly variable: string | undefined;
  readonly pattern: Pattern | undefined;
}
