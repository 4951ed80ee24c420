import { canFail, type Expression, simplify } from "../../src/expressions/index.ts";
import { compileJavaScript, isRefusal } from "../../src/expressions/js/index.ts";
import { patternsOf, stepsOf } from "../../src/ir/walk.ts";
import type { Receive, Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import type { Span } from "../../src/text/source.ts";
import * as messages from "./diagnostics/kinds.ts";

/**
 * Reports waits and event triggers of a workflow that have no exact form. Separate from `checkLimits`, because few programs
 * receive events and only these need the JavaScript compiler.
 */
export function checkEvents(workflow: Workflow, report: Report): void {
  const waits = stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");
  for (const step of waits) {
    checkTimeout(step, report);
    for (const { when } of patternsOf(step.alternatives))
      if (when) checkEventExpression(when, step.span, "a condition on an event", report);
  }
  for (const { name, correlation, span } of workflow.events)
    if (correlation) {
      checkEventExpression(correlation, span, `the correlation of \`${truncate(name)}\``, report);
      checkCorrelation(correlation, span, name, report);
    }
}

const maxTimeoutSeconds = 99_999_999;

/** Correlation is evaluated for each event, before there is a run that could fail. */
function checkCorrelation(expression: Expression, span: Span, name: string, report: Report): void {
  const hint = "Use an expression that cannot fail: it is evaluated for each event, before its run is known.";
  const construct = `the correlation of \`${truncate(name)}\`, which may fail`;
  if (canFail(simplify(expression))) report(messages.aslInexact(expression.span ?? span, { construct, hint }));
}

function checkEventExpression(expression: Expression, span: Span, what: string, report: Report): void {
  const program = compileJavaScript(simplify(expression));
  if (isRefusal(program))
    report(messages.aslInexact(expression.span ?? span, { construct: what, hint: program.refused }));
}

/** A wait ends with its last alternative: after whole seconds, or at once. */
function checkTimeout({ alternatives, origin: { noun, name }, span }: Receive, report: Report): void {
  const last = Math.max(...alternatives.map(({ within }) => within ?? Number.POSITIVE_INFINITY));
  const what = `the timeout of ${noun} \`${truncate(name)}\``;
  if (last === Number.POSITIVE_INFINITY) return;
  if (!Number.isInteger(last)) report(messages.aslSeconds(span, { what, seconds: last }));
  else if (last > maxTimeoutSeconds)
    report(messages.aslRange(span, { what, seconds: last, least: 0, most: maxTimeoutSeconds }));
}
