import type { Workflow } from "../../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { nativeMachine } from "./machine.ts";

/** How a migrated machine keeps what was written. */
export interface Restoring {
  /** Stands for the `$` of substitutions. */
  readonly mark: string;
  /** Whether the state calls the resource that it names. */
  readonly callsResource: (state: string) => boolean;
}

/**
 * Restores what a migrated machine keeps of the machine that it was read from: comments, placeholders of resources,
 * credentials, labels, retriers and limits between heartbeats, by the names of states.
 */
export function restoreFields(definition: JsonObject, workflow: Workflow, restoring: Restoring): JsonObject {
  const native = nativeMachine(workflow);
  if (!native) return definition;
  const { Comment: generated, ...rest } = definition;
  const { Comment: comment = generated! } = native;
  return restoreScope({ Comment: comment, ...rest }, statesIn(native), restoring);
}

type States = ReadonlyMap<string, JsonObject>;

const statesIn = (scope: Json): States =>
  new Map(
    Object.entries((isObject(scope) ? own(scope, "States") : undefined) ?? {}).flatMap(
      ([name, state]): (readonly [string, JsonObject])[] =>
        isObject(state) ? [[name, state], ...scopesOf(state).flatMap((inner) => [...statesIn(inner)])] : [],
    ),
  );

const scopesOf = (state: JsonObject): readonly Json[] => {
  const branches = own(state, "Branches");
  const processors = [own(state, "ItemProcessor"), own(state, "Iterator")].flatMap((each) => each ?? []);
  return [...(Array.isArray(branches) ? (branches as readonly Json[]) : []), ...processors];
};

function restoreScope(scope: JsonObject, known: States, restoring: Restoring): JsonObject {
  const states = Object.entries((own(scope, "States") ?? {}) as JsonObject).map(([name, state]): [string, Json] => [
    name,
    restoreState(name, state as JsonObject, known, restoring),
  ]);
  return { ...scope, States: Object.fromEntries(states) };
}

function restoreState(name: string, state: JsonObject, known: States, restoring: Restoring): JsonObject {
  const inner = (value: Json): Json =>
    isObject(value) && own(value, "States") ? restoreScope(value, known, restoring) : value;
  const whole = Object.fromEntries(
    Object.entries(state).map(([key, value]): [string, Json] => [
      key,
      key === "Branches" && Array.isArray(value) ? value.map(inner) : key === "ItemProcessor" ? inner(value) : value,
    ]),
  );
  const written = known.get(name);
  if (!written || written["Type"] !== state["Type"]) return whole;
  const { Type, Comment, ...rest } = whole;
  const kept = (key: string): JsonObject => (Object.hasOwn(written, key) ? { [key]: written[key]! } : {});
  const has = (key: string): JsonObject => (Object.hasOwn(rest, key) ? kept(key) : {});
  return {
    Type: Type!,
    ...(Object.hasOwn(written, "Comment") ? kept("Comment") : Comment === undefined ? {} : { Comment }),
    ...rest,
    ...(restoring.callsResource(name) ? { ...resourceOf(written, restoring), ...heartbeatOf(written, rest) } : {}),
    ...kept("Credentials"),
    ...has("Label"),
    ...(meaningOf(rest["Retry"]) === meaningOf(written["Retry"]) ? has("Retry") : {}),
  };
}

/** What retriers do: a migrated machine may need others, so that they do not take the errors of its expressions. */
const meaningOf = (retriers: Json | undefined): string =>
  JSON.stringify(
    (Array.isArray(retriers) ? (retriers as readonly Json[]) : []).map((each) => {
      const { ErrorEquals = [], IntervalSeconds = 1, MaxAttempts = 3, BackoffRate = 2, ...more } = each as JsonObject;
      const { MaxDelaySeconds = null, JitterStrategy = "NONE" } = more;
      const isPaced = MaxAttempts !== 0;
      return [ErrorEquals, MaxAttempts, isPaced && [IntervalSeconds, BackoffRate, MaxDelaySeconds, JitterStrategy]];
    }),
  );

/** The limit between heartbeats of a task that has none, so that it has no effect. */
const heartbeatOf = (written: JsonObject, state: JsonObject): JsonObject => {
  const seconds = own(written, "HeartbeatSeconds");
  return typeof seconds === "number" && !Object.hasOwn(state, "HeartbeatSeconds") ? { HeartbeatSeconds: seconds } : {};
};

const resourceOf = (written: JsonObject, { mark }: Restoring): JsonObject => {
  const resource = own(written, "Resource");
  return typeof resource === "string" ? { Resource: resource.replace(/\$(?=\{)/g, mark) } : {};
};
