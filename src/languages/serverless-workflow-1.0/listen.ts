import {
  access,
  and,
  binary,
  call,
  collect,
  type Expression,
  identity,
  iterate,
  literal,
  pipe,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { EventIteration, Export, Listen, Output } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { EventCombination, EventPattern } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, end, noSteps, reserve, type StepFragment, sequence, step } from "../shared/steps.ts";
import { type Row, taskRow, withInput } from "./arguments.ts";
import { contextName, dataName, freshVariable, type Writer } from "./context.ts";
import { schemaSteps, skippedSteps } from "./data-flow.ts";
import {
  emptyAll,
  endlessWait,
  exportInBranch,
  keptEvents,
  keyWithoutEffect,
  tooManyKeys,
  unboundKey,
  untilWithoutEffect,
} from "./diagnostics/flow.ts";
import { standardError } from "./errors.ts";
import { boundKeys, filtersOf, groupsOf, hasFreeKey, readEvent, type StrategyFilters } from "./events.ts";
import { conditionAt, filterAt } from "./expressions.ts";
import { innerScope, lowerInner } from "./lists.ts";
import { checkNames } from "./loops.ts";
import { eventName } from "./names.ts";

/** Whether a task receives its events in one step and does nothing else. */
export const isSingleReceipt = ({ listen, foreach }: Writer["task"]): boolean =>
  listen !== undefined &&
  !foreach &&
  !(listen.to.any && listen.to.until !== undefined) &&
  !(listen.to.all ?? []).some(hasFreeKey);

/** Waits for events; the raw output is an array of what is read of them, in order of arrival. */
export function lowerListen(writer: Writer): StepFragment {
  const { context, task } = writer;
  const listen = task.listen!;
  const strategy = filtersOf(listen.to);
  const span = spanOf(context, listen, "to", "key");
  if (strategy.kind === "all" && strategy.filters.length === 0) context.report(emptyAll(span, {}));
  if (listen.to.until !== undefined && strategy.kind !== "any")
    context.report(untilWithoutEffect(spanOf(context, listen.to, "until", "key"), {}));
  context.report(keptEvents(spanOf(context, task, "listen", "key"), {}));
  const repeats = listen.to.until !== undefined && strategy.kind === "any";
  const keyed = strategy.filters.filter(hasFreeKey);
  if (keyed.length > 0 && strategy.kind === "any" && !repeats)
    context.report(keyWithoutEffect(spanOf(context, keyed[0]!, "correlate", "key"), {}));
  const { until } = listen.to;
  const ending = typeof until === "object" ? filtersOf(until).filters.filter(hasFreeKey) : [];
  const [unbound] = repeats ? [...keyed, ...ending] : [];
  if (unbound) context.report(unboundKey(spanOf(context, unbound, "correlate", "key"), { place: "`until`" }));
  if (repeats) return lowerCycle(writer, listen, strategy);
  const received = freshVariable(writer.scope, "received");
  const events = freshVariable(writer.scope, "events");
  const receive =
    strategy.kind === "all" && keyed.length > 0
      ? correlatedReceives(writer, strategy, events)
      : sequence(
          receiveStep(writer, received, [combinationOf(writer, strategy, eventName(writer))]),
          lateSteps(writer, received),
          assign(writer, "events", span, { variable: events, value: eventsIn(received) }),
        );
  const items = pipe(iterate(variable(events)), readEvent(listen.read, identity));
  const output = { variable: dataName, value: simplify(collect(items)) };
  if (!task.foreach) return sequence(receive, assign(writer, "read", span, output));
  return sequence(receive, iterateEvents(writer, task.foreach, simplify(collect(items))));
}

const eventsIn = (received: string): Expression =>
  simplify(collect(pipe(iterate(access(variable(received), literal("events"))), access(identity, literal("event")))));

const firstEvent = (received: string): Expression =>
  access(access(access(variable(received), literal("events")), literal(0)), literal("event"));

/** Whether a receipt took an alternative; null: its time limit expired. */
const tookAlternative = (received: string, index: number | null): Expression =>
  binary("==", access(variable(received), literal("alternative")), literal(index));

function combinationOf(
  writer: Writer,
  strategy: StrategyFilters,
  name: string,
  narrow: (pattern: EventPattern) => EventPattern = (pattern) => pattern,
): EventCombination {
  const { context, task } = writer;
  const span = spanOf(context, task.listen!, "to");
  const groups = groupsOf(context, strategy, listenRow(writer), name, span);
  const within = typeof writer.limit === "number" ? writer.limit : undefined;
  return { all: groups.map((group) => group.map(narrow)), none: [], within, span };
}

/** What filters see: the data is the input of the task, also where `foreach` has changed it between two events. */
const listenRow = (writer: Writer): Row => {
  const row = taskRow(writer);
  return writer.task.foreach && writer.keptInput !== undefined ? withInput(row, variable(writer.keptInput)) : row;
};

const receiveStep = (writer: Writer, bind: string, alternatives: readonly EventCombination[]): StepFragment =>
  step(writer, "receive", spanOf(writer.context, writer.task, "listen", "key"), (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind,
    next,
  }));

/** Raises `timeout` if the limit of the task expired first. */
function lateSteps(writer: Writer, received: string): StepFragment {
  const { context, task, limit, pointer } = writer;
  if (limit === undefined) return noSteps;
  const span = spanOf(context, task, "timeout", "key");
  const isLate = tookAlternative(received, null);
  const value = standardError("timeout", "Timeout", undefined, pointer);
  const fail = () => end(writer, "late", span, { outcome: "fail", extent: "scope", value });
  return choose(writer, "timeout", span, [{ when: isLate, span, build: fail }], () => noSteps);
}

const maxCorrelated = 4;

/**
 * Events for all filters that agree on a key: the first event sets the key, and the others are received under the
 * condition that they have it.
 */
function correlatedReceives(writer: Writer, strategy: StrategyFilters, events: string): StepFragment {
  const { context, task, scope } = writer;
  const { filters } = strategy;
  const span = spanOf(context, task.listen!, "to");
  if (filters.length > maxCorrelated) {
    context.report(tooManyKeys(span, { count: filters.length, most: maxCorrelated }));
    return skippedSteps(writer);
  }
  const row = taskRow(writer);
  const names = new Set(filters.flatMap((filter) => Object.keys(filter.correlate ?? {})));
  const variables = new Map([...names].map((name) => [name, freshVariable(scope, "key")] as const));
  const first = freshVariable(scope, "received");
  const receiveRest = (rest: readonly number[]): StepFragment => {
    if (rest.length === 0) return noSteps;
    const bound = freshVariable(scope, "received");
    const alternatives = rest.map((index) => {
      const filter = filters[index]!;
      const keys = boundKeys(context, filter, row, variable("event"));
      const agree = [...keys].map(([name, value]) => binary("==", value, variable(variables.get(name)!)));
      const narrow = (pattern: EventPattern): EventPattern => ({
        ...pattern,
        when: agree.reduce<Expression | undefined>((all, each) => (all ? and(all, each) : each), pattern.when),
      });
      const single = { kind: "one", filters: [filter] } as const;
      return combinationOf(writer, single, `${eventName(writer)}/${index}/${rest.length}`, narrow);
    });
    const append = binary("+", variable(events), eventsIn(bound));
    const choices = rest.slice(1).map((_, at) => ({
      when: tookAlternative(bound, at + 1),
      span,
      build: () => receiveRest(rest.filter((__, other) => other !== at + 1)),
    }));
    const receive = sequence(
      receiveStep(writer, bound, alternatives),
      assign(writer, "append", span, { variable: events, value: append }),
    );
    if (choices.length === 0) return receive;
    return sequence(
      receive,
      choose(writer, "which", span, choices, () => receiveRest(rest.slice(1))),
    );
  };
  const indexes = filters.map((_, index) => index);
  const alternatives = indexes.map((index) =>
    combinationOf(writer, { kind: "one", filters: [filters[index]!] }, `${eventName(writer)}/${index}`),
  );
  const begin = receiveStep(writer, first, alternatives);
  const event = firstEvent(first);
  const bindKeys = (index: number): StepFragment => {
    const keys = boundKeys(context, filters[index]!, row, event);
    return assign(
      writer,
      "keys",
      span,
      { variable: events, value: eventsIn(first) },
      ...[...keys].map(([name, value]) => ({ variable: variables.get(name)!, value })),
    );
  };
  const after = (index: number): StepFragment =>
    sequence(bindKeys(index), receiveRest(indexes.filter((other) => other !== index)));
  const choices = indexes.slice(1).map((index) => ({
    when: tookAlternative(first, index),
    span,
    build: () => after(index),
  }));
  return sequence(
    begin,
    choose(writer, "first", span, choices, () => after(0)),
  );
}

/** Receives one event per round, until a condition holds or an event of `until` arrives. */
function lowerCycle(writer: Writer, listen: Listen, strategy: StrategyFilters): StepFragment {
  const { context, task, scope } = writer;
  const { until } = listen.to;
  const span = spanOf(context, listen.to, "until");
  const received = freshVariable(scope, "received");
  const output = freshVariable(scope, "output");
  const index = freshVariable(scope, "index");
  const begin = assign(
    writer,
    "begin",
    span,
    { variable: output, value: literal([]) },
    { variable: index, value: literal(0) },
  );
  const ending =
    typeof until === "object"
      ? [{ ...combinationOf(writer, filtersOf(until), `${eventName(writer)}/until`), span }]
      : [];
  const alternatives = [...ending, combinationOf(writer, strategy, eventName(writer))];
  const receive = reserve(writer, "receive", spanOf(context, task, "listen", "key"));
  const item = readEvent(listen.read, firstEvent(received));
  const round = task.foreach
    ? eventRound(writer, task.foreach, { item, output, index })
    : assign(writer, "append", span, {
        variable: output,
        value: simplify(binary("+", variable(output), collect(item))),
      });
  const isEnded =
    typeof until === "object"
      ? tookAlternative(received, 0)
      : conditionAt(context, { owner: listen.to, key: "until" }, withInput(taskRow(writer), variable(output)));
  if (isEnded.kind === "literal" && isEnded.value === false && !task.timeout) context.report(endlessWait(span, {}));
  const test = reserve(writer, "until", span);
  const finish = assign(writer, "read", span, { variable: dataName, value: variable(output) });
  return (next) => {
    const done = finish(next);
    const isStrategy = typeof until === "object";
    const again = isStrategy ? round(receive.reference) : receive.reference;
    test.fill({ ...test.base, kind: "choose", cases: [{ when: isEnded, next: done, span }], otherwise: again });
    const following = isStrategy ? test.reference : round(test.reference);
    receive.fill({
      ...receive.base,
      kind: "receive",
      alternatives,
      unused: "keep",
      bind: received,
      next: following,
    });
    return begin(receive.reference);
  };
}

interface EventRound {
  readonly item: Expression;
  readonly output: string;
  readonly index: string;
}

/** One event: the tasks run with the event as their input, and their filtered output is appended. */
function eventRound(writer: Writer, iteration: EventIteration, { item, output, index }: EventRound): StepFragment {
  const { context, task, construct, scope } = writer;
  checkNames(writer, iteration, ["item", "at"]);
  const current = freshVariable(scope, "event");
  const bindings = new Map<string, Expression>([
    [iteration.item ?? "item", variable(current)],
    [iteration.at ?? "index", variable(index)],
  ]);
  const row = taskRow(writer, bindings);
  const span = spanOf(context, task, "foreach", "key");
  const begin = assign(writer, "event", span, { variable: current, value: item }, { variable: dataName, value: item });
  const tasks = iteration.do
    ? lowerInner(writer, innerScope(writer, bindings), { owner: iteration, key: "do", at: "foreach/do", role: "round" })
    : noSteps;
  const filter = (owner: Output | Export | undefined, checked: string, noun: string): StepFragment => {
    if (!owner) return noSteps;
    const seen = checked === contextName ? withInput(row, row.input, new Map([["output", row.input]])) : row;
    const value = owner.as === undefined ? undefined : filterAt(context, { owner, key: "as" }, seen);
    return sequence(
      value ? assign(writer, "as", span, { variable: checked, value }) : noSteps,
      schemaSteps(context, writer, owner, { checked, noun, instance: writer.pointer }),
    );
  };
  const append = assign(
    writer,
    "append",
    construct.span,
    { variable: output, value: binary("+", variable(output), collect(variable(dataName))) },
    { variable: index, value: binary("+", variable(index), literal(1)) },
  );
  if (iteration.export && scope.frame.isBranch)
    context.report(exportInBranch(spanOf(context, iteration, "export", "key"), {}));
  const kept = filter(iteration.output, dataName, "the output");
  return sequence(begin, tasks, kept, filter(iteration.export, contextName, "the context"), append);
}

/** Runs the tasks of `foreach` for each of several events. */
function iterateEvents(writer: Writer, iteration: EventIteration, items: Expression): StepFragment {
  const { context, task, scope } = writer;
  const span = spanOf(context, task, "foreach", "key");
  const all = freshVariable(scope, "items");
  const output = freshVariable(scope, "output");
  const index = freshVariable(scope, "index");
  const begin = assign(
    writer,
    "each",
    span,
    { variable: all, value: items },
    { variable: output, value: literal([]) },
    { variable: index, value: literal(0) },
  );
  const test = reserve(writer, "test", span);
  const round = eventRound(writer, iteration, { item: access(variable(all), variable(index)), output, index });
  const finish = assign(writer, "read", span, { variable: dataName, value: variable(output) });
  const when = binary("<", variable(index), call("length", variable(all)));
  return (next) => {
    const cases = [{ when, next: round(test.reference), span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise: finish(next) });
    return begin(test.reference);
  };
}
