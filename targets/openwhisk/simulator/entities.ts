import { type Json, type JsonObject, own } from "../../../src/json.ts";
import type { ActivationScope } from "./activation-scope.ts";

/** The deployed entities by fully qualified name, such as `/guest/waybill/order`. */
export interface Entities {
  readonly namespace: string;
  readonly actions: Map<string, Action>;
  readonly packages: Map<string, Package>;
  readonly triggers: Map<string, Trigger>;
  readonly rules: Map<string, Rule>;
}

/** An action. Its parameters override those of the package. */
export interface Action {
  readonly name: string;
  readonly version: string;
  readonly exec: Exec;
  readonly limits: Limits;
  readonly annotations: JsonObject;
  readonly parameters: JsonObject;
}

/** The implementation of an action: Node.js code, a sequence of actions, or a function of the simulator. */
export type Exec =
  | { readonly kind: "code"; readonly runtime: string; readonly code: string; readonly main: string }
  | { readonly kind: "sequence"; readonly components: readonly string[] }
  | { readonly kind: "native"; readonly run: (params: JsonObject, scope: ActivationScope) => Promise<Json> };

/** The limits of an action, in milliseconds and megabytes. */
export interface Limits {
  readonly timeout: number;
  readonly memory: number;
  readonly logs: number;
}

/** A package, or a binding to one with parameters of its own. */
export interface Package {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly binding?: string | undefined;
}

/** A deployed trigger. */
export interface Trigger {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly annotations: JsonObject;
}

/** Invokes an action when a trigger fires. */
export interface Rule {
  readonly name: string;
  readonly trigger: string;
  readonly action: string;
  readonly isActive: boolean;
}

/** A request that the platform rejects, with an HTTP status. */
export class PlatformError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = "OpenWhiskError";
    this.statusCode = statusCode;
  }
}

/** Creates an empty namespace. */
export const createEntities = (namespace: string): Entities => ({
  namespace,
  actions: new Map(),
  packages: new Map(),
  triggers: new Map(),
  rules: new Map(),
});

/**
 * Qualifies a name; undefined if it is invalid.
 *
 *   "order" → "/guest/order"   "waybill/order" → "/guest/waybill/order"   "/_/waybill/order" → "/guest/waybill/order"
 */
export function qualifyName({ namespace }: Pick<Entities, "namespace">, name: Json): string | undefined {
  if (typeof name !== "string") return undefined;
  const isAbsolute = name.startsWith("/");
  const segments = (isAbsolute ? name.slice(1) : name).split("/");
  const isWhole = isAbsolute || segments.length === 3;
  const isName = segments.every(
    (segment) => segment.length <= maxNameLength && /^(?:\w|\w[\w@ .&-]*[\w@.&-]+)$/.test(segment),
  );
  if (!isName || segments.length > 3 || (isAbsolute && segments.length === 1)) return undefined;
  const [first = "", ...rest] = isWhole ? segments : [namespace, ...segments];
  return `/${[first === "_" ? namespace : first, ...rest].join("/")}`;
}

/** Qualifies a name, or throws if it is invalid. */
export function requireName(entities: Pick<Entities, "namespace">, name: string): string {
  const qualifiedName = qualifyName(entities, name);
  if (qualifiedName === undefined)
    throw new PlatformError(400, `The name of the entity ${JSON.stringify(name)} is not valid.`);
  return qualifiedName;
}

/** An action with its default parameters. */
export interface ResolvedAction {
  readonly action: Action;
  readonly parameters: JsonObject;
}

/** Finds an action, following package bindings. */
export function findAction(entities: Entities, name: string): ResolvedAction | undefined {
  const action = entities.actions.get(name);
  const [namespace, inside, last] = name.slice(1).split("/") as [string, string, string | undefined];
  const parent = last === undefined ? undefined : entities.packages.get(`/${namespace}/${inside}`);
  if (action) return { action, parameters: { ...parent?.parameters, ...action.parameters } };
  const found = parent?.binding === undefined ? undefined : findAction(entities, `${parent.binding}/${last}`);
  if (!found || !parent) return undefined;
  return {
    action: found.action,
    parameters: { ...found.parameters, ...parent.parameters, ...found.action.parameters },
  };
}

/** The properties of an action to deploy. */
export interface ActionRequest {
  readonly exec: Exec;
  readonly limits?: Partial<Limits> | undefined;
  readonly annotations?: JsonObject | undefined;
  readonly parameters?: JsonObject | undefined;
}

const defaultLimits: Limits = { timeout: 60_000, memory: 256, logs: 10 };
const limitRanges: { readonly [limit in keyof Limits]: readonly [min: number, max: number] } = {
  timeout: [100, 300_000],
  memory: [128, 512],
  logs: [0, 10],
};

const maxCodeBytes = 48 * 1024 * 1024;

/** The limit on the parameters and on the annotations of an action. */
const maxParameterBytes = 1024 * 1024;

/** The limit on the actions of a sequence, and on the components of a composition. */
export const maxComponents = 50;

/** In characters. */
const maxNameLength = 256;

/** Deploys an action, replacing one of the same name. */
export function putAction(entities: Entities, name: string, request: ActionRequest): Action {
  const key = requireName(entities, name);
  const limits = { ...defaultLimits, ...request.limits };
  for (const limit of ["timeout", "memory", "logs"] as const) {
    const [min, max] = limitRanges[limit];
    if (limits[limit] < min || limits[limit] > max)
      throw new PlatformError(
        400,
        `The limit ${limit} of ${key} is ${limits[limit]}: it may be from ${min} to ${max}.`,
      );
  }
  const { exec, annotations = {}, parameters = {} } = request;
  if (exec.kind === "code" && Buffer.byteLength(exec.code) > maxCodeBytes)
    throw new PlatformError(413, `The code of ${key} is larger than ${maxCodeBytes} bytes.`);
  if (exec.kind === "sequence" && exec.components.length > maxComponents)
    throw new PlatformError(400, "Too many actions in the sequence.");
  for (const [what, value] of Object.entries({ parameters, annotations }))
    if (Buffer.byteLength(JSON.stringify(value)) > maxParameterBytes)
      throw new PlatformError(413, `The ${what} of ${key} are larger than ${maxParameterBytes} bytes.`);
  const version = `0.0.${Number(entities.actions.get(key)?.version.slice("0.0.".length) ?? 0) + 1}`;
  const action = { name: key, version, exec: qualifyComponents(entities, exec), limits, annotations, parameters };
  entities.actions.set(key, action);
  return action;
}

const qualifyComponents = (entities: Entities, exec: Exec): Exec =>
  exec.kind === "sequence" ? { ...exec, components: exec.components.map((name) => requireName(entities, name)) } : exec;

/** Deploys a rule for an existing trigger and an existing action. */
export function putRule(entities: Entities, name: string, rule: Pick<Rule, "trigger" | "action">): Rule {
  const trigger = requireName(entities, rule.trigger);
  const action = requireName(entities, rule.action);
  if (!entities.triggers.has(trigger)) throw new PlatformError(404, `The trigger ${trigger} does not exist.`);
  if (!findAction(entities, action)) throw new PlatformError(404, `The action ${action} does not exist.`);
  const created: Rule = { name: requireName(entities, name), trigger, action, isActive: true };
  entities.rules.set(created.name, created);
  return created;
}

/** Whether an annotation has a truthy value, by the rules of the platform. */
export function isAnnotated({ annotations }: Action, annotation: string): boolean {
  const value = own(annotations, annotation);
  return value !== undefined && !([null, false, 0, "", "0"] as readonly Json[]).includes(value);
}

/** Whether the platform runs an action as a conductor. It ignores the annotation of sequences. */
export const isConductor = (action: Action): boolean =>
  action.exec.kind !== "sequence" && isAnnotated(action, "conductor");
