import { binary, literal, object, variable } from "../../expressions/index.ts";
import { workflowNames } from "../../ir/names.ts";
import { stepsOf } from "../../ir/walk.ts";
import type { End, Handler, Step, Workflow } from "../../ir/workflow.ts";
import type { Report } from "../../text/diagnostics.ts";
import { memberOf, rejectedError } from "./context.ts";
import { missingAction } from "./tasks.ts";

/**
 * Compositions as those see them that wait for them. Composer knows an error by its text: what an action throws and nothing takes leaves a composition without the
 * name that it had, and where there is no such action the run is rejected. Of a run that nobody waits for the error is told as it is.
 */
export function link(
  compositions: readonly Workflow[],
  _report: Report,
  program: readonly Workflow[],
): readonly Workflow[] {
  const awaited = new Set(
    program.flatMap(stepsOf).flatMap((step) => (step.kind === "invoke" && step.wait ? [step.workflow.name] : [])),
  );
  return compositions.map((workflow) => (awaited.has(workflow.id) ? withoutNames(workflow) : workflow));
}

function withoutNames(workflow: Workflow): Workflow {
  const { body, functions, native } = workflow;
  const scripts = new Set(functions.flatMap(({ name, protocol }) => (protocol?.kind === "script" ? [name] : [])));
  const isOpen = (step: Step) => step.kind === "call" && step.handlers.length === 0 && !scripts.has(step.function.name);
  const first = body.steps.find(isOpen);
  if (!first) return workflow;
  const names = workflowNames(workflow);
  const { origin, span } = first;
  const thrown = names.variables.fresh("thrown");
  const end = (what: string, value: End["value"]): End => {
    const id = names.steps.fresh(`${first.id}/${what}`);
    return {
      id,
      origin: { ...origin, entry: false, part: what },
      span,
      kind: "end",
      outcome: "fail",
      extent: "scope",
      value,
    };
  };
  const message = memberOf(variable(thrown), "message");
  const failed = end("unnamed", object([...nameless, ["message", message]]));
  const missing = end("missing", rejectedError);
  const to = ({ id }: End) => ({ name: id, span });
  const taking: Handler = { when: literal(true), bind: thrown, next: to(failed), span };
  const isMissing = binary("==", memberOf(variable("error"), "name"), literal(missingAction));
  const rejects = native?.value["missingAction"] !== "catch";
  const handlers = rejects ? [{ when: isMissing, next: to(missing), span }, taking] : [taking];
  const steps = body.steps.map((step) => (isOpen(step) ? ({ ...step, handlers } as Step) : step));
  const variables = [...body.variables, { name: thrown }];
  return { ...workflow, body: { ...body, variables, steps: [...steps, failed, ...(rejects ? [missing] : [])] } };
}

/** What an error is known by that has no name. */
const nameless = [
  ["origin", literal("function")],
  ["name", literal("ApplicationError")],
] as const;
