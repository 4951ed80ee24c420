import { expressionDiagnostic, jqDiagnostic, precisionLoss } from "../../diagnostics/data.ts";
import {
  bind,
  type ConditionScope,
  type Expression,
  identity,
  isParseError,
  member,
  type ParseWarning,
  parseCondition,
  parseJsonPath,
  readJq,
  variable,
} from "../../expressions/index.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Source, Span } from "../../text/source.ts";
import type { expressionLanguages } from "../registry.ts";

/** How to parse an expression. */
export interface ExpressionOptions {
  readonly language: Exclude<(typeof expressionLanguages)[number], "jsonata">;
  /** Accepts only RFC 9535. */
  readonly strict: boolean;
  readonly variables: readonly string[];
}

/** Parses an expression whose `.` is the document. */
export function parseExpression(
  source: Source,
  { language, strict, variables }: ExpressionOptions,
  report: Report,
): Expression | undefined {
  const spanAt = (start: number, end: number): Span => ({ source, start, end });
  switch (language) {
    case "jq":
      return parseJqProgram(source, variables, spanAt, report);
    case "jsonpath": {
      const path = parseJsonPath(source.text, identity, { strict, isRootless: true });
      if (!isParseError(path)) return path.query;
      report(expressionDiagnostic(spanAt(path.from, path.to), path, "path"));
      return undefined;
    }
    case "boolean": {
      const warn = ({ from, to, message }: ParseWarning) => report(precisionLoss(spanAt(from, to), { message }));
      const condition = parseCondition(source.text, scopeOf(variables), { warn });
      if (!isParseError(condition)) return bind("document'", identity, condition);
      report(expressionDiagnostic(spanAt(condition.from, condition.to), condition, "condition"));
      return undefined;
    }
  }
}

function parseJqProgram(
  source: Source,
  variables: readonly string[],
  spanAt: (start: number, end: number) => Span,
  report: Report,
) {
  const read = readJq(source.text, { variables, now: variable("now'"), spanAt });
  if ("expression" in read) {
    for (const { from, to, message } of read.warnings) report(precisionLoss(spanAt(from, to), { message }));
    return read.expression;
  }
  for (const fault of read) report(jqDiagnostic(spanAt(fault.from, fault.to), fault));
  return undefined;
}

/** Bare names are variables, or else members of the document. */
const scopeOf = (variables: readonly string[]): ConditionScope => ({
  root: variable("document'"),
  data: variable("document'"),
  identifier: (name) => (variables.includes(name) ? variable(name) : member(variable("document'"), name)),
});
