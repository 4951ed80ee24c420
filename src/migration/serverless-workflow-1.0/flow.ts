import { changedName } from "../../diagnostics/migration.ts";
import { wrapped } from "../jq-text.ts";
import type { Exit, Place } from "../model.ts";
import { goTo, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { standardError } from "./errors.ts";
import { emitTask } from "./events.ts";
import { documentName, semanticVersion } from "./names.ts";

/** Where a task continues, and the tasks in between. */
export interface TaskExit {
  readonly target: string;
  readonly tasks: readonly TaskEntry[];
}

/** The continuation of an exit. `from` names the task that is left. */
export function continuationOf(context: WriterContext, exit: Exit | undefined, from: string): TaskExit {
  const target = exit?.to ?? (exit?.endsRun ? "end" : context.end);
  const tasks: TaskEntry[] = [];
  for (const produced of exit?.events ?? []) {
    const name = uniqueName(context.names, `${from} emits ${produced.event.name}`);
    const task = { ...emitTask(context, produced, undefined), output: { as: wrapped("$input") } };
    tasks.push({ name, task, place: produced.place });
  }
  if (exit?.continuation) {
    const { id, input, place } = exit.continuation;
    const created = `${context.namespace}.${documentName(id)}`;
    context.tell(changedName, place, { what: "The workflow", name: id, created });
    const version = exit.continuation.version === undefined ? "latest" : semanticVersion(exit.continuation.version);
    const workflow = { namespace: context.namespace, name: documentName(id), version };
    const run = { workflow: { ...workflow, ...(input === undefined ? {} : { input }) }, await: false };
    tasks.push({ name: uniqueName(context.names, `continue as ${id}`), task: { run }, place });
  }
  const chained = tasks.map((entry, i) => ({
    ...entry,
    task: { ...entry.task, ...goTo(tasks[i + 1]?.name ?? target) },
  }));
  const first = chained[0]?.name ?? target;
  if (!exit?.condition) return { target: first, tasks: chained };
  const { jq, place } = exit.condition;
  const allowed = uniqueName(context.names, `${from} may continue`);
  const denied = raiseTask(context, `${from} may not continue`, "TransitionDenied", place);
  const cases = [{ [first]: { when: wrapped(jq), ...goTo(first) } }, { default: goTo(denied.name) }];
  return { target: allowed, tasks: [{ name: allowed, task: { switch: cases }, place }, ...chained, denied] };
}

/** A task that fails the run with an error of a name. */
export function raiseTask(context: WriterContext, name: string, title: string, place: Place): TaskEntry {
  const error = { type: standardError("runtime"), status: 500, title };
  return { name: uniqueName(context.names, name), task: { raise: { error } }, place };
}

/** Removes directives that name the next task, and those of an end at the end. */
export function withoutRedundantThen({ end }: WriterContext, entries: readonly TaskEntry[]): readonly TaskEntry[] {
  return entries.map((entry, i) => {
    const next = entries[i + 1]?.name ?? end;
    const { then, ...task } = entry.task;
    return then === next && !("switch" in task) ? { ...entry, task } : entry;
  });
}
