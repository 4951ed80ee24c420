import type { Answer, ReceivedEvent, RunRecord } from "../../../../src/events/partition.ts";
import { commonPartition } from "../../../../src/events/routing.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type {
  AlternativeDefinition,
  Definition,
  PatternDefinition,
  WorkflowEvents,
} from "../../../../targets/asl/runtime/definition.ts";
import { routingOf, rulesOf } from "../../../../targets/asl/runtime/definition.ts";
import { Group, type Host } from "../../../../targets/asl/runtime/group.ts";
import { createHandlers } from "../../../../targets/asl/runtime/handlers.ts";
import { type Item, sortKeys } from "../../../../targets/asl/runtime/items.ts";
import { openTable } from "../../../../targets/asl/runtime/table.ts";
import { createDynamoDB } from "../../../../targets/asl/simulator/dynamodb/index.ts";
import { createStepFunctions } from "../../../../targets/asl/simulator/step-functions.ts";
import {
  type CrashPoint,
  describeEventStore,
  type EventStore,
  type EventStoreDriver,
  type Receipt,
  type TestClock,
} from "../../../events/adapters.ts";
import type { EventProgram, ProgramAlternative, ProgramPattern } from "../../../events/program.ts";

/** The event functions on simulated services. The driver plays the part of Step Functions and of machines. */
const driver = (
  name: string,
  isPartitioned: boolean,
  rest: Pick<EventStoreDriver, "supports"> & Pick<Host, "maxItems"> = {},
): EventStoreDriver => ({
  name,
  crashPoints: ["before store", "before effects", "before confirm"],
  open: (program, clock) => openStore(program, clock, isPartitioned, rest.maxItems),
  ...(rest.supports && { supports: rest.supports }),
});

describeEventStore(driver("of asl", false), { count: 60 });
describeEventStore(driver("of asl, partitioned by value", true, { supports: ({ key }) => key !== undefined }), {
  count: 60,
});

/** Programs for which kept events need not be read when another arrives. */
const singleEvents: EventProgram = {
  name: "single events",
  events: [
    { name: "a", type: "a" },
    { name: "b", type: "b", attribute: "key" },
    { name: "c", type: "c", attribute: "key" },
  ],
  waits: {
    A: { alternatives: [{ all: [["a"]] }] },
    B: { alternatives: [{ all: [["b"]], within: 30 }] },
    BorC: { alternatives: [{ all: [["b", "c"]] }] },
    First: {
      alternatives: [
        { all: [["c"]], within: 10 },
        { all: [["a"]], within: 25 },
      ],
    },
    Big: {
      alternatives: [{ all: [[{ event: "b", when: ({ data }) => ((data as JsonObject).number as number) > 4 }]] }],
    },
  },
  starts: [],
};
const startedBySingleEvents: EventProgram = {
  ...singleEvents,
  name: "starts by single events",
  starts: [{ workflow: "orders", on: [{ all: [["c"]] }] }],
};
describeEventStore(driver("of asl, without kept events", false, { maxItems: 2 }), {
  count: 60,
  others: [singleEvents, startedBySingleEvents],
});

const arnOf = (machine: string): string => `arn:aws:states:eu-west-1:1:stateMachine:${machine}`;

/** A wait whose Task has not ended. */
interface OpenWait {
  readonly request: { readonly step: string; readonly [name: string]: Json };
  readonly run: string;
  readonly isDropping: boolean;
}

function openStore(
  program: EventProgram,
  clock: TestClock,
  isPartitioned: boolean,
  maxItems: number | undefined,
): EventStore {
  let receipts: Receipt[] = [];
  let crash: CrashPoint | undefined;
  /** Whether the operation has reached Step Functions. */
  let isPerformed = false;
  const values = new Map<string, Json>();
  const waits = new Map<string, OpenWait>();
  const written = new Map<string, JsonObject>();
  const fault = (operation: string, request: object): { readonly error: Error } | undefined => {
    const isWrite = operation === "transactWriteItems";
    if (isWrite) for (const [key, body] of bodiesOf(request as TransactionRequest)) written.set(key, body);
    const isEffect = operation === "sendTaskSuccess" || operation === "startExecution";
    const isCrash =
      (crash === "before store" && isWrite) ||
      (crash === "before effects" && isEffect) ||
      (crash === "before confirm" && isWrite && isPerformed);
    isPerformed ||= isEffect;
    if (!isCrash) return undefined;
    crash = undefined;
    return { error: new Error("The function crashes.") };
  };
  const stepFunctions = createStepFunctions({
    fault,
    onStart({ stateMachineArn, arn }) {
      const start = program.starts.find(({ workflow }) => stateMachineArn === arnOf(workflow))!;
      receipts.push({ kind: "start", workflow: start.workflow, run: arn, events: startEvents(arn, written) });
    },
    onTaskEnd(token, result) {
      if (result.kind === "failed") throw new Error(result.error);
      const [id] = JSON.parse(token) as [string];
      waits.delete(id);
      receipts.push({ kind: "answer", id, ...answerOf(result.output) });
    },
  });
  const definition = definitionOf(program, isPartitioned);
  const host: Host = {
    dynamodb: createDynamoDB({ clock: { now: () => clock.now, sleep: async () => {} }, fault }),
    stepFunctions,
    table: "events",
    machines: Object.fromEntries(program.starts.map(({ workflow }) => [workflow, arnOf(workflow)])),
    starts: true,
    maxItems,
    now: () => clock.now,
    pause: async () => {},
  };
  const handlers = createHandlers(definition, host);
  let attempts = 0;
  let giveUp: (() => Promise<unknown>) | undefined;
  const stop = (id: string): OpenWait | undefined => {
    const wait = waits.get(id);
    if (!wait) return undefined;
    waits.delete(id);
    stepFunctions.stopTask(String(wait.request["task"]));
    return wait;
  };
  return {
    async arrive(event) {
      isPerformed = false;
      const delivery = { id: String(event["id"]), source: "", "detail-type": "", time: "", detail: event };
      await handlers.ingest(delivery);
    },
    join(run, value) {
      if (value !== undefined) values.set(run, value);
    },
    async wait({ id, run, step, began, position, variables, values: own }) {
      isPerformed = false;
      stop(id);
      const task = JSON.stringify([id, attempts++]);
      const times = { run, started: new Date(began).toISOString(), position };
      const rest = { variables, correlation: values.get(run) ?? null, ...(own && { values: own }) };
      const request = { step, ...times, ...rest, task };
      stepFunctions.openTask(task, run);
      waits.set(id, { request, run, isDropping: program.waits[step]!.unused === "drop" });
      await handlers.wait(request);
    },
    cancel: (id) => void stop(id),
    async expire(id) {
      isPerformed = false;
      const wait = stop(id);
      if (wait) {
        receipts.push({ kind: "answer", id, alternative: null, events: [], groups: [] });
        const { task: _, ...request } = wait.request;
        giveUp = () => handlers.wait(request as unknown as Parameters<typeof handlers.wait>[0]);
        if (!wait.isDropping) giveUp = undefined;
      }
      await giveUp?.();
      giveUp = undefined;
    },
    leave(run) {
      for (const [id, wait] of waits) if (wait.run === run) stop(id);
    },
    received() {
      const all = receipts;
      receipts = [];
      return all;
    },
    crashAt(point) {
      crash = point;
    },
    /** As a sweep does it after a minute. */
    async reopen() {
      const rules = rulesOf(definition, () => undefined);
      const table = openTable(host.dynamodb, host.table, definition.group, { rules, kept: 1e9 });
      const group = new Group(
        table,
        {
          group: "orders",
          rules,
          routing: routingOf(definition),
          executionOf: () => undefined,
          behindWait: () => undefined,
          partOf: () => "all",
          isDecidedBySingleEvents: false,
        },
        host,
      );
      for (const name of [commonPartition, ...(await group.table.findPending())]) await group.repeatEffects(name, 0);
      await group.finish();
    },
  };
}

interface TransactionRequest {
  readonly TransactItems: readonly { readonly Put?: { readonly Item: Item } }[];
}

/** The bodies of written items, by their keys. */
function* bodiesOf({ TransactItems }: TransactionRequest): Generator<readonly [string, JsonObject]> {
  for (const { Put } of TransactItems)
    if (Put?.Item["body"] && /^(?:received|starting)#/.test(Put.Item["sk"]!.S!))
      yield [`${Put.Item["pk"]!.S} ${Put.Item["sk"]!.S}`, JSON.parse(Put.Item["body"].S!) as JsonObject];
}

/** The events that start a run, which its first wait receives. */
function startEvents(run: string, written: ReadonlyMap<string, JsonObject>): readonly ReceivedEvent[] {
  const key = [...written.keys()].find((each) => each.endsWith(` ${sortKeys.start(run)}`))!;
  const [partition] = key.split(" ");
  const { record } = written.get(key) as unknown as { readonly record: RunRecord };
  return record.start!.events.map(({ name, order }) => ({
    name,
    event: written.get(`${partition} ${sortKeys.event(order)}`)!["event"] as JsonObject,
  }));
}

/** An answer as a state machine receives it. */
function answerOf(output: string): Answer {
  const { received } = JSON.parse(output) as { readonly received: Answer };
  const { alternative, events, groups } = received;
  if (alternative !== -1) return { alternative, events, groups };
  return { alternative: null, events: [], groups: [], error: groups[0]!.event };
}

/** A program as a generated module defines it. Workflows without waits have a start only. */
function definitionOf({ events, waits, starts, key }: EventProgram, isPartitioned: boolean): Definition {
  const pattern = (each: ProgramPattern): PatternDefinition => (typeof each === "string" ? { event: each } : each);
  const alternative = ({ all, none = [], within }: ProgramAlternative): AlternativeDefinition => ({
    all: all.map((group) => group.map(pattern)),
    none: none.map(pattern),
    within,
  });
  const definitions = events.map(({ name, type, source, attribute, key: keyName = "key" }) => ({
    ...{ name, type, source },
    ...(attribute !== undefined && { key: keyName, correlation: (event: JsonObject) => event[attribute] }),
  }));
  const names = [...new Set(["orders", ...starts.map(({ workflow }) => workflow)])];
  const workflows = names.map((id): WorkflowEvents => {
    const start = starts.find(({ workflow }) => workflow === id);
    return {
      id,
      events: definitions,
      waits:
        id !== "orders"
          ? []
          : Object.entries(waits).map(([step, { alternatives, unused = "keep" }]) => ({
              ...{ step, unused },
              alternatives: alternatives.map(alternative),
            })),
      ...(start && {
        start: {
          ...{ machine: start.workflow, complete: start.complete ?? false },
          ...{ on: start.on.map(alternative), gap: start.gap, from: start.from, until: start.until },
        },
      }),
    };
  });
  return { group: "orders", ...(isPartitioned && { key }), workflows };
}
