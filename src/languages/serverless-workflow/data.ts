import { expressionFault, literalPath } from "../../diagnostics/data.ts";
import {
  binary,
  bind,
  type ConditionScope,
  call,
  conditional,
  type Expression,
  type JsonPath,
  literal,
  object,
  type TemplateRemark,
  templateOf,
  variable,
} from "../../expressions/index.ts";
import type { Expression as Condition } from "../../generated/serverless-workflow-definition.ts";
import { assertNever } from "../../json.ts";
import { type Diagnostic, withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import type { Span } from "../../text/source.ts";
import {
  assign,
  checkConditionLanguage,
  conditionAt,
  type Fragment,
  findTemplate,
  pathAt,
  selected,
  spanOf,
  suggestPath,
} from "../shared/index.ts";
import type { Context, Writer } from "./context.ts";
import { ignoredNonPath, unassignablePath } from "./diagnostics/kinds.ts";

/** The data of the workflow, the state's own where one is running. */
export const data: Expression = variable("data");

/** Gives the data one value. */
export const assignData = (writer: Writer, what: string, span: Span, value: Expression): Fragment =>
  assign(writer, what, span, { variable: "data", value });

/** The condition in `owner.expression`, over the data; true where it cannot be read. */
export const conditionOnData = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition(context, owner, { root: data, data });

/** Reads the condition in `owner.expression` in a scope; reports what is wrong with it, and takes it for true. */
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

/** Something that comes into the data: the result of an action, an event, an error. */
export interface MergeInput {
  /** What it is merged into. */
  readonly target: Expression;
  /** Where a path looks for what it selects, in this order; the first is the thing as a whole. */
  readonly roots: readonly [Expression, ...Expression[]];
  /** The name under which a value that is no object is merged. */
  readonly key: Expression;
}

/** An object merged into the target: however deep, or member by member of the data alone, as the option `merge` says. */
export const mergeObject = (context: Context, target: Expression, value: Expression): Expression =>
  context.settings.merge === "deep" ? call("merge", target, value) : replaceMembers(context, target, value);

/** The target with the members of an object in the places of its own. Merging nothing into it first fails where it is no object. */
const replaceMembers = ({ mayReplaceData: replacesData }: Context, target: Expression, value: Expression): Expression =>
  call("mergeOutput", replacesData ? call("merge", target, literal({})) : target, value);

/** The thing as a whole merged into the target. */
export function mergeWhole(context: Context, { target, roots: [whole], key }: MergeInput): Expression {
  if (context.settings.merge === "deep") return call("mergeResult", target, whole, key);
  const value = variable("incoming");
  const isObject = binary("==", call("type", value), literal("object"));
  const members = conditional(isObject, value, { kind: "object", entries: [{ key, value }] });
  return bind(
    "incoming",
    whole,
    conditional(binary("==", value, literal(null)), target, replaceMembers(context, target, members)),
  );
}

/** A value at a place in the target. */
export const setAtPath = (target: Expression, chain: readonly string[], value: Expression): Expression =>
  call("place", target, literal(chain), value);

/**
 * The target with what the path in `owner[key]` means: what it selects is merged under the last name of the path; where it selects nothing,
 * the whole goes to the place that it names. Undefined where there is no usable path.
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
  const { segments, chain } = path;
  if (segments.length === 0) return mergeWhole(context, incoming);
  if (chain && chain.length > 1 && key === "dataResultsPath") context.resultPaths.push({ owner, path: text, chain });
  if (!chain) context.report(unassignablePath(spanOf(context, owner, key), { path: text }));
  const others = incoming.roots.slice(1).flatMap((root) => pathAt(context, owner, key, root, "place") ?? []);
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

/** Where the paths of a template are looked for that select nothing in its root, and what to say about each. */
export interface TemplateFallback {
  readonly root: Expression;
  readonly note: (span: Span, path: string) => Diagnostic;
}

/** The value in `owner[key]` with its paths over `root` replaced by what they select; reports what is wrong with them. */
export const templateAt = (
  context: Context,
  owner: object,
  key: string,
  root: Expression,
  fallback?: TemplateFallback,
): Expression =>
  templateOf(owner, key, {
    root,
    fallback: fallback?.root,
    interpolate: context.settings.interpolate,
    remark: (remark) => reportTemplateIssue(context, remark, fallback),
    spanAt: (part, name, from, to) => context.document.spanWithin(part, name, from, to),
  });

/** Whether the value in `owner[key]` has paths that are read. */
export const hasPaths = ({ settings }: Context, owner: object, key: string, root: Expression): boolean =>
  templateOf(owner, key, { root, interpolate: settings.interpolate, remark: () => {} }).kind !== "literal";

const interpolateHint =
  "Set the option `interpolate=true` to replace it with the value it selects, or write a backslash before `$` to keep it as text.";

/** The text that a remark is about. */
const stringAt = ({ owner, key }: TemplateRemark): string =>
  (owner as { readonly [key: string | number]: string })[key]!;

function reportTemplateIssue(
  { document, report }: Context,
  remark: TemplateRemark,
  fallback: TemplateFallback | undefined,
): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  switch (remark.kind) {
    case "fault":
      report(expressionFault(span, remark, "path"));
      break;
    case "literalPath":
      if (!findTemplate(stringAt(remark))) report(literalPath(span, { path: remark.path, hint: interpolateHint }));
      break;
    case "twoRoots":
      if (fallback) report(fallback.note(span, remark.path));
      break;
    default:
      assertNever(remark);
  }
}
