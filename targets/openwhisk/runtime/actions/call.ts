import { isObject, type Json, type JsonObject, own, setOwn } from "../../../../src/json.ts";
import type { ActionContext, Operation } from "./action.ts";
import { type Caller, callKey, timedOut } from "./caller.ts";
import { type DeployedFunction, type DeployedFunctions, errorOf, type FunctionId, functionOf } from "./functions.ts";
import { type SecretPlace, secretKey } from "./secrets.ts";

/** A call of an action (or a web action, by URL), or an event to emit. */
export interface CallRequest {
  readonly action?: string;
  readonly trigger?: string;
  readonly params?: JsonObject;
  /** Computes the parameters from secrets and variables. */
  readonly argument?: FunctionId;
  readonly variables?: JsonObject;
  readonly secrets?: { readonly [name: string]: SecretPlace };
  /** The idempotency key, as a member of the parameters. */
  readonly context?: JsonObject;
  /** The time that the workflow allows. The action continues, but its result is dropped. */
  readonly timeoutMs?: number;
  /** Whether to wait for the result. Default: true. */
  readonly wait?: boolean;
  readonly correlation?: EventCorrelation;
  readonly $waybill: Caller;
}

/** The attribute of an emitted event that holds its correlation value. */
export interface EventCorrelation {
  readonly attribute: string;
  /** The value of this event, if it is not the run's. */
  readonly own?: Json;
  /** The run's value, as far as this thread knows. */
  readonly value: Json;
  /** Whether another thread of the run may have received an event with a value since. */
  readonly isShared?: boolean;
}

/** Looks up the correlation value of a run in the store. */
export type TokenLookup<Context> = (request: CallRequest, context: Context) => Promise<Json | undefined>;

/** Creates the operation for calls that the conductor cannot make itself. */
export const createCall =
  <Context extends ActionContext>(
    functions: DeployedFunctions = {},
    lookUpToken: TokenLookup<Context> = async () => undefined,
  ): Operation<Context> =>
  async (params, context) => {
    const request = params as unknown as CallRequest;
    const { action = "", trigger, timeoutMs, wait = true } = request;
    const { platform, sleep } = context;
    const { argument = {}, error } = argumentOf(request, functions, context);
    if (error) return { error };
    if (trigger !== undefined) {
      const id = callKey(request.$waybill);
      await platform.fire(trigger, { id, ...argument, ...(await correlationOf(request, context, lookUpToken)) });
      return {};
    }
    const sent = { ...request.context, ...argument };
    const isWeb = action.startsWith("https://");
    if (!wait) {
      await (isWeb ? platform.request(action, sent) : platform.start(action, sent));
      return {};
    }
    const result = (isWeb ? platform.request(action, sent) : platform.call(action, sent)).then(withoutMark);
    return timeoutMs === undefined ? result : Promise.race([result, sleep(timeoutMs).then(() => timedOut)]);
  };

async function correlationOf<Context>(
  request: CallRequest,
  context: Context,
  lookUpToken: TokenLookup<Context>,
): Promise<JsonObject> {
  if (!request.correlation) return {};
  const { attribute, own: ownValue, value, isShared } = request.correlation;
  const isOwn = ownValue !== undefined && ownValue !== null && typeof ownValue !== "object";
  const shared = !isOwn && isShared ? await lookUpToken(request, context) : undefined;
  const token = isOwn ? ownValue : (shared ?? value);
  const member: JsonObject = {};
  if (token !== null) setOwn(member, attribute, token);
  return member;
}

interface Argument {
  readonly argument?: JsonObject;
  readonly error?: JsonObject;
}

function argumentOf(
  { params, argument, variables = {}, secrets = {} }: CallRequest,
  functions: DeployedFunctions,
  context: ActionContext,
): Argument {
  if (argument === undefined) return params ? { argument: params } : {};
  const values: { [name: string]: string } = {};
  for (const [name, { id, key, version }] of Object.entries(secrets)) {
    const value = own(own(context.secrets, id) ?? {}, secretKey({ key, version }));
    if (typeof value !== "string")
      return { error: { name: "SecretNotFound", message: `There is no secret ${id} with a key ${key}.` } };
    setOwn(values, name, value);
  }
  return computeArgument(functionOf(functions, argument), variables, values);
}

/**
 * Calls a function of variables and secrets. Its error might reveal a secret, so that its message is kept only if
 * other secrets cause the same error.
 */
function computeArgument(
  compute: DeployedFunction,
  variables: JsonObject,
  secrets: { readonly [name: string]: string },
): Argument {
  const attempt = (values: JsonObject): Argument => {
    try {
      return { argument: compute({ ...variables, ...values }) as JsonObject };
    } catch (thrown) {
      return { error: errorOf(thrown) };
    }
  };
  const result = attempt(secrets);
  if (!result.error) return result;
  const others = Object.fromEntries(Object.keys(secrets).map((name) => [name, "\u0000"]));
  if (JSON.stringify(attempt(others).error) === JSON.stringify(result.error)) return result;
  const message = "What is sent cannot be computed from its secrets.";
  return { error: { ...result.error, message } };
}

/** The result of an action, without the mark of errors that only the composition and helpers raise. */
function withoutMark(result: JsonObject): JsonObject {
  const error = own(result, "error");
  if (!isObject(error)) return result;
  const { $waybill: _, ...rest } = error;
  return { ...result, error: rest };
}
