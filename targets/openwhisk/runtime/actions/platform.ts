import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";

/** The API of OpenWhisk, as the helper action uses it. */
export interface Platform {
  /** Invokes an action without waiting; returns the activation id. */
  start(action: string, params: JsonObject): Promise<string>;
  /** Invokes an action and waits for its result, which has a member `error` if it failed. */
  call(action: string, params: JsonObject): Promise<JsonObject>;
  /** Sends a POST request to a web action. */
  request(url: string, params: JsonObject): Promise<JsonObject>;
  fire(trigger: string, params: JsonObject): Promise<void>;
  /** Creates a named alarm, which invokes an action at an instant (milliseconds since 1970). */
  setAlarm(name: string, at: number, action: string, params: JsonObject): Promise<void>;
  removeAlarm(name: string): Promise<void>;
}

/** The client of the package `openwhisk`, which the Node.js runtimes contain. */
export interface Client {
  readonly actions: {
    invoke(options: {
      readonly name: string;
      readonly params: JsonObject;
      readonly blocking?: boolean;
    }): Promise<JsonObject>;
  };
  readonly activations: { get(options: { readonly name: string }): Promise<JsonObject> };
  readonly triggers: {
    create(options: { readonly name: string }): Promise<unknown>;
    delete(options: { readonly name: string }): Promise<unknown>;
    invoke(options: { readonly name: string; readonly params: JsonObject }): Promise<unknown>;
  };
  readonly rules: {
    create(options: { readonly name: string; readonly action: string; readonly trigger: string }): Promise<unknown>;
    delete(options: { readonly name: string }): Promise<unknown>;
  };
}

/** The platform of the running action. `sleep` takes milliseconds. */
export function createPlatform(sleep: (ms: number) => Promise<void>): Platform {
  let made: Client | undefined;
  return platformOf(() => {
    made ??= (require("openwhisk") as () => Client)();
    return made;
  }, sleep);
}

/** The platform of a client, which is created on first use. */
export function platformOf(client: () => Client, sleep: (ms: number) => Promise<void>): Platform {
  const allowed = <T>(request: () => Promise<T>): Promise<T> => whenAllowed(request, sleep);
  const alarms = (lifecycleEvent: string, triggerName: string, rest: JsonObject) => {
    const authKey = process.env["__OW_API_KEY"] ?? "";
    const params = { lifecycleEvent, triggerName: `/_/${triggerName}`, authKey, ...rest };
    return client().actions.invoke({ name: "/whisk.system/alarms/once", blocking: true, params });
  };
  return {
    async start(name, params) {
      return String((await allowed(() => client().actions.invoke({ name, params })))["activationId"]);
    },
    async call(name, params) {
      try {
        const answer = await allowed(() => client().actions.invoke({ name, params, blocking: true }));
        return resultIn(answer) ?? (await resultOf(client(), String(answer["activationId"]), sleep));
      } catch (error) {
        return resultIn(bodyOf(error)) ?? { error: messageOf(error) };
      }
    },
    request: post,
    async fire(name, params) {
      await allowed(() => client().triggers.invoke({ name, params }));
    },
    async setAlarm(name, at, action, payload) {
      await client().triggers.create({ name }).catch(ignoreConflict);
      await client()
        .rules.create({ name, action, trigger: `/_/${name}` })
        .catch(ignoreConflict);
      await alarms("CREATE", name, { date: at, trigger_payload: payload, deleteAfterFire: "rules" });
    },
    async removeAlarm(name) {
      const gone = () => undefined;
      await alarms("DELETE", name, {}).catch(gone);
      await client().rules.delete({ name }).catch(gone);
      await client().triggers.delete({ name }).catch(gone);
    },
  };
}

/** Repeats a request while the namespace exceeds its limit of concurrent activations or activations per minute. */
async function whenAllowed<T>(request: () => Promise<T>, sleep: (ms: number) => Promise<void>): Promise<T> {
  for (let ms = 500; ; ms = Math.min(2 * ms, 4000)) {
    try {
      return await request();
    } catch (error) {
      if (statusOf(error) !== 429) throw error;
    }
    await sleep(ms);
  }
}

/** The result in the record of an activation; undefined if it has not ended. An array becomes the member `value`. */
function resultIn(activation: Json | undefined): JsonObject | undefined {
  const response = isObject(activation) ? own(activation, "response") : undefined;
  const result = isObject(response) ? own(response, "result") : undefined;
  return isObject(result) || result === undefined ? result : { value: result };
}

/** Polls for the result of an activation that takes longer than a request may. */
async function resultOf(client: Client, name: string, sleep: (ms: number) => Promise<void>): Promise<JsonObject> {
  for (;;) {
    try {
      const result = resultIn(await client.activations.get({ name }));
      if (result) return result;
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
    await sleep(1000);
  }
}

async function post(url: string, params: JsonObject): Promise<JsonObject> {
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(params) });
    const text = await response.text();
    const body = (text === "" ? {} : JSON.parse(text)) as Json;
    if (!response.ok) return { error: isObject(body) ? (own(body, "error") ?? body) : `${response.status} ${text}` };
    return isObject(body) ? body : { value: body };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Ignores that an entity already exists. */
function ignoreConflict(error: unknown): void {
  if (statusOf(error) !== 409) throw error;
}

const statusOf = (error: unknown): unknown => (error as { readonly statusCode?: unknown } | null)?.statusCode;

const bodyOf = (error: unknown): Json | undefined => (error as { readonly error?: Json } | null)?.error;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
