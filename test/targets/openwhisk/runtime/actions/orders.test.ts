import { expect, test } from "vitest";
import type { JsonObject } from "../../../../../src/json.ts";
import type { StartDescription } from "../../../../../targets/openwhisk/runtime/actions/event-rules.ts";
import { createDocuments } from "../../../../../targets/openwhisk/runtime/store/documents.ts";
import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";
import { everyOrder } from "./orders.ts";
import { caller, continuationOf, createStand, event, operations, type Stand, type StandOperation } from "./stand.ts";

const { arrive, continueRun, delay, fork, janitor, join, suspend, timeout } = operations;

// Two concurrent activations in every order of their store accesses: in any order, each required effect happens once.

const definitions = { bell: { type: "bell" }, horn: { type: "horn" } };
const flow = "/guest/app/orders";
const bell = { all: [[{ event: "bell" }]] };
const both = { all: [[{ event: "bell" }], [{ event: "horn" }]] };
const waiting = (run: string, alternatives: readonly object[] = [bell], more: object = {}) => ({
  wait: { id: "wait", alternatives },
  $waybill: caller({ run }),
  ...more,
});

/** An activity that runs as a separate activation on the given store. */
type Doing = (store: Store) => Promise<JsonObject>;
const doing =
  (stand: Stand, operation: StandOperation, params: object, start?: StartDescription): Doing =>
  (store) => {
    const documents = createDocuments(store, { sleep: async () => undefined });
    return stand.call(operation, params, { documents, program: { flows: [{ flow, definitions, start }] } });
  };
const hearing = (stand: Stand, id: string, type = "bell", start?: StartDescription): Doing =>
  doing(stand, arrive, event(id, type), start);
const ringing = (stand: Stand): Doing => doing(stand, timeout, [...stand.alarms.values()][0]!.params);
const ending = (stand: Stand, n: number): Doing => {
  const { join: own, run, began } = continuationOf(stand.started[n]!);
  return doing(stand, join, { result: { of: n }, $waybill: { flow, run, began, join: own } });
};

/** The ids of the events that resumed runs, or the other reasons. */
const wentOn = (stand: Stand, from = 0): readonly string[] =>
  stand.started
    .slice(from)
    .map((each) => {
      const { run, params } = continuationOf(each);
      const { received } = (params ?? {}) as { received?: { events: { event: { id: string } }[] } };
      return `${run}: ${received ? received.events.map((used) => used.event.id).join() : JSON.stringify(params ?? "start")}`;
    })
    .sort();

/**
 * Plays two activities in every order from the same start. `expected` lists the possible results, `from` the initial
 * state.
 */
async function eachOrder(
  prepare: (stand: Stand) => Promise<void>,
  both: (stand: Stand) => readonly [Doing, Doing],
  expected: readonly (readonly string[])[],
  from = 0,
): Promise<number> {
  const seen = new Set<string>();
  const count = await everyOrder(async () => {
    const stand = createStand({}, undefined, { flows: [{ flow, definitions }] });
    await prepare(stand);
    const check = async (order: string) => {
      await stand.call(janitor, {});
      expect(expected, order).toContainEqual(wentOn(stand, from));
      seen.add(wentOn(stand, from).join("; "));
    };
    return { store: stand.store, activities: both(stand), check };
  });
  expect([...seen].sort()).toEqual(expected.map((each) => each.join("; ")).sort());
  return count;
}

const suspending = async (stand: Stand, ...asked: Parameters<typeof waiting>) => {
  await stand.call(suspend, waiting(...asked));
};
const gaveUp = "run1: ";

test("an event that is told twice is taken once", async () => {
  const orders = await eachOrder(
    (stand) => suspending(stand, "run1"),
    (stand) => [hearing(stand, "1"), hearing(stand, "1")],
    [["run1: 1"]],
  );
  expect(orders).toBeGreaterThan(20);
});

test("an event comes as a wait begins", async () => {
  await eachOrder(
    async () => undefined,
    (stand) => [hearing(stand, "1"), doing(stand, suspend, waiting("run1"))],
    [["run1: 1"]],
  );
});

test("two events come for one wait: one is taken, the other is there for the next", async () => {
  await eachOrder(
    (stand) => suspending(stand, "run1"),
    (stand) => [hearing(stand, "1"), hearing(stand, "2")],
    [["run1: 1"], ["run1: 2"]],
  );
});

test("two events come for two waits: each has one", async () => {
  await eachOrder(
    async (stand) => {
      await suspending(stand, "run1");
      await suspending(stand, "run2");
    },
    (stand) => [hearing(stand, "1"), hearing(stand, "2")],
    [
      ["run1: 1", "run2: 2"],
      ["run1: 2", "run2: 1"],
    ],
  );
});

test("the two events that a wait needs come at once", async () => {
  await eachOrder(
    (stand) => suspending(stand, "run1", [both]),
    (stand) => [hearing(stand, "1"), hearing(stand, "2", "horn")],
    [["run1: 1,2"], ["run1: 2,1"]],
  );
});

test("two waits begin of which only one can have the event", async () => {
  await eachOrder(
    async (stand) => {
      await hearing(stand, "1")(stand.store);
    },
    (stand) => [doing(stand, suspend, waiting("run1")), doing(stand, suspend, waiting("run2"))],
    [["run1: 1"], ["run2: 1"]],
  );
});

test("an event comes at the instant at which a wait is given up", async () => {
  await eachOrder(
    async (stand) => {
      await suspending(stand, "run1", [{ ...bell, withinMs: 100 }]);
      stand.now += 100;
    },
    (stand) => [hearing(stand, "1"), ringing(stand)],
    [["run1: 1"], [gaveUp]],
  );
});

test("an event comes at the instant at which the workflow gives no more time", async () => {
  await eachOrder(
    async (stand) => {
      await suspending(stand, "run1", [bell], { timeoutMs: 100 });
      stand.now += 100;
    },
    (stand) => [hearing(stand, "1"), ringing(stand)],
    [["run1: 1"], ['run1: {"error":{"$waybill":"timeout"}}']],
  );
});

test.each([
  ["a wait", suspend, waiting("run1", [{ ...bell, withinMs: 60_000 }]), gaveUp],
  ["a delay", delay, { ms: 60_000, $waybill: caller() }, "run1: {}"],
] as const)("the alarm of %s rings twice", async (_, action, params, expected) => {
  await eachOrder(
    async (stand) => {
      await stand.call(action as StandOperation, params);
      stand.now += 60_000;
    },
    (stand) => [ringing(stand), ringing(stand)],
    [[expected]],
  );
});

test("an alarm rings while the sweeper is at it", async () => {
  await eachOrder(
    async (stand) => {
      await suspending(stand, "run1", [{ ...bell, withinMs: 100 }]);
      stand.now += 100;
    },
    (stand) => [ringing(stand), doing(stand, janitor, {})],
    [[gaveUp]],
  );
});

const forking = async (stand: Stand, more: object = {}) => {
  await stand.call(fork, { branches: [{ state: "b" }, { state: "b" }], mode: "joined", $waybill: caller(), ...more });
};
const joined = 'run1: {"results":[{"index":0,"result":{"of":0}},{"index":1,"result":{"of":1}}]}';

test("the last two branches end at once", async () => {
  await eachOrder(forking, (stand) => [ending(stand, 0), ending(stand, 1)], [[joined]], 2);
});

test("an end is told twice", async () => {
  await eachOrder(
    async (stand) => {
      await forking(stand);
      await ending(stand, 0)(stand.store);
    },
    (stand) => [ending(stand, 1), ending(stand, 1)],
    [[joined]],
    2,
  );
});

test("the last branch ends at the instant at which the workflow gives no more time", async () => {
  await eachOrder(
    async (stand) => {
      await forking(stand, { timeoutMs: 100 });
      await ending(stand, 0)(stand.store);
      stand.now += 100;
    },
    (stand) => [ending(stand, 1), ringing(stand)],
    [[joined], ['run1: {"error":{"$waybill":"timeout"}}']],
    2,
  );
});

test("two ends let the next branch start, once each", async () => {
  await eachOrder(
    (stand) => forking(stand, { branches: ["a", "b", "c", "d"].map((state) => ({ state })), width: 2 }),
    (stand) => [ending(stand, 0), ending(stand, 1)],
    [["run1: {}", "run1: {}"]],
    2,
  );
});

test("an end of one branch is told twice while another is to start", async () => {
  await eachOrder(
    (stand) => forking(stand, { branches: ["a", "b", "c"].map((state) => ({ state })), width: 1 }),
    (stand) => [ending(stand, 0), ending(stand, 0)],
    [["run1: {}"]],
    1,
  );
});

test("a continuation is told twice", async () => {
  await eachOrder(
    async () => undefined,
    (stand) => {
      const asked = { $waybill: { ...caller(), params: { a: 1 } } };
      return [doing(stand, continueRun, asked), doing(stand, continueRun, asked)];
    },
    [['run1: {"a":1}']],
  );
});

test("a run ends twice: it is told once", async () => {
  const told = new Set<number>();
  await everyOrder(async () => {
    const stand = createStand({ ended: { "app/orders": "orders-ended" } });
    await stand.call(continueRun, { $waybill: { ...caller(), params: {} } });
    return {
      store: stand.store,
      activities: [ending(stand, 0), ending(stand, 0)],
      check: () => void told.add(stand.fired.length),
    };
  });
  expect([...told]).toEqual([1]);
});

test("an event that starts a run is told twice", async () => {
  await eachOrder(
    async () => undefined,
    (stand) => [hearing(stand, "1", "bell", { on: [bell] }), hearing(stand, "1", "bell", { on: [bell] })],
    [['undefined: "start"']],
  );
});

test("the two events that a run needs to start come at once", async () => {
  const start: StartDescription = { on: [both], complete: true };
  await eachOrder(
    async () => undefined,
    (stand) => [hearing(stand, "1", "bell", start), hearing(stand, "2", "horn", start)],
    [['undefined: "start"']],
  );
});
