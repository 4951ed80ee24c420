import { isObject, type Json } from "../../json.ts";
import { pipe, wrapped } from "../jq-text.ts";
import type { ErrorHandler, State } from "../model.ts";
import { goTo, listOf, type Task, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { asOf } from "./data.ts";
import { conditionOf, selectErrors } from "./errors.ts";
import { continuationOf } from "./flow.ts";

/** A task with handlers, and the tasks that follow it. */
export interface HandledTask {
  readonly task: Task;
  readonly tasks: readonly TaskEntry[];
}

/** Adds the handlers of a state to its task, which continues with `target`. */
export function withHandlers(
  context: WriterContext,
  state: State,
  task: Task,
  target: string | undefined,
): HandledTask {
  const directive = goTo(target);
  const { handlers } = state;
  if (handlers.length === 0) return { task: { ...task, ...directive }, tasks: [] };
  const { input, output, timeout, ...inner } = task;
  const entries = entriesOf(state, inner, output);
  const keepsData = entries.length > 1;
  const kept = entries.map((entry, i) => (i < entries.length - 1 ? withData(entry) : entry));
  const { caught, tasks } = catchOf(context, state, handlers, keepsData);
  const outer: Task = {
    ...(input === undefined ? {} : { input }),
    try: listOf(context, kept),
    catch: caught,
    ...(keepsData ? { export: { as: wrapped(tasks.length > 0 ? "{ error: $context.error }" : "{}") } } : {}),
    ...(timeout === undefined ? {} : { timeout }),
    ...directive,
  };
  return { task: outer, tasks };
}

/** The tasks of the `try`. The output filter of the state does not apply to the data of handlers, so it is inside. */
function entriesOf({ name, place }: State, inner: Task, output: Json | undefined): readonly TaskEntry[] {
  const list = Object.keys(inner).length === 1 ? inner["do"] : undefined;
  if (!Array.isArray(list)) return [{ name, task: { ...inner, ...(output === undefined ? {} : { output }) }, place }];
  const entries = list.flatMap(Object.entries).map(([key, task]) => ({ name: key, task: task as Task, place }));
  if (output === undefined) return entries;
  const last = entries.at(-1);
  if (last && isObject(last.task) && last.task["if"] === undefined) {
    const as = pipe(asOf(last.task["output"]) ?? ".", asOf(output) ?? ".");
    return [...entries.slice(0, -1), { ...last, task: { ...last.task, output: { as: wrapped(as) } } }];
  }
  return [...entries, { name: "output", task: { set: (output as { readonly as: Json }).as }, place }];
}

/** Keeps the data for the handlers, which begin with the input of the state. */
const withData = (entry: TaskEntry): TaskEntry => ({
  ...entry,
  task: { ...entry.task, export: { as: wrapped("{ data: . }") } },
});

function catchOf(
  context: WriterContext,
  { name, place }: State,
  handlers: readonly ErrorHandler[],
  keepsData: boolean,
): { readonly caught: Task; readonly tasks: readonly TaskEntry[] } {
  const [first] = handlers;
  if (handlers.length === 1 && first) {
    const { target, tasks } = continuationOf(context, first.exit, name);
    const restore = keepsData ? { do: listOf(context, [restoreTask(place, undefined)]) } : {};
    return { caught: { ...selectErrors(context, first.errors, first.place), ...restore, ...goTo(target) }, tasks };
  }
  const decision = uniqueName(context.names, `${name} failed`);
  const following: TaskEntry[] = [];
  const names = new Set<string>();
  const cases = handlers.map(({ errors, exit, place: at }) => {
    const { target, tasks } = continuationOf(context, exit, name);
    following.push(...tasks);
    const created = uniqueName(names, errors?.map((error) => error.name).join(" or ") ?? "other errors");
    const when = errors === undefined ? {} : { when: wrapped(conditionOf(errors, "$context.error")) };
    return context.place({ [created]: { ...when, ...goTo(target) } }, at);
  });
  const patterns = handlers.some(({ errors }) => errors === undefined)
    ? undefined
    : handlers.flatMap(({ errors }) => errors ?? []);
  const keep = restoreTask(place, keepsData ? "$context.data // ." : ".");
  return {
    caught: { ...selectErrors(context, patterns, place), do: listOf(context, [keep]), ...goTo(decision) },
    tasks: [{ name: decision, task: { switch: cases }, place }, ...following],
  };
}

/** The only task of a handler: it restores the data and, for several handlers, keeps the error. */
function restoreTask(place: State["place"], data: string | undefined): TaskEntry {
  if (data === undefined) return { name: "restore", task: { set: wrapped("$context.data // .") }, place };
  return { name: "keep error", task: { set: wrapped(data), export: { as: wrapped("{ error: $error }") } }, place };
}
