import type { Json, JsonObject } from "../../../../../src/json.ts";
import { defaultSettings, type RunSettings } from "../../../../../targets/openwhisk/runtime/actions/action.ts";
import { arrive } from "../../../../../targets/openwhisk/runtime/actions/arrive.ts";
import type { Caller } from "../../../../../targets/openwhisk/runtime/actions/caller.ts";
import { continueRun } from "../../../../../targets/openwhisk/runtime/actions/continue.ts";
import { createDelay } from "../../../../../targets/openwhisk/runtime/actions/delay.ts";
import { eventJanitor } from "../../../../../targets/openwhisk/runtime/actions/event-janitor.ts";
import type { EventProgram } from "../../../../../targets/openwhisk/runtime/actions/event-rules.ts";
import { createFork } from "../../../../../targets/openwhisk/runtime/actions/fork.ts";
import { suspendFork } from "../../../../../targets/openwhisk/runtime/actions/forks.ts";
import { createJanitor, operate } from "../../../../../targets/openwhisk/runtime/actions/janitor.ts";
import { createJoin } from "../../../../../targets/openwhisk/runtime/actions/join.ts";
import type { EventContext } from "../../../../../targets/openwhisk/runtime/actions/partition-documents.ts";
import type { Platform } from "../../../../../targets/openwhisk/runtime/actions/platform.ts";
import { suspend } from "../../../../../targets/openwhisk/runtime/actions/suspend.ts";
import { createTimeout, suspendUntil } from "../../../../../targets/openwhisk/runtime/actions/timers.ts";
import { abandonBranches, leaveEvents } from "../../../../../targets/openwhisk/runtime/actions/waits.ts";
import { createDocuments } from "../../../../../targets/openwhisk/runtime/store/documents.ts";
import { createMemoryStore } from "../../../../../targets/openwhisk/runtime/store/memory.ts";
import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";

/** The environment of a helper action in a test: an in-memory store, a manual clock and a recording platform. */
export interface Stand {
  readonly store: Store;
  readonly started: { readonly action: string; readonly params: JsonObject }[];
  readonly fired: { readonly trigger: string; readonly params: JsonObject }[];
  readonly alarms: Map<string, { readonly at: number; readonly action: string; readonly params: JsonObject }>;
  /** The responses of `call`, set by the test. */
  readonly answers: Map<string, (params: JsonObject) => Promise<JsonObject> | JsonObject>;
  now: number;
  /** Runs an operation as a separate activation. */
  call(operation: StandOperation, params: object, through?: Partial<EventContext>): Promise<JsonObject>;
  /** The states with which the conductor was started, one per resumption. */
  readonly resumptions: () => readonly (string | null | undefined)[];
}

/** The operations of a program that receives events, which the stand passes as a parameter. */
export const operations = {
  arrive,
  continueRun,
  delay: createDelay(suspendUntil),
  fork: createFork(suspendFork),
  janitor: createJanitor(eventJanitor),
  join: createJoin(leaveEvents),
  operate,
  suspend,
  timeout: createTimeout(eventJanitor),
};

/** An operation with or without events. */
export type StandOperation = (params: JsonObject, context: EventContext) => Promise<JsonObject>;

/** Creates an empty environment; `around` wraps the store. */
export function createStand(
  settings: Partial<RunSettings> = {},
  around: (store: Store) => Store = (store) => store,
  program: EventProgram = { flows: [] },
): Stand {
  let activations = 0;
  const store = createMemoryStore(() => stand.now);
  const sleep = async (ms: number) => {
    stand.now += ms;
  };
  const platform: Platform = {
    async start(action, params) {
      stand.started.push({ action, params: JSON.parse(JSON.stringify(params)) as JsonObject });
      return `activation-${stand.started.length}`;
    },
    call: async (action, params) => (await stand.answers.get(action)?.(params)) ?? {},
    request: async (url, params) => (await stand.answers.get(url)?.(params)) ?? {},
    async fire(trigger, params) {
      stand.fired.push({ trigger, params });
    },
    async setAlarm(name, at, action, params) {
      stand.alarms.set(name, { at, action, params });
    },
    async removeAlarm(name) {
      stand.alarms.delete(name);
    },
  };
  const stand: Stand = {
    store,
    started: [],
    fired: [],
    alarms: new Map(),
    answers: new Map(),
    now: 1000,
    call(action, params, through = {}) {
      activations += 1;
      return action(JSON.parse(JSON.stringify(params)) as JsonObject, {
        platform,
        documents: createDocuments(around(store), { sleep: async () => undefined }),
        settings: { ...defaultSettings, ...settings },
        secrets: {},
        program,
        abandon: abandonBranches,
        sign: (state) => state,
        now: () => stand.now,
        sleep,
        id: `a${activations}`,
        ...through,
      });
    },
    resumptions: () => stand.started.map(({ params }) => (params["$waybill"] as unknown as Partial<Caller>).state),
  };
  return stand;
}

/** The conductor's parameters about a run. */
export const caller = (more: Partial<Caller> = {}): Caller => ({
  flow: "/guest/app/orders",
  run: "run1",
  began: 1000,
  state: "next",
  stack: [{ catch: "handler" }, { let: { x: 1 } }, { params: {} }],
  ...more,
});

/** An event, as passed to a trigger. */
export const event = (id: string, type: string, data: Json = null, more: JsonObject = {}): JsonObject => ({
  specversion: "1.0",
  id,
  source: "test",
  type,
  data,
  ...more,
});

/** The continuation that a conductor was started with. */
export const continuationOf = ({ params }: { readonly params: JsonObject }): Caller & { readonly params: JsonObject } =>
  params["$waybill"] as unknown as Caller & { readonly params: JsonObject };
