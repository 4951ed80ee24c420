import { type Place, places, retriesOf } from "../../src/ir/walk.ts";
import type { Retry, Step, Workflow } from "../../src/ir/workflow.ts";
import type { Program } from "../../src/program.ts";
import { clip } from "../../src/text/clip.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { refusedCall } from "./built-in.ts";
import * as messages from "./diagnostics/kinds.ts";

/** Reports every construct that this target refuses: what it has no exact form for, and what it does not do yet. */
export function checkLimits(program: Program, report: Report): void {
  const terminated = new Set(program.workflows.flatMap(waitedFor));
  for (const workflow of program.workflows) {
    const all = places(workflow);
    if (workflow.start.window) report(messages.aslWindow(workflow.start.span, { what: `workflow \`${workflow.id}\`` }));
    if (
      (workflow.start.on ?? []).length > 0 &&
      !all.some(({ scope }) => scope.steps.some(({ kind }) => kind === "receive"))
    ) {
      report(messages.aslReceives(workflow.start.span, { noun: "workflow", name: workflow.id }));
    }
    for (const place of all) {
      if (place.scope.window) report(messages.aslWindow(place.scope.span, { what: "this branch" }));
      for (const step of place.scope.steps) checkStep(step, place, terminated.has(workflow.id), report);
      for (const step of place.scope.steps) {
        const construct = step.kind === "call" ? refusedCall(step, workflow) : undefined;
        if (construct !== undefined) report(messages.aslInexact(step.span, { construct }));
      }
    }
  }
}

/** The workflows that one waits for, and whose terminate would end it. */
const waitedFor = (workflow: Workflow): readonly string[] =>
  places(workflow).flatMap(({ scope }) =>
    scope.steps.flatMap((step) => (step.kind === "invoke" && step.wait && step.terminates ? [step.workflow.name] : [])),
  );

function checkStep(step: Step, place: Place, isSubflow: boolean, report: Report): void {
  const { noun, name } = step.origin;
  for (const retry of retriesOf(step)) checkBackoff(retry, report);
  if ("timeout" in step && step.timeout !== undefined)
    checkTime(`the timeout of ${noun} \`${clip(name)}\``, step.timeout, 1, step, report);
  if (step.kind === "receive") report(messages.aslReceives(step.span, { noun, name }));
  if (step.kind === "fork") checkFork(step, report);
  if (step.kind === "foreach") checkPace(step, report);
  if (step.kind === "delay") checkDelay(step, report);
  if (step.kind === "call" && !step.wait)
    report(messages.aslInexact(step.span, { construct: `calling \`${step.function.name}\` without waiting for it` }));
  if (step.kind === "attempt" && step.timeout !== undefined)
    report(messages.aslInexact(step.span, { construct: `a time limit for the steps of \`${name}\` together` }));
  if (step.kind === "end" && step.extent === "run" && (isSubflow || isWithin(place)))
    report(
      messages.aslTerminate(step.span, { name, where: isWithin(place) ? "a branch or an iteration" : "a subflow" }),
    );
}

function checkDelay(step: Extract<Step, { kind: "delay" }>, report: Report): void {
  const { wait, origin } = step;
  if (wait.kind !== "for" || wait.seconds.kind !== "literal") return;
  checkTime(`the delay of ${origin.noun} \`${clip(origin.name)}\``, Number(wait.seconds.value), 0, step, report);
}

/** The longest wait of a Wait state and the longest timeout of a task, in seconds. */
const longest = 99_999_999;

function checkTime(what: string, seconds: number, least: number, { span }: Step, report: Report): void {
  if (!Number.isInteger(seconds)) report(messages.aslSeconds(span, { what, seconds }));
  else if (seconds < least || seconds > longest)
    report(messages.aslRange(span, { what, seconds, least, most: longest }));
}

function checkFork({ join, width, branches, span, origin }: Extract<Step, { kind: "fork" }>, report: Report): void {
  if (join.kind === "some")
    report(messages.aslJoin(span, { name: origin.name, count: join.count, of: branches.length }));
  if (width !== undefined && width < branches.length)
    report(messages.aslInexact(span, { construct: "branches of which only some run at once" }));
}

function checkPace(step: Extract<Step, { kind: "foreach" }>, report: Report): void {
  if (step.gap === undefined) return;
  if (step.width !== undefined) report(messages.aslPace(step.span, { name: step.origin.name }));
  checkTime(`the time between iterations of ${step.origin.name}`, step.gap, 0, step, report);
}

function checkBackoff({ delay, span }: Retry, report: Report): void {
  const { base, factor, step, cap, jitter } = delay;
  const whole = [base, step, cap ?? 0].every(Number.isInteger);
  if (!whole) report(messages.aslBackoff(span, { detail: "it counts in whole seconds" }));
  else if (!Number.isInteger(factor))
    report(messages.aslBackoff(span, { detail: `multiplying by ${factor} gives parts of seconds` }));
  if (jitter) report(messages.aslBackoff(span, { detail: "its own jitter is between zero and the whole wait" }));
}

/** Whether a scope is one of a branch or an iteration, or in one. */
function isWithin(place: Place): boolean {
  for (let scope: Place | undefined = place; scope; scope = scope.outer)
    if (scope.owner && scope.owner.kind !== "attempt") return true;
  return false;
}
