import { expressionFault, literalPath } from "../../diagnostics/data.ts";
import { bind, type Expression, type TemplateRemark, templateOf, variable } from "../../expressions/index.ts";
import type { Action } from "../../generated/function-workflow-definition.ts";
import type { Context } from "./context.ts";

/** What a function is called with: what the action begins with, or its parameters over that. */
export function argumentOf(context: Context, { function: called }: Action, input: Expression): Expression {
  if (typeof called === "string" || called.parameters === undefined) return input;
  const root = input.kind === "variable" ? input : variable("input");
  const argument = templateOf(called, "parameters", {
    root,
    interpolate: false,
    remark: (remark) => report(context, remark),
    spanAt: (owner, key, from, to) => context.document.spanWithin(owner, key, from, to),
  });
  return root === input || argument.kind === "literal" ? argument : bind("input", input, argument);
}

const remedy = "Only a text that is a path as a whole stands for what it selects.";

function report({ document, report }: Context, remark: TemplateRemark): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  if (remark.kind === "fault") report(expressionFault(span, remark, "path"));
  else report(literalPath(span, { path: remark.path, hint: remedy }));
}
