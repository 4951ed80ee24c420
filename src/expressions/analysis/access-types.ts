import {
  alternatives,
  any,
  arrayOf,
  childOf,
  descendantOf,
  fixpoint,
  integer,
  isNever,
  memberOf,
  never,
  nullType,
  objectsOf,
  type PlainType,
  recordOf,
  string,
  type Type,
  union,
  withMember,
} from "../../types/index.ts";
import type { CallOutcome } from "../builtins/builtins.ts";
import type { Access, Expression, Iterate, Update } from "../core/ast.ts";
import { accessMayFail, iterationMayFail, replacedType } from "./failures.ts";
import { anyNumber, exactlyOne, fail, type InferenceContext, infer, nestedContext, reportStep } from "./types.ts";

/** Infers `source[key]`. */
export function inferAccess(expression: Access, context: InferenceContext): CallOutcome {
  const { source, key, optional, span } = expression;
  const at = infer(key, context);
  const into = infer(source, context);
  if (accessMayFail(expression, (part) => infer(part, context).type)) fail(context);
  const type = typeAt(into.type, at.type);
  const [step] = at.type.kind === "literal" ? [at.type.value] : [];
  if (step !== undefined && typeof step !== "boolean")
    reportStep(into.type, step, typeIfPresent(into.type, step), span, context);
  return { type, isNonEmpty: into.isNonEmpty && at.isNonEmpty && !optional };
}

const typeIfPresent = (type: Type, step: string | number): Type =>
  typeof step === "string"
    ? memberOf(type, step).type
    : union(...alternatives(type).map((part) => (part.kind === "array" ? part.items : never)));

function typeAt(value: Type, key: Type): Type {
  const keys = alternatives(key);
  return union(...alternatives(value).flatMap((part) => keys.map((at) => alternativeAt(part, at))));
}

function alternativeAt(part: PlainType, key: PlainType): Type {
  const isText = key.kind === "string" || (key.kind === "literal" && typeof key.value === "string");
  const isNumber = key.kind === "number" || (key.kind === "literal" && typeof key.value === "number");
  switch (part.kind) {
    case "object":
      return isText ? memberAt(part, key) : never;
    case "array":
      if (isNumber) return union(part.items, nullType);
      if (key.kind === "array") return arrayOf(integer);
      return key.kind === "object" ? part : never;
    case "null":
      return isText || isNumber || key.kind === "object" ? nullType : never;
    case "string":
      return key.kind === "object" ? string : never;
    case "literal":
      return key.kind === "object" && typeof part.value === "string" ? string : never;
    default:
      return never;
  }
}

function memberAt(part: PlainType, key: PlainType): Type {
  if (key.kind !== "literal") return union(childOf(part), nullType);
  const { type, presence } = memberOf(part, String(key.value));
  return presence === "always" ? type : union(type, nullType);
}

/** Infers `source[]`. */
export function inferIteration({ source, optional }: Iterate, context: InferenceContext): CallOutcome {
  const { type } = infer(source, context);
  if (!optional && iterationMayFail(type)) fail(context);
  return anyNumber(childOf(type));
}

/** Infers `recurse(body)`. */
export function inferRecursion(body: Expression, context: InferenceContext): Type {
  const isEverything = body.kind === "iterate" && body.source.kind === "identity";
  const unobserved = { observe: undefined, failure: undefined };
  const type = isEverything
    ? descendantOf(context.input)
    : fixpoint(context.input, (input) => infer(body, nestedContext(context, { ...unobserved, input })).type);
  infer(body, nestedContext(context, { input: type }));
  return type;
}

/** Infers `path |= value`: precise for chains of names. */
export function inferUpdate(update: Update, context: InferenceContext): Type {
  const [path, value] = update.args;
  infer(path, { ...context, failure: undefined });
  const replaced = replacedType(update, context.input);
  if (!replaced) fail(context);
  const names = memberChain(path);
  if (!names) {
    infer(value, nestedContext(context, { input: replaced ?? any }));
    return any;
  }
  const { type, isNonEmpty: some } = replaceMember(context.input, names, (input) =>
    infer(value, nestedContext(context, { input })),
  );
  return some ? type : union(type, nullType);
}

function replaceMember(
  target: Type,
  [name, ...others]: readonly string[],
  change: (type: Type) => CallOutcome,
): CallOutcome {
  if (name === undefined) return change(target);
  const made = alternatives(target).some(({ kind }) => kind === "null") ? objectsOf(recordOf([])) : [];
  const objects = [...objectsOf(target), ...made].map((object) => {
    const { type, presence } = memberOf(object, name);
    const after = replaceMember(presence === "always" ? type : union(type, nullType), others, change);
    const required = after.isNonEmpty || others.length > 0;
    return required && isNever(after.type) ? never : withMember(object, name, after.type, required);
  });
  return exactlyOne(union(...objects));
}

function memberChain(path: Expression): readonly string[] | undefined {
  const names: string[] = [];
  let at = path;
  while (at.kind === "access" && !at.optional && at.key.kind === "literal" && typeof at.key.value === "string") {
    names.unshift(at.key.value);
    at = at.source;
  }
  return at.kind === "identity" ? names : undefined;
}
