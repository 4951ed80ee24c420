import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { nameOf, putRule, Refusal } from "./entities.ts";
import type { Place } from "./place.ts";
import type { Activation, Platform } from "./platform.ts";

/** What a call of the client is given: a name, or options. */
type Options = string | { readonly [option: string]: unknown };

/** Hears what an action fires triggers with; true where it takes that over. */
export type Fired = (payload: JsonObject) => Promise<boolean>;

/**
 * The client that actions of Node.js have as `require("openwhisk")`, on this platform: as far as emitted programs use it. A blocking invocation waits for as
 * long as it takes, so that asking again and again adds nothing to times. What `fired` takes over is not fired here.
 */
export function clientOf(platform: Platform, place: () => Place, fired: Fired): () => object {
  const { entities } = platform;
  return () => ({
    actions: {
      invoke: async (options: Options) => {
        const { blocking, result, params } = partsOf(options);
        const { activationId, ended } = platform.invoke(named(options), objectOf(params), {
          ...place(),
          isDetached: !blocking,
        });
        return blocking ? answerOf(await ended, result === true) : { activationId };
      },
    },
    activations: {
      get: async (options: Options) => {
        const activation = platform.activations.get(named(options));
        if (!activation) throw new Refusal(404, "The requested resource does not exist.");
        return recordOf(activation);
      },
    },
    triggers: triggersOf(platform, place, fired),
    rules: {
      create: async (options: Options) => {
        const { trigger, action: called } = partsOf(options);
        const name = nameOf(entities, named(options));
        if (entities.rules.has(name)) throw new Refusal(409, "resource already exists");
        return putRule(entities, name, { trigger: String(trigger), action: String(called) });
      },
      delete: async (options: Options) => removed(entities.rules, nameOf(entities, named(options))),
    },
  });
}

function triggersOf({ entities, fire }: Platform, place: () => Place, fired: Fired) {
  return {
    create: async (options: Options) => {
      const name = nameOf(entities, named(options));
      if (entities.triggers.has(name)) throw new Refusal(409, "resource already exists");
      entities.triggers.set(name, { name, parameters: {}, annotations: {} });
      return { name };
    },
    delete: async (options: Options) => removed(entities.triggers, nameOf(entities, named(options))),
    invoke: async (options: Options) => {
      const name = nameOf(entities, named(options));
      const payload = objectOf(partsOf(options)["params"]);
      if (await fired(payload)) return {};
      return { activationId: fire(name, payload, place()).activationId };
    },
  };
}

const partsOf = (options: Options): { readonly [option: string]: unknown } =>
  typeof options === "string" ? { name: options } : options;

function named(options: Options): string {
  const parts = partsOf(options);
  return String(
    parts["name"] ?? parts["actionName"] ?? parts["triggerName"] ?? parts["ruleName"] ?? parts["activationId"],
  );
}

/** What is sent is JSON. */
const objectOf = (value: unknown): JsonObject => {
  const json: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return isObject(json) ? json : {};
};

function removed(map: Map<string, unknown>, name: string): object {
  if (!map.delete(name)) throw new Refusal(404, "The requested resource does not exist.");
  return {};
}

/** What an invocation that waits gives; it fails where the activation has failed, with the record as its body. */
function answerOf(activation: Activation, onlyResult: boolean): Json {
  const record = onlyResult ? (activation.response.result as Json) : recordOf(activation);
  if (activation.response.statusCode === 0) return record;
  throw Object.assign(new Refusal(502, "The action failed."), { error: record });
}

const statuses = ["success", "application error", "action developer error"];

/** The record of an activation as the platform shows it. */
export function recordOf(activation: Activation): JsonObject {
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
