import { step } from "../../src/events/broker.ts";
import type { Partition, StoredEvent, StoredWait } from "../../src/events/partition.ts";
import type { Rules, WaitRule } from "../../src/events/rules.ts";
import { cpuTime } from "../cpu.ts";
import { median } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";

/** Measures single commands of the broker in a partition that has just been read. */
export function brokerRows(): readonly BenchmarkRow[] {
  const [events, waits] = [keptEvents(10_000), openWaits(10_000)];
  const wait = { ...openWaits(1)[0]!, id: "new", run: "new" };
  const event = { type: "paid", data: 0 };
  return [
    row("broker: a wait among 10,000 kept events", events, [], (partition) =>
      step(partition, { kind: "wait", wait }, rules),
    ),
    row("broker: an event among 10,000 waits", [], waits, (partition) =>
      step(partition, { kind: "arrive", at: 0, event }, rules),
    ),
  ];
}

function row(
  name: string,
  events: readonly StoredEvent[],
  waits: readonly StoredWait[],
  command: (partition: Partition) => unknown,
): BenchmarkRow {
  const text = JSON.stringify({ next: events.length + 1, events, waits, runs: {}, seen: {} });
  const times = Array.from({ length: 15 }, () => {
    const partition = JSON.parse(text) as Partition;
    const start = cpuTime();
    command(partition);
    return cpuTime() - start;
  });
  return { name, value: median(times), limit: 100, unit: "ms", parts: { "first time": times[0]! } };
}

const event = { name: "paid", type: "paid", keys: [] };

const rule: WaitRule = {
  alternatives: [{ all: [[{ event, when: ({ data }) => data === 1 }]], none: [] }],
  unused: "keep",
  events: [event],
};

const rules: Rules = {
  waitRule: () => rule,
  starts: [],
  newRun: () => undefined,
  failure: () => null,
};

const keptEvents = (count: number): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, i) => ({ order: i + 1, at: 0, event: { type: "paid", data: 0 }, isFree: true }));

const openWaits = (count: number): readonly StoredWait[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ id: `w${i}`, run: `r${i}`, step: "Paid", age: [i], position: [] },
    ...{ since: 0, at: 0, variables: {} },
  }));
