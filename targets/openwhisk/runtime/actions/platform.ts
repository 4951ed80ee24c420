import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";

/** What of OpenWhisk the helpers use. */
export interface Platform {
  /** Starts an action, and does not wait for it. */
  start(action: string, params: JsonObject): Promise<string>;
  /** What an action answers: an object, with a member `error` where it has failed. Waits for as long as that takes. */
  call(action: string, params: JsonObject): Promise<JsonObject>;
  /** What a web action answers to a request by POST. */
  request(url: string, params: JsonObject): Promise<JsonObject>;
  fire(trigger: string, params: JsonObject): Promise<void>;
  /** Has an action called at an instant, by an alarm of that name. */
  setAlarm(name: string, at: number, action: string, params: JsonObject): Promise<void>;
  removeAlarm(name: string): Promise<void>;
}

/** The client of OpenWhisk that its Node.js runtimes have, as far as it is used. */
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

/** The platform that an action runs on; `sleep`: how time passes until an activation is asked for again, in milliseconds. */
export function createPlatform(sleep: (ms: number) => Promise<void>): Platform {
  let made: Client | undefined;
  return platformOf(() => {
    made ??= (require("openwhisk") as () => Client)();
    return made;
  }, sleep);
}

/** The platform that a client reaches, which is asked for when it is needed. */
export function platformOf(client: () => Client, sleep: (ms: number) => Promise<void>): Platform {
  const allowed = <T>(ask: () => Promise<T>): Promise<T> => whenAllowed(ask, sleep);
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
    request: answerTo,
    async fire(name, params) {
      await allowed(() => client().triggers.invoke({ name, params }));
    },
    async setAlarm(name, at, action, payload) {
      await client().triggers.create({ name }).catch(unlessThere);
      await client()
        .rules.create({ name, action, trigger: `/_/${name}` })
        .catch(unlessThere);
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

/** Asks again for what the platform does not do while a namespace has as many activations at once, or in a minute, as it may. */
async function whenAllowed<T>(ask: () => Promise<T>, sleep: (ms: number) => Promise<void>): Promise<T> {
  for (let ms = 500; ; ms = Math.min(2 * ms, 4000)) {
    try {
      return await ask();
    } catch (error) {
      if (statusOf(error) !== 429) throw error;
    }
    await sleep(ms);
  }
}

/** The result in the record of an activation; undefined where it has not ended. The platform has arrays as results too: such a one is the value. */
function resultIn(activation: Json | undefined): JsonObject | undefined {
  const response = isObject(activation) ? own(activation, "response") : undefined;
  const result = isObject(response) ? own(response, "result") : undefined;
  return isObject(result) || result === undefined ? result : { value: result };
}

/** The result of an activation that takes longer than a request may: it is asked for until it is there. */
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

async function answerTo(url: string, params: JsonObject): Promise<JsonObject> {
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

/** Lets what is there already be as it is. */
function unlessThere(error: unknown): void {
  if (statusOf(error) !== 409) throw error;
}

const statusOf = (error: unknown): unknown => (error as { readonly statusCode?: unknown } | null)?.statusCode;

const bodyOf = (error: unknown): Json | undefined => (error as { readonly error?: Json } | null)?.error;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
