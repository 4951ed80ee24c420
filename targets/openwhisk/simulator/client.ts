import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { ActivationScope } from "./activation-scope.ts";
import { PlatformError, putRule, requireName } from "./entities.ts";
import type { Activation, Platform } from "./platform.ts";

type ClientOptions = string | { readonly [option: string]: unknown };

/** Receives the payload of a trigger that an action fires. Returns true if the trigger must not fire. */
export type TriggerInterceptor = (payload: JsonObject) => Promise<boolean>;

/**
 * Creates the client that actions load with `require("openwhisk")`. Blocking invocations do not poll, which would
 * distort times.
 */
export function createClient(
  platform: Platform,
  scope: () => ActivationScope,
  intercept: TriggerInterceptor,
): () => object {
  const { entities } = platform;
  return () => ({
    actions: {
      invoke: async (options: ClientOptions) => {
        const { blocking, result, params } = fieldsOf(options);
        const { activationId, ended } = platform.invoke(nameIn(options), objectOf(params), {
          ...scope(),
          isDetached: !blocking,
        });
        return blocking ? invocationResult(await ended, result === true) : { activationId };
      },
    },
    activations: {
      get: async (options: ClientOptions) => {
        const activation = platform.activations.get(nameIn(options));
        if (!activation) throw new PlatformError(404, "The requested resource does not exist.");
        return activationRecord(activation);
      },
    },
    triggers: triggersOf(platform, scope, intercept),
    rules: {
      create: async (options: ClientOptions) => {
        const { trigger, action: called } = fieldsOf(options);
        const name = requireName(entities, nameIn(options));
        if (entities.rules.has(name)) throw new PlatformError(409, "resource already exists");
        return putRule(entities, name, { trigger: String(trigger), action: String(called) });
      },
      delete: async (options: ClientOptions) => removeEntity(entities.rules, requireName(entities, nameIn(options))),
    },
  });
}

function triggersOf({ entities, fire }: Platform, scope: () => ActivationScope, intercept: TriggerInterceptor) {
  return {
    create: async (options: ClientOptions) => {
      const name = requireName(entities, nameIn(options));
      if (entities.triggers.has(name)) throw new PlatformError(409, "resource already exists");
      entities.triggers.set(name, { name, parameters: {}, annotations: {} });
      return { name };
    },
    delete: async (options: ClientOptions) => removeEntity(entities.triggers, requireName(entities, nameIn(options))),
    invoke: async (options: ClientOptions) => {
      const name = requireName(entities, nameIn(options));
      const payload = objectOf(fieldsOf(options)["params"]);
      if (await intercept(payload)) return {};
      return { activationId: fire(name, payload, scope()).activationId };
    },
  };
}

const fieldsOf = (options: ClientOptions): { readonly [option: string]: unknown } =>
  typeof options === "string" ? { name: options } : options;

function nameIn(options: ClientOptions): string {
  const parts = fieldsOf(options);
  return String(
    parts["name"] ?? parts["actionName"] ?? parts["triggerName"] ?? parts["ruleName"] ?? parts["activationId"],
  );
}

const objectOf = (value: unknown): JsonObject => {
  const json: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return isObject(json) ? json : {};
};

function removeEntity(map: Map<string, unknown>, name: string): object {
  if (!map.delete(name)) throw new PlatformError(404, "The requested resource does not exist.");
  return {};
}

/** Throws if the activation failed. */
function invocationResult(activation: Activation, onlyResult: boolean): Json {
  const record = onlyResult ? (activation.response.result as Json) : activationRecord(activation);
  if (activation.response.statusCode === 0) return record;
  throw Object.assign(new PlatformError(502, "The action failed."), { error: record });
}

const statuses = ["success", "application error", "action developer error"];

/** The record of an activation, as the API returns it. */
export function activationRecord(activation: Activation): JsonObject {
  const { activationId, action, start, end, duration, response, logs, cause, version, role } = activation;
  const { statusCode, result } = response;
  const [, namespace = "", ...path] = action.name.split("/");
  return {
    ...{ activationId, namespace, name: path.at(-1)!, version, start, end, duration, logs },
    ...(cause !== undefined && { cause }),
    response: { status: statuses[statusCode]!, statusCode, success: statusCode === 0, result },
    annotations: [
      { key: "path", value: action.name.slice(1) },
      { key: "kind", value: role === "composition" || role === "sequence" ? "sequence" : "nodejs:20" },
      { key: "limits", value: action.limits as unknown as JsonObject },
    ],
  };
}
