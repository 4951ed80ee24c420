import type { JsonObject } from "../../../../../src/json.ts";
import type { CloudEvent } from "../../../../../targets/typescript/runtime/events.ts";
import type { StoredAnswer } from "../../../../../targets/typescript/runtime/sqlite/answers.ts";
import type { Core } from "../../../../../targets/typescript/runtime/sqlite/core.ts";
import type { Decision, WaitBeginning } from "../../../../../targets/typescript/runtime/sqlite/decisions.ts";
import { openFile } from "../../../../../targets/typescript/runtime/sqlite/file.ts";
import { openCore } from "../../../../../targets/typescript/runtime/sqlite/opening.ts";
import { resultIn } from "../../../../../targets/typescript/runtime/sqlite/recorded-answer.ts";
import type { ReplayingRun } from "../../../../../targets/typescript/runtime/sqlite/replay.ts";
import { partitionOfRun } from "../../../../../targets/typescript/runtime/sqlite/routes.ts";
import { partsOf, runName } from "../../../../../targets/typescript/runtime/sqlite/rows.ts";
import { soleProcess } from "../../../../../targets/typescript/runtime/sqlite/sole-process.ts";
import { insertRun } from "../../../../../targets/typescript/runtime/sqlite/starting.ts";
import { complete, sqliteStore, type Task } from "../../../../../targets/typescript/runtime/sqlite/store.ts";
import {
  type CrashPoint,
  describeEventStore,
  type EventStore,
  type EventStoreDriver,
  type Receipt,
  type TestClock,
} from "../../../../events/adapters.ts";
import type { EventProgram } from "../../../../events/program.ts";
import { waitingWorkflow, workflowsOf } from "../../../../hosts/event-workflows.ts";

// The broker on rows of SQLite. Every second run counts as in memory, so that its rows are cached.

const driver = (isPartitioned: boolean): EventStoreDriver => ({
  name: `of SQLite${isPartitioned ? ", runs with values" : ""}`,
  crashPoints: ["before store", "before effects", "before confirm"],
  supports: ({ key }) => !isPartitioned || key !== undefined,
  open: (program, clock) => openStore(program, clock, isPartitioned),
});

function openStore(program: EventProgram, clock: TestClock, isPartitioned: boolean): EventStore {
  const workflows = workflowsOf(program, isPartitioned);
  const orders = workflows.find(({ id }) => id === waitingWorkflow)!;
  const db = openFile(":memory:");
  const waits = new Map<string, number>();
  const announced = new Set<number>();
  let receipts: Receipt[] = [];
  let crash: CrashPoint | undefined;
  /** Entries of journals are far apart, so that those of runs that are not in memory fit between them. */
  let seq = 0;
  const nextSeq = () => {
    seq += 1_000;
    return seq;
  };
  const open = (): Core => {
    const options = { store: ":memory:", workflows, functions: {}, send: () => undefined, log: () => undefined };
    const hooks = { shared: () => sqliteStore(db), processes: soleProcess };
    return complete(openCore({ ...options, now: () => clock.now }, hooks));
  };
  let core = open();
  const crashAt = (point: CrashPoint) => {
    if (crash !== point) return;
    crash = undefined;
    throw new Error(`Crash ${point}.`);
  };
  const transact = <T>(act: () => Task<T>): T => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = complete(act());
      crashAt("before store");
      db.exec("COMMIT");
      return result;
    } catch (reason) {
      db.exec("ROLLBACK");
      core.broker.waits.clear();
      throw reason;
    }
  };
  const decide = (act: () => Task<Decision | undefined>): void => {
    const decision = transact(act);
    crashAt("before effects");
    for (const ref of decision?.started ?? []) announce(ref);
    for (const answer of decision?.answers ?? []) receive(answer);
  };
  const keepInMemory = (ref: number): void => {
    const live = { reserve: nextSeq, isStoredAsWaiting: false, setActive: () => undefined };
    if (ref % 2 === 1) core.live.set(ref, live as unknown as ReplayingRun);
  };
  const announce = (ref: number): void => {
    const { id, workflow } = complete(core.sql.run.get(ref))!;
    const events = complete(core.sql.kept.all(partitionOfRun(runName(ref, "")), 0)).map(({ text }) => {
      const event = JSON.parse(text) as JsonObject;
      return { name: program.events.find(({ type }) => type === event["type"])!.name, event };
    });
    announced.add(ref);
    keepInMemory(ref);
    receipts.push({ kind: "start", workflow: core.names.get(workflow)!.id, run: id, events });
  };
  const receive = ({ run, row: { key, kind, value } }: Pick<StoredAnswer, "run"> & { readonly row: RecordedRow }) => {
    const recorded = JSON.parse(value!) as never;
    const failed = { alternative: null, events: [], groups: [], error: recorded };
    receipts.push({ kind: "answer", id: key, ...(kind === "failure" ? failed : resultIn(recorded)) } as Receipt);
    crashAt("before confirm");
    decide(() => core.broker.confirm(run, key));
  };
  const refOf = (run: string): number => complete(core.sql.runById.get(run))!.ref;
  return {
    arrive: (event) => decide(() => core.broker.arrive(event as unknown as CloudEvent)),
    join(run, value) {
      if (complete(core.sql.runById.get(run))) return;
      transact(function* () {
        const ref = core.find(orders)!;
        const number = yield* insertRun(core, { id: run, ref, input: null }, value);
        yield* core.broker.join({ run: number, inbox: "", workflow: ref, value });
        yield* core.broker.sweep();
        announced.add(number);
        keepInMemory(number);
      });
    },
    wait({ id, run, step: wait, position, variables, values }) {
      const { ref, created } = complete(core.sql.runById.get(run))!;
      waits.set(id, ref);
      const place = { run: ref, key: id, inbox: "", workflow: orders, wait, created, position };
      const beginning: WaitBeginning = { ...place, at: clock.now, variables, values, seq: nextSeq() };
      decide(() => core.broker.wait(beginning));
    },
    cancel: (id) => decide(() => core.broker.cancel(waits.get(id)!, id)),
    expire: (id) => decide(() => core.broker.expire(waits.get(id)!, id, clock.now)),
    leave: (run) => decide(() => core.broker.leaveAll(refOf(run))),
    received() {
      const all = receipts;
      receipts = [];
      return all;
    },
    crashAt(point) {
      crash = point;
    },
    reopen() {
      core = open();
      const runs = db.prepare("SELECT ref FROM runs ORDER BY ref").all() as unknown as readonly {
        readonly ref: number;
      }[];
      for (const { ref } of runs) {
        keepInMemory(ref);
        if (!announced.has(ref)) announce(ref);
        for (const { id, end, isConfirmed } of complete(core.broker.waits.waitsOf(ref))) {
          if (!end || isConfirmed) continue;
          const key = partsOf(id)[1];
          const recorded = db.prepare("SELECT kind, value FROM journal WHERE run = ? AND key = ?").get(ref, key);
          receive({ run: ref, row: { key, ...(recorded as unknown as Omit<RecordedRow, "key">) } });
        }
      }
    },
    close: () => db.close(),
  };
}

type RecordedRow = Pick<StoredAnswer["row"], "key" | "kind" | "value">;

describeEventStore(driver(false), { count: 40 });
describeEventStore(driver(true), { count: 40 });
