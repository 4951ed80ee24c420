import { isObject, type Json, type JsonObject, own, setOwn } from "../../../../src/json.ts";
import { readBoard } from "./board.ts";
import { type Caller, joinOf, timedOut } from "./continuation.ts";
import { type Surroundings, served } from "./surroundings.ts";

/** What a call is asked for with: an action, which may be the URL of a web action, or a trigger. */
export interface Call {
  readonly action?: string;
  readonly trigger?: string;
  readonly params?: JsonObject;
  /** How much time the workflow gives the call: what is called then goes on, and its answer is dropped. */
  readonly timeoutMs?: number;
  /** False: the answer is not waited for. */
  readonly wait?: boolean;
  readonly secrets?: readonly Secret[];
  /** The attribute of an event that carries the run's correlation value, and that as far as this thread of the run knows it. */
  readonly correlation?: { readonly attribute: string; readonly value: Json; readonly isShared?: boolean };
  readonly $waybill: Caller;
}

/** Where in the parameters the text of a secret is put. */
interface Secret {
  readonly path: readonly (string | number)[];
  readonly id: string;
  readonly key: string;
}

/** Calls what the conductor cannot call by itself: within a time, without waiting, by HTTP, with secrets; or fires a trigger. */
export async function call(asked: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const { action = "", trigger, params: given = {}, timeoutMs, wait = true, secrets = [] } = asked as unknown as Call;
  const { platform, sleep } = surroundings;
  let params = given;
  for (const secret of secrets) {
    const text = own(own(surroundings.secrets, secret.id) ?? {}, secret.key);
    if (typeof text !== "string") return { error: missing(secret) };
    params = put(params, secret.path, text) as JsonObject;
  }
  if (trigger !== undefined) {
    await platform.fire(trigger, { ...params, ...(await correlated(asked as unknown as Call, surroundings)) });
    return {};
  }
  const isWeb = action.startsWith("https://");
  if (!wait) {
    await (isWeb ? platform.request(action, params) : platform.start(action, params));
    return {};
  }
  const answer = isWeb ? platform.request(action, params) : platform.call(action, params);
  const ended = answer.then(ownAnswer);
  return timeoutMs === undefined ? ended : Promise.race([ended, sleep(timeoutMs).then(() => timedOut)]);
}

/** The attribute by which an event carries the run's correlation value: the one that an event has given the run, before what the thread knows. */
async function correlated({ correlation, $waybill }: Call, surroundings: Surroundings): Promise<JsonObject> {
  if (!correlation) return {};
  const { attribute, value, isShared } = correlation;
  const given = isShared ? own((await readBoard(surroundings)).tokens, joinOf($waybill).inbox) : undefined;
  const token = given ?? value;
  const carried: JsonObject = {};
  if (token !== null) setOwn(carried, attribute, token);
  return carried;
}

const missing = ({ id, key }: Secret): JsonObject => ({
  name: "SecretNotFound",
  message: `There is no secret ${id} with a key ${key}.`,
});

/** A value in which another stands at a path. */
function put(value: Json | undefined, [key, ...rest]: readonly (string | number)[], inside: Json): Json {
  if (key === undefined) return inside;
  if (Array.isArray(value)) return value.map((item: Json, i) => (i === key ? put(item, rest, inside) : item));
  const copy = { ...(isObject(value) ? value : {}) };
  setOwn(copy, String(key), put(own(copy, String(key)), rest, inside));
  return copy;
}

/** What an action answers, without what only helpers may say. */
function ownAnswer({ $waybill: _, ...answer }: JsonObject): JsonObject {
  const error = own(answer, "error");
  if (!isObject(error)) return answer;
  const { $waybill: __, ...plain } = error;
  return { ...answer, error: plain };
}

export const main = served(call);
