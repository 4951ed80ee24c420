import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../../src/json.ts";
import { createCall } from "../../../../../targets/openwhisk/runtime/actions/call.ts";
import { eventOperations } from "../../../../../targets/openwhisk/runtime/actions/event-operations.ts";
import { emptyDocument, partitionKey } from "../../../../../targets/openwhisk/runtime/actions/partition-documents.ts";
import { type Client, platformOf } from "../../../../../targets/openwhisk/runtime/actions/platform.ts";
import { caller, continuationOf, createStand, operations } from "./stand.ts";

const { delay, timeout } = operations;
const call = createCall();

const asked = (params: object) => ({ action: "/_/pay/charge", params, $waybill: caller() });

test("an action is called, and its answer is the call's", async () => {
  const stand = createStand();
  stand.answers.set("/_/pay/charge", (params) => ({ got: params }));
  expect(await stand.call(call, asked({ sum: 3 }))).toEqual({ got: { sum: 3 } });
});

test("what an action answers cannot be taken for what a helper says", async () => {
  const stand = createStand();
  stand.answers.set("/_/pay/charge", () => ({ $waybill: "suspended", error: { $waybill: "timeout", name: "Mine" } }));
  expect(await stand.call(call, asked({}))).toEqual({ $waybill: "suspended", error: { name: "Mine" } });
});

test("a call is given up after its time", async () => {
  const stand = createStand();
  stand.answers.set("/_/pay/charge", () => new Promise(() => undefined));
  expect(await stand.call(call, { ...asked({}), timeoutMs: 30 })).toEqual({ error: { $waybill: "timeout" } });
  expect(stand.now).toBe(1030);
});

test("a call that is not waited for is started, and a trigger is fired", async () => {
  const stand = createStand();
  expect(await stand.call(call, { ...asked({ a: 1 }), wait: false })).toEqual({});
  expect(stand.started).toEqual([{ action: "/_/pay/charge", params: { a: 1 } }]);
  expect(
    await stand.call(call, { trigger: "/_/sold", params: { type: "sold" }, $waybill: caller({ calls: 4 }) }),
  ).toEqual({});
  expect(stand.fired).toEqual([{ trigger: "/_/sold", params: { type: "sold", id: "run1/4" } }]);
});

test("an event carries the run's correlation value: what an event has given it, else what the run knows", async () => {
  const stand = createStand();
  const flow = "/guest/app/orders";
  const program = { flows: [{ flow, group: "shop", definitions: { sold: { type: "sold" } } }] };
  const emitted = (value: string | null, isShared?: true, other?: Json) =>
    stand.call(eventOperations(program).conductor["call"]!, {
      trigger: "/_/sold",
      correlation: { attribute: "order", own: other, value, isShared },
      $waybill: caller(),
    });
  const carried = async (...asked: Parameters<typeof emitted>) => {
    await emitted(...asked);
    const { id: _, ...params } = stand.fired.at(-1)!.params;
    return params;
  };
  expect(await carried("o1")).toEqual({ order: "o1" });
  expect(await carried(null, true)).toEqual({});
  const runs = { run1: { value: "o2" }, run2: { value: "o3" } };
  const partition = { ...emptyDocument.partition, runs };
  await stand.store.put(
    partitionKey("shop", ""),
    { mark: "m", value: { ...emptyDocument, partition } as never },
    undefined,
  );
  expect(await carried(null)).toEqual({});
  expect(await carried(null, true)).toEqual({ order: "o2" });
  expect(await carried("o1", true)).toEqual({ order: "o2" });
  expect(await carried("o1", true, "own")).toEqual({ order: "own" });
  for (const absent of [null, ["o"], { o: 1 }]) expect(await carried("o1", true, absent)).toEqual({ order: "o2" });
});

test("an argument is computed from secrets and variables, and a secret that is missing is an error of the function", async () => {
  const stand = createStand();
  stand.answers.set("/_/pay/charge", (params) => ({ got: params }));
  const sending = (key: string) =>
    stand.call(
      createCall({
        argument: ({ secret, order }) => ({ token: `Bearer ${secret}`, of: (order as JsonObject)["id"]! }),
      }),
      {
        action: "/_/pay/charge",
        argument: "argument",
        variables: { order: { id: 7 } },
        secrets: { secret: { id: "pay", key } },
        $waybill: caller(),
      },
      { secrets: { pay: { token: "s3cret" } } },
    );
  expect(await sending("token")).toEqual({ got: { token: "Bearer s3cret", of: 7 } });
  const message = "There is no secret pay with a key constructor.";
  expect(await sending("constructor")).toEqual({ error: { name: "SecretNotFound", message } });
});

test("how an argument fails is told only where it fails so with any secret", async () => {
  const stand = createStand();
  const failing = (message: (secret: string) => string) =>
    stand.call(
      createCall({
        odd({ secret }) {
          throw { value: { name: "Odd" }, message: message(String(secret)) };
        },
      }),
      {
        action: "/_/pay/charge",
        argument: "odd",
        secrets: { secret: { id: "pay", key: "token" } },
        $waybill: caller(),
      },
      { secrets: { pay: { token: "s3cret" } } },
    );
  const error = { $waybill: "expression", name: "Odd", message: "It is odd." };
  expect(await failing(() => "It is odd.")).toEqual({ error });
  const hidden = { ...error, message: "What is sent cannot be computed from its secrets." };
  for (const message of [
    (secret: string) => secret,
    (secret: string) => secret.slice(0, 2),
    (secret: string) => String(secret.length),
  ])
    expect(await failing(message)).toEqual({ error: hidden });
  await expect(
    stand.call(call, { action: "/_/pay/charge", argument: "() => ({})", $waybill: caller() }),
  ).rejects.toThrow("This deployment has no function");
});

test("a short delay is slept, and a long one resumes the run by an alarm, once", async () => {
  const stand = createStand();
  expect(await stand.call(delay, { ms: 30_000, $waybill: caller() })).toEqual({});
  expect(stand.now).toBe(31_000);
  expect(await stand.call(delay, { ms: 30_001, $waybill: caller() })).toEqual({ $waybill: "suspended" });
  const [alarm] = [...stand.alarms.values()];
  expect(alarm?.at).toBe(61_001);
  stand.now = 61_000;
  await stand.call(timeout, alarm!.params);
  expect(stand.started).toEqual([]);
  stand.now = 61_001;
  await stand.call(timeout, alarm!.params);
  await stand.call(timeout, alarm!.params);
  expect(stand.resumptions()).toEqual(["next"]);
  expect(continuationOf(stand.started[0]!).params).toEqual({});
});

test("a delay until an instant takes no time when that is past, and no more than the workflow gives", async () => {
  const stand = createStand();
  expect(await stand.call(delay, { until: "1970-01-01T00:00:00Z", $waybill: caller() })).toEqual({});
  expect(stand.now).toBe(1000);
  const late = { until: "1970-01-01T00:00:11Z", timeoutMs: 500, $waybill: caller() };
  expect(await stand.call(delay, late)).toEqual({ error: { $waybill: "timeout" } });
  expect(stand.now).toBe(1500);
  await stand.call(delay, { ms: 90_000, timeoutMs: 60_000, $waybill: caller() });
  const [alarm] = [...stand.alarms.values()];
  stand.now = 61_500;
  await stand.call(timeout, alarm!.params);
  expect(continuationOf(stand.started[0]!).params).toEqual({ error: { $waybill: "timeout" } });
});

/** A client with the given responses. */
const client = (answers: { readonly invoke: () => unknown; readonly get?: () => unknown }) => {
  const asked: unknown[] = [];
  const answering =
    <O, R>(what: string, answer?: () => unknown) =>
    async (options: O): Promise<R> => {
      asked.push([what, options]);
      return answer?.() as R;
    };
  const made: Client = {
    actions: { invoke: answering("invoke", answers.invoke) },
    activations: { get: answering("get", answers.get) },
    triggers: { create: answering("create trigger"), delete: answering("delete trigger"), invoke: answering("fire") },
    rules: { create: answering("create rule"), delete: answering("delete rule") },
  };
  return {
    asked,
    platform: platformOf(
      () => made,
      async () => undefined,
    ),
  };
};
const fails = (statusCode: number, body: object) => () => {
  throw Object.assign(new Error(`${statusCode}`), { statusCode, error: body });
};

test("the answer of an action is in the record of its activation, also where it failed", async () => {
  const { platform } = client({ invoke: () => ({ activationId: "1", response: { result: { a: 1 } } }) });
  expect(await platform.call("/_/a", {})).toEqual({ a: 1 });
  const failing = client({ invoke: fails(502, { response: { result: { error: { name: "Lost" } } } }) });
  expect(await failing.platform.call("/_/a", {})).toEqual({ error: { name: "Lost" } });
  const missing = client({ invoke: fails(404, { error: "The requested resource does not exist." }) });
  expect(await missing.platform.call("/_/a", {})).toEqual({ error: "404" });
  const listing = client({ invoke: () => ({ activationId: "1", response: { result: [1, 2] } }) });
  expect(await listing.platform.call("/_/a", {})).toEqual({ value: [1, 2] });
});

test("an activation that takes longer than a request is asked for until it has ended", async () => {
  let times = 0;
  const get = () => (++times < 3 ? fails(404, {})() : { response: { result: { a: times } } });
  const { platform, asked } = client({ invoke: () => ({ activationId: "1" }), get });
  expect(await platform.call("/_/a", {})).toEqual({ a: 3 });
  expect(asked).toHaveLength(4);
});

test("an alarm is a trigger, a rule and a feed that fires once", async () => {
  const { platform, asked } = client({ invoke: () => ({}) });
  await platform.setAlarm("waybill-1", 5000, "/_/waybill/rt", { at: "1" });
  expect(asked).toMatchObject([
    ["create trigger", { name: "waybill-1" }],
    ["create rule", { name: "waybill-1", action: "/_/waybill/rt", trigger: "/_/waybill-1" }],
    [
      "invoke",
      {
        name: "/whisk.system/alarms/once",
        params: { lifecycleEvent: "CREATE", triggerName: "/_/waybill-1", date: 5000, trigger_payload: { at: "1" } },
      },
    ],
  ]);
});
