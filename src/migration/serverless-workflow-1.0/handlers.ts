import { similarForm } from "../../diagnostics/migration.ts";
import { isObject, type Json } from "../../json.ts";
import { pipe, wrapped } from "../jq-text.ts";
import type { ErrorHandler, State } from "../model.ts";
import { goTo, listOf, type Task, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { asOf } from "./data.ts";
import { conditionOf, selectAndExclude, selectErrors } from "./errors.ts";
import { continuationOf } from "./flow.ts";
import { policyOf } from "./retries.ts";

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
  const { handlers, retries } = state;
  if (handlers.length === 0 && retries.length === 0) return { task: { ...task, ...directive }, tasks: [] };
  const { input, output, timeout, ...inner } = task;
  const filter = input === undefined ? {} : { input };
  const entries = entriesOf(state, inner, output);
  const keepsData = entries.length > 1;
  const kept = entries.map((entry, i) => (i < entries.length - 1 && handlers.length > 0 ? withData(entry) : entry));
  const repeated = retryEntries(context, state, kept);
  const limit = timeout === undefined ? {} : { timeout };
  if (handlers.length === 0) return { task: { ...filter, ...repeated[0]!.task, ...limit, ...directive }, tasks: [] };
  const limited = timeout === undefined ? repeated : [limitedEntry(context, state, repeated, timeout)];
  const { caught, tasks } = catchOf(context, state, handlers, keepsData);
  const outer: Task = {
    ...filter,
    try: listOf(context, limited),
    catch: caught,
    ...(keepsData ? { export: { as: wrapped(tasks.length > 0 ? "{ error: $context.error }" : "{}") } } : {}),
    ...directive,
  };
  return { task: outer, tasks };
}

/** A task with the time limit of a state, whose handlers also handle its timeout. */
function limitedEntry(
  context: WriterContext,
  { name, place }: State,
  entries: readonly TaskEntry[],
  timeout: Json,
): TaskEntry {
  const [only] = entries;
  if (only && entries.length === 1 && only.task["timeout"] === undefined)
    return { ...only, task: { ...only.task, timeout } };
  return { name, task: { do: listOf(context, entries), timeout }, place };
}

/** One task for each retry around the tasks of a state, the first retry innermost. */
function retryEntries(
  context: WriterContext,
  { name, place, retries }: State,
  entries: readonly TaskEntry[],
): readonly TaskEntry[] {
  return retries.reduce((inner, retry, i): readonly TaskEntry[] => {
    const selected = selectAndExclude(context, retry.only, retry.except, retry.place);
    const caught = { ...selected, retry: policyOf(context, retry) };
    const number = i === 0 ? "" : ` ${i + 1}`;
    return [{ name: `${name} with retries${number}`, task: { try: listOf(context, inner), catch: caught }, place }];
  }, entries);
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
    const { errors, except, merge, exit } = first;
    const { target, tasks } = continuationOf(context, exit, name);
    const restore =
      keepsData || merge !== undefined
        ? { do: listOf(context, [restoreTask(place, pipe(keepsData ? "$context.data // ." : ".", merge ?? "."))]) }
        : {};
    return {
      caught: { ...selectAndExclude(context, errors, except, first.place), ...restore, ...goTo(target) },
      tasks,
    };
  }
  const decision = uniqueName(context.names, `${name} failed`);
  const following: TaskEntry[] = [];
  const names = new Set<string>();
  const cases = handlers.map(({ errors, except, exit, place: at }) => {
    const { target, tasks } = continuationOf(context, exit, name);
    following.push(...tasks);
    const created = uniqueName(names, errors?.map((error) => error.name).join(" or ") ?? "other errors");
    const tests = [
      ...(errors === undefined ? [] : [conditionOf(errors, "$context.error")]),
      ...(except.length === 0 ? [] : [`(${conditionOf(except, "$context.error")} | not)`]),
    ];
    const when = tests.length === 0 ? {} : { when: wrapped(tests.join(" and ")) };
    return context.place({ [created]: { ...when, ...goTo(target) } }, at);
  });
  const patterns = handlers.some(({ errors }) => errors === undefined)
    ? undefined
    : handlers.flatMap(({ errors }) => errors ?? []);
  const merges = [...new Set(handlers.map(({ merge }) => merge ?? "."))];
  if (merges.length > 1)
    context.tell(similarForm, place, {
      construct: "Handlers with different error filters",
      form: "handlers with the filter of the first",
      difference: "the error is under another name in the data of the others",
    });
  const keep = keepErrorTask(place, pipe(keepsData ? "$context.data // ." : ".", merges[0]!));
  return {
    caught: { ...selectErrors(context, patterns, place), do: listOf(context, [keep]), ...goTo(decision) },
    tasks: [{ name: decision, task: { switch: cases }, place }, ...following],
  };
}

/** The only task of one handler: it restores the data, and adds the error if the handler has a program for that. */
const restoreTask = (place: State["place"], data: string): TaskEntry => ({
  name: "restore",
  task: { set: wrapped(data) },
  place,
});

/** The only task of several handlers: it also keeps the error, by which a switch selects one. */
const keepErrorTask = (place: State["place"], data: string): TaskEntry => ({
  name: "keep error",
  task: { set: wrapped(data), export: { as: wrapped("{ error: $error }") } },
  place,
});
