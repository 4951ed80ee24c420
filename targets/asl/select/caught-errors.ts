import type { ImplicitReads } from "../../../src/cfg/index.ts";
import {
  childrenOf,
  type Expression,
  effectsOf,
  equalExpressions,
  literal,
  object,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { expressionsOf, innerScopes } from "../../../src/ir/walk.ts";
import type { ErrorNames, Scope, Step } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import type { FlatScope } from "../../../src/passes/index.ts";
import { string, type Type } from "../../../src/types/index.ts";
import {
  anyTrace,
  type ErrorField,
  type ErrorProjection,
  type ErrorSources,
  errorExpression,
  errorFieldCodes,
  errorFields,
  rethrowableFields,
} from "../error-expression.ts";
import { errorDataType, intrinsics } from "../intrinsics.ts";
import { jsonataString } from "../jsonata/print.ts";
import { isBlock, tokensOf } from "../jsonata/references.ts";
import type { StateRule } from "../machine.ts";
import { caughtParts, errorParts } from "../problem-parts.ts";
import type { ScopeContext } from "./context.ts";
import { readParts } from "./error-parts.ts";
import { isVariable } from "./symbols.ts";

/** An error in a variable, as an object of the members that the variable stores. */
export const storedError = (name: string): Expression =>
  object(["origin", "name", "message", "data"].map((each) => [each, variable(`${name}.${each}`)] as const));

/** The caught error's name in JSONata. */
export const plainErrorName = "$states.errorOutput.Error";

/** The caught error's Cause, which may be missing. */
export const plainErrorCause = '"" & $states.errorOutput.Cause';

/** The variable, if the expression is exactly its stored error. */
export function storedUnder(error: Expression): string | undefined {
  const [first] = error.kind === "object" ? error.entries : [];
  const stored = first?.value.kind === "variable" ? /^(.*)\.origin$/.exec(first.value.name)?.[1] : undefined;
  return stored !== undefined && equalExpressions(error, storedError(stored)) ? stored : undefined;
}

/** The code for an error's data if only the trace is read. */
export const errorTraceText = "($failure.data)";

/** The types of a stored error's members. `carries`: its data may be the value of an own error. */
export const storedTypes = (stored: string, carries: boolean): readonly (readonly [string, Type])[] => [
  ...(carries ? [] : [[`${stored}.data`, errorDataType] as const]),
  [`${stored}.origin`, string],
  [`${stored}.name`, string],
  [`${stored}.message`, string],
];

/**
 * The members read of each error variable: `trace` if only that is read of the data, `cause` if the error is rethrown.
 */
export function readErrorMembers(
  scope: FlatScope,
  errors: ReadonlySet<string>,
  hidden: ImplicitReads,
): ReadonlyMap<string, ReadonlySet<string>> {
  const read = new Map([...errors].map((name) => [name, new Set<string>()]));
  if (errors.size === 0) return read;
  for (const step of stepsWithin(scope)) {
    for (const name of hidden(step)) for (const each of errorFields) read.get(name)?.add(each);
    for (const expression of expressionsOf(step)) addMembers(expression, step, read);
  }
  return read;
}

const stepsWithin = ({ steps }: Scope): readonly Step[] =>
  steps.flatMap((step) => [step, ...innerScopes(step).flatMap(stepsWithin)]);

function addMembers(expression: Expression, step: Step, read: ReadonlyMap<string, Set<string>>): void {
  const names = [...effectsOf(expression).free.keys()].filter((name) => read.has(name));
  if (names.length === 0) return;
  if (step.kind === "end" && step.outcome === "fail" && expression.kind === "variable") {
    for (const each of ["name", "cause"]) read.get(expression.name)!.add(each);
    return;
  }
  const inside = readParts(simplify(substitute(expression, new Map(names.map((name) => [name, storedError(name)])))));
  for (const name of names)
    for (const each of [...errorFields, ...errorParts])
      if (effectsOf(inside).free.has(`${name}.${each}`))
        read.get(name)!.add(each === "data" && readsTraceOnly(inside, `${name}.data`) ? "trace" : each);
}

function readsTraceOnly(expression: Expression, data: string): boolean {
  if (expression.kind === "variable") return expression.name !== data;
  const [segment] = expression.kind === "query" ? expression.segments : [];
  const [selector, ...more] = segment?.selectors ?? [];
  const isTrace =
    segment?.descend === false && more.length === 0 && selector?.kind === "name" && selector.name === "trace";
  return childrenOf(expression).every(
    (child) => (isTrace && child.expression.kind === "variable") || readsTraceOnly(child.expression, data),
  );
}

/** The value that a variable stores; errors keep only members that are read. */
export function storedValue({ errorMembers }: ScopeContext, name: string, value: Expression): Expression {
  const members = errorMembers.get(name);
  if (!members || value.kind !== "object") return value;
  const entries = value.entries.flatMap((entry) => {
    const key = entry.key.kind === "literal" ? String(entry.key.value) : "";
    if (members.has(key)) return [entry];
    if (key !== "data" || !members.has("trace")) return [];
    return [
      isVariable(entry.value, intrinsics.errorData) ? { ...entry, value: variable(intrinsics.errorTrace) } : entry,
    ];
  });
  const added = isCaught(value) ? addedEntries(members) : [];
  return entries.length + added.length === 0 ? value : { ...value, entries: [...entries, ...added] };
}

const addedEntries = (members: ReadonlySet<string>) =>
  [["cause", intrinsics.errorCause] as const, ...errorParts.map((part) => [part, caughtParts[part]] as const)]
    .filter(([name]) => members.has(name))
    .map(([name, from]) => ({ key: literal(name), value: variable(from) }));

const isCaught = (value: Expression): boolean =>
  value.kind === "object" && value.entries.some((entry) => isVariable(entry.value, intrinsics.errorName));

/** Binds the members of the caught error at the start of each expression that reads them. */
export function bindCaughtError(edge: StateRule, sources: ErrorSources, names: ErrorNames | undefined): StateRule {
  const headed = (value: Json): Json => {
    if (typeof value === "string") {
      if (!value.startsWith("{%") || !value.includes("$failure.")) return value;
      const body = value.slice(2, -2).trim();
      return jsonataString(
        withFieldCodes(body, sources, names) ??
          `($failure := ${errorExpression(sources, names, projectionOf(value))}; ${body})`,
      );
    }
    if (Array.isArray(value)) return value.map(headed);
    if (typeof value !== "object" || value === null) return value;
    const kept = storedMembers(value);
    if (kept) return `{% ${errorExpression(sources, names, kept)} %}`;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, headed(item as Json)]));
  };
  return {
    ...edge,
    ...(edge.output === undefined ? {} : { output: headed(edge.output) }),
    ...(edge.assign === undefined
      ? {}
      : { assign: Object.fromEntries(Object.entries(edge.assign).map(([name, value]) => [name, headed(value)])) }),
  };
}

/** Reads the members directly where one case can occur, unless a member of the data is read or a name is taken. */
function withFieldCodes(body: string, sources: ErrorSources, names: ErrorNames | undefined): string | undefined {
  const projection = projectionOf(body);
  const codes = errorFieldCodes(sources, names, projection);
  const tokens = tokensOf(body);
  const isTaken = tokens.some((token) => (sources.isDetailed ? /^\$[cldkps]\b/ : /^\$[cl]\b/).test(token));
  if (!codes || isTaken || (projection.fields.has("data") && !projection.traceOnly)) return undefined;
  const hasTrace = codes.fields.data !== "null";
  const read = tokens
    .map((token, i) => {
      const [, field, rest = ""] = /^\$failure\.(\w+)(.*)$/.exec(token) ?? [];
      if (field === "data" && !hasTrace) return "()";
      if (field === "data") return /^[,}]$/.test(tokens[i + 1] ?? "") ? anyTrace : `(${anyTrace})`;
      return field === undefined ? token : codes.fields[field as Exclude<ErrorField, "data">] + rest;
    })
    .join("");
  const inner = isBlock(read) ? read.slice(1, -1) : read;
  return `(${[...codes.definitions, inner].join("; ")})`;
}

function projectionOf(value: string): ErrorProjection {
  const members = rethrowableFields.filter((name) => value.includes(`$failure.${name}`));
  return {
    fields: new Set(members),
    traceOnly: !value.replaceAll("$failure.data.trace", "").includes("$failure.data"),
  };
}

function storedMembers(value: object): ErrorProjection | undefined {
  const entries = Object.entries(value) as [(typeof rethrowableFields)[number], Json][];
  const isKept = entries.every(
    ([name, item]) => item === `{% $failure.${name} %}` || isNative(item) || (name === "data" && item === traceField),
  );
  if (!isKept || entries.every(([, item]) => isNative(item))) return undefined;
  return { fields: new Set(entries.map(([name]) => name)), traceOnly: entries.some(([, item]) => item === traceField) };
}

const traceField = `{% ${errorTraceText} %}`;

const isNative = (item: Json): boolean => item === `{% ${plainErrorName} %}` || item === `{% ${plainErrorCause} %}`;
