import type { Expression } from "../../src/expressions/index.ts";
import { spanOfValue } from "../../src/ir/spans.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Program, Step, Workflow } from "../../src/ir/workflow.ts";
import { settingNotes } from "../../src/target/settings.ts";
import type { Note, Report } from "../../src/text/diagnostics.ts";
import * as messages from "./diagnostics/kinds.ts";
import { distributableLoops } from "./legalize/distribute-loops.ts";
import type { AslBindings } from "./services.ts";

/** Reports what Express Workflows lack in the workflows that become some. */
export function checkExpress(program: Program, bound: (workflow: Workflow) => AslBindings, report: Report): void {
  const express = new Map(
    program.workflows.flatMap((workflow) => {
      const bindings = bound(workflow);
      return bindings.isExpress ? [[workflow.id, settingNotes(bindings, "type")] as const] : [];
    }),
  );
  for (const workflow of program.workflows) {
    const bindings = bound(workflow);
    if (bindings.isExpress) checkWorkflow(workflow, bindings, report);
    for (const step of stepsOf(workflow)) {
      if (step.kind !== "invoke" || !step.wait || bindings.isExpress) continue;
      const notes = express.get(step.workflow.name);
      if (notes) report(messages.aslExpress(step.span, { construct: "a parent that waits for its result" }, notes));
    }
  }
}

function checkWorkflow(workflow: Workflow, bindings: AslBindings, report: Report): void {
  const steps = stepsOf(workflow);
  const notes = settingNotes(bindings, "type");
  if (workflow.start.on && steps.every(({ kind }) => kind !== "receive"))
    report(messages.aslExpress(workflow.start.span, { construct: "starts by events" }, notes));
  const distributed = new Set<Step>(bindings.distributes ? distributableLoops(workflow) : []);
  for (const step of steps) {
    const construct = distributed.has(step) ? "Distributed Maps" : constructOf(step, workflow, bindings);
    if (construct !== undefined) report(messages.aslExpress(step.span, { construct }, notes));
    checkTimes(step, notes, report);
  }
}

/** What a step needs that Express Workflows lack. */
function constructOf(step: Step, { functions }: Workflow, bindings: AslBindings): string | undefined {
  switch (step.kind) {
    case "receive":
      return "waits for events";
    case "invoke":
      return step.wait ? "waits for subflows" : undefined;
    case "call": {
      const { name } = step.function;
      const { kind, resource } = bindings.functions.get(name) ?? {
        kind: undefined,
        resource: functions.find((definition) => definition.name === name)?.resource ?? "",
      };
      if (kind === "activity" || /:states:[^:]*:\d+:activity:/.test(resource)) return "activities";
      return /\.(?:sync(?::2)?|waitForTaskToken)$/.test(resource)
        ? "integrations that wait for a job or a task token"
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Reports times after which an Express Workflow has ended. */
function checkTimes(step: Step, notes: readonly Note[], report: Report): void {
  const { noun, name } = step.origin;
  const check = (what: string, seconds: unknown, span: Step["span"]) => {
    if (typeof seconds === "number" && seconds > maxSeconds)
      report(messages.aslExpressTime(span, { what: `${what} of ${noun}`, name, seconds }, notes));
  };
  if ("timeout" in step) check("the timeout", step.timeout, spanOfValue(step, "timeout"));
  if (step.kind === "delay" && step.wait.kind === "for")
    check("the delay", literalOf(step.wait.seconds), spanOfValue(step, "wait"));
}

const literalOf = (expression: Expression): unknown => (expression.kind === "literal" ? expression.value : undefined);

/** How long an Express Workflow runs at most. */
const maxSeconds = 300;
