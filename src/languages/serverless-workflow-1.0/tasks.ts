import type { Seconds } from "../../ir/seconds.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { inputRow, taskRow } from "./arguments.ts";
import { attemptSteps } from "./boundary.ts";
import { lowerCall } from "./calls.ts";
import type { LowerTask, Writer } from "./context.ts";
import { dataName } from "./context.ts";
import { inputSteps, outputSteps, skippedSteps } from "./data-flow.ts";
import { negativeWait } from "./diagnostics/flow.ts";
import { durationAt, notNegative } from "./durations.ts";
import { lowerEmit } from "./emit.ts";
import { conditionAt, templateAt } from "./expressions.ts";
import { lowerFork } from "./fork.ts";
import { checkSince } from "./identity.ts";
import { isSingleReceipt, lowerListen } from "./listen.ts";
import { innerScope, lowerInner } from "./lists.ts";
import { lowerFor } from "./loops.ts";
import { lowerRaise } from "./raise.ts";
import { lowerRun } from "./run.ts";
import { lowerSwitch } from "./switch.ts";
import { timeoutOf } from "./timeouts.ts";
import { lowerTry } from "./try.ts";

const lowerings: { readonly [kind in Writer["kind"]]: LowerTask } = {
  none: skippedSteps,
  set: lowerSet,
  do: (writer) => lowerInner(writer, innerScope(writer), { owner: writer.task, key: "do", at: "do" }),
  switch: lowerSwitch,
  for: lowerFor,
  fork: lowerFork,
  wait: lowerWait,
  raise: lowerRaise,
  emit: lowerEmit,
  listen: lowerListen,
  try: lowerTry,
  run: lowerRun,
  call: lowerCall,
};

/** Lowers a task: condition, input, work, output, export, within its time limit. */
export function lowerTask(writer: Writer): StepFragment {
  const { context, task } = writer;
  if (task.if === undefined) return limitedSteps(writer);
  const when = conditionAt(context, { owner: task, key: "if" }, inputRow(writer));
  const span = spanOf(context, task, "if");
  return choose(writer, "if", span, [{ when, span, build: () => limitedSteps(writer) }], () => noSteps);
}

function limitedSteps(writer: Writer): StepFragment {
  const limit = timeoutOf(writer);
  if (!limit) return workSteps(writer);
  const { timeout } = limit.limit;
  if (isOwnLimit(writer, timeout)) return sequence(limit.steps, workSteps({ ...writer, limit: timeout }));
  const recover = () => () => ({ restore: [], retries: [], handlers: [], ...limit.limit });
  return sequence(limit.steps, attemptSteps(writer, workSteps, recover));
}

/** Whether a step of the task enforces its limit: a process or subflow, or the receipt of events in constant time. */
function isOwnLimit({ task, kind }: Writer, timeout: Seconds | undefined): boolean {
  if (kind === "run") return task.run!.await !== false;
  return kind === "listen" && typeof timeout === "number" && isSingleReceipt(task);
}

function workSteps(writer: Writer): StepFragment {
  const { kind, construct } = writer;
  const begin = kind === "do" ? assign(writer, "begin", construct.span) : noSteps;
  return sequence(begin, inputSteps(writer), lowerings[kind](writer), outputSteps(writer));
}

function lowerSet(writer: Writer): StepFragment {
  const { context, task } = writer;
  if (typeof task.set === "string") checkSince(context, task, "set", `set: \${ … }`, 1);
  const value = templateAt(context, { owner: task, key: "set" }, taskRow(writer));
  const span = spanOf(context, task, "set", "key");
  context.replacements.set(value, span);
  return assign(writer, "set", span, { variable: dataName, value });
}

function lowerWait(writer: Writer): StepFragment {
  const { context, task } = writer;
  const seconds = durationAt(context, { owner: task, key: "wait" }, taskRow(writer));
  const span = spanOf(context, task, "wait");
  if (seconds.kind === "literal" && Number(seconds.value) < 0) context.report(negativeWait(span, {}));
  const wait = { kind: "for" as const, seconds: notNegative(seconds) };
  return step(writer, "wait", span, (base, next) => ({ ...base, kind: "delay", wait, spans: { wait: span }, next }));
}
