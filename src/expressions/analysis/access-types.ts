import {
  alternatives,
  any,
  arrayOf,
  childOf,
  descendantOf,
  fixpoint,
  integer,
  isNever,
  type MemberType,
  memberOf,
  never,
  nullType,
  objectOf,
  objectsOf,
  type PlainType,
  possiblyEmpty,
  recordOf,
  string,
  type Type,
  union,
  withMember,
} from "../../types/index.ts";
import type { CallOutcome } from "../builtins/builtins.ts";
import type { Access, Expression, Iterate, Update } from "../core/ast.ts";
import { accessMayFail, iterationMayFail, replacedType } from "./failures.ts";
import {
  anyNumber,
  exactlyOne,
  fail,
  type InferenceContext,
  infer,
  inferOnce,
  nestedContext,
  reportStep,
} from "./types.ts";

/** Infers `source[key]`. */
export function inferAccess(expression: Access, context: InferenceContext): CallOutcome {
  const { source, key, optional, span } = expression;
  const outcomeOf = inferOnce(context);
  const at = outcomeOf(key);
  const into = outcomeOf(source);
  if (accessMayFail(expression, (part) => outcomeOf(part).type)) fail(context);
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
      if (isNumber) return part.isFilled && isEnd(key) ? part.items : union(part.items, nullType);
      if (key.kind === "array") return arrayOf(integer);
      return key.kind === "object" ? possiblyEmpty(part) : never;
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

/** The index of the first or the last element. */
const isEnd = (key: PlainType): boolean => key.kind === "literal" && (key.value === 0 || key.value === -1);

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

/** Infers `path |= value`: precise for paths of names and `[]`. */
export function inferUpdate(update: Update, context: InferenceContext): Type {
  const [path, value] = update.args;
  infer(path, { ...context, failure: undefined });
  const replaced = replacedType(update, context.input);
  if (!replaced) fail(context);
  const steps = updateSteps(path);
  if (!steps) {
    infer(value, nestedContext(context, { input: replaced ?? any }));
    return any;
  }
  const { type, isNonEmpty: some } = replaceAt(context.input, steps, (input) =>
    infer(value, nestedContext(context, { input })),
  );
  return some ? type : union(type, nullType);
}

function replaceAt(
  target: Type,
  [step, ...others]: readonly UpdateStep[],
  change: (type: Type) => CallOutcome,
): CallOutcome {
  if (!step) return change(target);
  return step.name === undefined
    ? exactlyOne(replaceChildren(target, (child) => replaceAt(child, others, change)))
    : exactlyOne(replaceMember(target, step.name, (member) => replaceAt(member, others, change), others.length > 0));
}

function replaceMember(target: Type, name: string, change: (type: Type) => CallOutcome, isKept: boolean): Type {
  const made = alternatives(target).some(({ kind }) => kind === "null") ? objectsOf(recordOf([])) : [];
  const objects = [...objectsOf(target), ...made].map((object) => {
    const { type, presence } = memberOf(object, name);
    const after = change(presence === "always" ? type : union(type, nullType));
    const required = after.isNonEmpty || isKept;
    return required && isNever(after.type) ? never : withMember(object, name, after.type, required);
  });
  return union(...objects);
}

function replaceChildren(target: Type, change: (type: Type) => CallOutcome): Type {
  const changed = alternatives(target).map((part): Type => {
    if (part.kind === "array") return arrayOf(isNever(part.items) ? never : change(part.items).type);
    if (part.kind !== "object") return never;
    const members = Array.from(part.members, ([name, { type, required }]): [string, MemberType] => {
      const after = isNever(type) ? exactlyOne(never) : change(type);
      return [name, { type: after.type, required: required && after.isNonEmpty }];
    });
    return objectOf(new Map(members), isNever(part.rest) ? never : change(part.rest).type);
  });
  return union(...changed);
}

/** `.name`, or `.[]` without a name. */
interface UpdateStep {
  readonly name: string | undefined;
}

function updateSteps(path: Expression): readonly UpdateStep[] | undefined {
  if (path.kind === "identity") return [];
  if (path.kind === "iterate") return stepsBefore(path, { name: undefined });
  const { value } = path.kind === "access" && path.key.kind === "literal" ? path.key : { value: undefined };
  return path.kind === "access" && typeof value === "string" ? stepsBefore(path, { name: value }) : undefined;
}

function stepsBefore({ source, optional }: Access | Iterate, step: UpdateStep): readonly UpdateStep[] | undefined {
  const before = optional ? undefined : updateSteps(source);
  return before && [...before, step];
}
