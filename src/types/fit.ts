import { printJson } from "../json.ts";
import type { Span } from "../text/source.ts";
import { type Fuel, fuelOf, spend } from "./lattice.ts";
import { alternatives, memberOf } from "./members.ts";
import { nounsOf } from "./print.ts";
import { isNever, type ObjectType, type PlainType, type Type } from "./type.ts";

/** Why a value of one type does not fit another one. */
export interface Misfit {
  /** The members that lead to it; `[]` for the elements of an array. */
  readonly path: readonly string[];
  /** Such as "a string"; empty if the member is missing. */
  readonly found: readonly string[];
  readonly wanted: readonly string[];
  /** Where the wanted type is declared. */
  readonly origin: Span | undefined;
  /** Whether no value fits; otherwise some do. */
  readonly isCertain: boolean;
}

/** Finds a part of a type that does not fit; values of unknown type fit. Prefers what is certain. */
export function findMisfit(type: Type, wanted: Type): Misfit | undefined {
  return misfitOf(type, wanted, { path: [], fuel: fuelOf(3_000) });
}

interface Comparison {
  readonly path: readonly string[];
  readonly fuel: Fuel;
}

const maxDepth = 12;

function misfitOf(type: Type, wanted: Type, comparison: Comparison): Misfit | undefined {
  if (type === wanted || type.kind === "any" || wanted.kind === "any") return undefined;
  if (!spend(comparison.fuel) || comparison.path.length > maxDepth) return undefined;
  const [parts, goals] = [alternatives(type), alternatives(wanted)];
  if (parts.length === 0 || goals.length === 0) return undefined;
  const found = parts.map((part) => partMisfit(part, goals, comparison));
  const [first] = found.filter((each) => each !== undefined);
  if (!first) return undefined;
  const isCertain = found.every((each) => each?.isCertain);
  const strangers = parts.filter((part) => !goals.some((goal) => overlaps(part, goal)));
  if (strangers.length === parts.length) return mismatch(parts, goals, comparison);
  return strangers.length > 0 && !isCertain
    ? { ...mismatch(strangers, goals, comparison), isCertain }
    : { ...first, isCertain };
}

const mismatch = (parts: readonly PlainType[], goals: readonly PlainType[], { path }: Comparison): Misfit => ({
  path,
  found: describe(parts),
  wanted: describe(goals),
  origin: goals[0]!.origin,
  isCertain: true,
});

function partMisfit(part: PlainType, goals: readonly PlainType[], comparison: Comparison): Misfit | undefined {
  const near = goals.filter((goal) => overlaps(part, goal));
  if (near.length === 0) return mismatch([part], goals, comparison);
  if (part.kind === "object") return objectMisfit(part, near, comparison);
  if (part.kind === "array") {
    const path = [...comparison.path, "[]"];
    const inner = near.map(
      (goal) => goal.kind === "array" && misfitOf(part.items, goal.items, { ...comparison, path }),
    );
    const [first] = inner;
    return first && inner.every(Boolean) ? { ...first, isCertain: false } : undefined;
  }
  const isWider = part.kind !== "literal" && near.every(({ kind }) => kind === "literal") && part.kind !== "boolean";
  return isWider ? { ...mismatch([part], near, comparison), isCertain: false } : undefined;
}

/** Whether some value may have both types, as far as their kinds tell. */
function overlaps(part: PlainType, goal: PlainType): boolean {
  if (part.kind === "literal" && goal.kind === "literal") return part.value === goal.value;
  return kindOf(part) === kindOf(goal);
}

const kindOf = (part: PlainType): string => (part.kind === "literal" ? typeof part.value : part.kind);

/** An object fits if it fits one of the goals; otherwise the last one that some value may fit explains why. */
function objectMisfit(part: ObjectType, goals: readonly PlainType[], comparison: Comparison): Misfit | undefined {
  const found: Misfit[] = [];
  for (const goal of goals) {
    const misfit = goal.kind === "object" ? memberMisfit(part, goal, comparison) : undefined;
    if (!misfit) return undefined;
    found.push(misfit);
  }
  const possible = found.find(({ isCertain }) => !isCertain);
  return possible ?? found[0];
}

function memberMisfit(part: ObjectType, goal: ObjectType, comparison: Comparison): Misfit | undefined {
  let possible: Misfit | undefined;
  for (const misfit of memberMisfits(part, goal, comparison)) {
    if (misfit.isCertain) return misfit;
    possible ??= misfit;
  }
  return possible;
}

function* memberMisfits(part: ObjectType, goal: ObjectType, comparison: Comparison): Generator<Misfit> {
  for (const [name, wanted] of goal.members) {
    const { type, presence } = memberOf(part, name);
    const path = [...comparison.path, name];
    const isKnown = part.members.has(name) || part.rest.kind !== "any";
    if (wanted.required && presence !== "always" && isKnown)
      yield {
        path,
        found: [],
        wanted: describe(alternatives(wanted.type)),
        origin: wanted.type.origin ?? goal.origin,
        isCertain: presence === "never",
      };
    if (presence === "never") continue;
    const misfit = misfitOf(type, wanted.type, { ...comparison, path });
    if (misfit) yield { ...misfit, isCertain: misfit.isCertain && presence === "always" };
  }
  for (const [name, { type, required }] of part.members) {
    if (goal.members.has(name) || isNever(goal.rest)) continue;
    const misfit = misfitOf(type, goal.rest, { ...comparison, path: [...comparison.path, name] });
    if (misfit) yield { ...misfit, isCertain: misfit.isCertain && required };
  }
}

const maxLiterals = 4;

function describe(parts: readonly PlainType[]): readonly string[] {
  const literals = parts.filter((part) => part.kind === "literal");
  const others = parts.filter((part) => part.kind !== "literal");
  const values = literals.map(({ value }) => `\`${printJson(value)}\``);
  const areShown = literals.length <= maxLiterals && values.every(({ length }) => length <= 40);
  return [...new Set([...(areShown ? values : nounsOf(literals)), ...nounsOf(others).map(general)])];
}

const general = (noun: string): string => (noun === "this object" ? "an object" : noun);
