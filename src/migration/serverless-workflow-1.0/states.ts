import { assumption, noForm, similarForm } from "../../diagnostics/migration.ts";
import { keyOf, memberPath, pipe, wrapped } from "../jq-text.ts";
import type {
  Action,
  Body,
  CallbackState,
  ForEachState,
  OperationState,
  ParallelState,
  State,
  SwitchState,
} from "../model.ts";
import { actionTasks, type ResultUse } from "./actions.ts";
import { type BranchChanges, membersOfAction, membersOfBody, mergedBranches, reportSharedMembers } from "./branches.ts";
import { goTo, listOf, type Task, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { asOf, mergeLiteral } from "./data.ts";
import { durationOf } from "./durations.ts";
import { eventStateTasks, eventSwitchTasks, waitingTask } from "./event-states.ts";
import { listenTask, mergeEvent } from "./events.ts";
import { withFilters } from "./filters.ts";
import { continuationOf, raiseTask, withoutRedundantThen } from "./flow.ts";
import { withHandlers } from "./handlers.ts";

/** The entries of a list of states that begins with the start state. `createsRuns`: events of the start create runs. */
export function stateEntries(
  context: WriterContext,
  states: readonly State[],
  createsRuns: boolean,
): readonly TaskEntry[] {
  const entries = states.flatMap((state, i) => {
    const [first, ...others] = stateTasks(context, state, createsRuns && i === 0);
    const metadata = state.metadata === undefined ? {} : { metadata: state.metadata };
    return [{ ...first!, task: { ...first!.task, ...metadata } }, ...others];
  });
  return withoutRedundantThen(context, entries);
}

/** The tasks of a branch or iteration. `use` applies to its last action. */
function bodyTasks(context: WriterContext, body: Body, use: ResultUse): readonly TaskEntry[] {
  if (body.kind === "actions") return actionTasks(context, body.actions, use);
  const names = new Set(body.states.map(({ name }) => name));
  return stateEntries({ ...context, names, end: "exit" }, body.states, false);
}

/** The tasks of a state and of its exits. */
function stateTasks(context: WriterContext, state: State, isStart: boolean): readonly TaskEntry[] {
  switch (state.kind) {
    case "switch":
      return switchTasks(context, state);
    case "event switch":
      return eventSwitchTasks(context, state);
    case "event":
      return leave(context, state, eventStateTasks(context, state, isStart));
    case "inject":
      return leave(context, state, { set: wrapped(mergeLiteral(context, state.data, state.place)) });
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

function operationTask(context: WriterContext, { actions, isParallel, place }: OperationState): Task {
  if (!isParallel || actions.length < 2) return { do: listOf(context, actionTasks(context, actions)) };
  const names = new Set<string>();
  const branches = actions.flatMap((action) => {
    const isAlways = isAlwaysPerformed(action);
    const tasks = actionTasks(context, [action], isAlways ? "changes" : "merge", names);
    return isAlways ? tasks : tasks.map((task) => changesOnly(context, task, undefined));
  });
  const changed = actions.map((action) => ({
    members: membersOfAction(action),
    returnsWhole: !isAlwaysPerformed(action),
  }));
  reportSharedMembers(context, place, changed);
  return forkTask(context, branches, false);
}

/** Whether an action has a result whatever the data are, which replaces no part of a value in the data. */
const isAlwaysPerformed = ({ condition, before, after, isResultUsed, to, work }: Action): boolean =>
  [condition, before, after].every((each) => each === undefined) &&
  isResultUsed &&
  (to === undefined || to.names?.length === 1) &&
  !(work.kind === "event" && !work.result);

/** Whether an action, without regard to its pauses, has a result whatever the data are. */
const hasResult = (action: Action | undefined): boolean =>
  action !== undefined &&
  isAlwaysPerformed({ ...action, before: undefined, after: undefined, to: undefined }) &&
  !(action.work.kind !== "event" && !action.work.isAwaited);

function parallelTask(context: WriterContext, { branches, count, place }: ParallelState): Task {
  const competes = count === 1 && branches.length > 1;
  if (count !== undefined && count < branches.length && !competes)
    context.tell(noForm, place, {
      construct: `a join of ${count} of ${branches.length} branches`,
      hint: "`fork` joins all branches, or one with `compete: true`.",
    });
  const changed: BranchChanges[] = [];
  const entries = branches.map((branch) => {
    const limit = branch.timeout === undefined ? {} : { timeout: { after: durationOf(branch.timeout) } };
    const { body } = branch;
    const isSingle = body.kind === "actions" && body.actions.length === 1 && isAlwaysPerformed(body.actions[0]!);
    const members = branch.mayYieldOther ? undefined : membersOfBody(body);
    changed.push({ members, returnsWhole: !isSingle });
    const tasks = bodyTasks(context, body, isSingle ? "changes" : "merge");
    const entry = { name: branch.name, task: { do: listOf(context, tasks), ...limit }, place: branch.place };
    return isSingle ? entry : changesOnly(context, entry, branch.mayYieldOther ? branch.name : undefined);
  });
  if (!competes) reportSharedMembers(context, place, changed);
  return forkTask(context, entries, competes);
}

/** The members that a task changed. */
const changes = "to_entries - ($input | to_entries) | from_entries";

/**
 * A branch that returns the members that it changed. Otherwise it would undo the changes of the others. The output filter
 * of a task that is skipped does not apply, so such a task is within another.
 */
const changesOnly = (context: WriterContext, given: TaskEntry, member: string | undefined): TaskEntry => {
  const isSkippable = given.task["if"] !== undefined;
  const entry = isSkippable ? { ...given, task: { do: listOf(context, [given]) } as Task } : given;
  const as = asOf(entry.task["output"]);
  const selected =
    member === undefined ? changes : `if type == "object" then ${changes} else { ${keyOf(member)}: . } end`;
  return {
    ...entry,
    task: { ...entry.task, output: { as: wrapped(as === undefined ? selected : pipe(as, selected)) } },
  };
};

function forkTask(context: WriterContext, entries: readonly TaskEntry[], competes: boolean): Task {
  const branches = listOf(context, entries);
  if (competes) return { fork: { compete: true, branches }, output: { as: wrapped("$input * .") } };
  return { fork: { branches }, output: { as: wrapped(mergedBranches) } };
}

function forTask(context: WriterContext, state: ForEachState): Task {
  const { items, item, results, replacesResults, collects, body, isParallel, input, place } = state;
  if (isParallel)
    context.tell(similarForm, place, {
      construct: "A `foreach` state",
      form: "`for`",
      difference: "the iterations run one after another",
    });
  if (results && body.kind === "actions" && !hasResult(body.actions.at(-1)))
    context.tell(similarForm, place, {
      construct: "The result of an iteration",
      form: "what its last action leaves",
      difference: "that action may have no result, and then 0.8 takes the result of an earlier one, or null",
    });
  if (results && !replacesResults)
    context.tell(assumption, place, {
      expression: `${results.jq} += [$result]`,
      assumed: `\`${results.jq}\` is an array or null before the loop`,
      otherwise: "Otherwise, 1.0 fails in the first iteration, and 0.8 after the last one.",
    });
  const variable = /^[A-Za-z_]\w*$/.test(item) ? item : "item";
  const collect = results
    ? `${collects === "changes" ? `${changes} as $result` : ". as $result"} | $input | del(${memberPath(item)}) | ${results.jq} += [$result]`
    : `$input | del(${memberPath(item)})`;
  const iteration: TaskEntry = {
    name: "iteration",
    task: {
      input: { from: wrapped(`. + { ${keyOf(item)}: $${variable} }`) },
      do: listOf(context, bodyTasks(context, body, "output")),
      output: { as: wrapped(collect) },
    },
    place,
  };
  const each = variable === "item" ? {} : { each: variable };
  const from = results && replacesResults ? { input: { from: wrapped(pipe(input?.jq, `${results.jq} = []`)) } } : {};
  return { ...from, for: { ...each, in: wrapped(items) }, do: listOf(context, [iteration]) };
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
  const failure = raiseTask(context, `${name} has no match`, "NoChoiceMatched", place);
  const fallback = otherwise ? continuationOf(context, otherwise, name) : { target: failure.name, tasks: [failure] };
  const rest = { [uniqueName(names, "default")]: goTo(fallback.target) };
  const [handler] = state.handlers;
  if (handler)
    context.tell(noForm, handler.place, {
      construct: "error handlers of a switch state",
      hint: "Compute what its conditions need in a `try` before it.",
    });
  const task = withFilters(state, { switch: [...written, rest] });
  return [{ name, task, place }, ...following, ...fallback.tasks];
}
