import { inspect } from "node:util";
import { type Context, createContext, Script } from "node:vm";
import { StepLimit } from "../../../src/environment/errors.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import type { ActivationScope } from "./activation-scope.ts";
import { type Action, isConductor } from "./entities.ts";
import { limitMemory, type MemoryUsage, trackJsonSizes } from "./memory.ts";
import { type ActivationResponse, broken, rejectedWith, responseOf, timedOut } from "./response.ts";

/** The containers of a namespace. Each runs one activation of its action at a time. */
export interface Containers {
  run(action: Action, params: JsonObject, activation: CodeActivation): Promise<ActivationResponse>;
}

/** An activation that runs code. */
export interface CodeActivation {
  readonly scope: ActivationScope;
  readonly activationId: string;
  readonly logs: string[];
}

/** The modules and the `fetch` that the code of an action uses. */
export interface ActionGlobals {
  readonly modules: { readonly [name: string]: unknown };
  readonly fetch: unknown;
}

type GlobalsFactory = (scope: () => ActivationScope, action: Action) => ActionGlobals;

/** Bounds subflows that start each other endlessly. A run has at most 100 concurrent branches. */
const maxContainers = 500;

/** Creates containers on demand and reuses them. */
export function createContainers(globalsOf: GlobalsFactory, namespace: string): Containers {
  const idle = new Map<Action, Container[]>();
  let count = 0;
  const createNext = (action: Action): Container => {
    count += 1;
    if (count > maxContainers)
      throw new SimulatorFault("There are too many containers.", { cause: new StepLimit("launches") });
    return createContainer(action, globalsOf, namespace);
  };
  return {
    async run(action, params, activation) {
      const free = idle.get(action) ?? [];
      idle.set(action, free);
      const container = free.pop() ?? createNext(action);
      const outcome = container.run(params, activation);
      if (!(outcome instanceof Promise)) return release(container, outcome, free);
      return release(container, await outcome, free);
    },
  };
}

/** A synchronous activation releases its container immediately. */
function release(container: Container, response: ActivationResponse, free: Container[]): ActivationResponse {
  if (response.statusCode !== 2) free.push(container);
  return response;
}

interface Container {
  run(params: JsonObject, activation: CodeActivation): ActivationResponse | Promise<ActivationResponse>;
}

type Main = (params: JsonObject) => unknown;

function createContainer(action: Action, globalsOf: GlobalsFactory, namespace: string): Container {
  const env: { [name: string]: string } = {};
  const state: ContainerState = { activation: undefined, stop: new AbortController(), memory: { longest: 0 } };
  let main: Main | undefined;
  return {
    run(params, activation) {
      state.activation = activation;
      state.stop = new AbortController();
      state.memory.longest = 0;
      Object.assign(env, environmentVariables(action, namespace, activation));
      try {
        main ??= loadMain(action, createVmContext(action, globalsOf, state, env));
      } catch (error) {
        if (error instanceof SimulatorFault) throw error;
        return broken(`Initialization has failed due to: ${error}`);
      }
      const outcome = runWithTimeout(main, params, action, state);
      const weighed = (response: ActivationResponse) => limitMemory(state.memory, action.limits.memory, response);
      return outcome instanceof Promise ? outcome.then(weighed) : weighed(outcome);
    },
  };
}

interface ContainerState {
  activation: CodeActivation | undefined;
  /** Stops pending timers: a container is frozen after its activation. */
  stop: AbortController;
  readonly memory: MemoryUsage;
}

/** An error of the simulation, not of the action: an exceeded step limit or a bug. */
export class SimulatorFault extends Error {}

function runWithTimeout(
  main: Main,
  params: JsonObject,
  { limits }: Action,
  { activation, stop }: ContainerState,
): ActivationResponse | Promise<ActivationResponse> {
  const outcome = callMain(main, params, limits.timeout);
  if ("response" in outcome) {
    stop.abort();
    return outcome.response;
  }
  const { environment, position } = activation!.scope;
  const deadline = environment.sleep(limits.timeout / 1000, stop.signal, position).then(() => timedOut(limits.timeout));
  const settled = outcome.promise.then(
    (value) => responseOf(value === undefined ? {} : value),
    (error) => {
      if (error instanceof SimulatorFault) throw error;
      return responseOf(rejectedWith(error));
    },
  );
  deadline.catch(() => undefined);
  return Promise.race([settled, deadline]).finally(() => stop.abort());
}

/** Returns the response, or a promise for the result. */
function callMain(
  main: Main,
  params: JsonObject,
  timeout: number,
): { readonly response: ActivationResponse } | { readonly promise: Promise<unknown> } {
  try {
    const outcome = main(params);
    if (isThenable(outcome)) return { promise: Promise.resolve(outcome) };
    return { response: responseOf(outcome === undefined ? {} : outcome) };
  } catch (error) {
    if (error instanceof SimulatorFault) throw error;
    const isEndless = (error as { readonly code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return { response: isEndless ? timedOut(timeout) : broken(`An error has occurred: ${error}`) };
  }
}

const isThenable = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";

const environmentVariables = (
  { name, version, limits }: Action,
  namespace: string,
  { scope, activationId }: CodeActivation,
) => ({
  __OW_API_HOST: "http://127.0.0.1",
  __OW_API_KEY: "key:of-nobody",
  __OW_NAMESPACE: namespace,
  __OW_ACTION_NAME: name,
  __OW_ACTION_VERSION: version,
  __OW_ACTIVATION_ID: activationId,
  __OW_DEADLINE: String(scope.environment.now() + limits.timeout),
});

/** The script of an action's code, which its containers share. */
const scripts = new WeakMap<Action, Script>();

function scriptOf(action: Action): Script {
  const known = scripts.get(action);
  if (known) return known;
  if (action.exec.kind !== "code") throw new TypeError(`${action.name} has no code.`);
  const { code, main } = action.exec;
  const text = `(function () {
${code}
try {
  return ${main};
} catch (error) {
  if (error.name !== "ReferenceError") throw error;
  return module.exports.${main} || exports.${main};
}
})()`;
  const script = new Script(text, { filename: action.name });
  scripts.set(action, script);
  return script;
}

/** Loads code as the Node.js runtime of OpenWhisk does. */
function loadMain(action: Action, context: Context): Main {
  if (action.exec.kind !== "code") throw new TypeError(`${action.name} has no code.`);
  const { main } = action.exec;
  const timeout = Math.min(maxSyncMs, busyFactor * action.limits.timeout);
  const handler: unknown = scriptOf(action).runInContext(context, { timeout });
  if (typeof handler !== "function") throw new TypeError(`Action entrypoint '${main}' is not a function.`);
  const parse = parseScript.runInContext(context) as (text: string) => unknown;
  const call = new Script(`globalThis[Symbol.for("${pendingCall}")]()`, { filename: action.name });
  return (params) => {
    Object.defineProperty(context, Symbol.for(pendingCall), {
      value: () => (handler as (params: unknown) => unknown)(parse(JSON.stringify(params))),
      configurable: true,
    });
    return call.runInContext(context, { timeout });
  };
}

const parseScript = new Script("JSON.parse");

/** A timeout can only stop a script of the context itself, which reads its next call from this symbol. */
const pendingCall = "waybill.called";

/** The real time that code may compute without waiting: enough on a busy machine, and little where it never ends. */
const maxSyncMs = 6_000;

/** How much slower a busy machine may be than OpenWhisk. */
const busyFactor = 10;

/** Time and randomness come from the simulated environment. */
function createVmContext(action: Action, globalsOf: GlobalsFactory, state: ContainerState, env: object): Context {
  const scope = () => state.activation!.scope;
  const { modules, fetch } = globalsOf(scope, action);
  const require = (name: string): unknown => {
    if (Object.hasOwn(modules, name)) return modules[name];
    const module = isNetworkModule(name) ? undefined : process.getBuiltinModule(name);
    if (!module) throw missingModule(name);
    return module;
  };
  const log = (...words: readonly unknown[]) => writeLog(words, isConductor(action), state.activation!);
  const module = { exports: {} };
  const context = createContext({
    ...{ require, module, exports: module.exports, __filename: "/nodejsAction/runner.js", __dirname: "/nodejsAction" },
    console: Object.fromEntries(Object.keys(console).map((name) => [name, log])),
    ...{ process: { env, version: process.version, versions: process.versions, nextTick: process.nextTick } },
    ...{ Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AbortSignal, queueMicrotask, fetch },
    ...{ structuredClone, btoa, atob },
    ...timersOf(state),
    crypto: { randomUUID: () => scope().environment.id() },
  });
  const set = new Script(prepareGlobals).runInContext(context) as (...args: readonly (() => number)[]) => void;
  set(
    () => scope().environment.now(),
    () => scope().environment.random(),
  );
  trackJsonSizes(context, () => state.memory);
  return context;
}

const prepareGlobals = `(now, random) => {
  globalThis.global = globalThis;
  Math.random = random;
  Date.now = now;
  Date = new Proxy(Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    apply: (target) => new target(now()).toString(),
  });
}`;

const isNetworkModule = (name: string): boolean =>
  /^(?:node:)?(?:net|tls|http2?|https|dgram|dns|child_process|cluster)(?:\/|$)/.test(name);

const missingModule = (name: string): Error =>
  Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });

const maxLogLines = 1000;

/** The beginning of the line that a conductor logs when it enters a state. */
export const enteringPrefix = "Entering ";

function writeLog(words: readonly unknown[], conducts: boolean, { scope, logs }: CodeActivation): void {
  const line = words.map((word) => (typeof word === "string" ? word : inspect(word))).join(" ");
  if (logs.length < maxLogLines) logs.push(line);
  else logs[maxLogLines - 1] = line;
  if (!conducts || !line.startsWith(enteringPrefix)) return;
  try {
    scope.environment.visit(line.slice(enteringPrefix.length));
  } catch (cause) {
    throw new SimulatorFault("The run exceeds its step limit.", { cause });
  }
}

function timersOf(state: ContainerState): object {
  const begin = (work: (...args: readonly unknown[]) => void, ms: number, repeats: boolean, args: readonly Json[]) => {
    const { environment, position } = state.activation!.scope;
    const timer = new AbortController();
    const signal = AbortSignal.any([timer.signal, state.stop.signal]);
    const ring = (): void =>
      void environment
        .sleep(timerDelay(ms) / 1000, signal, position)
        .then(() => {
          work(...args);
          if (repeats) ring();
        })
        .catch(() => undefined);
    ring();
    return timer;
  };
  const end = (timer: AbortController | undefined) => timer?.abort();
  return {
    setTimeout: (work: () => void, ms = 0, ...args: readonly Json[]) => begin(work, ms, false, args),
    setInterval: (work: () => void, ms = 0, ...args: readonly Json[]) => begin(work, ms, true, args),
    setImmediate: (work: () => void, ...args: readonly Json[]) => begin(work, 0, false, args),
    ...{ clearTimeout: end, clearInterval: end, clearImmediate: end },
  };
}

/** Node.js uses 1 ms for delays that exceed 31 bits. */
const timerDelay = (ms: number): number => (ms > 2 ** 31 - 1 ? 1 : Math.max(0, Math.trunc(ms) || 0));
