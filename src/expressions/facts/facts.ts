import type { Expression } from "../core/ast.ts";
import { Mark } from "../core/mark.ts";
import { childrenOf } from "../core/walk.ts";
import { type TypeName, typeOf as typeOfValue } from "../library/types.ts";
import { failsOf } from "./failing.ts";
import { outputsOf } from "./outputs.ts";
import { typeOf } from "./types.ts";

/** How many outputs an expression has where it does not fail: none, exactly one, at most one, or any number. */
export type Outputs = "none" | "one" | "optional" | "many";

/** What is known of an expression without evaluating it. */
export interface Facts {
  readonly outputs: Outputs;
  /** Whether it may fail, other than by a limit. */
  readonly canFail: boolean;
  /** The type of all its outputs, where it is known to be one. */
  readonly type: TypeName | undefined;
  /** The variables that it takes from outside, and how often each is written in it. */
  readonly free: ReadonlyMap<string, number>;
  /** Whether it depends on the `.` around it. */
  readonly usesInput: boolean;
  readonly weight: Weight;
}

/** How large an expression is. */
export interface Weight {
  /** How many expressions it consists of, itself included. */
  readonly size: number;
  /** How many are within each other, itself included. */
  readonly depth: number;
}

/** How many outputs an expression has. */
export const outputs = (expression: Expression): Outputs => factsOf(expression).outputs;

/** Whether an expression may fail, other than by a limit. */
export const canFail = (expression: Expression): boolean => factsOf(expression).canFail;

/** The variables that an expression takes from outside. */
export const freeVariables = (expression: Expression): ReadonlySet<string> => new Set(factsOf(expression).free.keys());

/** Whether an expression surely gives exactly one value and does not fail. */
export const isTotal = (expression: Expression): boolean => outputs(expression) === "one" && !canFail(expression);

/** All facts about an expression: computed once for each of its parts, and each when it is first asked for. */
export const factsOf = (expression: Expression): Facts =>
  expression.kind === "literal" ? factsOfValues[typeOfValue(expression.value)] : Known.of(expression);

/** Facts that are computed when they are asked for. A class, as there are very many of them: its getters are made once. */
class KnownFacts implements Facts {
  readonly outputs: Outputs;
  readonly canFail: boolean;
  readonly type: TypeName | undefined;
  readonly #expression: Expression;
  #free: ReadonlyMap<string, number> | undefined;
  #usesInput: boolean | undefined;
  #weight: Weight | undefined;

  constructor(expression: Expression) {
    this.#expression = expression;
    this.outputs = outputsOf(expression);
    this.canFail = failsOf(expression);
    this.type = typeOf(expression);
  }

  get free(): ReadonlyMap<string, number> {
    this.#free ??= freeOf(this.#expression);
    return this.#free;
  }

  get usesInput(): boolean {
    this.#usesInput ??= readsInput(this.#expression);
    return this.#usesInput;
  }

  get weight(): Weight {
    this.#weight ??= weightOf(this.#expression);
    return this.#weight;
  }
}

class Known extends Mark {
  readonly #facts: KnownFacts;

  private constructor(expression: Expression) {
    super(expression);
    this.#facts = new KnownFacts(expression);
  }

  static of(expression: Expression): Facts {
    const known: object = expression;
    return #facts in known ? known.#facts : new Known(expression).#facts;
  }
}

/** The free variables of what has none. */
const noVariables: ReadonlyMap<string, number> = new Map();

function freeOf(expression: Expression): ReadonlyMap<string, number> {
  if (expression.kind === "variable") return new Map([[expression.name, 1]]);
  const children = childrenOf(expression).filter((child) => child.expression.kind !== "literal");
  const [only] = children;
  if (!only) return noVariables;
  if (children.length === 1 && only.binds === undefined) return factsOf(only.expression).free;
  const free = new Map<string, number>();
  for (const child of children) {
    for (const [name, count] of factsOf(child.expression).free)
      if (name !== child.binds) free.set(name, (free.get(name) ?? 0) + count);
  }
  return free;
}

const readsInput = (expression: Expression): boolean =>
  ["identity", "apply", "recurse", "path", "update"].includes(expression.kind) ||
  childrenOf(expression).some((child) => !child.rebinds && factsOf(child.expression).usesInput);

function weightOf(expression: Expression): Weight {
  let size = 1;
  let depth = 0;
  for (const child of childrenOf(expression)) {
    const { weight } = factsOf(child.expression);
    size += weight.size;
    depth = Math.max(depth, weight.depth);
  }
  return { size, depth: depth + 1 };
}

/** The facts about a constant: they depend on its type only. */
const factsOfValues: { readonly [type in TypeName]: Facts } = {
  null: constant("null"),
  boolean: constant("boolean"),
  number: constant("number"),
  string: constant("string"),
  array: constant("array"),
  object: constant("object"),
};

function constant(type: TypeName): Facts {
  return { outputs: "one", canFail: false, type, free: noVariables, usesInput: false, weight: { size: 1, depth: 1 } };
}
