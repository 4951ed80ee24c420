import { expressionFault, literalPath } from "../../../diagnostics/expressions.ts";
import { type Expression, type TemplateRemark, templateOf } from "../../../expressions/index.ts";
import { assertNever } from "../../../json.ts";
import type { Diagnostic } from "../../../text/diagnostics.ts";
import type { Span } from "../../../text/source.ts";
import type { Context } from "../context.ts";

/** Where the paths of a template are looked for that select nothing in its root, and what to say about each. */
export interface Fallback {
  readonly root: Expression;
  readonly note: (span: Span, path: string) => Diagnostic;
}

/** The value in `owner[key]` with its paths over `root` replaced by what they select; reports what is wrong with them. */
export const templateAt = (
  context: Context,
  owner: object,
  key: string,
  root: Expression,
  fallback?: Fallback,
): Expression =>
  templateOf(owner, key, {
    root,
    fallback: fallback?.root,
    interpolate: context.settings.interpolate,
    remark: (remark) => report(context, remark, fallback),
    placeOf: (part, name, from, to) => context.document.spanWithin(part, name, from, to),
  });

/** Whether the value in `owner[key]` has paths that are read. */
export const hasPaths = ({ settings }: Context, owner: object, key: string, root: Expression): boolean =>
  templateOf(owner, key, { root, interpolate: settings.interpolate, remark: () => {} }).kind !== "literal";

function report({ document, report }: Context, remark: TemplateRemark, fallback: Fallback | undefined): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  switch (remark.kind) {
    case "fault":
      report(expressionFault(span, remark, "path"));
      break;
    case "literalPath":
      report(literalPath(span, { path: remark.path }));
      break;
    case "twoRoots":
      if (fallback) report(fallback.note(span, remark.path));
      break;
    default:
      assertNever(remark);
  }
}
