import {
  alternatives,
  any,
  arrayOf,
  childOf,
  fixpoint,
  integer,
  isNever,
  memberOf,
  never,
  nullShape,
  objectsOf,
  type PlainShape,
  recordOf,
  type Shape,
  string,
  union,
  withinOf,
  withMember,
} from "../../types/index.ts";
import type { Outcome } from "../builtins/builtins.ts";
import type { Access, Expression, Iterate, Slice, Update } from "../core/ast.ts";
import { type Context, infer, inside, one, several, sight } from "./types.ts";

/** The member or element of each value of the source under each key. */
export function accessed({ source, key, optional, span }: Access, context: Context): Outcome {
  const at = infer(key, context);
  const into = infer(source, context);
  const shape = valueAt(into.shape, at.shape);
  const [step] = at.shape.kind === "literal" ? [at.shape.value] : [];
  if (step !== undefined && typeof step !== "boolean")
    sight(into.shape, step, presentAt(into.shape, step), span, context);
  return { shape, some: into.some && at.some && !optional };
}

const presentAt = (shape: Shape, step: string | number): Shape =>
  typeof step === "string"
    ? memberOf(shape, step).shape
    : union(...alternatives(shape).map((part) => (part.kind === "array" ? part.items : never)));

/** What `value[key]` is: null where nothing is there. */
function valueAt(value: Shape, key: Shape): Shape {
  const keys = alternatives(key);
  return union(...alternatives(value).flatMap((part) => keys.map((at) => partAt(part, at))));
}

function partAt(part: PlainShape, key: PlainShape): Shape {
  const isText = key.kind === "string" || (key.kind === "literal" && typeof key.value === "string");
  const isNumber = key.kind === "number" || (key.kind === "literal" && typeof key.value === "number");
  switch (part.kind) {
    case "object":
      return isText ? memberAt(part, key) : never;
    case "array":
      if (isNumber) return union(part.items, nullShape);
      if (key.kind === "array") return arrayOf(integer);
      return key.kind === "object" ? part : never;
    case "null":
      return isText || isNumber || key.kind === "object" ? nullShape : never;
    case "string":
      return key.kind === "object" ? string : never;
    case "literal":
      return key.kind === "object" && typeof part.value === "string" ? string : never;
    default:
      return never;
  }
}

function memberAt(part: PlainShape, key: PlainShape): Shape {
  if (key.kind !== "literal") return union(childOf(part), nullShape);
  const { shape, presence } = memberOf(part, String(key.value));
  return presence === "always" ? shape : union(shape, nullShape);
}

/** A part of a text is a text, of an array an array, of null null. */
export function sliced({ source, from, upTo, optional }: Slice, context: Context): Outcome {
  const into = infer(source, context);
  const bounds = [from, upTo].map((bound) => (bound ? infer(bound, context).some : true));
  const parts = alternatives(into.shape).map((part) => {
    if (part.kind === "literal") return typeof part.value === "string" ? string : never;
    return ["string", "array", "null"].includes(part.kind) ? part : never;
  });
  return { shape: union(...parts), some: into.some && bounds.every(Boolean) && !optional };
}

/** The elements, or the values of the members. */
export const iterated = ({ source }: Iterate, context: Context): Outcome =>
  several(childOf(infer(source, context).shape));

/** A value and all that comes from it. */
export function recursed(body: Expression, context: Context): Shape {
  if (body.kind === "iterate" && body.source.kind === "identity") return withinOf(context.input);
  const shape = fixpoint(context.input, (input) => infer(body, inside(context, { input, watch: undefined })).shape);
  infer(body, inside(context, { input: shape }));
  return shape;
}

/** What is at a chain of names is replaced; other places are not followed. */
export function updated({ path, value }: Update, context: Context): Shape {
  infer(path, context);
  const names = chainOf(path);
  if (!names) {
    infer(value, inside(context, { input: any }));
    return any;
  }
  const { shape, some } = replaced(context.input, names, (input) => infer(value, inside(context, { input })));
  return some ? shape : union(shape, nullShape);
}

function replaced(target: Shape, [name, ...others]: readonly string[], change: (shape: Shape) => Outcome): Outcome {
  if (name === undefined) return change(target);
  const made = alternatives(target).some(({ kind }) => kind === "null") ? objectsOf(recordOf([])) : [];
  const objects = [...objectsOf(target), ...made].map((object) => {
    const { shape, presence } = memberOf(object, name);
    const after = replaced(presence === "always" ? shape : union(shape, nullShape), others, change);
    const required = after.some || others.length > 0;
    return required && isNever(after.shape) ? never : withMember(object, name, after.shape, required);
  });
  return one(union(...objects));
}

/** The names of a chain of members of the input that is surely there, such as `.a.b`: `.a?` of a list is no place. */
function chainOf(path: Expression): readonly string[] | undefined {
  const names: string[] = [];
  let at = path;
  while (at.kind === "access" && !at.optional && at.key.kind === "literal" && typeof at.key.value === "string") {
    names.unshift(at.key.value);
    at = at.source;
  }
  return at.kind === "identity" ? names : undefined;
}
