import type { Json, JsonObject } from "../../../../../src/json.ts";
import type { Caller } from "../../../../../targets/openwhisk/runtime/actions/continuation.ts";
import type { Platform } from "../../../../../targets/openwhisk/runtime/actions/platform.ts";
import {
  type Action,
  defaults,
  type RunSettings,
  type Surroundings,
} from "../../../../../targets/openwhisk/runtime/actions/surroundings.ts";
import { createDocuments } from "../../../../../targets/openwhisk/runtime/store/documents.ts";
import { createMemoryStore } from "../../../../../targets/openwhisk/runtime/store/memory.ts";
import type { Store } from "../../../../../targets/openwhisk/runtime/store/store.ts";

/** What a helper action meets in a test: a store in memory, a clock that the test moves, and a platform that writes down what it is asked for. */
export interface Stand {
  readonly store: Store;
  readonly started: { readonly action: string; readonly params: JsonObject }[];
  readonly fired: { readonly trigger: string; readonly params: JsonObject }[];
  readonly alarms: Map<string, { readonly at: number; readonly action: string; readonly params: JsonObject }>;
  /** What `call` answers; the test puts it there. */
  readonly answers: Map<string, (params: JsonObject) => Promise<JsonObject> | JsonObject>;
  now: number;
  /** Calls a helper as an activation of its own. */
  call(action: Action, params: object, through?: Partial<Surroundings>): Promise<JsonObject>;
  /** How often the conductor was started with a state, which is how often something went on there. */
  readonly resumptions: () => readonly (string | null | undefined)[];
}

/** A stand where nothing has happened yet. `around`: how the store is reached, where that is not directly. */
export function createStand(
  settings: Partial<RunSettings> = {},
  around: (store: Store) => Store = (store) => store,
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
        settings: { ...defaults, ...settings },
        secrets: {},
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

/** What the conductor tells a helper of a run. */
export const caller = (more: Partial<Caller> = {}): Caller => ({
  flow: "/guest/app/orders",
  run: "run1",
  began: 1000,
  state: "next",
  stack: [{ catch: "handler" }, { let: { x: 1 } }, { params: {} }],
  ...more,
});

/** An event, as a trigger is fired with it. */
export const event = (id: string, type: string, data: Json = null, more: JsonObject = {}): JsonObject => ({
  specversion: "1.0",
  id,
  source: "test",
  type,
  data,
  ...more,
});

/** What a conductor was started with. */
export const continuationOf = ({ params }: { readonly params: JsonObject }): Caller & { readonly params: JsonObject } =>
  params["$waybill"] as unknown as Caller & { readonly params: JsonObject };
