import type { Answer } from "../../../src/events/partition.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { CloudEvent, ReceivedEvent } from "../../../targets/typescript/runtime/events.ts";
import { brokerRun, type WaitReference } from "../../../targets/typescript/runtime/hosts/broker/messages.ts";
import { EventBroker } from "../../../targets/typescript/runtime/hosts/lambda/broker.ts";
import { type DynamoDB, openTable } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";
import { initialValue, waitStep } from "../../../targets/typescript/runtime/rules.ts";
import {
  type CrashPoint,
  describeEventStore,
  type EventStore,
  type EventStoreDriver,
  type Receipt,
  type TestClock,
} from "../../events/adapters.ts";
import type { EventProgram } from "../../events/program.ts";
import { waitingWorkflow, workflowsOf } from "../event-workflows.ts";
import { createMemoryTable } from "./table.ts";

const driver = (isPartitioned: boolean): EventStoreDriver => ({
  name: `of AWS Lambda${isPartitioned ? ", partitioned by value" : ""}`,
  crashPoints: ["before store", "before effects", "before confirm"],
  supports: ({ key }) => !isPartitioned || key !== undefined,
  open: (program, clock) => openStore(program, clock, isPartitioned),
});

/** A run of the driver. */
interface DriverRun {
  readonly since: number;
  value: Answer["value"];
  places: readonly (readonly [string, string])[];
}

function openStore(program: EventProgram, clock: TestClock, isPartitioned: boolean): EventStore {
  const workflows = workflowsOf(program, isPartitioned);
  const orders = workflows.find(({ id }) => id === waitingWorkflow)!;
  const { client } = createMemoryTable();
  const startValue = (run: string, taken: readonly ReceivedEvent[]) =>
    (initialValue(orders, run, undefined as never, taken) ?? undefined) as Answer["value"];
  const runs = new Map<string, DriverRun>();
  const waits = new Map<string, WaitReference>();
  let receipts: Receipt[] = [];
  let crash: CrashPoint | undefined;
  const crashAt = (point: CrashPoint) => {
    if (crash !== point) return;
    crash = undefined;
    throw new Error(`Crash ${point}.`);
  };
  const crashing: DynamoDB = {
    ...client,
    async transactWriteItems(request) {
      crashAt("before store");
      const response = await client.transactWriteItems(request);
      crashAt("before effects");
      return response;
    },
  };
  const openBroker = () =>
    new EventBroker({
      table: openTable(crashing, "events", () => clock.now),
      workflows,
      clock: () => clock.now,
      async launch({ workflow, id, taken, since, partition }) {
        receipts.push({ kind: "start", workflow, run: id, events: taken as Receipt["events"] & object });
        if (workflow === waitingWorkflow && !runs.has(id))
          runs.set(id, { since, value: startValue(id, taken), places: [[partition, brokerRun(id, "")]] });
        crashAt("before confirm");
      },
      async wake(callback) {
        const wait = waits.get(callback);
        const found = wait && (await broker.answer(wait));
        if (found) await receive(callback, found.answer);
      },
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    });
  let broker = openBroker();
  const receive = async (id: string, answer: Answer) => {
    const wait = waits.get(id)!;
    receipts.push({ kind: "answer", id, ...answer });
    crashAt("before confirm");
    await broker.confirm(wait);
    const run = runs.get(wait.run);
    if (run && answer.value !== undefined) run.value = answer.value;
  };
  return {
    arrive: (event: JsonObject) => broker.arrive(event as CloudEvent),
    join(run, value) {
      const known = runs.get(run);
      if (!known) runs.set(run, { since: clock.now, value, places: [] });
    },
    async wait({ id, run, step, began, position, variables, values }) {
      const known = runs.get(run)!;
      const { value, since } = known;
      const wait = { run, key: "", wait: id, workflow: waitingWorkflow, values, value } as WaitReference;
      waits.set(id, wait);
      const place = [await broker.partitionOf(wait), brokerRun(run, "")] as const;
      if (!known.places.some(([name]) => name === place[0])) known.places = [...known.places, place];
      const found = await broker.wait({
        ...wait,
        step: waitStep(orders, step),
        position,
        age: [began],
        since,
        at: clock.now,
        variables,
        callback: id,
        execution: run,
        places: known.places,
      });
      if (found) await receive(id, found.answer);
    },
    cancel: (id) => broker.cancelWait(waits.get(id)!),
    expire: (id) => broker.expire(waits.get(id)!, clock.now),
    leave: (run) => broker.leave({ places: runs.get(run)?.places ?? [] }),
    received() {
      const all = receipts;
      receipts = [];
      return all;
    },
    crashAt(point) {
      crash = point;
    },
    async reopen() {
      broker = openBroker();
      await broker.sweep();
    },
  };
}

describeEventStore(driver(false), { count: 40 });
describeEventStore(driver(true), { count: 40 });
