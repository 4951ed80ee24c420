import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../../src/json.ts";
import type { EventProgram } from "../../../../../targets/openwhisk/runtime/actions/event-rules.ts";
import { createDocuments } from "../../../../../targets/openwhisk/runtime/store/documents.ts";
import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";
import { caller, continuationOf, createStand, event, operations } from "./stand.ts";

// Stores of form 1 had all events and waits in the document `board`.

const { arrive, janitor, suspend, timeout } = operations;
const flow = "/guest/app/orders";
const definitions = {
  paid: { type: "order.paid", attribute: "order" },
  bell: { type: "bell" },
};
// Documents of forms 1 and 2 contain the source code of functions.
const token = "({ event }) => event.order";
const orderOf = Object.assign(({ event }: JsonObject) => (event as JsonObject)["order"], { toString: () => token });
const program: EventProgram = {
  flows: [{ flow, group: "orders", definitions }],
  functions: { "orders/paid/correlation": orderOf },
};

const oldWait = (run: string, alternatives: readonly object[], more: object = {}) => {
  const waiting = { thread: run, at: `${run}-1`, inbox: run, began: 900, since: 950, variables: {}, forks: [] };
  const awaited = { alternatives, definitions: { ...definitions, paid: { type: "order.paid", token } } };
  const thread = {
    ...{ flow, run, began: 900, position: [], state: "next", stack: [], since: 950 },
    join: { id: "run", index: 0, thread: run, inbox: run },
    at: { kind: "wait", id: `${run}-1`, waiting, awaited, token: null, ...more },
  };
  return { waiting, awaited, thread };
};

/** A store in which one run waits for a payment, one for a bell that is to be delivered, and an event is kept. */
async function oldStand() {
  const stand = createStand({}, undefined, program);
  const paying = oldWait("paying", [{ all: [[{ event: "paid" }]], withinMs: 500 }], { due: 1450 });
  const ringing = oldWait("ringing", [{ all: [[{ event: "bell" }]] }]);
  const kept = event("kept", "order.paid", null, { order: "o9" });
  const board = {
    events: [{ key: '["test","kept"]', event: kept, at: 960, until: 9_999_999 }],
    recent: ['["test","kept"]'],
    waits: [{ ...paying.waiting, kind: "digest" }],
    kinds: { digest: paying.awaited },
    tokens: { paying: "o1" },
    collected: {},
    decided: [],
    outgoing: [
      { thread: "ringing", at: "ringing-1", params: { received: { alternative: 0, events: [], groups: [] } } },
    ],
  };
  const put = (key: string, value: object) =>
    stand.store.put(key, { mark: "old", value } as unknown as Json, undefined);
  await put("board", board);
  await put("thread:paying", paying.thread);
  await put("thread:ringing", ringing.thread);
  return stand;
}

const runs = (stand: { readonly started: readonly { readonly params: JsonObject }[] }) =>
  stand.started.map((each) => continuationOf(each).run);

test("a run that waited before an upgrade receives its event after it, and what was decided is delivered", async () => {
  const stand = await oldStand();
  await stand.call(arrive, event("1", "order.paid", null, { order: "o2" }));
  expect(runs(stand)).toEqual(["ringing"]);
  await stand.call(arrive, event("2", "order.paid", { sum: 3 }, { order: "o1" }));
  expect(runs(stand)).toEqual(["ringing", "paying"]);
  expect(continuationOf(stand.started[1]!).params).toMatchObject({ received: { events: [{ event: { id: "2" } }] } });
  expect(await stand.store.get("board")).toBeUndefined();
});

test("events that were kept before an upgrade are there after it, once", async () => {
  const stand = await oldStand();
  await stand.call(arrive, event("kept", "order.paid", null, { order: "o9" }));
  const wait = { id: "wait", alternatives: [{ all: [[{ event: "paid" }]] }] };
  for (const run of ["a", "b"]) await stand.call(suspend, { wait, token: "o9", $waybill: caller({ run, began: 940 }) });
  expect(runs(stand)).toEqual(["ringing", "a"]);
});

test("a wait from before an upgrade ends by its alarm, and is begun again by the janitor if its partition lost it", async () => {
  const stand = await oldStand();
  await stand.call(janitor, {});
  expect(runs(stand)).toEqual(["ringing"]);
  stand.now = 1450;
  await stand.call(timeout, { thread: "paying", at: "paying-1" });
  expect(continuationOf(stand.started[1]!)).toMatchObject({
    run: "paying",
    params: { received: { alternative: null } },
  });
});

test("an upgrade that is interrupted at any access of the store is completed by the next event", async () => {
  const old = await oldStand();
  await old.call(arrive, event("1", "order.paid", null, { order: "o1" }));
  for (let point = 1; point < 60; point++) {
    const stand = await oldStand();
    let accesses = 0;
    const killing = <T>(access: () => Promise<T>): Promise<T> => {
      accesses += 1;
      return accesses === point ? Promise.reject(new Error("killed")) : access();
    };
    const { store } = stand;
    const failing: Store = {
      get: (key) => killing(() => store.get(key)),
      put: (...given) => killing(() => store.put(...given)),
      remove: (...given) => killing(() => store.remove(...given)),
      keys: (prefix) => killing(() => store.keys(prefix)),
      close: store.close,
    };
    const documents = createDocuments(failing, { sleep: async () => undefined });
    await stand.call(arrive, event("1", "order.paid", null, { order: "o1" }), { documents }).catch(() => undefined);
    await stand.call(arrive, event("1", "order.paid", null, { order: "o1" }));
    await stand.call(janitor, {});
    expect(new Set(runs(stand)), `access ${point}`).toEqual(new Set(runs(old)));
  }
});

test("a wait of form 2 has the text of its condition, and receives its event if that function is deployed", async () => {
  const text = "({ event }) => event.data > 3";
  const isLarge = Object.assign(({ event }: JsonObject) => Number((event as JsonObject)["data"]) > 3, {
    toString: () => text,
  });
  const stand = createStand({}, undefined, program);
  const wait = { id: "wait", alternatives: [{ all: [[{ event: "bell", when: text }]] }] };
  const older = { ...program, functions: { [text]: isLarge } };
  await stand.call(suspend, { wait, $waybill: caller({ run: "a" }) }, { program: older });
  const newer = { ...program, functions: { "orders/wait/bell": isLarge } };
  for (const [i, data] of [3, 4].entries())
    await stand.call(arrive, event(String(i), "bell", data), { program: newer });
  expect(runs(stand)).toEqual(["a"]);
  expect(continuationOf(stand.started[0]!).params).toMatchObject({ received: { events: [{ event: { id: "1" } }] } });
});

test("a program refuses a store of a newer form, and says what to do", async () => {
  const stand = createStand({}, undefined, program);
  const newer = { form: 4, mark: "new", value: {} } as unknown as Json;
  await stand.store.put("events:orders:", newer, undefined);
  const refused = stand.call(arrive, event("1", "bell"));
  await expect(refused).rejects.toThrow("The store has form 4, but this program reads forms up to 3. Deploy a program");
  expect((await stand.store.get("events:orders:"))?.value).toEqual(newer);
});
