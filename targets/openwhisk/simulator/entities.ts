import { type Json, type JsonObject, own } from "../../../src/json.ts";
import type { Place } from "./place.ts";

/** What has been deployed, by fully qualified names such as `/guest/waybill/order`. */
export interface Entities {
  readonly namespace: string;
  readonly actions: Map<string, Action>;
  readonly packages: Map<string, Package>;
  readonly triggers: Map<string, Trigger>;
  readonly rules: Map<string, Rule>;
}

/** An action. Parameters of the package come under its own, and those under what it is called with. */
export interface Action {
  readonly name: string;
  readonly version: string;
  readonly exec: Exec;
  readonly limits: Limits;
  readonly annotations: JsonObject;
  readonly parameters: JsonObject;
}

/** What an action does: code of Node.js, other actions one after the other, or something of the platform itself. */
export type Exec =
  | { readonly kind: "code"; readonly runtime: string; readonly code: string; readonly main: string }
  | { readonly kind: "sequence"; readonly components: readonly string[] }
  | { readonly kind: "native"; readonly run: (params: JsonObject, place: Place) => Promise<Json> };

/** Limits of an action: milliseconds and megabytes. */
export interface Limits {
  readonly timeout: number;
  readonly memory: number;
  readonly logs: number;
}

/** A package, or another name for one, with parameters of its own. */
export interface Package {
  readonly name: string;
  readonly parameters: JsonObject;
  /** The package that it is another name for. */
  readonly binding?: string | undefined;
}

/** What is fired. */
export interface Trigger {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly annotations: JsonObject;
}

/** Has an action called when a trigger is fired. */
export interface Rule {
  readonly name: string;
  readonly trigger: string;
  readonly action: string;
  readonly isActive: boolean;
}

/** The platform refuses a request, with a status of HTTP. */
export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = "OpenWhiskError";
    this.statusCode = statusCode;
  }
}

/** A namespace in which nothing has been deployed. */
export const noEntities = (namespace: string): Entities => ({
  namespace,
  actions: new Map(),
  packages: new Map(),
  triggers: new Map(),
  rules: new Map(),
});

/**
 * The fully qualified form of a name; undefined where it is none.
 *
 *   "order" → "/guest/order"   "waybill/order" → "/guest/waybill/order"   "/_/waybill/order" → "/guest/waybill/order"
 */
export function qualified({ namespace }: Pick<Entities, "namespace">, name: Json): string | undefined {
  if (typeof name !== "string") return undefined;
  const isAbsolute = name.startsWith("/");
  const segments = (isAbsolute ? name.slice(1) : name).split("/");
  const isWhole = isAbsolute || segments.length === 3;
  const isName = segments.every((segment) => /^(?:\w|\w[\w@ .&-]*[\w@.&-]+)$/.test(segment));
  if (!isName || segments.length > 3 || (isAbsolute && segments.length === 1)) return undefined;
  const [first = "", ...rest] = isWhole ? segments : [namespace, ...segments];
  return `/${[first === "_" ? namespace : first, ...rest].join("/")}`;
}

/** The fully qualified form of a name, or a refusal. */
export function nameOf(entities: Pick<Entities, "namespace">, name: string): string {
  const known = qualified(entities, name);
  if (known === undefined) throw new Refusal(400, `The name of the entity ${JSON.stringify(name)} is not valid.`);
  return known;
}

/** An action with the parameters that it has by default. */
export interface Found {
  readonly action: Action;
  readonly parameters: JsonObject;
}

/** Finds an action, also by another name of its package. */
export function findAction(entities: Entities, name: string): Found | undefined {
  const action = entities.actions.get(name);
  const [namespace, inside, last] = name.slice(1).split("/") as [string, string, string | undefined];
  const around = last === undefined ? undefined : entities.packages.get(`/${namespace}/${inside}`);
  if (action) return { action, parameters: { ...around?.parameters, ...action.parameters } };
  const found = around?.binding === undefined ? undefined : findAction(entities, `${around.binding}/${last}`);
  if (!found || !around) return undefined;
  return {
    action: found.action,
    parameters: { ...found.parameters, ...around.parameters, ...found.action.parameters },
  };
}

/** What is said of an action when it is deployed. */
export interface ActionRequest {
  readonly exec: Exec;
  readonly limits?: Partial<Limits> | undefined;
  readonly annotations?: JsonObject | undefined;
  readonly parameters?: JsonObject | undefined;
}

/** The limits that an action has by default, and how low and high each may be. */
const standard: Limits = { timeout: 60_000, memory: 256, logs: 10 };
const bounds: { readonly [limit in keyof Limits]: readonly [least: number, most: number] } = {
  timeout: [100, 300_000],
  memory: [128, 512],
  logs: [0, 10],
};

/** The most bytes that the code of an action may have. */
const mostCode = 48 * 1024 * 1024;

/** Deploys an action, in the place of one that has the name. */
export function putAction(entities: Entities, name: string, request: ActionRequest): Action {
  const key = nameOf(entities, name);
  const limits = { ...standard, ...request.limits };
  for (const limit of ["timeout", "memory", "logs"] as const) {
    const [least, most] = bounds[limit];
    if (limits[limit] < least || limits[limit] > most)
      throw new Refusal(400, `The limit ${limit} of ${key} is ${limits[limit]}: it may be from ${least} to ${most}.`);
  }
  const { exec, annotations = {}, parameters = {} } = request;
  if (exec.kind === "code" && Buffer.byteLength(exec.code) > mostCode)
    throw new Refusal(413, `The code of ${key} is larger than ${mostCode} bytes.`);
  const version = `0.0.${Number(entities.actions.get(key)?.version.slice("0.0.".length) ?? 0) + 1}`;
  const action = { name: key, version, exec: resolved(entities, exec), limits, annotations, parameters };
  entities.actions.set(key, action);
  return action;
}

/** The components of a sequence have fully qualified names. */
const resolved = (entities: Entities, exec: Exec): Exec =>
  exec.kind === "sequence" ? { ...exec, components: exec.components.map((name) => nameOf(entities, name)) } : exec;

/** Deploys a rule for a trigger and an action that are there. */
export function putRule(entities: Entities, name: string, rule: Pick<Rule, "trigger" | "action">): Rule {
  const trigger = nameOf(entities, rule.trigger);
  const action = nameOf(entities, rule.action);
  if (!entities.triggers.has(trigger)) throw new Refusal(404, `The trigger ${trigger} does not exist.`);
  if (!findAction(entities, action)) throw new Refusal(404, `The action ${action} does not exist.`);
  const made: Rule = { name: nameOf(entities, name), trigger, action, isActive: true };
  entities.rules.set(made.name, made);
  return made;
}

/** Whether an annotation says yes: any value does but these. */
export function isAnnotated({ annotations }: Action, annotation: string): boolean {
  const value = own(annotations, annotation);
  return value !== undefined && !([null, false, 0, "", "0"] as readonly Json[]).includes(value);
}

/** Whether the platform asks an action what to call next. A sequence is none, whatever it says. */
export const isConductor = (action: Action): boolean =>
  action.exec.kind !== "sequence" && isAnnotated(action, "conductor");
