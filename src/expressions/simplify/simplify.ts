import type { Expression, Let } from "../core/ast.ts";
import { Mark } from "../core/mark.ts";
import { type Bindings, lookUp, rebuild } from "../core/substitute.ts";
import { childrenOf } from "../core/walk.ts";
import { factsOf, isTotal } from "../facts/facts.ts";
import { fold } from "./fold.ts";
import { reduceAlgebra } from "./rules.ts";

/**
 * An expression with the same outputs and failures that is no larger: constants are computed, decided branches taken, names for constants, for
 * other names and for what is used once are dropped. One pass over the tree.
 */
export function simplify(expression: Expression): Expression {
  return visit(expression, undefined);
}

/** Expressions that are as simple as they get: what is put together from them is not gone through again. */
class Simple extends Mark {
  readonly #isSimple = true;

  static is = (expression: object): boolean => #isSimple in expression && expression.#isSimple;
}

function visit(expression: Expression, bindings: Bindings | undefined): Expression {
  if (bindings !== undefined) return reduced(expression, bindings);
  if (Simple.is(expression)) return expression;
  const result = reduced(expression, undefined);
  if (!Simple.is(result)) new Simple(result);
  return result;
}

function reduced(expression: Expression, bindings: Bindings | undefined): Expression {
  if (expression.kind === "variable") return lookUp(bindings, expression.name) ?? expression;
  if (expression.kind !== "let") return reduceAlgebra(fold(rebuild(expression, bindings, visit)));
  const value = takesApart(expression.value)
    ? rebuild(expression.value, bindings, visit)
    : visit(expression.value, bindings);
  const without = withoutName(expression, value, bindings);
  if (without) return visit(expression.body, without.bindings);
  return rebuild(expression, bindings, (part, inside) => (inside === bindings ? value : visit(part, inside)));
}

/** The bindings under which a `let` can be left out; undefined where it has to stay. */
function withoutName(
  expression: Let,
  value: Expression,
  bindings: Bindings | undefined,
): { readonly bindings: Bindings | undefined } | undefined {
  const { name, body } = expression;
  const inlined = { bindings: { name, value, outer: bindings } };
  if (value.kind === "literal" || value.kind === "variable") return inlined;
  if (!isTotal(value)) return undefined;
  const uses = factsOf(body).free.get(name) ?? 0;
  if (uses === 0) return { bindings: { name, value: undefined, outer: bindings } };
  return uses === 1 && !hasToStay(body, name) ? inlined : undefined;
}

/** Whether a variable is taken apart, or used where `.` is another value, or where it would be computed many times. */
function hasToStay(expression: Expression, name: string): boolean {
  if (expression.kind === "let" && takesApart(expression.value, name)) return true;
  return childrenOf(expression).some(
    (child) =>
      child.binds !== name &&
      factsOf(child.expression).free.has(name) &&
      (child.rebinds || hasToStay(child.expression, name)),
  );
}

/** Whether a value that gets a name is part of a variable, or of what is known to be its value: inside of a path jq takes that for a step of the path. */
const takesApart = (value: Expression, name?: string): boolean =>
  value.kind === "access" &&
  ((value.source.kind === "variable" && (name === undefined || value.source.name === name)) ||
    (value.source.kind === "literal" && name === undefined));
