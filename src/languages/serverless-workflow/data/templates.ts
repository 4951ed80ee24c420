import type { Expression } from "../../../expressions/ast.ts";
import { type TemplateRemark, templateOf } from "../../../expressions/template.ts";
import { expressionFault, literalPath } from "../../../messages/expressions.ts";
import type { Context } from "../context.ts";

/** The value in `owner[key]` with its paths over `root` replaced by what they select; reports what is wrong with them. */
export const templateAt = (context: Context, owner: object, key: string, root: Expression): Expression =>
  templateOf(owner, key, { root, interpolate: context.settings.interpolate, remark: (remark) => report(context, remark) });

function report({ document, report }: Context, remark: TemplateRemark): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  report(remark.kind === "fault" ? expressionFault(span, remark, "path") : literalPath(span, { path: remark.path }));
}
