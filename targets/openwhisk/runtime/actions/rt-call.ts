import { equalJson, isObject, type Json, type JsonObject, own, setOwn } from "../../../../src/json.ts";
import { readBoard } from "./board.ts";
import { type Caller, joinOf, timedOut } from "./continuation.ts";
import { createEvaluate, errorOf, type FunctionText } from "./matching.ts";
import { type SecretPlace, secretKey } from "./secrets.ts";
import { type Surroundings, served } from "./surroundings.ts";

/** What a call is asked for with: an action, which may be the URL of a web action, or a trigger. */
export interface Call {
  readonly action?: string;
  readonly trigger?: string;
  readonly params?: JsonObject;
  /** What computes the parameters, where they have secrets: a function of these and of variables. */
  readonly argument?: FunctionText;
  readonly variables?: JsonObject;
  /** Which secrets that function is given, by their names in it. */
  readonly secrets?: { readonly [name: string]: SecretPlace };
  /** How much time the workflow gives the call: what is called then goes on, and its answer is dropped. */
  readonly timeoutMs?: number;
  /** False: the answer is not waited for. */
  readonly wait?: boolean;
  /** The attribute of an event that carries the run's correlation value, and that as far as this thread of the run knows it. */
  readonly correlation?: { readonly attribute: string; readonly value: Json; readonly isShared?: boolean };
  readonly $waybill: Caller;
}

/** Calls what the conductor cannot call by itself: within a time, without waiting, by HTTP, with secrets; or fires a trigger. */
export async function call(asked: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const { action = "", trigger, timeoutMs, wait = true } = asked as unknown as Call;
  const { platform, sleep } = surroundings;
  const { params = {}, error } = paramsOf(asked as unknown as Call, surroundings);
  if (error) return { error };
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

/** What an action is called with, or why it cannot be. */
interface Params {
  readonly params?: JsonObject;
  readonly error?: JsonObject;
}

/** The parameters of a call: as they are given, or computed from secrets. */
function paramsOf({ params, argument, variables = {}, secrets = {} }: Call, surroundings: Surroundings): Params {
  if (argument === undefined) return params ? { params } : {};
  const texts: { [name: string]: string } = {};
  for (const [name, { id, key, version }] of Object.entries(secrets)) {
    const text = own(own(surroundings.secrets, id) ?? {}, secretKey({ key, version }));
    if (typeof text !== "string")
      return { error: { name: "SecretNotFound", message: `There is no secret ${id} with a key ${key}.` } };
    setOwn(texts, name, text);
  }
  return computed(argument, variables, texts);
}

/**
 * What a function of variables and secrets gives, or fails with. How it fails may tell something of a secret: that is told only where it fails in the same way
 * with other texts.
 */
function computed(argument: FunctionText, variables: JsonObject, secrets: { readonly [name: string]: string }): Params {
  const evaluate = createEvaluate();
  const attempt = (texts: JsonObject): Params => {
    try {
      return { params: evaluate(argument, { ...variables, ...texts }) as JsonObject };
    } catch (thrown) {
      return { error: errorOf(thrown) };
    }
  };
  const found = attempt(secrets);
  if (!found.error) return found;
  const others = Object.fromEntries(Object.keys(secrets).map((name) => [name, "\u0000"]));
  if (equalJson(attempt(others).error ?? null, found.error)) return found;
  const { message: _, ...told } = found.error;
  return { error: { ...told, message: "What is sent cannot be computed from its secrets." } };
}

/** What an action answers, without what only helpers may say of errors. */
function ownAnswer(answer: JsonObject): JsonObject {
  const error = own(answer, "error");
  if (!isObject(error)) return answer;
  const { $waybill: _, ...plain } = error;
  return { ...answer, error: plain };
}

export const main = served(call);
