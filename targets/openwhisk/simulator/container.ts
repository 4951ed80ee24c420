import { inspect } from "node:util";
import { type Context, createContext, Script } from "node:vm";
import type { Json, JsonObject } from "../../../src/json.ts";
import { StepLimit } from "../../../src/world.ts";
import { type Action, isConductor } from "./entities.ts";
import { type Memory, weigh, within } from "./memory.ts";
import type { Place } from "./place.ts";
import { broken, type Response, rejectedWith, responseOf, tooLate } from "./response.ts";

/** The containers of a namespace: each holds the code of one action and runs one activation at a time. */
export interface Containers {
  run(action: Action, params: JsonObject, running: Running): Promise<Response>;
}

/** An activation of code. */
export interface Running {
  readonly place: Place;
  readonly activationId: string;
  /** The lines that the code writes. */
  readonly logs: string[];
}

/** What the code of an action reaches beside itself: modules by their names, and what answers requests by HTTP. */
export interface Reach {
  readonly modules: { readonly [name: string]: unknown };
  readonly fetch: unknown;
}

/** Gives what the code of an action reaches from where its activation takes place. */
type ReachOf = (place: () => Place, action: Action) => Reach;

/** So many containers are taken for subflows that start each other without end; a namespace has some hundred at once. */
const mostContainers = 600;

/** Containers that are made when they are needed, and are used again. */
export function createContainers(reachOf: ReachOf, namespace: string): Containers {
  const idle = new Map<Action, Container[]>();
  let made = 0;
  const another = (action: Action): Container => {
    made += 1;
    if (made > mostContainers) throw new Fault("There are too many containers.", { cause: new StepLimit("launches") });
    return createContainer(action, reachOf, namespace);
  };
  return {
    async run(action, params, running) {
      const free = idle.get(action) ?? [];
      idle.set(action, free);
      const container = free.pop() ?? another(action);
      const given = container.run(params, running);
      if (!(given instanceof Promise)) return released(container, given, free);
      return released(container, await given, free);
    },
  };
}

/** Lets a container be used again, unless it is broken. One that has not had to wait is free before anything else goes on. */
function released(container: Container, response: Response, free: Container[]): Response {
  if (response.statusCode !== 2) free.push(container);
  return response;
}

interface Container {
  run(params: JsonObject, running: Running): Response | Promise<Response>;
}

/** What the code of an action is in its context: made ready at the first activation, as the platform does. */
type Main = (params: JsonObject) => unknown;

function createContainer(action: Action, reachOf: ReachOf, namespace: string): Container {
  const env: { [name: string]: string } = {};
  const now: Now = { running: undefined, stop: new AbortController(), memory: { longest: 0 } };
  let main: Main | undefined;
  return {
    run(params, running) {
      now.running = running;
      now.stop = new AbortController();
      now.memory.longest = 0;
      Object.assign(env, environmentOf(action, namespace, running));
      try {
        main ??= mainOf(action, contextOf(action, reachOf, now, env));
      } catch (error) {
        if (error instanceof Fault) throw error;
        return broken(`Initialization has failed due to: ${error}`);
      }
      const given = limited(main, params, action, now);
      const weighed = (response: Response) => within(now.memory, action.limits.memory, response);
      return given instanceof Promise ? given.then(weighed) : weighed(given);
    },
  };
}

/** What a container is doing now. */
interface Now {
  running: Running | undefined;
  /** Ends what an activation has left to happen later: a container stands still when its activation is over. */
  stop: AbortController;
  readonly memory: Memory;
}

/** Something that is no matter of the action: a run that does too much in a row, or a fault of ours. */
export class Fault extends Error {}

/** Runs code until it has answered or its time is over. */
function limited(
  main: Main,
  params: JsonObject,
  { limits }: Action,
  { running, stop }: Now,
): Response | Promise<Response> {
  const given = begun(main, params, limits.timeout);
  if ("response" in given) {
    stop.abort();
    return given.response;
  }
  const { environment, position } = running!.place;
  const late = environment.sleep(limits.timeout / 1000, stop.signal, position).then(() => tooLate(limits.timeout));
  const answered = given.promise.then(
    (value) => responseOf(value === undefined ? {} : value),
    (error) => {
      if (error instanceof Fault) throw error;
      return responseOf(rejectedWith(error));
    },
  );
  late.catch(() => undefined);
  return Promise.race([answered, late]).finally(() => stop.abort());
}

/** Calls the code of an action: what it answers at once, or the promise that it gives. */
function begun(
  main: Main,
  params: JsonObject,
  timeout: number,
): { readonly response: Response } | { readonly promise: Promise<unknown> } {
  try {
    const given = main(params);
    if (isThenable(given)) return { promise: Promise.resolve(given) };
    return { response: responseOf(given === undefined ? {} : given) };
  } catch (error) {
    if (error instanceof Fault) throw error;
    const isEndless = (error as { readonly code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return { response: isEndless ? tooLate(timeout) : broken(`An error has occurred: ${error}`) };
  }
}

const isThenable = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";

/** What the platform tells code of its activation. */
const environmentOf = ({ name, version, limits }: Action, namespace: string, { place, activationId }: Running) => ({
  __OW_API_HOST: "http://127.0.0.1",
  __OW_API_KEY: "key:of-nobody",
  __OW_NAMESPACE: namespace,
  __OW_ACTION_NAME: name,
  __OW_ACTION_VERSION: version,
  __OW_ACTIVATION_ID: activationId,
  __OW_DEADLINE: String(place.environment.now() + limits.timeout),
});

/** The code of an action as Node's runtime makes a function of it. */
function mainOf(action: Action, context: Context): Main {
  if (action.exec.kind !== "code") throw new TypeError(`${action.name} has no code.`);
  const { code, main } = action.exec;
  const timeout = Math.min(patience, action.limits.timeout);
  const text = `(function () {
${code}
try {
  return ${main};
} catch (error) {
  if (error.name !== "ReferenceError") throw error;
  return module.exports.${main} || exports.${main};
}
})()`;
  const handler: unknown = new Script(text, { filename: action.name }).runInContext(context, { timeout });
  if (typeof handler !== "function") throw new TypeError(`Action entrypoint '${main}' is not a function.`);
  const parse = new Script("JSON.parse").runInContext(context) as (text: string) => unknown;
  const call = new Script(`globalThis[Symbol.for("${called}")]()`, { filename: action.name });
  return (params) => {
    Object.defineProperty(context, Symbol.for(called), {
      value: () => (handler as (given: unknown) => unknown)(parse(JSON.stringify(params))),
      configurable: true,
    });
    return call.runInContext(context, { timeout });
  };
}

/** Under which symbol a context has the call that it is to make: only code of the context itself can be stopped when it takes too long. */
const called = "waybill.called";

/** How long code may compute without waiting, in milliseconds of real time: then it is taken for a loop without end. */
const patience = 10_000;

/** The globals of a container, in which time and chance are those of the world that its activation takes place in. */
function contextOf(action: Action, reachOf: ReachOf, now: Now, env: object): Context {
  const place = () => now.running!.place;
  const { modules, fetch } = reachOf(place, action);
  const require = (name: string): unknown => {
    if (Object.hasOwn(modules, name)) return modules[name];
    const module = isDistant(name) ? undefined : process.getBuiltinModule(name);
    if (!module) throw missingModule(name);
    return module;
  };
  const log = (...words: readonly unknown[]) => written(words, isConductor(action), now.running!);
  const module = { exports: {} };
  const context = createContext({
    ...{ require, module, exports: module.exports, __filename: "/nodejsAction/runner.js", __dirname: "/nodejsAction" },
    ...{ console: { log, error: log, warn: log, info: log, debug: log } },
    ...{ process: { env, version: process.version, versions: process.versions, nextTick: process.nextTick } },
    ...{ Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AbortSignal, queueMicrotask, fetch },
    ...timersOf(now),
    crypto: { randomUUID: () => place().environment.id() },
  });
  const set = new Script(withTimeAndChance).runInContext(context) as (...given: readonly (() => number)[]) => void;
  set(
    () => place().environment.now(),
    () => place().environment.random(),
  );
  weigh(context, () => now.memory);
  return context;
}

/** Makes the clock of a context, and its chance, what functions give. */
const withTimeAndChance = `(now, random) => {
  Math.random = random;
  Date.now = now;
  Date = new Proxy(Date, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    apply: (target) => new target(now()).toString(),
  });
}`;

/** Modules that reach what is not in this process. */
const isDistant = (name: string): boolean =>
  /^(?:node:)?(?:net|tls|http2?|https|dgram|dns|child_process|cluster)(?:\/|$)/.test(name);

const missingModule = (name: string): Error =>
  Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });

/** So many lines are kept of what an activation writes. */
const mostLines = 1000;

/** What code writes; a conductor tells so which states it enters. */
function written(words: readonly unknown[], conducts: boolean, { place, logs }: Running): void {
  const line = words.map((word) => (typeof word === "string" ? word : inspect(word))).join(" ");
  if (logs.length < mostLines) logs.push(line);
  const [, state] = (conducts && /^Entering (.*)$/s.exec(line)) || [];
  if (state === undefined) return;
  try {
    place.environment.visit(state);
  } catch (cause) {
    throw new Fault("The world takes no more steps.", { cause });
  }
}

/** Timers on the world's time. */
function timersOf(now: Now): object {
  const begin = (
    work: (...given: readonly unknown[]) => void,
    ms: number,
    repeats: boolean,
    given: readonly Json[],
  ) => {
    const { environment, position } = now.running!.place;
    const timer = new AbortController();
    const signal = AbortSignal.any([timer.signal, now.stop.signal]);
    const ring = (): void =>
      void environment
        .sleep(timeOf(ms) / 1000, signal, position)
        .then(() => {
          work(...given);
          if (repeats) ring();
        })
        .catch(() => undefined);
    ring();
    return timer;
  };
  const end = (timer: AbortController | undefined) => timer?.abort();
  return {
    setTimeout: (work: () => void, ms = 0, ...given: readonly Json[]) => begin(work, ms, false, given),
    setInterval: (work: () => void, ms = 0, ...given: readonly Json[]) => begin(work, ms, true, given),
    setImmediate: (work: () => void, ...given: readonly Json[]) => begin(work, 0, false, given),
    ...{ clearTimeout: end, clearInterval: end, clearImmediate: end },
  };
}

/** How long Node waits: what does not fit into 31 bits is one millisecond. */
const timeOf = (ms: number): number => (ms > 2 ** 31 - 1 ? 1 : Math.max(0, Math.trunc(ms) || 0));
