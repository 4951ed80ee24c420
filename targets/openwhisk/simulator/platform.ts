import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { ActivationScope, CallingState } from "./activation-scope.ts";
import { type ActionGlobals, type Containers, createContainers, enteringPrefix, SimulatorFault } from "./container.ts";
import {
  type Action,
  createEntities,
  type Entities,
  findAction,
  isAnnotated,
  isConductor,
  maxComponents,
  PlatformError,
  qualifyName,
  type ResolvedAction,
  requireName,
} from "./entities.ts";
import { createThrottle, type Rates } from "./rates.ts";
import { type ActivationResponse, isCutShort, requireSize, responseOf, timedOut } from "./response.ts";

/** OpenWhisk in this process. Nothing takes time except actions. */
export interface Platform {
  readonly entities: Entities;
  /** The records of recent activations by id, ordered by their ends. */
  readonly activations: ReadonlyMap<string, Activation>;
  invoke(name: string, params: JsonObject, scope: ActivationScope): Invocation;
  /** Invokes the actions of a trigger. Without a rule, the activation id is undefined. */
  fire(name: string, payload: JsonObject, scope: ActivationScope): TriggerFiring;
}

/** A started activation. */
export interface Invocation {
  readonly activationId: string;
  readonly ended: Promise<Activation>;
}

/** The activations that a trigger has started. */
export interface TriggerFiring {
  readonly activationId: string | undefined;
  readonly ended: Promise<unknown>;
}

/** The record of an activation that has ended. */
export interface Activation {
  readonly activationId: string;
  readonly action: Action;
  readonly version: string;
  readonly cause?: string | undefined;
  readonly role: Role;
  /** Whether it counts against the component limit of a composition. */
  readonly isComponent: boolean;
  readonly start: number;
  readonly end: number;
  /** In milliseconds. */
  readonly duration: number;
  readonly input: JsonObject;
  readonly response: ActivationResponse;
  readonly logs: readonly string[];
}

/** The role of an activation: an action, one turn of a conductor, or a whole composition or sequence. */
export type Role = "action" | "conductor" | "composition" | "sequence";

/** The connections of a platform to its surroundings. */
export interface PlatformOptions {
  readonly namespace?: string;
  globalsOf(scope: () => ActivationScope, action: Action, platform: Platform): ActionGlobals;
  /** The scope of an activation. Undefined: no scenario observes it, so it is not executed. */
  scopeOf?(action: Action, params: JsonObject, caller: ActivationScope): ActivationScope | undefined;
  /** A predetermined activation id for a conductor. */
  idOf?(scope: ActivationScope): string | undefined;
  /** Default: all do. */
  countsAsConcurrent?(scope: ActivationScope): boolean;
  /** The concurrency limit. Default: unlimited. */
  readonly concurrent?: number;
  /** Default: unlimited. */
  readonly rates?: Rates;
  /** Receives each activation that has ended. */
  recorded?(activation: Activation, scope: ActivationScope): void;
  fault(error: unknown, scope: ActivationScope): void;
}

const maxRecords = 2000;

const errorMessages = {
  tooMany: "Too many actions in the composition.",
  sequenceTooLong: "Too many actions in the sequence.",
  noComponent: "Sequence component does not exist.",
  noName: (name: Json) => `Failed to parse action name from json value ${JSON.stringify(name)} during composition.`,
  noAction: (name: string) => `Failed to resolve action with name '${name.slice(1)}' during composition.`,
};

const applicationError = (error: Json): ActivationResponse => ({ statusCode: 1, result: { error } });

/** Creates a platform without entities. */
export function createPlatform(options: PlatformOptions): Platform {
  const entities = createEntities(options.namespace ?? "guest");
  const activations = new Map<string, Activation>();
  const throttle = createThrottle(options.rates);
  let count = 0;
  const platform: Platform = {
    entities,
    activations,
    invoke(name, params, scope) {
      const found = findAction(entities, requireName(entities, name));
      if (!found) throw new PlatformError(404, "The requested resource does not exist.");
      checkFinalParameters(found, params);
      throttle("invocations", scope);
      checkConcurrency(internals, scope);
      requireSize({ ...found.parameters, ...params }, `The parameters of action \`${name}\` have`, scope);
      const activationId = internals.newId();
      const ended = dispatch(internals, found, params, { scope, activationId });
      ended.catch(() => undefined);
      return { activationId, ended };
    },
    fire(name, payload, scope) {
      throttle("fires", scope);
      return fireTrigger(platform, internals, { name, payload, scope });
    },
  };
  const internals: PlatformInternals = {
    entities,
    active: new Set(),
    options,
    containers: createContainers((scope, action) => options.globalsOf(scope, action, platform), entities.namespace),
    newId: () => (++count).toString(16).padStart(32, "0"),
    record(activation, scope) {
      activations.set(activation.activationId, activation);
      const [oldest] = activations.keys();
      if (activations.size > maxRecords) activations.delete(oldest!);
      options.recorded?.(activation, scope);
      return activation;
    },
  };
  return platform;
}

function fireTrigger(
  { invoke }: Platform,
  { entities, newId }: PlatformInternals,
  { name, payload, scope }: { readonly name: string; readonly payload: JsonObject; readonly scope: ActivationScope },
): ReturnType<Platform["fire"]> {
  const trigger = entities.triggers.get(requireName(entities, name));
  if (!trigger) throw new PlatformError(404, "The requested resource does not exist.");
  const rules = [...entities.rules.values()].filter((rule) => rule.isActive && rule.trigger === trigger.name);
  const params = { ...trigger.parameters, ...payload };
  requireSize(params, `The event of trigger \`${name}\` has`, scope);
  const existing = rules.filter(({ action }) => findAction(entities, action));
  const ended = Promise.all(existing.map(({ action }) => invokeByRule(() => invoke(action, params, scope).ended)));
  ended.catch(() => undefined);
  return { activationId: rules.length === 0 ? undefined : newId(), ended };
}

/** Components of compositions are not checked: the platform lets them override final parameters. */
function checkFinalParameters({ action, parameters }: ResolvedAction, params: JsonObject): void {
  if (isAnnotated(action, "final") && Object.keys(params).some((name) => Object.hasOwn(parameters, name)))
    throw new PlatformError(400, "Request defines parameters that are not allowed (e.g., reserved properties).");
}

/** Components of compositions are never rejected. */
function checkConcurrency(
  { active, options: { concurrent, countsAsConcurrent = () => true } }: PlatformInternals,
  scope: ActivationScope,
): void {
  if (concurrent === undefined || active.size < concurrent || !countsAsConcurrent(scope)) return;
  const count = [...active].filter(countsAsConcurrent).length;
  if (count < concurrent) return;
  scope.environment.recorder?.onLimit(`The namespace rejects more than ${concurrent} activations at once.`);
  throw new PlatformError(429, `Too many concurrent requests in flight (count: ${count + 1}, allowed: ${concurrent}).`);
}

/** The platform only logs a rejection due to concurrency or final parameters. */
async function invokeByRule(invoke: () => Promise<Activation>): Promise<Activation | undefined> {
  try {
    return await invoke();
  } catch (error) {
    if (error instanceof PlatformError && (error.statusCode === 429 || error.statusCode === 400)) return undefined;
    throw error;
  }
}

interface PlatformInternals {
  readonly active: Set<ActivationScope>;
  readonly entities: Entities;
  readonly options: PlatformOptions;
  readonly containers: Containers;
  newId(): string;
  record(activation: Activation, scope: ActivationScope): Activation;
}

interface ActivationRequest {
  readonly scope: ActivationScope;
  readonly activationId: string;
  readonly cause?: string | undefined;
  readonly budget?: ComponentBudget | undefined;
}

/** The usage of a composition, including nested ones. */
interface ComponentBudget {
  components: number;
  conductors: number;
}

async function dispatch(
  internals: PlatformInternals,
  found: ResolvedAction,
  params: JsonObject,
  request: ActivationRequest,
): Promise<Activation> {
  const { action } = found;
  const { scopeOf = (_action, _params, caller) => caller } = internals.options;
  try {
    const chosen = scopeOf(action, params, request.scope);
    if (!chosen) return await new Promise(() => undefined);
    const { isDetached: _, ...scope } = chosen;
    const there = { ...request, scope };
    if (action.exec.kind === "sequence") return (await runSequence(internals, found, params, there, 0)).activation;
    return await (isConductor(action) ? runComposition : runSimple)(internals, found, params, there);
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    internals.options.fault(error instanceof SimulatorFault ? error.cause : error, request.scope);
    return new Promise(() => undefined);
  }
}

async function runSimple(
  internals: PlatformInternals,
  { action, parameters }: ResolvedAction,
  params: JsonObject,
  { scope, activationId, cause, budget }: ActivationRequest,
  role: Role = "action",
): Promise<Activation> {
  const input = { ...parameters, ...params };
  const start = scope.environment.now();
  const { exec } = action;
  const logs: string[] = [];
  const over = markActive(internals, scope);
  let response: ActivationResponse;
  try {
    response =
      exec.kind === "native"
        ? await limitTime(action, scope, async (innerScope) => responseOf(await exec.run(input, innerScope)))
        : await internals.containers.run(action, input, { scope, activationId, logs });
  } finally {
    over();
  }
  if (isCutShort(response))
    scope.environment.recorder?.onLimit(
      `The result of action \`${action.name}\` has more than 1,048,576 bytes, which OpenWhisk rejects.`,
    );
  const end = scope.environment.now();
  return internals.record(
    {
      ...{ activationId, action, version: action.version, cause, role, start, end, duration: end - start },
      ...{ input, response, logs, isComponent: budget !== undefined },
    },
    scope,
  );
}

/** Returns a function that ends the activation. */
function markActive({ active }: PlatformInternals, scope: ActivationScope): () => void {
  const entry = { ...scope };
  active.add(entry);
  return () => void active.delete(entry);
}

/** Runs work up to the time limit, which aborts its signal. */
async function limitTime(
  { name, limits }: Action,
  scope: ActivationScope,
  work: (innerScope: ActivationScope) => Promise<ActivationResponse>,
): Promise<ActivationResponse> {
  const done = new AbortController();
  const timeout = scope.environment.sleep(limits.timeout / 1000, done.signal, scope.position).then(() => {
    const limit = `Action \`${name}\` is stopped at its time limit of ${limits.timeout / 1000} s.`;
    scope.environment.recorder?.onLimit(limit);
    return timedOut(limits.timeout);
  });
  timeout.catch(() => undefined);
  const result = work({ ...scope, signal: done.signal });
  result.catch(() => undefined);
  return Promise.race([result, timeout]).finally(() => done.abort());
}

/** Activates the conductor and calls the component it returns, until it returns none. */
async function runComposition(
  internals: PlatformInternals,
  found: ResolvedAction,
  params: JsonObject,
  request: ActivationRequest,
): Promise<Activation> {
  const { scope, activationId, cause } = request;
  const budget = request.budget ?? { components: 0, conductors: 0 };
  const start = scope.environment.now();
  const logs: string[] = [];
  let duration = 0;
  const count = (activation: Activation): JsonObject | readonly Json[] => {
    logs.push(activation.activationId);
    duration += activation.duration;
    return activation.response.result;
  };
  let state: JsonObject = {};
  let input = params;
  let response: ActivationResponse | undefined;
  while (!response) {
    if (budget.conductors > 2 * maxComponents) {
      response = applicationError(errorMessages.tooMany);
      break;
    }
    budget.conductors += 1;
    const inner = { scope, activationId: internals.options.idOf?.(scope) ?? internals.newId(), cause: activationId };
    const conducted = await runSimple(internals, found, { ...input, ...state }, inner, "conductor");
    const turn = count(conducted) as JsonObject;
    const output = asObject(own(turn, "params"), "value");
    state = asObject(own(turn, "state"), "state") ?? {};
    const called = own(turn, "action");
    if (called === undefined) response = { ...conducted.response, result: output ?? turn };
    else {
      const calledBy = callingState(conducted);
      input = await callComponent(
        internals,
        called,
        output ?? {},
        { ...inner, scope: { ...scope, calledBy }, budget },
        count,
      );
    }
  }
  const end = scope.environment.now();
  return internals.record(
    {
      ...{ activationId, action: found.action, version: found.action.version, cause, role: "composition", start, end },
      ...{ duration, input: params, response, logs, isComponent: request.budget !== undefined },
    },
    scope,
  );
}

/** The last state that a conductor has entered. */
function callingState({ action, logs }: Activation): CallingState | undefined {
  const entered = logs.findLast((line) => line.startsWith(enteringPrefix));
  return entered === undefined ? undefined : { conductor: action.name, state: entered.slice(enteringPrefix.length) };
}

async function callComponent(
  internals: PlatformInternals,
  name: Json,
  params: JsonObject,
  request: Omit<ActivationRequest, "activationId"> & { readonly budget: ComponentBudget },
  count: (activation: Activation) => JsonObject | readonly Json[],
): Promise<JsonObject> {
  const key = qualifyName(internals.entities, name);
  if (key === undefined) return { error: errorMessages.noName(name) };
  if (request.budget.components >= maxComponents) return { error: errorMessages.tooMany };
  const found = findAction(internals.entities, key);
  if (!found) return { error: errorMessages.noAction(key) };
  if (!isConductor(found.action)) request.budget.components += 1;
  try {
    const result = count(await dispatch(internals, found, params, { ...request, activationId: internals.newId() }));
    return isObject(result) ? result : { error: errorMessages.noAction(key) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { error: errorMessages.noAction(key) };
  }
}

const asObject = (value: Json | undefined, member: string): JsonObject | undefined =>
  value === undefined || isObject(value) ? value : { [member]: value };

/** `before` is the number of components in enclosing sequences. */
async function runSequence(
  internals: PlatformInternals,
  { action, parameters }: ResolvedAction,
  params: JsonObject,
  { scope, activationId, cause, budget }: ActivationRequest,
  before: number,
): Promise<{ readonly activation: Activation; readonly count: number }> {
  const components = action.exec.kind === "sequence" ? action.exec.components : [];
  const start = scope.environment.now();
  const logs: string[] = [];
  let [count, duration] = [before, 0];
  let response: ActivationResponse = { statusCode: 0, result: { ...parameters, ...params } };
  for (const name of components) {
    const found = findAction(internals.entities, name);
    if (count >= maxComponents || !found) {
      response = applicationError(count >= maxComponents ? errorMessages.sequenceTooLong : errorMessages.noComponent);
      break;
    }
    const inner = { scope, activationId: internals.newId(), cause: activationId };
    const input = response.result as JsonObject;
    const nested = found.action.exec.kind === "sequence";
    const done = nested
      ? await runSequence(internals, found, input, inner, count)
      : { activation: await dispatch(internals, found, input, inner), count: count + 1 };
    count = done.count;
    duration += done.activation.duration;
    logs.push(done.activation.activationId);
    response = done.activation.response;
    if (isObject(response.result) && own(response.result, "error") !== undefined) break;
  }
  const end = scope.environment.now();
  const activation = internals.record(
    {
      ...{ activationId, action, version: action.version, cause, role: "sequence", start, end, duration },
      ...{ input: params, response, logs, isComponent: budget !== undefined },
    },
    scope,
  );
  return { activation, count };
}
