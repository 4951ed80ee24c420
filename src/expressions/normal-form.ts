import type { Expression } from "./ast.ts";
import { printExpression } from "./print.ts";

/** A condition without `and`, `or` and `not`, or its negation. */
export interface Atom {
  readonly expression: Expression;
  readonly negated: boolean;
}

/** More alternatives than this are not computed. */
export const mostAlternatives = 1_000;

/**
 * A condition of `and`, `or` and `not` as alternatives, any of which suffices, each of atoms all of which must hold: in the order of the text, without
 * contradictions, repetitions and alternatives that another one implies. `[]` is never true, `[[]]` always. Undefined where there would be more
 * than `mostAlternatives`.
 */
export function disjunctiveNormalForm(condition: Expression): readonly (readonly Atom[])[] | undefined {
  const terms = alternatives(condition, false);
  return terms && withoutImplied(terms).map((term) => [...term.values()]);
}

/** Atoms by their text and sign. */
type Term = ReadonlyMap<string, Atom>;

function alternatives(condition: Expression, negated: boolean): readonly Term[] | undefined {
  if (condition.kind === "literal") return (condition.value === true) === negated ? [] : [new Map()];
  if (condition.kind === "call" && condition.name === "not" && condition.args[0]) return alternatives(condition.args[0], !negated);
  if (condition.kind !== "logic") return [new Map([[keyOf(condition, negated), { expression: condition, negated }]])];
  const left = alternatives(condition.left, negated);
  const right = alternatives(condition.right, negated);
  if (!left || !right) return undefined;
  const joined = (condition.operator === "or") !== negated ? distinct([...left, ...right]) : conjunction(left, right);
  return joined && joined.length <= mostAlternatives ? joined : undefined;
}

const keyOf = (expression: Expression, negated: boolean): string => `${negated ? "not " : ""}${printExpression(expression)}`;

function conjunction(left: readonly Term[], right: readonly Term[]): readonly Term[] | undefined {
  if (left.length * right.length > mostAlternatives * 10) return undefined;
  return distinct(left.flatMap((a) => right.map((b) => new Map([...a, ...b])).filter((term) => !isContradiction(term))));
}

function isContradiction(term: Term): boolean {
  return [...term.values()].some(({ expression, negated }) => term.has(keyOf(expression, !negated)));
}

function distinct(terms: readonly Term[]): readonly Term[] {
  const byText = new Map<string, Term>();
  for (const term of terms) {
    const text = [...term.keys()].sort().join("\n");
    if (!byText.has(text)) byText.set(text, term);
  }
  return [...byText.values()];
}

/** Leaves out every alternative that contains all atoms of another one. */
function withoutImplied(terms: readonly Term[]): readonly Term[] {
  const contains = (term: Term, other: Term) => other.size < term.size && [...other.keys()].every((key) => term.has(key));
  return terms.filter((term) => !terms.some((other) => contains(term, other)));
}
