import { createMemoryBroker } from "../../src/events/memory.ts";
import { describeEventStore, type EventStoreDriver, type Receipt } from "./adapters.ts";
import { entryStoreDriver } from "./entry-store.ts";
import { rulesOf } from "./program.ts";

/** The broker in memory: it is also what other stores are compared with, so this tests the suite. */
const memoryDriver: EventStoreDriver = {
  name: "in memory",
  crashPoints: [],
  open(program, clock) {
    let receipts: Receipt[] = [];
    const cancels = new Map<string, () => void>();
    const broker = createMemoryBroker(
      rulesOf(program),
      () => clock.now,
      ({ workflow, run, events }) => receipts.push({ kind: "start", workflow, run, events }),
    );
    return {
      arrive: (event) => broker.arrive(event),
      join: (run, value) => broker.join(run, value),
      wait({ began, ...wait }) {
        const cancel = broker.wait({ ...wait, age: [began] }, (answer) =>
          receipts.push({ kind: "answer", id: wait.id, ...answer }),
        );
        cancels.set(wait.id, cancel);
      },
      cancel: (id) => cancels.get(id)!(),
      expire: (id) => broker.expire(id),
      leave: (run) => broker.leave(run),
      received() {
        const all = receipts;
        receipts = [];
        return all;
      },
    };
  },
};

describeEventStore(memoryDriver);
describeEventStore(entryStoreDriver);
