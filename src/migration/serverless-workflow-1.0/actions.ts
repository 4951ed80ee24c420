import { assumption, similarForm } from "../../diagnostics/migration.ts";
import { pipe, unwrapped, wrapped } from "../jq-text.ts";
import type { Action, EventExchange, FunctionCall, Template } from "../model.ts";
import { callTask, isLog, subflowTask } from "./calls.ts";
import { listOf, type Task, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { changesOf, mergeInto } from "./data.ts";
import { durationOf } from "./durations.ts";
import { selectAndExclude, standardError } from "./errors.ts";
import { emitTask, listenTask } from "./events.ts";
import { policyOf } from "./retries.ts";

/**
 * How the result of an action is used: it is merged into the data, it is the output, or the output is an object
 * with what it changes in the data.
 */
export type ResultUse = "merge" | "output" | "changes";

/** The tasks of actions, in order; `use` applies to the last one, and others are merged. */
export function actionTasks(
  context: WriterContext,
  actions: readonly Action[],
  use: ResultUse = "merge",
  names: Set<string> = new Set(),
): readonly TaskEntry[] {
  return actions.map((action, i) => actionTask(context, action, i === actions.length - 1 ? use : "merge", names));
}

function actionTask(context: WriterContext, action: Action, use: ResultUse, names: Set<string>): TaskEntry {
  const { place, condition, before, after } = action;
  const name = workName(action);
  const guard: Task = condition === undefined ? {} : { if: wrapped(condition) };
  const work = withTimeout(context, action, name, workTask(context, action, use, name));
  const outer = uniqueName(names, action.retry ? `${name} with retries` : name);
  const isNested = action.retry !== undefined || action.isTimeoutIgnored;
  const task =
    isNested || outer === name
      ? withRetry(context, action, name, work)
      : { do: listOf(context, [{ name, task: work, place }]) };
  if (before === undefined && after === undefined) return { name: outer, task: { ...guard, ...task }, place };
  const entries = [
    ...(before === undefined ? [] : [sleepTask("before", before, action)]),
    { name: outer, task, place },
    ...(after === undefined ? [] : [sleepTask("after", after, action)]),
  ];
  return { name: uniqueName(names, `${name} with pauses`), task: { ...guard, do: listOf(context, entries) }, place };
}

const sleepTask = (when: string, duration: string, { place }: Action): TaskEntry => ({
  name: `pause ${when}`,
  task: { wait: durationOf(duration) },
  place,
});

/** The name of a task: that of the function, so that scenarios fit both definitions. */
function workName({ name, work }: Action): string {
  switch (work.kind) {
    case "function":
      return work.function.name;
    case "subflow":
      return name ?? work.id;
    case "event":
      return name ?? work.trigger.event.name;
  }
}

function workTask(context: WriterContext, action: Action, use: ResultUse, name: string): Task {
  const { work, timeout } = action;
  const limit = timeout === undefined ? {} : { timeout: { after: durationOf(timeout) } };
  switch (work.kind) {
    case "function": {
      const set = mergedExpression(context, action, work, use);
      if (set !== undefined) return { set: wrapped(set), ...limit };
      const task = { ...callTask(context, action, work), ...limit };
      return work.isAwaited ? { ...task, ...output(context, action, use) } : unawaited(context, action, name, task);
    }
    case "subflow": {
      const task = { ...subflowTask(context, action, work), ...limit };
      return work.isAwaited ? { ...task, ...output(context, action, use) } : task;
    }
    case "event":
      return exchangeTask(context, action, work, use);
  }
}

/** An expression function that merges its result needs no output filter. */
function mergedExpression(
  context: WriterContext,
  action: Action,
  { function: { type, operation, name } }: FunctionCall,
  use: ResultUse,
): string | undefined {
  const { from, results, to, isResultUsed, place } = action;
  if (type !== "expression" || use !== "merge" || !isResultUsed || (to && !to.names)) return undefined;
  const result = pipe(pipe(from, operation), results ?? ".");
  return mergeInto(context, { result, to, name, place }, ".");
}

/** The raw output of a call that is not awaited is its input; its errors are ignored. */
function unawaited(context: WriterContext, action: Action, name: string, task: Task): Task {
  context.tell(similarForm, action.place, {
    construct: `The asynchronous call of \`${name}\``,
    form: "a call that is awaited, whose result and errors are ignored",
    difference: "the next task begins later",
  });
  const ignored = { ...task, output: { as: wrapped("$input") } };
  return { try: listOf(context, [{ name, task: ignored, place: action.place }]), catch: {} };
}

function output(context: WriterContext, action: Action, use: ResultUse, raw = "."): Task {
  const { work } = action;
  if (!action.isResultUsed || (work.kind === "function" && isLog(work.function)))
    return { output: { as: wrapped("$input") } };
  const result = action.results === undefined ? raw : raw === "." ? action.results : `${raw} | ${action.results}`;
  if (use === "output") return result === "." ? {} : { output: { as: wrapped(result) } };
  const merge = { result, to: action.to, name: workName(action), place: action.place };
  const changes = use === "changes" ? changesOf(context, merge) : undefined;
  if (changes !== undefined) return changes === "." ? {} : { output: { as: wrapped(changes) } };
  return { output: { as: wrapped(mergeInto(context, merge)) } };
}

function exchangeTask(context: WriterContext, action: Action, work: EventExchange, use: ResultUse): Task {
  const emit: TaskEntry = {
    name: work.trigger.event.name,
    task: {
      ...emitTask(context, { ...work.trigger, data: work.trigger.data ?? wrapped(".") }, action.from),
      output: { as: wrapped("$input") },
    },
    place: action.place,
  };
  if (!work.result) return emit.task;
  const limit = work.timeout ?? action.timeout;
  const listen: TaskEntry = {
    name: work.result.name === emit.name ? `${work.result.name} result` : work.result.name,
    task: {
      ...listenTask(context, [work.result], "one", action.place),
      ...output(context, action, use, ".[0]"),
      ...(limit === undefined ? {} : { timeout: { after: durationOf(limit) } }),
    },
    place: action.place,
  };
  return { do: listOf(context, [emit, listen]) };
}

/** Wraps a task whose action is retried. The result remains that of the task. */
function withRetry(context: WriterContext, action: Action, name: string, task: Task): Task {
  const { retry, work } = action;
  if (!retry) return task;
  const { output: as, ...inner } = task;
  const selected = selectAndExclude(context, retry.only, retry.except, action.place);
  if (work.kind === "function" && mayFail(work.argument ?? null))
    context.tell(assumption, action.place, {
      expression: `catch.retry of ${name}`,
      assumed: "the arguments of the call can be computed",
      otherwise: "1.0 repeats the computation of arguments, too, so that a failure of it comes later.",
    });
  return {
    try: listOf(context, [{ name, task: inner, place: action.place }]),
    catch: { ...selected, retry: policyOf(context, retry) },
    ...(as === undefined ? {} : { output: as }),
  };
}

/** Whether arguments have an expression other than a member of the data. */
function mayFail(argument: Template): boolean {
  if (typeof argument !== "string")
    return typeof argument === "object" && argument !== null && Object.values(argument).some(mayFail);
  const jq = unwrapped(argument);
  return jq !== undefined && !/^(?:\.|\.[A-Za-z_]\w*|[\d.]+|"[^"\\]*")$/.test(jq);
}

/** Wraps a task whose timeout is ignored. */
function withTimeout(context: WriterContext, action: Action, name: string, task: Task): Task {
  if (!action.isTimeoutIgnored) return task;
  const caught = { errors: { with: { type: standardError("timeout") } } };
  return { try: listOf(context, [{ name, task, place: action.place }]), catch: caught };
}
