import {
  access,
  collect,
  freeVariables,
  identity,
  iterate,
  literal,
  pipe,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { Start, Timer } from "../../ir/definitions.ts";
import type { EventCombination } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { parseCron } from "../../text/cron.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, type StepWriter, sequence, step } from "../shared/steps.ts";
import { workflowInputRow } from "./arguments.ts";
import { type Context, dataName, freshVariable, type TaskScope } from "./context.ts";
import {
  emptyAll,
  emptyInterval,
  invalidCron,
  keyWithoutEffect,
  scheduledData,
  scheduledIteration,
  scheduledRead,
  unboundKey,
} from "./diagnostics/flow.ts";
import { constantSecondsAt } from "./durations.ts";
import { filtersOf, groupsOf, hasFreeKey, readEvent } from "./events.ts";
import { hasExpression } from "./expressions.ts";
import { checkSince } from "./identity.ts";

const startEvent = "schedule/on";

/** How runs start: by calls, and by the events and timers of `schedule`. */
export function lowerSchedule(context: Context): Start {
  const { definition } = context;
  const { schedule } = definition;
  const span = spanOf(context, definition, schedule ? "schedule" : "document", "key");
  if (!schedule) return { span };
  checkSince(context, schedule, "read", "schedule.read", 4);
  const timers = timersOf(context);
  if (!schedule.on) return { span, timers };
  if (schedule.on.until !== undefined)
    context.report(scheduledIteration(spanOf(context, schedule.on, "until", "key"), {}));
  const { kind, filters } = filtersOf(schedule.on);
  if (kind === "all" && filters.length === 0) context.report(emptyAll(spanOf(context, schedule.on, "all"), {}));
  const keyed = filters.find(hasFreeKey);
  if (keyed) {
    const place = spanOf(context, keyed, "correlate", "key");
    if (kind === "all" && filters.length > 1) context.report(unboundKey(place, { place: "`all` in a schedule" }));
    else context.report(keyWithoutEffect(place, {}));
  }
  const on = startCombinations(context);
  return { span, ...(timers.length > 0 ? { timers } : {}), on, create: kind === "all" ? "complete" : "first" };
}

function timersOf(context: Context): readonly Timer[] {
  const schedule = context.definition.schedule!;
  const timers: Timer[] = [];
  for (const kind of ["every", "after"] as const) {
    if (schedule[kind] === undefined) continue;
    const seconds = constantSecondsAt(context, { owner: schedule, key: kind }, workflowInputRow);
    const isConstant = !hasExpression(schedule[kind] as Json);
    if (seconds === 0 && isConstant) context.report(emptyInterval(spanOf(context, schedule, kind), { key: kind }));
    timers.push({ kind, seconds, span: spanOf(context, schedule, kind) });
  }
  if (schedule.cron !== undefined) {
    const span = spanOf(context, schedule, "cron");
    const parsed = parseCron(schedule.cron);
    const fields = schedule.cron.trim().split(/\s+/).length;
    if ("message" in parsed) context.report(invalidCron(span, { message: parsed.message }));
    else if (fields > 6) context.report(invalidCron(span, { message: "A cron expression has five or six fields." }));
    else timers.push({ kind: "cron", expression: schedule.cron, span });
  }
  return timers;
}

function startCombinations(context: Context): readonly EventCombination[] {
  const { on } = context.definition.schedule!;
  const known = context.events.filter(({ name }) => name === startEvent || name.startsWith(`${startEvent}/`));
  const span = spanOf(context, context.definition.schedule!, "on");
  const silent = { ...context, report: () => {}, events: known.length > 0 ? [] : context.events };
  const groups = groupsOf(silent, filtersOf(on!), workflowInputRow, startEvent, span);
  for (const { event, when } of groups.flat())
    if (when && [...freeVariables(when)].some((name) => name !== "event"))
      context.report(scheduledData(event.span, {}));
  return [{ all: groups, none: [], span }];
}

/** Receives the events that started the run: its raw input is the array of what is read of them. */
export function receiveStart(context: Context, writer: StepWriter, scope: TaskScope): StepFragment {
  const { schedule } = context.definition;
  if (!schedule?.on) return noSteps;
  const span = spanOf(context, schedule, "on");
  const { read } = schedule;
  if (read === undefined) context.report(scheduledRead(spanOf(context, schedule, "on", "key"), {}));
  const bound = freshVariable(scope, "received");
  const groups = groupsOf(context, filtersOf(schedule.on), workflowInputRow, startEvent, span);
  const item = pipe(access(identity, literal("event")), readEvent(read ?? "envelope", identity));
  const value = simplify(collect(pipe(iterate(access(variable(bound), literal("events"))), item)));
  return sequence(
    step(writer, "receive", span, (base, next) => ({
      ...base,
      kind: "receive",
      alternatives: [{ all: groups, none: [], span }],
      unused: "keep",
      bind: bound,
      next,
    })),
    assign(writer, "events", span, { variable: dataName, value }),
  );
}
