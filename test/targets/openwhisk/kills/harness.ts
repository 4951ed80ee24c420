import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Platform } from "../../../../targets/openwhisk/runtime/actions/platform.ts";
import { onward } from "../../../../targets/openwhisk/runtime/actions/rt-continue.ts";
import { delay } from "../../../../targets/openwhisk/runtime/actions/rt-delay.ts";
import { fork } from "../../../../targets/openwhisk/runtime/actions/rt-fork.ts";
import { join } from "../../../../targets/openwhisk/runtime/actions/rt-join.ts";
import { hear } from "../../../../targets/openwhisk/runtime/actions/rt-resume.ts";
import { suspend } from "../../../../targets/openwhisk/runtime/actions/rt-suspend.ts";
import { sweep } from "../../../../targets/openwhisk/runtime/actions/rt-sweep.ts";
import { timeout } from "../../../../targets/openwhisk/runtime/actions/rt-timeout.ts";
import { type Action, defaults } from "../../../../targets/openwhisk/runtime/actions/surroundings.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { createConductor } from "../../../../targets/openwhisk/runtime/conductor/index.ts";
import { createDocuments } from "../../../../targets/openwhisk/runtime/store/documents.ts";
import { createMemoryStore } from "../../../../targets/openwhisk/runtime/store/memory.ts";
import { type Store, StoreFailure } from "../../../../targets/openwhisk/runtime/store/store.ts";

/** A kill at a store access: of its connection, of the helper or of the activation, before or after the access. */
export interface Kill {
  readonly point: number;
  readonly what: "connection" | "helper" | "activation";
  readonly isAfter: boolean;
}

/** The observations of a run. */
export interface RunRecord {
  /** The outcomes that the trigger reported. */
  readonly outcomes: readonly JsonObject[];
  /** The functions that were called. */
  readonly calls: readonly string[];
  /** Resumptions of the conductor: the thread and its fence. */
  readonly resumptions: readonly string[];
  /** The number of stalled threads that were resumed manually. */
  readonly manualResumptions: number;
  /** The number of points at which something can be killed. */
  readonly points: number;
  /** Whether the run reached a checkpoint. */
  readonly isStored: boolean;
}

class Killed extends Error {
  readonly what: Kill["what"];

  constructor(what: Kill["what"]) {
    super(`The ${what} was killed.`);
    this.what = what;
  }
}

const flow = "/guest/waybill/flow";
const helpers: { readonly [name: string]: Action } = {
  "rt-continue": onward,
  "rt-delay": delay,
  "rt-fork": fork,
  "rt-join": join,
  "rt-suspend": suspend,
  "rt-sweep": sweep,
  "rt-timeout": timeout,
};

/**
 * Runs a composition while parts of it are killed. Sources repeat events until they are accepted; `rt-sweep` cleans up,
 * and runs that it lists as stalled are resumed manually.
 */
export async function runWithKills(
  composition: Composition,
  events: readonly JsonObject[],
  kills: readonly Kill[],
): Promise<RunRecord> {
  const harness = createHarness(composition, events, kills);
  await harness.begin();
  let pendingEvents = [...events];
  for (let round = 0; round < 40 && !harness.hasEnded(); round++) {
    await harness.settle();
    const left: JsonObject[] = [];
    for (const event of pendingEvents) if ((await harness.fire(event)) === undefined) left.push(event);
    pendingEvents = left;
    await harness.settle();
    harness.wait(round % 3 === 2 ? defaults.stalledMs + 1 : 60_000);
    await harness.settle();
    await harness.sweep();
  }
  return harness.seen();
}

function createHarness(composition: Composition, events: readonly JsonObject[], kills: readonly Kill[]) {
  const clock = { now: 1_000_000 };
  const store = createMemoryStore(() => clock.now);
  const conductor = createConductor(
    composition,
    { helpers: "/_/waybill", missingAction: "catch", budget: 4 },
    () => undefined,
  );
  const pending: { readonly action: string; readonly params: JsonObject }[] = [];
  const alarms = new Map<string, { readonly at: number; readonly action: string; readonly params: JsonObject }>();
  const seen = {
    outcomes: [] as JsonObject[],
    calls: [] as string[],
    resumptions: [] as string[],
    manualResumptions: 0,
    points: 0,
  };
  let activations = 0;

  /** Performs work that may be killed before or after it. */
  const fallible = async <T>(work: () => Promise<T>): Promise<T> => {
    seen.points += 1;
    const kill = kills.find(({ point }) => point === seen.points);
    const done = kill && !kill.isAfter ? undefined : await work();
    if (kill?.what === "connection") throw new StoreFailure("The connection was killed.");
    if (kill) throw new Killed(kill.what);
    return done as T;
  };
  /** Whether an operation is lost silently. */
  const isLost = () => {
    seen.points += 1;
    return kills.some(({ point }) => point === seen.points);
  };
  const fallibleStore: Store = {
    get: (key) => fallible(() => store.get(key)),
    put: (...given) => fallible(() => store.put(...given)),
    remove: (...given) => fallible(() => store.remove(...given)),
    keys: (prefix) => fallible(() => store.keys(prefix)),
    close: store.close,
  };
  const platform: Platform = {
    start: (action, params) =>
      fallible(async () => {
        pending.push({ action, params: JSON.parse(JSON.stringify(params)) as JsonObject });
        return `activation-${++activations}`;
      }),
    call: async () => ({}),
    request: async () => ({}),
    fire: async (_, params) => void seen.outcomes.push(params),
    async setAlarm(name, at, action, params) {
      if (!isLost()) alarms.set(name, { at, action, params });
    },
    async removeAlarm(name) {
      if (!isLost()) alarms.delete(name);
    },
  };
  const help = (action: Action, params: JsonObject): Promise<JsonObject> =>
    action(JSON.parse(JSON.stringify(params)) as JsonObject, {
      platform,
      documents: createDocuments(fallibleStore, { sleep: async () => undefined }),
      settings: { ...defaults, ended: { "waybill/flow": "ended" } },
      secrets: {},
      now: () => clock.now,
      sleep: async () => undefined,
      id: `a${++activations}`,
    });

  /** The result of a component. A killed helper is an action that fails. */
  const component = async (action: string, params: JsonObject): Promise<JsonObject> => {
    const name = action.slice(action.lastIndexOf("/") + 1);
    const helper = own(helpers, name);
    if (!helper) {
      seen.calls.push(name);
      return { value: name };
    }
    try {
      return await help(helper, params);
    } catch (error) {
      if (error instanceof Killed && error.what === "activation") throw error;
      return { error: `The action failed: ${(error as Error).message}` };
    }
  };
  /** Runs an activation of the conductor with its components, or of a helper. */
  const activate = async (action: string, given: JsonObject): Promise<void> => {
    const name = action.slice(action.lastIndexOf("/") + 1);
    try {
      if (action !== flow) return void (await component(action, given));
      const id = `a${++activations}`;
      note(given);
      for (let params = given; ; ) {
        process.env["__OW_ACTIVATION_ID"] = id;
        process.env["__OW_ACTION_NAME"] = flow;
        const turn = conductor(params);
        const next = own(turn, "action");
        if (next === undefined) return;
        const asked = (own(turn, "params") ?? {}) as JsonObject;
        const answer = await fallible(() => component(String(next), asked));
        params = { ...answer, ...(own(turn, "state") as JsonObject) };
      }
    } catch (error) {
      if (!(error instanceof Killed || error instanceof StoreFailure))
        throw new Error(`${name} failed`, { cause: error });
    }
  };
  const note = ({ $waybill }: JsonObject) => {
    const part = isObject($waybill) ? own($waybill, "join") : undefined;
    const joinField = (key: string) => (isObject(part) ? own(part, key) : undefined);
    if (joinField("fence") !== undefined) seen.resumptions.push(`${joinField("thread")} by ${joinField("fence")}`);
  };
  const settle = async () => {
    for (let next = pending.shift(); next; next = pending.shift()) await activate(next.action, next.params);
  };
  const types = events.map(({ type }) => [String(type), { type: String(type) }] as const);
  const receive = hear([{ flow, definitions: Object.fromEntries(types) }]);
  return {
    begin: () => activate(flow, { $waybill: { began: clock.now } }),
    settle,
    fire: (event: JsonObject) => help(receive, event).catch(() => undefined),
    /** Advances the clock and fires alarms. */
    wait(ms: number) {
      clock.now += ms;
      for (const [name, { at, action, params }] of [...alarms].sort(([, a], [, b]) => a.at - b.at)) {
        if (at > clock.now) continue;
        alarms.delete(name);
        pending.push({ action, params });
      }
    },
    /** Runs `rt-sweep` and resumes stalled threads. */
    async sweep() {
      const { stalled = [] } = await help(sweep, {}).catch(() => ({}) as JsonObject);
      await settle();
      for (const { thread } of stalled as readonly JsonObject[]) {
        const { resumed } = await help(sweep, { resume: thread as Json }).catch(() => ({}) as JsonObject);
        if (resumed !== false) seen.manualResumptions += 1;
        await settle();
      }
    },
    hasEnded: () => seen.outcomes.length > 0 && pending.length === 0,
    seen: async (): Promise<RunRecord> => ({
      ...seen,
      isStored: (await store.keys("thread:")).length > 0 || seen.outcomes.length > 0,
    }),
  };
}
