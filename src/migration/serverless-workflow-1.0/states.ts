import { noForm, similarForm } from "../../diagnostics/migration.ts";
import { keyOf, literalOf, memberPath, pipe, wrapped } from "../jq-text.ts";
import type {
  Action,
  CallbackState,
  ForEachState,
  OperationState,
  ParallelState,
  State,
  SwitchState,
} from "../model.ts";
import { actionTasks } from "./actions.ts";
import { goTo, listOf, type Task, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { asOf } from "./data.ts";
import { durationOf } from "./durations.ts";
import { eventStateTasks, eventSwitchTasks, waitingTask } from "./event-states.ts";
import { listenTask, mergeEvent } from "./events.ts";
import { withFilters } from "./filters.ts";
import { continuationOf } from "./flow.ts";
import { withHandlers } from "./handlers.ts";

/** The tasks of a state and of its exits. */
export function stateTasks(context: WriterContext, state: State, isStart: boolean): readonly TaskEntry[] {
  switch (state.kind) {
    case "switch":
      return switchTasks(context, state);
    case "event switch":
      return eventSwitchTasks(context, state);
    case "event":
      return leave(context, state, eventStateTasks(context, state, isStart));
    case "inject":
      return leave(context, state, { set: wrapped(`. * ${literalOf(state.data)}`) });
    case "sleep":
      return leave(context, state, { wait: durationOf(state.duration) });
    case "operation":
      return leave(context, state, operationTask(context, state));
    case "parallel":
      return leave(context, state, parallelTask(context, state));
    case "foreach":
      return leave(context, state, forTask(context, state));
    case "callback":
      return leave(context, state, callbackTask(context, state));
  }
}

type StateWithExit = Extract<State, { readonly exit: unknown }>;

function leave(context: WriterContext, state: StateWithExit, task: Task): readonly TaskEntry[] {
  const { name, place } = state;
  const { target, tasks } = continuationOf(context, state.exit, name);
  const handled = withHandlers(context, state, withFilters(state, task), target);
  return [{ name, task: handled.task, place }, ...tasks, ...handled.tasks];
}

function operationTask(context: WriterContext, { actions, isParallel }: OperationState): Task {
  if (!isParallel || actions.length < 2) return { do: listOf(context, actionTasks(context, actions)) };
  const names = new Set<string>();
  const branches = actions.flatMap((action) => {
    const isAlways = isAlwaysPerformed(action);
    const tasks = actionTasks(context, [action], isAlways ? "changes" : "merge", names);
    return isAlways ? tasks : tasks.map(changesOnly);
  });
  return forkTask(context, branches, false);
}

/** Whether an action has a result whatever the data are, which is not at an index of an array. */
const isAlwaysPerformed = ({ condition, before, after, isResultUsed, to, work }: Action): boolean =>
  [condition, before, after].every((each) => each === undefined) &&
  isResultUsed &&
  (to === undefined || to.names !== undefined) &&
  !(work.kind === "event" && !work.result);

function parallelTask(context: WriterContext, { branches, count, place }: ParallelState): Task {
  const competes = count === 1 && branches.length > 1;
  if (count !== undefined && count < branches.length && !competes)
    context.tell(noForm, place, {
      construct: `a join of ${count} of ${branches.length} branches`,
      hint: "`fork` joins all branches, or one with `compete: true`.",
    });
  const entries = branches.map((branch) => {
    const limit = branch.timeout === undefined ? {} : { timeout: { after: durationOf(branch.timeout) } };
    const isSingle = branch.actions.length === 1 && isAlwaysPerformed(branch.actions[0]!);
    const tasks = actionTasks(context, branch.actions, isSingle ? "changes" : "merge");
    const entry = { name: branch.name, task: { do: listOf(context, tasks), ...limit }, place: branch.place };
    return isSingle ? entry : changesOnly(entry);
  });
  return forkTask(context, entries, competes);
}

/** A branch that returns the members that it changed. Otherwise it would undo the changes of the others. */
const changesOnly = (entry: TaskEntry): TaskEntry => {
  const as = asOf(entry.task["output"]);
  const changes = "with_entries(select(.value != $input[.key]))";
  return { ...entry, task: { ...entry.task, output: { as: wrapped(as === undefined ? changes : pipe(as, changes)) } } };
};

function forkTask(context: WriterContext, entries: readonly TaskEntry[], competes: boolean): Task {
  const branches = listOf(context, entries);
  if (competes) return { fork: { compete: true, branches }, output: { as: wrapped("$input * .") } };
  return { fork: { branches }, output: { as: wrapped("reduce .[] as $branch ($input; . * $branch)") } };
}

function forTask(context: WriterContext, state: ForEachState): Task {
  const { items, item, results, actions, isParallel, place } = state;
  if (isParallel)
    context.tell(similarForm, place, {
      construct: "A `foreach` state",
      form: "`for`",
      difference: "the iterations run one after another",
    });
  const variable = /^[A-Za-z_]\w*$/.test(item) ? item : "item";
  const collect = results
    ? `. as $result | $input | del(${memberPath(item)}) | ${results.jq} += [$result]`
    : `$input | del(${memberPath(item)})`;
  const iteration: TaskEntry = {
    name: "iteration",
    task: {
      input: { from: wrapped(`. + { ${keyOf(item)}: $${variable} }`) },
      do: listOf(context, actionTasks(context, actions, "output")),
      output: { as: wrapped(collect) },
    },
    place,
  };
  const each = variable === "item" ? {} : { each: variable };
  return { for: { ...each, in: wrapped(items) }, do: listOf(context, [iteration]) };
}

function callbackTask(context: WriterContext, state: CallbackState): Task {
  const { action, event, filter, eventTimeout, place } = state;
  const names = new Set<string>();
  const call = actionTasks(context, [action], "merge", names);
  const wait: TaskEntry = {
    name: uniqueName(names, event.name),
    task: {
      ...listenTask(context, [event], "one", place),
      output: { as: wrapped(mergeEvent(context, event, filter, ".[0]", !event.dataOnly, place)) },
    },
    place,
  };
  return { do: listOf(context, [...call, waitingTask(context, wait, eventTimeout, state, names)]) };
}

function switchTasks(context: WriterContext, state: SwitchState): readonly TaskEntry[] {
  const { name, place, cases, otherwise } = state;
  const names = new Set<string>();
  const following: TaskEntry[] = [];
  const written = cases.map((each) => {
    const { target, tasks } = continuationOf(context, each.exit, name);
    following.push(...tasks);
    const created = uniqueName(names, each.name ?? each.exit.to ?? "end");
    return context.place({ [created]: { when: wrapped(each.when), ...goTo(target) } }, each.place);
  });
  const fallback = continuationOf(context, otherwise, name);
  if (!otherwise)
    context.tell(similarForm, place, {
      construct: "A switch without a default",
      form: "a switch that ends the run",
      difference: "0.8 fails if no condition holds",
    });
  const rest = { [uniqueName(names, "default")]: goTo(fallback.target) };
  const task = withFilters(state, { switch: [...written, rest] });
  const handled = withHandlers(context, state, task, undefined);
  return [{ name, task: handled.task, place }, ...following, ...fallback.tasks, ...handled.tasks];
}
