import type { Span } from "../text/source.ts";
import { alternatives, memberOf } from "./members.ts";
import { nounsOf } from "./nouns.ts";
import { isNever, type ObjectShape, type PlainShape, type Shape } from "./shape.ts";

/** Why no value of one shape is a value of another. */
export interface Misfit {
  /** The names that lead to what is at fault. */
  readonly path: readonly string[];
  /** What is there, and what should be: nouns. */
  readonly found: readonly string[];
  readonly wanted: readonly string[];
  /** The part of a schema that wants it. */
  readonly origin: Span | undefined;
}

/** Members in members are looked at that deep. */
const deepest = 8;

/** Why certainly no value of a shape is one of those that are wanted; undefined where some may be. */
export function misfitOf(shape: Shape, wanted: Shape, path: readonly string[] = []): Misfit | undefined {
  const [parts, goals] = [alternatives(shape), alternatives(wanted)];
  if (parts.length === 0 || goals.length === 0) return undefined;
  if (!parts.some((part) => goals.some((goal) => isAlike(part, goal)))) {
    return { path, found: inGeneral(parts), wanted: inGeneral(goals), origin: goals[0]!.origin };
  }
  const [goal] = goals;
  if (goals.length > 1 || goal?.kind !== "object" || path.length >= deepest) return undefined;
  const misfits = parts.map((part) =>
    part.kind === "object" ? memberMisfit(part, goal, path) : misfitOf(part, goal, path),
  );
  return misfits.every((misfit) => misfit !== undefined) ? misfits[0] : undefined;
}

const inGeneral = (parts: readonly PlainShape[]): readonly string[] =>
  nounsOf(parts).map((noun) => (noun === "this object" ? "an object" : noun));

const typeOf = (part: PlainShape): string => (part.kind === "literal" ? typeof part.value : part.kind);

const isAlike = (part: PlainShape, goal: PlainShape): boolean => typeOf(part) === typeOf(goal);

function memberMisfit(object: ObjectShape, goal: ObjectShape, path: readonly string[]): Misfit | undefined {
  for (const [name, wanted] of goal.members) {
    const { shape, presence } = memberOf(object, name);
    const inner = [...path, name];
    if (presence === "never" && wanted.required)
      return { path: inner, found: ["missing"], wanted: inGeneral(alternatives(wanted.shape)), origin: goal.origin };
    const misfit = presence === "always" ? misfitOf(shape, wanted.shape, inner) : undefined;
    if (misfit) return misfit;
  }
  if (!isNever(goal.rest)) return undefined;
  for (const [name, { required, shape }] of object.members) {
    if (required && !goal.members.has(name))
      return { path: [...path, name], found: inGeneral(alternatives(shape)), wanted: ["allowed"], origin: goal.origin };
  }
  return undefined;
}
