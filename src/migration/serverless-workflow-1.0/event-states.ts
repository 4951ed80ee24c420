import { assumption, similarForm } from "../../diagnostics/migration.ts";
import { pipe, wrapped } from "../jq-text.ts";
import type { EventDefinition, EventEntry, EventState, EventSwitchState, Place, State } from "../model.ts";
import { actionTasks } from "./actions.ts";
import { goTo, listOf, type Task, type TaskEntry, uniqueName, type WriterContext } from "./context.ts";
import { durationOf } from "./durations.ts";
import { isTimeout, standardError } from "./errors.ts";
import { filterOf, listenTask, mergeEvent } from "./events.ts";
import { withFilters } from "./filters.ts";
import { continuationOf, type TaskExit } from "./flow.ts";
import { withHandlers } from "./handlers.ts";

/** The task of an event state. The events of a start state are the input of the run. */
export function eventStateTasks(context: WriterContext, state: EventState, isStart: boolean): Task {
  const { entries, isExclusive, place } = state;
  const events = entries.flatMap((entry) => entry.events);
  const names = new Set<string>();
  const [only, ...others] = entries;
  const isSimple = only !== undefined && others.length === 0 && (isExclusive || only.events.length === 1);
  if (isStart) return { do: listOf(context, startTasks(context, state, names)) };
  const strategy = events.length === 1 ? "one" : isExclusive ? "any" : "all";
  if (isSimple && only.events.length === 1) {
    const event = only.events[0]!;
    const listen = listenTask(context, events, "one", place);
    const as = wrapped(mergeEvent(context, event, only.filter, ".[0]", !event.dataOnly, only.place));
    const wait = { name: uniqueName(names, event.name), task: { ...listen, output: { as } }, place: only.place };
    return waitAndAct(context, state, wait, actionTasks(context, only.actions, "merge", names), names);
  }
  const listen = listenTask(context, events, strategy, place, "envelope");
  const name = uniqueName(names, isExclusive ? "event" : "events");
  const wait = { name, task: { ...listen, output: { as: wrapped(`$input + { ${name}: . }`) } }, place };
  const acts = isExclusive
    ? chosenEntry(context, entries, `.${name}[0]`, name, names)
    : allEntries(context, entries, `.${name}`, name, names);
  return waitAndAct(context, state, wait, acts, names);
}

/** With a timeout, nothing of the state happens if the events do not arrive. */
function waitAndAct(
  context: WriterContext,
  state: EventState,
  wait: TaskEntry,
  acts: readonly TaskEntry[],
  names: Set<string>,
): Task {
  const { eventTimeout, place } = state;
  if (eventTimeout === undefined) return { do: listOf(context, [wait, ...acts]) };
  if (acts.length === 0 || handlesTimeout(context, state))
    return { do: listOf(context, [waitingTask(context, wait, eventTimeout, state, names), ...acts]) };
  const limited = { ...wait, task: { ...wait.task, timeout: { after: durationOf(eventTimeout) } } };
  context.tell(similarForm, place, {
    construct: "An event timeout of a state with actions",
    form: "a `catch` of timeouts",
    difference: "it also catches the timeouts of the actions",
  });
  return { try: listOf(context, [limited, ...acts]), catch: timeoutFilter() };
}

/** Whether the timeout of an event goes to a handler that expects it. */
const handlesTimeout = ({ machine }: WriterContext, { handlers }: State): boolean =>
  machine.handlesWaits &&
  handlers.some(({ errors, except }) => (errors?.some(isTimeout) ?? true) && !except.some(isTimeout));

/** A wait that proceeds after a timeout, unless the state handles that. */
export function waitingTask(
  context: WriterContext,
  wait: TaskEntry,
  timeout: string | undefined,
  state: State,
  names: Set<string>,
): TaskEntry {
  if (timeout === undefined) return wait;
  const limited = { ...wait, task: { ...wait.task, timeout: { after: durationOf(timeout) } } };
  if (handlesTimeout(context, state)) return limited;
  const task = { try: listOf(context, [limited]), catch: timeoutFilter() };
  return { name: uniqueName(names, `${wait.name} in time`), task, place: wait.place };
}

const timeoutFilter = (): Task => ({ errors: { with: { type: standardError("timeout") } } });

/** The actions of the entry whose event arrived. `member` holds the events and is removed. */
function chosenEntry(
  context: WriterContext,
  entries: readonly EventEntry[],
  event: string,
  member: string,
  names: Set<string>,
): readonly TaskEntry[] {
  const tasks: TaskEntry[] = [];
  const cases = entries.flatMap((entry) =>
    entry.events.map((definition) => {
      const name = uniqueName(names, `on ${definition.name}`);
      const merged = `${event} as $event | del(.${member}) | ${mergedEvent(context, definition, entry, "$event")}`;
      const inner = actionTasks(context, entry.actions);
      const task =
        inner.length === 0
          ? { set: wrapped(merged) }
          : { input: { from: wrapped(merged) }, do: listOf(context, inner) };
      tasks.push({ name, task: { ...task, ...goTo("exit") }, place: entry.place });
      return { [definition.name]: { when: wrapped(matches(event, definition)), ...goTo(name) } };
    }),
  );
  return [{ name: uniqueName(names, "which event"), task: { switch: cases }, place: entries[0]!.place }, ...tasks];
}

/** Merges all events and performs all actions. */
function allEntries(
  context: WriterContext,
  entries: readonly EventEntry[],
  events: string,
  member: string,
  names: Set<string>,
): readonly TaskEntry[] {
  const merge = entries.flatMap((entry) =>
    entry.events.map((definition) => {
      const found = `($events | map(select(${matches(".", definition)}))[0])`;
      return mergedEvent(context, definition, entry, found);
    }),
  );
  const program = [`${events} as $events`, `del(.${member})`, ...merge].join(" | ");
  const set = { name: uniqueName(names, "merge events"), task: { set: wrapped(program) }, place: entries[0]!.place };
  return [
    set,
    ...actionTasks(
      context,
      entries.flatMap(({ actions }) => actions),
      "merge",
      names,
    ),
  ];
}

/** `.` with an event, which `envelope` yields. */
function mergedEvent(
  context: WriterContext,
  event: EventDefinition,
  { filter, place }: EventEntry,
  envelope: string,
): string {
  return mergeEvent(context, event, filter, envelope, true, place).replaceAll("$input", ".");
}

const matches = (event: string, { type, source }: EventDefinition): string => {
  const of = (name: string): string => (event === "." ? `.${name}` : `${event}.${name}`);
  const tests = [`${of("type")} == ${JSON.stringify(type)}`];
  if (source !== undefined) tests.push(`${of("source")} == ${JSON.stringify(source)}`);
  return tests.join(" and ");
};

/** The tasks of a start state: the input is the array of events. */
function startTasks(context: WriterContext, state: EventState, names: Set<string>): readonly TaskEntry[] {
  const { entries, isExclusive, place } = state;
  const [only, ...others] = entries;
  if (only && others.length === 0 && only.events.length === 1) {
    const program = mergeEvent(context, only.events[0]!, only.filter, ".[0]", true, only.place);
    const set = { name: uniqueName(names, only.events[0]!.name), task: { set: wrapped(onNothing(program)) }, place };
    return [set, ...actionTasks(context, only.actions, "merge", names)];
  }
  const name = uniqueName(names, isExclusive ? "event" : "events");
  const keep = { name, task: { set: wrapped(`{ ${name}: . }`) }, place };
  const acts = isExclusive
    ? chosenEntry(context, entries, `.${name}[0]`, name, names)
    : allEntries(context, entries, `.${name}`, name, names);
  return [keep, ...acts];
}

/** A merge into no data. */
function onNothing(program: string): string {
  const [, created] = /^\$input \* (.*)$/.exec(program) ?? [];
  return created ?? program.replaceAll("$input", "{}");
}

/** The events that create runs. */
export function startEvents(context: WriterContext, { entries, isExclusive, place }: EventState): Task {
  const events = entries.flatMap((entry) => entry.events);
  context.tell(assumption, place, {
    expression: "schedule.on",
    assumed: "only events create runs",
    otherwise: "A call of the workflow would give it an input that is not an array of events.",
  });
  if (!isExclusive && events.length > 1) reportSharedValues(context, events, place);
  const filters = events.map((event) => filterOf(context, withoutRun(event), place));
  const strategy = filters.length === 1 ? { one: filters[0]! } : { [isExclusive ? "any" : "all"]: filters };
  return { on: strategy, read: "envelope" };
}

/** The events that create a run have the same values of these attributes, which `schedule` cannot demand here. */
function reportSharedValues(context: WriterContext, events: readonly EventDefinition[], place: Place): void {
  const shared = events.flatMap(({ correlation }) => correlation.filter(({ value }) => value === undefined));
  const [first] = shared;
  if (first)
    context.tell(similarForm, place, {
      construct: `The correlation by \`${first.attribute}\` of the events that create a run`,
      form: "nothing",
      difference: "events with different values create a run, too; `correlate` without `expect` does not work there",
    });
}

/** The first event of a run sets its correlation values. */
const withoutRun = (event: EventDefinition): EventDefinition => ({
  ...event,
  correlation: event.correlation.filter(({ value }) => value !== undefined),
});

/** The tasks of a switch on events. */
export function eventSwitchTasks(context: WriterContext, state: EventSwitchState): readonly TaskEntry[] {
  const { name, place, cases, otherwise, eventTimeout } = state;
  const events = cases.map(({ event }) => event);
  const listen: TaskEntry = {
    name: "event",
    task: {
      ...listenTask(context, events, events.length === 1 ? "one" : "any", place, "envelope"),
      output: { as: wrapped("$input + { event: .[0] }") },
    },
    place,
  };
  const wait = waitingTask(context, listen, eventTimeout, state, new Set());
  const handled = withHandlers(
    context,
    state,
    withFilters({ ...state, output: undefined }, { do: listOf(context, [wait]) }),
    undefined,
  );
  const decision = uniqueName(context.names, `${name} by event`);
  const following: TaskEntry[] = [];
  const names = new Set<string>();
  const written = cases.map(({ name: label, event, filter, exit, place: at }) => {
    const merge = uniqueName(context.names, `${name} receives ${event.name}`);
    const { target, tasks } = continuationOf(context, exit, name);
    const merged = `.event as $event | del(.event) | ${mergeEvent(context, event, filter, "$event", true, at).replaceAll("$input", ".")}`;
    const program = state.output ? pipe(merged, state.output.jq) : merged;
    following.push({ name: merge, task: { set: wrapped(program), ...goTo(target) }, place: at }, ...tasks);
    const created = uniqueName(names, label ?? event.name);
    return context.place({ [created]: { when: wrapped(matches(".event", event)), ...goTo(merge) } }, at);
  });
  const fallback = filteredExit(context, state, continuationOf(context, otherwise, name));
  const rest = { [uniqueName(names, "default")]: goTo(fallback.target) };
  return [
    { name, task: { ...handled.task, ...goTo(decision) }, place },
    { name: decision, task: { switch: [...written, rest] }, place },
    ...following,
    ...fallback.tasks,
    ...handled.tasks,
  ];
}

/** An exit without an event: the output filter of the state applies. */
function filteredExit(context: WriterContext, { name, place, output }: EventSwitchState, exit: TaskExit): TaskExit {
  if (!output) return exit;
  const filter = uniqueName(context.names, `${name} without an event`);
  const task = { set: wrapped(output.jq), ...goTo(exit.target) };
  return { target: filter, tasks: [{ name: filter, task, place }, ...exit.tasks] };
}
