import { expect, test, vi } from "vitest";
import type { Json, JsonObject } from "../../../../../src/json.ts";
import type { Caller } from "../../../../../targets/openwhisk/runtime/actions/caller.ts";
import type {
  Definitions,
  FlowDescription,
  StartDescription,
} from "../../../../../targets/openwhisk/runtime/actions/event-rules.ts";
import type { DeployedFunctions } from "../../../../../targets/openwhisk/runtime/actions/functions.ts";
import type { PartitionDocument } from "../../../../../targets/openwhisk/runtime/actions/partition-documents.ts";
import type { SuspendRequest } from "../../../../../targets/openwhisk/runtime/actions/suspend.ts";
import { caller, continuationOf, createStand as createAnyStand, event, operations, type Stand } from "./stand.ts";

const { arrive, continueRun, fork, janitor, join, operate, suspend, timeout } = operations;

const definitions: Definitions = {
  paid: { type: "order.paid", token: "order" },
  packed: { type: "order.packed", token: "order" },
  bell: { type: "bell" },
  shout: { type: "SHOUT", foldCase: true },
};
const functions: DeployedFunctions = {
  order: ({ event }) => (event as JsonObject)["order"],
  "least sum": ({ event, least }) => sumOf(event!) >= Number(least),
  "no such": ({ event }) => ((event as JsonObject)["none"] as JsonObject)["such"],
  never: () => false,
  "order id": ({ event }) => (dataOf(event!)["order"] as JsonObject)["id"],
};
const dataOf = (event: Json): JsonObject => (event as JsonObject)["data"] as JsonObject;
const sumOf = (event: Json): number => Number(dataOf(event)["sum"]);
const flow = "/guest/app/orders";
const listener = (start?: StartDescription): FlowDescription => ({ flow, definitions, ...(start && { start }) });
const createStand = (settings = {}) => createAnyStand(settings, undefined, { flows: [listener()], functions });
const one = (name: string, when?: string) => ({ all: [[{ event: name, ...(when === undefined ? {} : { when }) }]] });

/** The parameters of a wait, with defaults. */
const wait = (
  alternatives: SuspendRequest["wait"]["alternatives"],
  more: Partial<SuspendRequest> = {},
  unused?: "drop",
) => ({
  wait: { id: "wait", alternatives, ...(unused ? { unused } : {}) },
  $waybill: caller(),
  ...more,
});
const suspending = (stand: Stand, ...asked: Parameters<typeof wait>) => stand.call(suspend, wait(...asked));
const arriving = (stand: Stand, come: JsonObject, start?: StartDescription) =>
  stand.call(arrive, come, { program: { flows: [listener(start)], functions } });
const run = (name: string, more: Partial<Caller> = {}) => caller({ run: name, ...more });
const suspended = { $waybill: "suspended" };

/** Starts two branches and returns the conductor's parameters for each. */
const branching = async (stand: Stand, { $waybill = caller() }: Partial<SuspendRequest> = {}) => {
  const begun = stand.started.length;
  const branches = [{ state: "first" }, { state: "second" }];
  await stand.call(fork, { branches, mode: "joined", $waybill });
  return stand.started.slice(begun).map((each) => ({ $waybill: { ...continuationOf(each), flow } }));
};

/** Ends a branch, like the conductor. */
const ending = (stand: Stand, { $waybill }: { readonly $waybill: Caller }, end: JsonObject) =>
  stand.call(join, { ...end, $waybill });

/** The resumed runs, with the ids of their events. */
const takenBy = (stand: Stand) =>
  stand.started.map((started) => {
    const { run, params } = continuationOf(started);
    const { events } = params["received"] as {
      readonly events: readonly { readonly event: { readonly id: string } }[];
    };
    return [run, ...events.map((used) => used.event.id)];
  });

test("a run goes on with the event that it waits for, where it left off", async () => {
  const stand = createStand();
  expect(await suspending(stand, [one("paid")])).toEqual(suspended);
  expect(stand.started).toEqual([]);
  const paid = event("1", "order.paid", { sum: 3 }, { order: "o1" });
  await arriving(stand, paid);
  const taken = { name: "paid", event: paid };
  expect(stand.started).toEqual([
    {
      action: flow,
      params: {
        $waybill: {
          ...caller(),
          flow: undefined,
          position: [],
          join: { id: "run", index: 0, thread: "run1", inbox: "run1", fence: "a1!" },
          params: { received: { alternative: 0, events: [taken], groups: [taken] }, token: "o1" },
        },
      },
    },
  ]);
});

test("an event that comes early is there when it is waited for, once", async () => {
  const stand = createStand();
  await arriving(stand, event("1", "bell"));
  await suspending(stand, [one("bell")]);
  await suspending(stand, [one("bell")], { $waybill: run("run2") });
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
});

test("events from before a run began are not its own, of its correlation value or not", async () => {
  const stand = createStand();
  await arriving(stand, event("1", "bell"));
  await arriving(stand, event("2", "order.paid", null, { order: "o1" }));
  await arriving(stand, event("3", "order.paid", null, { order: "o2" }));
  stand.now += 10;
  await suspending(stand, [one("bell")], { $waybill: run("late", { began: stand.now }) });
  await suspending(stand, [one("paid")], { $waybill: run("own", { began: stand.now }), token: "o2" });
  expect(takenBy(stand)).toEqual([]);
});

test("an early event is forgotten after the time that events are kept", async () => {
  const stand = createStand({ keepEventsMs: 50 });
  await arriving(stand, event("1", "bell"));
  stand.now += 51;
  await suspending(stand, [one("bell")]);
  expect(stand.started).toEqual([]);
});

test("an event that comes twice is one", async () => {
  const stand = createStand();
  await suspending(stand, [one("bell")]);
  await arriving(stand, event("1", "bell"));
  await suspending(stand, [one("bell")], { $waybill: run("run2") });
  await arriving(stand, event("1", "bell"));
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
});

test("the run that began first takes an event, whoever waited first", async () => {
  const stand = createStand();
  await suspending(stand, [one("bell")], { $waybill: run("younger", { began: 20 }) });
  await suspending(stand, [one("bell")], { $waybill: run("older", { began: 10 }) });
  await arriving(stand, event("1", "bell"));
  await arriving(stand, event("2", "bell"));
  expect(takenBy(stand)).toEqual([
    ["older", "1"],
    ["younger", "2"],
  ]);
});

test("only a run of the event's correlation value takes it, and a run without one has it from then on", async () => {
  const stand = createStand();
  await suspending(stand, [one("paid")], { $waybill: run("other", { began: 1 }), token: "o9" });
  await suspending(stand, [{ all: [[{ event: "paid" }], [{ event: "packed" }]] }], { $waybill: run("open") });
  await arriving(stand, event("1", "order.paid", null, { order: "o1" }));
  await arriving(stand, event("2", "order.packed", null, { order: "o2" }));
  await arriving(stand, event("3", "order.paid"));
  await arriving(stand, event("4", "order.packed", null, { order: "o1" }));
  expect(takenBy(stand)).toEqual([["open", "1", "4"]]);
  expect(continuationOf(stand.started[0]!).params["token"]).toBe("o1");
});

test("a wait drops what it does not use, but nothing of other workflows, and nothing that comes after what it takes", async () => {
  const stand = createStand();
  const other: FlowDescription = { flow: "/guest/app/other", definitions: { horn: { type: "horn" } } };
  const program = { flows: [listener(), other], functions };
  const coming = (come: JsonObject) => stand.call(arrive, come, { program });
  await coming(event("1", "horn"));
  await coming(event("2", "order.paid", null, { order: "o2" }));
  await suspending(stand, [one("bell")], { token: "o1" }, "drop");
  await coming(event("3", "bell"));
  await coming(event("4", "horn"));
  await stand.call(suspend, wait([one("horn")], { $waybill: run("run2", { flow: other.flow }) }), { program });
  await suspending(stand, [one("paid")], { $waybill: run("run3") });
  expect(takenBy(stand)).toEqual([
    ["run1", "3"],
    ["run2", "1"],
    ["run3", "2"],
  ]);
});

test("a correlation value that an event has given a branch is that of its siblings", async () => {
  const stand = createStand();
  const [first, second] = await branching(stand);
  await suspending(stand, [one("paid")], first);
  await suspending(stand, [one("packed")], second);
  await arriving(stand, event("1", "order.paid", null, { order: "o1" }));
  await arriving(stand, event("2", "order.packed", null, { order: "o2" }));
  expect(stand.started).toHaveLength(3);
  await arriving(stand, event("3", "order.packed", null, { order: "o1" }));
  expect(stand.started).toHaveLength(4);
});

test("when a fork is decided, what waits in a branch that has lost takes no event any more", async () => {
  const stand = createStand();
  const [waiting, failing] = await branching(stand);
  const [deeper] = await branching(stand, waiting);
  await suspending(stand, [one("bell")], deeper);
  await ending(stand, failing!, { error: { name: "Lost" } });
  expect(continuationOf(stand.started.at(-1)!)).toMatchObject({ run: "run1", params: { error: { name: "Lost" } } });
  await suspending(stand, [one("bell")], { $waybill: { ...continuationOf(stand.started.at(-1)!), flow } });
  await arriving(stand, event("1", "bell"));
  expect(takenBy({ ...stand, started: stand.started.slice(-1) })).toEqual([["run1", "1"]]);
});

test("a branch that comes to a wait, or to the end of its budget, after its fork has been decided goes no further", async () => {
  const stand = createStand();
  const [late, failing] = await branching(stand);
  await ending(stand, failing!, { error: { name: "Lost" } });
  const begun = stand.started.length;
  expect(await suspending(stand, [one("bell")], late)).toEqual(suspended);
  expect(await stand.call(continueRun, late!)).toEqual(suspended);
  expect(stand.started).toHaveLength(begun);
  expect(await stand.call(operate, {})).toEqual({ stalled: [], waiting: [] });
  await suspending(stand, [one("bell")], { $waybill: run("run2", { began: 9000 }) });
  stand.now = 9000;
  await arriving(stand, event("1", "bell"));
  expect(takenBy({ ...stand, started: stand.started.slice(-1) })).toEqual([["run2", "1"]]);
});

test("an event for a wait whose fork has been decided is released for others", async () => {
  const stand = createStand();
  const [waiting, failing] = await branching(stand);
  await suspending(stand, [one("bell")], waiting);
  const wait = (await stand.store.get("events:all:"))!;
  await ending(stand, failing!, { error: { name: "Lost" } });
  const { revision } = (await stand.store.get("events:all:"))!;
  await stand.store.put("events:all:", wait.value, revision);
  await arriving(stand, event("1", "bell"));
  expect(stand.started).toHaveLength(3);
  await suspending(stand, [one("bell")], { $waybill: run("run2") });
  expect(takenBy({ ...stand, started: stand.started.slice(3) })).toEqual([["run2", "1"]]);
});

test("the sweeper and alarms forget what waits in branches that nobody waits for", async () => {
  const stand = createStand();
  const [waiting, failing] = await branching(stand);
  await suspending(stand, [{ ...one("bell"), withinMs: 500 }], waiting);
  const [alarm] = [...stand.alarms.values()];
  await ending(stand, failing!, { error: { name: "Lost" } });
  const before = stand.started.length;
  stand.now += 500;
  await stand.call(janitor, {});
  await stand.call(timeout, alarm!.params);
  expect(stand.started).toHaveLength(before);
  expect(await stand.store.keys("thread:")).toEqual(["thread:run1"]);
});

test("conditions look at the event and the variables; what does not hold leaves the event to others", async () => {
  const stand = createStand();
  const asked = [one("bell", "least sum")];
  await suspending(stand, asked, { $waybill: run("dear", { began: 1 }), variables: { least: 10 } });
  await suspending(stand, asked, { $waybill: run("cheap", { began: 2 }), variables: { least: 1 } });
  await arriving(stand, event("1", "bell", { sum: 5 }));
  await arriving(stand, event("2", "bell", { sum: 50 }));
  expect(takenBy(stand)).toEqual([
    ["cheap", "1"],
    ["dear", "2"],
  ]);
});

test("a condition that fails is an error of the wait", async () => {
  const stand = createStand();
  await suspending(stand, [one("bell", "no such")]);
  await arriving(stand, event("1", "bell"));
  const { error } = continuationOf(stand.started[0]!).params;
  expect(error).toMatchObject({ $waybill: "expression", name: "ExpressionError" });
});

test("a wait whose condition is not deployed keeps waiting until it is deployed again", async () => {
  const stand = createStand();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await suspending(stand, [one("bell", "least sum")], { variables: { least: 1 } });
  await stand.call(arrive, event("1", "bell", { sum: 5 }), {
    program: { flows: [listener()], functions: { order: functions["order"]! } },
  });
  expect(stand.started).toEqual([]);
  expect(String(errors.mock.lastCall)).toContain('"least sum", which this deployment does not contain');
  await stand.call(janitor, {});
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
  errors.mockRestore();
});

test("a condition that arrives as source text is not evaluated", async () => {
  const stand = createStand();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await suspending(stand, [one("bell", "() => { throw new Error('evaluated'); }")]);
  await arriving(stand, event("1", "bell"));
  expect(stand.started).toEqual([]);
  errors.mockRestore();
});

test("groups: any pattern of each, the earliest counts, and one event may serve several", async () => {
  const stand = createStand();
  const shout = { event: "shout" };
  await suspending(stand, [{ all: [[{ event: "bell" }, shout], [shout]] }]);
  await arriving(stand, event("1", "Shout"));
  const { received } = continuationOf(stand.started[0]!).params as { readonly received: JsonObject };
  expect((received["groups"] as readonly Json[]).length).toBe(2);
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
});

test("an alternative with `none` is not taken once such an event has come", async () => {
  const stand = createStand();
  await suspending(stand, [{ all: [[{ event: "bell" }]], none: [{ event: "shout" }] }, one("packed")]);
  await arriving(stand, event("1", "shout"));
  await arriving(stand, event("2", "bell"));
  expect(stand.started).toEqual([]);
  await arriving(stand, event("3", "order.packed", null, { order: 1 }));
  expect(takenBy(stand)).toEqual([["run1", "3"]]);
});

test.each([
  [
    "keep",
    undefined,
    [
      ["run1", "3"],
      ["run1", "2"],
    ],
  ],
  ["drop", "drop", [["run1", "3"]]],
] as const)("unused events are there for the next wait, or not: %s", async (_, unused, expected) => {
  const stand = createStand();
  await suspending(stand, [{ all: [[{ event: "bell" }], [{ event: "packed" }]] }, one("paid")], {}, unused);
  await arriving(stand, event("2", "bell"));
  await arriving(stand, event("3", "order.paid", null, { order: 1 }));
  const { join } = continuationOf(stand.started[0]!);
  const answer = await suspending(stand, [one("bell")], { $waybill: caller({ join }) });
  const taken = takenBy(stand);
  if (answer["received"] !== undefined) taken.push(["run1", "2"]);
  expect(taken).toEqual(expected);
});

test("a thread that goes on takes what is there without being suspended, and leaves it to nobody else", async () => {
  const stand = createStand();
  await suspending(stand, [one("paid")]);
  await arriving(stand, event("1", "order.paid", null, { order: 1 }));
  await arriving(stand, event("2", "bell"));
  const { join } = continuationOf(stand.started[0]!);
  expect(await suspending(stand, [one("bell")], { $waybill: caller({ join }) })).toMatchObject({
    received: { alternative: 0 },
    token: 1,
  });
  expect(await suspending(stand, [one("bell")], { $waybill: caller({ join }) })).toEqual(suspended);
  expect(stand.started).toHaveLength(1);
});

test("a wait whose alternatives are all given up goes on without one, by its alarm", async () => {
  const stand = createStand();
  await suspending(stand, [
    { ...one("bell"), withinMs: 100 },
    { ...one("paid"), withinMs: 300 },
  ]);
  const [alarm] = [...stand.alarms.values()];
  expect(alarm).toMatchObject({ at: 1300, action: "/_/waybill/rt" });
  stand.now = 1200;
  await arriving(stand, event("late", "bell"));
  await stand.call(timeout, alarm!.params);
  expect(stand.started).toEqual([]);
  stand.now = 1300;
  await stand.call(timeout, alarm!.params);
  await stand.call(timeout, alarm!.params);
  expect(stand.started).toHaveLength(1);
  expect(continuationOf(stand.started[0]!).params).toEqual({ received: { alternative: null, events: [], groups: [] } });
});

test("an event at the last instant of an alternative is still taken", async () => {
  const stand = createStand();
  await suspending(stand, [{ ...one("bell"), withinMs: 100 }]);
  const [alarm] = [...stand.alarms.values()];
  stand.now = 1100;
  await arriving(stand, event("1", "bell"));
  await stand.call(timeout, alarm!.params);
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
});

test("when the workflow gives no more time the wait is a timeout, and the event is for others", async () => {
  const stand = createStand();
  await suspending(stand, [one("bell")], { timeoutMs: 50 });
  const [alarm] = [...stand.alarms.values()];
  stand.now = 1050;
  await stand.call(timeout, alarm!.params);
  expect(continuationOf(stand.started[0]!).params).toEqual({ error: { $waybill: "timeout" } });
  await suspending(stand, [one("bell")], { $waybill: run("run2") });
  await arriving(stand, event("1", "bell"));
  expect(takenBy({ ...stand, started: stand.started.slice(1) })).toEqual([["run2", "1"]]);
});

test("a wait that is given no time is over at once, by no alarm", async () => {
  const stand = createStand();
  await suspending(stand, [{ ...one("bell"), withinMs: 0 }]);
  expect(stand.alarms.size).toBe(0);
  expect(stand.started).toEqual([
    { action: "/_/waybill/rt", params: { operation: "timeout", thread: "run1", at: "a1" } },
  ]);
  await stand.call(timeout, stand.started[0]!.params);
  expect(continuationOf(stand.started[1]!).params).toMatchObject({ received: { alternative: null } });
});

test("a run is started by the first event, which is its own", async () => {
  const stand = createStand();
  const start: StartDescription = { on: [{ all: [[{ event: "paid" }], [{ event: "packed", when: "never" }]] }] };
  await arriving(stand, event("0", "bell"), start);
  await arriving(stand, event("1", "order.packed", null, { order: "o1" }), start);
  expect(stand.started).toHaveLength(1);
  const { join, began } = continuationOf(stand.started[0]!);
  expect(stand.started[0]!.params).toEqual({
    $waybill: { began: 1000, position: [], key: join!.thread, join, token: "o1" },
  });
  await suspending(stand, [one("packed")], { $waybill: run("other", { began: 1 }) });
  expect(await suspending(stand, [one("packed")], { $waybill: run("new", { began, join }) })).toMatchObject({
    received: { alternative: 0 },
    token: "o1",
  });
});

test("an event starts one run of each flow that it starts, and helps to start others of flows that wait for more", async () => {
  const stand = createStand();
  const flows: readonly FlowDescription[] = [
    listener({ on: [one("paid")] }),
    { flow: "/guest/app/books", definitions, start: { on: [one("paid")] } },
    {
      flow: "/guest/app/depot",
      definitions,
      start: { on: [{ all: [[{ event: "paid" }], [{ event: "packed" }]] }], complete: true },
    },
  ];
  const begun = () => stand.started.map(({ action }) => action);
  await stand.call(arrive, event("1", "order.paid", null, { order: "o1" }), { program: { flows, functions } });
  expect(begun()).toEqual([flow, "/guest/app/books"]);
  await stand.call(arrive, event("2", "order.packed", null, { order: "o1" }), { program: { flows, functions } });
  expect(begun()).toEqual([flow, "/guest/app/books", "/guest/app/depot"]);
  for (const [i, names] of [["paid"], ["paid"], ["paid", "packed"]].entries()) {
    const { join, began } = continuationOf(stand.started[i]!);
    const all = names.map((name) => [{ event: name }]);
    const $waybill = run(`new ${i}`, { began, join });
    expect(await suspending(stand, [{ all }], { $waybill })).toMatchObject({ received: { alternative: 0 } });
  }
  expect(await suspending(stand, [one("paid")], { $waybill: run("old", { began: 1 }) })).toEqual(suspended);
});

test("a run that an event starts has what comes since, however late it can begin", async () => {
  const stand = createStand();
  let asked = 0;
  const now = () => (asked++ === 0 ? stand.now : stand.now + 50);
  const start: StartDescription = { on: [one("paid")] };
  const program = { flows: [listener(start)], functions };
  await stand.call(arrive, event("1", "order.paid", null, { order: "o1" }), { now, program });
  expect(continuationOf(stand.started[0]!).began).toBe(stand.now);
});

test("a branch looks again at what has come when another has given their run its correlation value", async () => {
  const stand = createStand();
  const [first, second] = await branching(stand);
  const pair = [{ all: [[{ event: "paid" }], [{ event: "packed" }]] }];
  await suspending(stand, pair, first!);
  await arriving(stand, event("1", "order.paid", null, { order: "o1" }));
  await arriving(stand, event("2", "order.paid", null, { order: "o2" }));
  await arriving(stand, event("3", "order.packed", null, { order: "o2" }));
  const begun = stand.started.length;
  await suspending(stand, [one("bell")], { ...second!, token: "o2" });
  const taken = takenBy({ ...stand, started: stand.started.slice(begun) });
  expect(taken).toEqual([["run1", "2", "3"]]);
});

test("an event whose correlation value cannot be computed has none", async () => {
  const stand = createStand();
  const broken: Definitions = { paid: { type: "order.paid", token: "order id" } };
  const program = { flows: [{ flow, definitions: broken }], functions };
  await stand.call(suspend, wait([one("paid")]), { program });
  await stand.call(arrive, event("1", "order.paid"), { program });
  expect(stand.started).toEqual([]);
  await stand.call(arrive, event("2", "order.paid", { order: { id: 7 } }), { program });
  expect(takenBy(stand)).toEqual([["run1", "2"]]);
});

test("a waiting run has an event before it starts another", async () => {
  const stand = createStand();
  const start: StartDescription = { on: [one("bell")] };
  await suspending(stand, [one("bell")]);
  await arriving(stand, event("1", "bell"), start);
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
});

test("a run that needs all its events begins when they have come, if no pause is too long", async () => {
  const stand = createStand();
  const start: StartDescription = {
    on: [{ all: [[{ event: "paid" }], [{ event: "packed" }]] }],
    complete: true,
    gap: 0.1,
  };
  const come = (id: string, type: string, order: string) => arriving(stand, event(id, type, null, { order }), start);
  await come("1", "order.paid", "late");
  await come("2", "order.paid", "o1");
  stand.now += 100;
  await come("3", "order.packed", "o1");
  expect(stand.started).toHaveLength(1);
  stand.now += 1;
  await come("4", "order.packed", "late");
  expect(stand.started).toHaveLength(1);
  await come("5", "order.paid", "late");
  expect(stand.started).toHaveLength(2);
});

test("where the settings name the flows that events start, an event for another one is kept", async () => {
  const stand = createStand({ starts: ["/guest/app/others"] });
  await arriving(stand, event("1", "bell"), { on: [one("bell")] });
  expect(stand.started).toEqual([]);
  await suspending(stand, [one("bell")]);
  expect(takenBy(stand)).toEqual([["run1", "1"]]);
  const other = createStand({ starts: [flow] });
  await arriving(other, event("1", "bell"), { on: [one("bell")] });
  expect(other.started).toHaveLength(1);
});

test("outside its window no run is started, and the event waits for whoever wants it", async () => {
  const stand = createStand();
  const window = { from: "1970-01-01T00:00:01Z", until: "1970-01-01T00:00:02Z" };
  const start: StartDescription = { on: [one("bell")], window };
  stand.now = 999;
  await arriving(stand, event("1", "bell"), start);
  stand.now = 2000;
  await arriving(stand, event("2", "bell"), start);
  expect(stand.started).toEqual([]);
  stand.now = 1999;
  await arriving(stand, event("3", "bell"), start);
  expect(stand.started).toHaveLength(1);
});

test("what no workflow has a definition for is not kept, and what is no CloudEvent is refused or made one", async () => {
  const stand = createStand();
  expect(await arriving(stand, event("1", "noise"))).toEqual({ isExpected: false });
  await expect(arriving(stand, { order: "o1" })).rejects.toThrow("not a CloudEvent");
  await suspending(stand, [one("bell")]);
  await arriving(stand, { $event: { type: "bell", source: "feed" }, volume: 11 });
  const { received } = continuationOf(stand.started[0]!).params as { readonly received: JsonObject };
  expect(received["events"]).toMatchObject([{ event: { type: "bell", source: "feed", data: { volume: 11 } } }]);
});

test("a branch that its fork waits for inside an action cannot wait", async () => {
  const stand = createStand();
  const asked = suspending(stand, [one("bell")], { $waybill: caller({ position: [0] }) });
  await expect(asked).rejects.toThrow("cannot wait for events");
});

test("a partition that only knows events that have arrived expires, and they stay known", async () => {
  const program = { flows: [{ ...listener(), group: "g" }], keys: { g: "" }, functions };
  const stand = createAnyStand({}, undefined, program);
  await stand.call(suspend, wait([one("paid")], { token: "o1" }));
  await stand.call(arrive, event("1", "order.paid", null, { order: "o1" }));
  await stand.call(join, { result: {}, $waybill: { ...continuationOf(stand.started[0]!), flow } });
  expect(await stand.store.keys("events:")).toEqual(['events:g:"o1"']);
  stand.now += 120_000;
  expect(await stand.store.keys("events:")).toEqual([]);
  await stand.call(arrive, event("1", "order.paid", null, { order: "o1" }));
  await stand.call(suspend, wait([one("paid")], { $waybill: run("run2", { began: 1 }), token: "o1" }));
  expect(stand.started).toHaveLength(1);
});

test("the janitor forgets the waits and events of runs that are gone, and removes what is idle", async () => {
  const stand = createStand();
  await suspending(stand, [one("paid")], { token: "o1" });
  const { revision } = (await stand.store.get("thread:run1"))!;
  await stand.store.remove("thread:run1", revision);
  await stand.call(janitor, {});
  expect(await stand.store.keys("events:")).toEqual([]);
  await arriving(stand, event("1", "bell"));
  await suspending(stand, [one("bell")]);
  await ending(stand, { $waybill: { ...continuationOf(stand.started[0]!), flow } as Caller }, { result: {} });
  stand.now += 60_000;
  await stand.call(janitor, {});
  expect(await stand.store.keys("events:")).toEqual([]);
});

test("a partition remembers few of many events; all stay known for as long as events are kept", async () => {
  const stand = createStand({ keepEventsMs: 1_000_000 });
  for (let i = 0; i < 300; i++) {
    stand.now += 1000;
    await suspending(stand, [one("bell")], { $waybill: run(`run${i}`) });
    await arriving(stand, event(String(i), "bell"));
  }
  const { value } = (await stand.store.get("events:all:"))!.value as unknown as { readonly value: PartitionDocument };
  expect(Object.keys(value.partition.seen).length).toBeLessThan(150);
  expect(stand.started).toHaveLength(300);
  for (const i of [0, 150, 299]) await arriving(stand, event(String(i), "bell"));
  await suspending(stand, [one("bell")], { $waybill: run("late", { began: 1 }) });
  expect(stand.started).toHaveLength(300);
});
