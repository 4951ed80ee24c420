import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { type Containers, createContainers, Fault, type Reach } from "./container.ts";
import {
  type Action,
  type Entities,
  type Found,
  findAction,
  isConductor,
  nameOf,
  noEntities,
  qualified,
  Refusal,
} from "./entities.ts";
import type { Place } from "./place.ts";
import { isTooLarge, type Response, responseOf, tooLate } from "./response.ts";

/** OpenWhisk in this process: what has been deployed, and how it is invoked. What it does takes no time but that of actions. */
export interface Platform {
  readonly entities: Entities;
  /** The last activations that have ended, by their ids, in the order of their ends. */
  readonly activations: ReadonlyMap<string, Activation>;
  /** Invokes an action. Throws a `Refusal`. */
  invoke(name: string, params: JsonObject, place: Place): Invoked;
  /** Fires a trigger: all actions of its rules are invoked. The id of the activation is undefined where there is no rule. */
  fire(name: string, payload: JsonObject, place: Place): Fired;
}

/** What has been invoked. */
export interface Invoked {
  readonly activationId: string;
  readonly ended: Promise<Activation>;
}

/** What the rules of a trigger have invoked. */
export interface Fired {
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
  /** A composition has asked for it: it counts against what that may have. */
  readonly isComponent: boolean;
  readonly start: number;
  readonly end: number;
  /** Milliseconds in which code ran. */
  readonly duration: number;
  readonly input: JsonObject;
  readonly response: Response;
  /** The ids of the activations that it consists of, or what its code has written. */
  readonly logs: readonly string[];
}

/** What an activation is of: an action, a conductor between two components, a composition or a sequence as a whole. */
export type Role = "action" | "conductor" | "composition" | "sequence";

/** What a platform is made of. */
export interface PlatformOptions {
  readonly namespace?: string;
  /** What the code of actions reaches beside itself. */
  reach(place: () => Place, action: Action, platform: Platform): Reach;
  /** Where an activation takes place, by what it is called with and where what called it does; undefined: nobody looks at it, and it is not carried out. */
  placeOf?(action: Action, params: JsonObject, around: Place): Place | undefined;
  /** The id of a conductor's activation where it is known beforehand. */
  idOf?(place: Place): string | undefined;
  /** Whether an activation counts among those that are at work at once, and is refused where these are too many; absent: all do. */
  takesPlace?(place: Place): boolean;
  /** So many activations may be at work when a client asks for one more; absent: any number. */
  readonly concurrent?: number;
  /** Hears of every activation that has ended. */
  recorded?(activation: Activation, place: Place): void;
  /** Hears of what goes wrong in the world, and is no matter of the platform. */
  fault(error: unknown, place: Place): void;
}

/** So many records of activations are kept: nobody asks for one that has ended long ago. */
const mostRecords = 2000;

/** The most components of a composition; it has twice as many conductor activations and one more. */
const mostComponents = 50;

const texts = {
  tooMany: "Too many actions in the composition.",
  sequenceTooLong: "Too many actions in the sequence.",
  noComponent: "Sequence component does not exist.",
  noName: (name: Json) => `Failed to parse action name from json value ${JSON.stringify(name)} during composition.`,
  noAction: (name: string) => `Failed to resolve action with name '${name.slice(1)}' during composition.`,
};

const failed = (error: Json): Response => ({ statusCode: 1, result: { error } });

/** A platform on which nothing has been deployed. */
export function createPlatform(options: PlatformOptions): Platform {
  const entities = noEntities(options.namespace ?? "guest");
  const activations = new Map<string, Activation>();
  let count = 0;
  const platform: Platform = {
    entities,
    activations,
    invoke(name, params, place) {
      const found = findAction(entities, nameOf(entities, name));
      if (!found) throw new Refusal(404, "The requested resource does not exist.");
      checkPlaces(host, place);
      if (isTooLarge({ ...found.parameters, ...params }))
        throw new Refusal(413, "The request is larger than the 1048576 bytes that are allowed.");
      const activationId = host.newId();
      const ended = dispatched(host, found, params, { place, activationId });
      ended.catch(() => undefined);
      return { activationId, ended };
    },
    fire: (name, payload, place) => fired(platform, host, { name, payload, place }),
  };
  const host: Host = {
    entities,
    working: new Set(),
    options,
    containers: createContainers((place, action) => options.reach(place, action, platform), entities.namespace),
    newId: () => (++count).toString(16).padStart(32, "0"),
    record(activation, place) {
      activations.set(activation.activationId, activation);
      const [oldest] = activations.keys();
      if (activations.size > mostRecords) activations.delete(oldest!);
      options.recorded?.(activation, place);
      return activation;
    },
  };
  return platform;
}

/** Calls what active rules of a trigger say, as far as it is there. */
function fired(
  { invoke }: Platform,
  { entities, newId }: Host,
  { name, payload, place }: { readonly name: string; readonly payload: JsonObject; readonly place: Place },
): ReturnType<Platform["fire"]> {
  const trigger = entities.triggers.get(nameOf(entities, name));
  if (!trigger) throw new Refusal(404, "The requested resource does not exist.");
  const rules = [...entities.rules.values()].filter((rule) => rule.isActive && rule.trigger === trigger.name);
  const params = { ...trigger.parameters, ...payload };
  const known = rules.filter(({ action }) => findAction(entities, action));
  const ended = Promise.all(known.map(({ action }) => ruled(() => invoke(action, params, place).ended)));
  ended.catch(() => undefined);
  return { activationId: rules.length === 0 ? undefined : newId(), ended };
}

/** Refuses what is one activation too many. The components of compositions are never refused. */
function checkPlaces({ working, options: { concurrent, takesPlace = () => true } }: Host, place: Place): void {
  if (concurrent === undefined || working.size < concurrent || !takesPlace(place)) return;
  const count = [...working].filter(takesPlace).length;
  if (count >= concurrent)
    throw new Refusal(429, `Too many concurrent requests in flight (count: ${count + 1}, allowed: ${concurrent}).`);
}

/** What a rule has called: where the platform refuses that, it is only noted in the record of the trigger. */
async function ruled(invoke: () => Promise<Activation>): Promise<Activation | undefined> {
  try {
    return await invoke();
  } catch (error) {
    if (error instanceof Refusal && error.statusCode === 429) return undefined;
    throw error;
  }
}

/** What invocations share. */
interface Host {
  /** Where activations are that are at work. */
  readonly working: Set<Place>;
  readonly entities: Entities;
  readonly options: PlatformOptions;
  readonly containers: Containers;
  newId(): string;
  record(activation: Activation, place: Place): Activation;
}

/** By what an activation is caused, and which it is. */
interface Situation {
  readonly place: Place;
  readonly activationId: string;
  readonly cause?: string | undefined;
  /** What the composition has used up that it is a component of. */
  readonly account?: Account | undefined;
}

/** How many components and conductor activations a composition has had, with those that are nested in it. */
interface Account {
  components: number;
  conductors: number;
}

/** Carries out an activation of whatever kind of action. */
async function dispatched(host: Host, found: Found, params: JsonObject, situation: Situation): Promise<Activation> {
  const { action } = found;
  const { placeOf = (_action, _params, around) => around } = host.options;
  try {
    const chosen = placeOf(action, params, situation.place);
    if (!chosen) return await new Promise(() => undefined);
    const { isDetached: _, ...place } = chosen;
    const there = { ...situation, place };
    if (action.exec.kind === "sequence") return (await sequence(host, found, params, there, 0)).activation;
    return await (isConductor(action) ? composition : simple)(host, found, params, there);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    host.options.fault(error instanceof Fault ? error.cause : error, situation.place);
    return new Promise(() => undefined);
  }
}

/** One activation of code, or of what the platform itself does. */
async function simple(
  host: Host,
  { action, parameters }: Found,
  params: JsonObject,
  { place, activationId, cause, account }: Situation,
  role: Role = "action",
): Promise<Activation> {
  const input = { ...parameters, ...params };
  const start = place.environment.now();
  const { exec } = action;
  const logs: string[] = [];
  const over = atWork(host, place);
  let response: Response;
  try {
    response =
      exec.kind === "native"
        ? await withinLimits(action, place, async (inside) => responseOf(await exec.run(input, inside)))
        : await host.containers.run(action, input, { place, activationId, logs });
  } finally {
    over();
  }
  const end = place.environment.now();
  return host.record(
    {
      ...{ activationId, action, version: action.version, cause, role, start, end, duration: end - start },
      ...{ input, response, logs, isComponent: account !== undefined },
    },
    place,
  );
}

/** Counts an activation as being at work, until it is said to be over. */
function atWork({ working }: Host, place: Place): () => void {
  const own = { ...place };
  working.add(own);
  return () => void working.delete(own);
}

/** What some work gives unless the time of its action is over first; the work is told by the signal of its place. */
async function withinLimits(
  { limits }: Action,
  place: Place,
  work: (inside: Place) => Promise<Response>,
): Promise<Response> {
  const done = new AbortController();
  const late = place.environment
    .sleep(limits.timeout / 1000, done.signal, place.position)
    .then(() => tooLate(limits.timeout));
  late.catch(() => undefined);
  const given = work({ ...place, signal: done.signal });
  given.catch(() => undefined);
  return Promise.race([given, late]).finally(() => done.abort());
}

/** A composition: the conductor says what is called, and hears what comes of it, until it says nothing more. */
async function composition(host: Host, found: Found, params: JsonObject, situation: Situation): Promise<Activation> {
  const { place, activationId, cause } = situation;
  const account = situation.account ?? { components: 0, conductors: 0 };
  const start = place.environment.now();
  const logs: string[] = [];
  let duration = 0;
  const count = (activation: Activation): JsonObject | readonly Json[] => {
    logs.push(activation.activationId);
    duration += activation.duration;
    return activation.response.result;
  };
  let state: JsonObject = {};
  let given = params;
  let response: Response | undefined;
  while (!response) {
    if (account.conductors > 2 * mostComponents) {
      response = failed(texts.tooMany);
      break;
    }
    account.conductors += 1;
    const inner = { place, activationId: host.options.idOf?.(place) ?? host.newId(), cause: activationId };
    const conducted = await simple(host, found, { ...given, ...state }, inner, "conductor");
    const said = count(conducted) as JsonObject;
    const output = boxed(own(said, "params"), "value");
    state = boxed(own(said, "state"), "state") ?? {};
    const called = own(said, "action");
    if (called === undefined) response = { ...conducted.response, result: output ?? said };
    else given = await component(host, called, output ?? {}, { ...inner, account }, count);
  }
  const end = place.environment.now();
  return host.record(
    {
      ...{ activationId, action: found.action, version: found.action.version, cause, role: "composition", start, end },
      ...{ duration, input: params, response, logs, isComponent: situation.account !== undefined },
    },
    place,
  );
}

/** What the conductor hears of a component that it asks for. */
async function component(
  host: Host,
  name: Json,
  params: JsonObject,
  situation: Omit<Situation, "activationId"> & { readonly account: Account },
  count: (activation: Activation) => JsonObject | readonly Json[],
): Promise<JsonObject> {
  const key = qualified(host.entities, name);
  if (key === undefined) return { error: texts.noName(name) };
  if (situation.account.components >= mostComponents) return { error: texts.tooMany };
  const found = findAction(host.entities, key);
  if (!found) return { error: texts.noAction(key) };
  if (!isConductor(found.action)) situation.account.components += 1;
  try {
    const result = count(await dispatched(host, found, params, { ...situation, activationId: host.newId() }));
    return isObject(result) ? result : { error: texts.noAction(key) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { error: texts.noAction(key) };
  }
}

/** A value as an object: by itself, or as a member. */
const boxed = (value: Json | undefined, member: string): JsonObject | undefined =>
  value === undefined || isObject(value) ? value : { [member]: value };

/** A sequence: each component gets what the one before gives, until one fails. `before`: how many components there were around it. */
async function sequence(
  host: Host,
  { action, parameters }: Found,
  params: JsonObject,
  { place, activationId, cause, account }: Situation,
  before: number,
): Promise<{ readonly activation: Activation; readonly count: number }> {
  const components = action.exec.kind === "sequence" ? action.exec.components : [];
  const start = place.environment.now();
  const logs: string[] = [];
  let [count, duration] = [before, 0];
  let response: Response = { statusCode: 0, result: { ...parameters, ...params } };
  for (const name of components) {
    const found = findAction(host.entities, name);
    if (count >= mostComponents || !found) {
      response = failed(count >= mostComponents ? texts.sequenceTooLong : texts.noComponent);
      break;
    }
    const inner = { place, activationId: host.newId(), cause: activationId };
    const given = response.result as JsonObject;
    const nested = found.action.exec.kind === "sequence";
    const done = nested
      ? await sequence(host, found, given, inner, count)
      : { activation: await dispatched(host, found, given, inner), count: count + 1 };
    count = done.count;
    duration += done.activation.duration;
    logs.push(done.activation.activationId);
    response = done.activation.response;
    if (isObject(response.result) && own(response.result, "error") !== undefined) break;
  }
  const end = place.environment.now();
  const activation = host.record(
    {
      ...{ activationId, action, version: action.version, cause, role: "sequence", start, end, duration },
      ...{ input: params, response, logs, isComponent: account !== undefined },
    },
    place,
  );
  return { activation, count };
}
