import type { Expression, Placed } from "../ast.ts";

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
