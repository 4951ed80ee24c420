import { expressionDiagnostic, unevaluatedPath } from "../../diagnostics/data.ts";
import {
  type ConditionScope,
  call,
  compileTemplate,
  conditional,
  type Expression,
  firstOr,
  type JsonPath,
  literal,
  object,
  substitute,
  type TemplateDiagnostic,
  variable,
} from "../../expressions/index.ts";
import type { Expression as Condition } from "../../generated/serverless-workflow-definition.ts";
import { assertNever } from "../../json.ts";
import { type Diagnostic, withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import type { Span } from "../../text/source.ts";
import { checkConditionLanguage, conditionAt, pathAt, selected, spanOf } from "../shared/properties.ts";
import { assign, type StepFragment } from "../shared/steps.ts";
import { findTemplate, suggestPath } from "../shared/templates.ts";
import type { Context, Writer } from "./context.ts";
import { ignoredNonPath, unassignablePath } from "./diagnostics/kinds.ts";

/** The workflow data, or the state's. */
export const data: Expression = variable("data");

/**
 * Assigns a value to the data. If the state has the data of an attempt, it changes alike: by the same expression of it,
 * unless `attempted` is another.
 */
export function assignData(
  writer: Writer,
  what: string,
  span: Span,
  value: Expression,
  attempted?: (target: Expression) => Expression,
): StepFragment {
  const { attemptData: name } = writer;
  if (name === undefined) return assign(writer, what, span, { variable: "data", value });
  const target = variable(name);
  const alike = attempted?.(target) ?? substitute(value, new Map([["data", target]]));
  return assign(writer, what, span, { variable: name, value: alike }, { variable: "data", value });
}

/** Parses the condition in `owner.expression` over the data; `true` if invalid. */
export const conditionOnData = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition(context, owner, { root: data, data });

/** Serverless Workflow (draft of 2020), Expression Definition: parses `owner.expression`; `true` if invalid. */
export function readCondition(
  context: Context,
  owner: { readonly expression?: Condition },
  scope: ConditionScope,
): Expression {
  const { expression } = owner;
  const { expressionLanguage } = context.definition;
  if (typeof expression !== "object") return conditionAt(context, owner, "expression", scope, expressionLanguage);
  const { language = expressionLanguage } = expression;
  if (
    expression.language !== undefined &&
    !checkConditionLanguage(context, expression, "language", expression.language)
  )
    return literal(true);
  return conditionAt(context, expression, "body", scope, language);
}

/** A value to merge into the data. */
export interface MergeInput {
  readonly target: Expression;
  /** In order of preference; the first one is the whole value. */
  readonly roots: readonly [Expression, ...Expression[]];
  readonly key: Expression;
}

/** Merges an object as the option `merge` says. */
export const mergeObject = (context: Context, target: Expression, value: Expression): Expression =>
  call(context.settings.merge === "deep" ? "merge" : "assign", target, value);

/** Merges the whole value into the target. */
export const mergeWhole = (context: Context, { target, roots: [whole], key }: MergeInput): Expression =>
  call(context.settings.merge === "deep" ? "mergeResult" : "assignResult", target, whole, key);

/** Sets a value at a path of names in the target. */
export const setAtPath = (target: Expression, chain: readonly string[], value: Expression): Expression =>
  call("place", target, literal(chain), value);

/**
 * Merges the selection of the path in `owner[key]`; if empty, sets the whole value at the path. Undefined for an
 * unusable path.
 */
export function mergeByPath(
  context: Context,
  owner: object,
  key: string,
  incoming: MergeInput,
): Expression | undefined {
  const text = (owner as { readonly [key: string]: string })[key]!;
  if (!text.trimStart().startsWith("$")) {
    const meant = suggestPath(text);
    const diagnostic = ignoredNonPath(spanOf(context, owner, key), { text, meant });
    const written = meant === undefined ? undefined : quoteLike(spanOf(context, owner, key), meant);
    context.report(written === undefined ? diagnostic : withFix(diagnostic, written));
    return undefined;
  }
  const path = pathAt(context, owner, key, incoming.roots[0], "place");
  if (!path) return undefined;
  const { chain } = path;
  if (path.isRoot) return mergeWhole(context, incoming);
  if (chain && chain.length > 1 && key === "dataResultsPath") context.resultPaths.push({ owner, path: text, chain });
  if (!chain) context.report(unassignablePath(spanOf(context, owner, key), { path: text }));
  const others = incoming.roots.slice(1).flatMap((root) => pathAt(context, owner, key, root, "place") ?? []);
  if (chain?.length === 1 && context.settings.merge !== "deep") {
    const found = [path, ...others].reduceRight((otherwise, each) => firstOr(each.query, otherwise), incoming.roots[0]);
    return setAtPath(incoming.target, chain, found);
  }
  const nowhere = chain ? setAtPath(incoming.target, chain, incoming.roots[0]) : incoming.target;
  return [path, ...others].reduceRight(
    (otherwise, each) => conditional(call("exists", each.query), mergeSelection(context, each, incoming), otherwise),
    nowhere,
  );
}

function mergeSelection(context: Context, path: JsonPath, incoming: MergeInput): Expression {
  if (path.lastName === undefined) return mergeWhole(context, { ...incoming, roots: [selected(path)] });
  return mergeObject(context, incoming.target, object([[path.lastName, selected(path)]]));
}

/** A second root for paths that select nothing, and the diagnostic. */
export interface TemplateFallback {
  readonly root: Expression;
  readonly note: (span: Span, path: string) => Diagnostic;
}

/** Evaluates the template in `owner[key]` over `root`. */
export const templateAt = (
  context: Context,
  owner: object,
  key: string,
  root: Expression,
  fallback?: TemplateFallback,
): Expression =>
  compileTemplate(owner, key, {
    root,
    fallback: fallback?.root,
    interpolate: context.settings.interpolate,
    report: (remark) => reportTemplateIssue(context, remark, fallback),
    spanAt: (part, name, from, to) => context.document.spanWithin(part, name, from, to),
  });

/** Whether `owner[key]` contains paths. */
export const hasPaths = ({ settings }: Context, owner: object, key: string, root: Expression): boolean =>
  compileTemplate(owner, key, { root, interpolate: settings.interpolate, report: () => {} }).kind !== "literal";

const interpolateHint =
  "Set the option `interpolate=true` to replace it with the value it selects, or write a backslash before `$` to keep it as text.";

const stringAt = ({ owner, key }: TemplateDiagnostic): string =>
  (owner as { readonly [key: string | number]: string })[key]!;

function reportTemplateIssue(
  { document, report }: Context,
  remark: TemplateDiagnostic,
  fallback: TemplateFallback | undefined,
): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  switch (remark.kind) {
    case "error":
      report(expressionDiagnostic(span, remark, "path"));
      break;
    case "literalPath":
      if (!findTemplate(stringAt(remark))) report(unevaluatedPath(span, { path: remark.path, hint: interpolateHint }));
      break;
    case "twoRoots":
      if (fallback) report(fallback.note(span, remark.path));
      break;
    default:
      assertNever(remark);
  }
}
