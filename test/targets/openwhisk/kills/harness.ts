import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import {
  chooseOperation,
  defaultSettings,
  type Operation,
} from "../../../../targets/openwhisk/runtime/actions/action.ts";
import { eventOperations } from "../../../../targets/openwhisk/runtime/actions/event-operations.ts";
import { operate } from "../../../../targets/openwhisk/runtime/actions/janitor.ts";
import type { Platform } from "../../../../targets/openwhisk/runtime/actions/platform.ts";
import { abandonBranches } from "../../../../targets/openwhisk/runtime/actions/waits.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { createConductor } from "../../../../targets/openwhisk/runtime/conductor/index.ts";
import { sign } from "../../../../targets/openwhisk/runtime/proof.ts";
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
  /** The idempotency keys of the calls, behind the functions. */
  readonly keys: readonly string[];
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
const helper = "/_/waybill/rt";
const key = "key of the test harness";

/**
 * Runs a composition while parts of it are killed. Sources repeat events until they are accepted; the janitor cleans up,
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
    harness.wait(round % 3 === 2 ? defaultSettings.stalledMs + 1 : 60_000);
    await harness.settle();
    await harness.cleanUp();
  }
  return harness.seen();
}

const actionsOf = ({ States }: Composition): readonly string[] =>
  Object.values(States).flatMap(({ Action }) => (Action === undefined || Action === helper ? [] : [Action]));

function createHarness(composition: Composition, events: readonly JsonObject[], kills: readonly Kill[]) {
  const functions = actionsOf(composition);
  const clock = { now: 1_000_000 };
  const store = createMemoryStore(() => clock.now);
  const conductor = createConductor(
    composition,
    {
      helper,
      missingAction: "catch",
      budget: 4,
      keys: Object.fromEntries(functions.map((name) => [name, "$waybill"])),
    },
    () => undefined,
  );
  const pending: { readonly action: string; readonly params: JsonObject }[] = [];
  const alarms = new Map<string, { readonly at: number; readonly action: string; readonly params: JsonObject }>();
  const seen = {
    outcomes: [] as JsonObject[],
    calls: [] as string[],
    keys: [] as string[],
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
  const types = events.map(({ type }) => [String(type), { type: String(type) }] as const);
  const program = { flows: [{ flow, definitions: Object.fromEntries(types) }] };
  const operations = { ...eventOperations(program), operator: operate };
  const run = (operation: Operation, params: JsonObject): Promise<JsonObject> =>
    operation(params, {
      platform,
      documents: createDocuments(fallibleStore, { sleep: async () => undefined }),
      settings: { ...defaultSettings, ended: { "waybill/flow": "ended" } },
      secrets: {},
      abandon: (left, context) => abandonBranches(left, { ...context, program } as typeof context),
      sign: (state) => sign(state, "continue", key),
      now: () => clock.now,
      sleep: async () => undefined,
      id: `a${++activations}`,
    });
  const help = async (params: JsonObject): Promise<JsonObject> =>
    run(...chooseOperation(operations, JSON.parse(JSON.stringify(params)) as JsonObject, key));

  /** The result of a component. A killed helper is an action that fails. */
  const component = async (action: string, params: JsonObject): Promise<JsonObject> => {
    if (action !== helper) {
      seen.calls.push(action.slice(action.lastIndexOf("/") + 1));
      const { key: callKey } = own(params, "$waybill") as { readonly key: string };
      seen.keys.push(`${action} ${callKey}`);
      return { value: action.slice(action.lastIndexOf("/") + 1) };
    }
    try {
      return await help(params);
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
      for (let params: JsonObject = { ...given, $waybillKey: key }; ; ) {
        process.env["__OW_ACTIVATION_ID"] = id;
        process.env["__OW_ACTION_NAME"] = flow;
        const turn = conductor(params);
        const next = own(turn, "action");
        if (next === undefined) return;
        const asked = (own(turn, "params") ?? {}) as JsonObject;
        const answer = await fallible(() => component(String(next), asked));
        params = { ...answer, ...(own(turn, "state") as JsonObject), $waybillKey: key };
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
  return {
    begin: () => activate(flow, { $waybill: sign({ began: clock.now }, "continue", key) as unknown as Json }),
    settle,
    fire: (event: JsonObject) => help(event).catch(() => undefined),
    /** Advances the clock and fires alarms. */
    wait(ms: number) {
      clock.now += ms;
      for (const [name, { at, action, params }] of [...alarms].sort(([, a], [, b]) => a.at - b.at)) {
        if (at > clock.now) continue;
        alarms.delete(name);
        pending.push({ action, params });
      }
    },
    /** Runs the janitor and resumes stalled threads. */
    async cleanUp() {
      const { stalled = [] } = await help({ operation: "janitor" }).catch(() => ({}) as JsonObject);
      await settle();
      for (const { thread } of stalled as readonly JsonObject[]) {
        const request = { operation: "operate", key, resume: thread as Json };
        const { resumed } = await help(request).catch(() => ({}) as JsonObject);
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
