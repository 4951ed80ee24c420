import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import { FunctionFailure } from "../../src/environment/errors.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { Outcome, RunRequest, Simulator } from "../../src/target/simulator.ts";
import { defaultKeyMember } from "./deploy/deployment.ts";
import { unwrap, wrap } from "./helpers/values.ts";
import { activationKinds } from "./metrics.ts";
import { secretKey } from "./runtime/actions/secrets.ts";
import { maxConcurrency } from "./select/bounds.ts";
import type { ActivationScope, TrackedRun } from "./simulator/activation-scope.ts";
import { installAlarms } from "./simulator/alarms.ts";
import { createClient } from "./simulator/client.ts";
import { deploy } from "./simulator/deploy.ts";
import { type Action, findAction, PlatformError, putAction, qualifyName, requireName } from "./simulator/entities.ts";
import { createPlatform, type Platform } from "./simulator/platform.ts";
import { type BoundFunction, type EmittedProgram, readProgram, triggersOf } from "./simulator/program.ts";
import { createRedis } from "./simulator/redis.ts";
import { countsAsConcurrent, createRunTracker, type RunTracker, untilForkDecided } from "./simulator/runs.ts";

/** Runs emitted files on OpenWhisk in this process. The runs of a simulation share a platform. */
export function createSimulator(): Simulator {
  const programs = new WeakMap<readonly OutputFile[], EmittedProgram>();
  const deployments = new WeakMap<object, Promise<SimulatedDeployment>>();
  return {
    async run(files, request) {
      const program = programs.get(files) ?? readProgram(files);
      programs.set(files, program);
      const { simulation } = request.environment;
      const deployment = deployments.get(simulation) ?? deployProgram(program, request.environment);
      deployments.set(simulation, deployment);
      return run(await deployment, request);
    },
    close() {},
  };
}

interface SimulatedDeployment {
  readonly program: EmittedProgram;
  readonly platform: Platform;
  readonly runs: RunTracker;
}

/** Without input, waits for an event to start the workflow. */
function run(
  { program, platform, runs }: SimulatedDeployment,
  { workflow, input, timer, environment }: RunRequest,
): Promise<Outcome> {
  const { action, raw = false, timers = [] } = program.workflows[workflow]!;
  const trigger = timer === undefined ? undefined : timers[timer];
  if (timer !== undefined && trigger === undefined) throw new Error(`${workflow} has no timer ${timer}.`);
  return new Promise((resolve, reject) => {
    const trackedRun: TrackedRun = {
      environment,
      left: 0,
      ended: (result) => resolve(readOutcome(result, raw)),
      failed: reject,
    };
    if (input === undefined) {
      runs.await(trackedRun, requireName(platform.entities, action));
      return;
    }
    environment.started();
    const part = { run: trackedRun, isRoot: true, depth: 0 };
    if (trigger !== undefined) {
      platform.fire(trigger, {}, { environment, position: [], part });
      return;
    }
    const params = raw && isObject(input) ? input : wrap(input);
    platform.invoke(action, params, { environment, position: [], part });
  });
}

function readOutcome(result: JsonObject, raw: boolean): Outcome {
  const error = own(result, "error");
  if (error === undefined) return { status: "succeeded", output: raw ? result : unwrap(result) };
  const rejected = rejectionOf(error);
  return { status: "failed", error: rejected ?? (raw ? failureOfUser(error) : readFailure(error)) };
}

type Failure = Extract<Outcome, { readonly status: "failed" }>["error"];

/** The error of a run that the conductor has rejected: it has its own wording. */
function rejectionOf(error: Json): Failure | undefined {
  if (!isObject(error) || own(error, "$waybill") !== "denied" || own(error, "name") !== undefined) return undefined;
  return own(error, "code") === 500
    ? { name: "InternalError", message: stringOf(own(error, "error")), origin: "function" }
    : {
        name: "Rejected",
        message: "The conductor rejects this run: a state cannot do its work.",
        origin: "denied",
      };
}

/** The error of a native composition, whose members are the user's. */
const failureOfUser = (error: Json): Failure => ({
  name: "ApplicationError",
  message: typeof error === "string" ? error : JSON.stringify(error),
  origin: "function",
});

/** The description of an error, as workflows return it. */
function readFailure(error: Json): Failure {
  if (!isObject(error)) return { name: "Error", message: stringOf(error) };
  const { name = "Error", message = "", data, origin } = error;
  const failure = { name: stringOf(name), message: stringOf(message), ...(data !== undefined && { data }) };
  return { ...failure, ...(typeof origin === "string" && { origin: origin as NonNullable<Failure["origin"]> }) };
}

const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

/** The first environment serves activations that belong to no run. */
async function deployProgram(program: EmittedProgram, environment: SimulatedEnvironment): Promise<SimulatedDeployment> {
  const redis = createRedis(() => environment.now());
  const rootScope: ActivationScope = { environment, position: [] };
  const runs = createRunTracker();
  let isDeployed = false;
  const numbers = countEvents();
  const net = { connect: redis.connect, createConnection: redis.connect };
  const platform = createPlatform({
    globalsOf: (scope, action, within) => ({
      modules: {
        openwhisk: createClient(within, scope, (event) => interceptEmittedEvent(action, event, scope(), numbers)),
        "node:net": net,
        "node:tls": net,
      },
      fetch: (url: string, request: { readonly body: string }) => fetchWebAction(program, url, request.body, scope()),
    }),
    scopeOf: runs.scopeOf,
    countsAsConcurrent,
    concurrent: maxConcurrency,
    idOf: ({ part }) => (part?.isRoot && part.run.id === undefined ? part.run.environment.runId : undefined),
    recorded(activation, scope) {
      if (isDeployed) for (const kind of activationKinds(activation)) scope.environment.recorder?.uses(kind, 1);
      runs.recorded(activation, scope);
    },
    fault: (error, { part }) => {
      for (const each of part ? [part.run] : runs.all()) each.failed(error);
    },
  });
  installAlarms(platform, { ticks: false });
  const $secrets = secretsOf(program, environment);
  const overrides = { $store: { url: "redis://redis" }, $secrets, $waybillKey: "key of the simulator" };
  await deploy(program.deployment, overrides, platform, rootScope);
  for (const [name, bound] of Object.entries(program.functions)) deployFunction(platform, name, bound);
  isDeployed = true;
  const deployment = { program, platform, runs };
  let last: Promise<unknown> = Promise.resolve();
  environment.listen((event) => {
    last = last.then(() => deliver(event, deployment, rootScope));
  });
  return deployment;
}

/** Starts only registered runs: a scenario has no others. */
async function deliver(
  event: JsonObject,
  { program, platform, runs }: SimulatedDeployment,
  scope: ActivationScope,
): Promise<void> {
  const { entities } = platform;
  const actions = Object.values(program.workflows).map(({ action }) => action);
  const starts = actions.filter((action) => runs.isAwaited(requireName(entities, action)));
  for (const [name, action] of entities.actions) {
    const { $settings } = action.parameters;
    if (!name.endsWith("/rt") || typeof $settings !== "string") continue;
    const settings = { ...(JSON.parse($settings) as JsonObject), starts };
    entities.actions.set(name, {
      ...action,
      parameters: { ...action.parameters, $settings: JSON.stringify(settings) },
    });
  }
  await Promise.all(triggersOf(program, event).map((trigger) => fire(trigger, event, platform, scope)));
}

/** An event that is too large does not reach the namespace: its source gets the error. */
async function fire(trigger: string, event: JsonObject, platform: Platform, scope: ActivationScope): Promise<void> {
  try {
    await platform.fire(trigger, event, scope).ended;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.statusCode !== 413) throw error;
  }
}

function secretsOf({ secrets }: EmittedProgram, environment: SimulatedEnvironment): JsonObject {
  const values: { [id: string]: { [key: string]: string } } = {};
  for (const { id, key, version } of secrets) {
    const text = environment.secret(id, key);
    if (text !== undefined) setOwn(values, id, { ...own(values, id), [secretKey({ key, version })]: text });
  }
  return values;
}

const maxActionMs = 300_000;

/** Uses the limits in the manifest. */
function deployFunction({ entities }: Platform, name: string, bound: BoundFunction): void {
  const key = qualifyName(entities, name);
  if (key === undefined) return;
  const states = Object.entries(bound.states ?? {}).map(([name, each]) => [qualifyName(entities, name), each] as const);
  const run = (params: JsonObject, scope: ActivationScope) => {
    const { conductor, state = "" } = scope.calledBy ?? {};
    const called = own(states.find(([name]) => name === conductor)?.[1] ?? {}, state);
    return callFunction({ ...bound, function: called ?? bound.function }, params, scope);
  };
  const known = findAction(entities, key)?.action.limits;
  const limits = bound.timeout === undefined ? (known ?? { timeout: maxActionMs }) : { timeout: bound.timeout * 1000 };
  putAction(entities, name, { exec: { kind: "native", run }, limits });
}

/** The parameters of a function without its idempotency key, which scenarios do not record. */
function withoutKey(params: JsonObject, { key = defaultKeyMember }: BoundFunction): JsonObject {
  const { [key]: context, ...rest } = params;
  return isObject(context) && Object.keys(context).sort().join() === "attempt,key" ? rest : params;
}

async function callFunction(bound: BoundFunction, params: JsonObject, scope: ActivationScope): Promise<Json> {
  const { function: name, raw } = bound;
  try {
    const argument = raw ? params : unwrap(withoutKey(params, bound));
    const result = await untilForkDecided(scope.part, (decided) => {
      const signal = AbortSignal.any([decided, scope.signal].filter((each) => each !== undefined));
      return scope.environment.call(name, argument, { position: scope.position, signal });
    });
    return raw && isObject(result) ? result : wrap(result);
  } catch (error) {
    if (!(error instanceof FunctionFailure)) throw error;
    if (error.name === "ActionNotFound") throw new PlatformError(404, "The requested resource does not exist.");
    const { name: kind, message, data } = error;
    if (raw) return { error: message };
    return { error: { ...(isObject(data) ? data : data !== undefined && { data }), name: kind, message } };
  }
}

async function fetchWebAction(
  { functions }: EmittedProgram,
  url: string,
  body: string,
  scope: ActivationScope,
): Promise<object> {
  const bound = own(functions, url);
  if (!bound) throw new TypeError("fetch failed");
  const result = await callFunction(bound, JSON.parse(body) as JsonObject, scope);
  return new Response(JSON.stringify(result), {
    status: isObject(result) && own(result, "error") !== undefined ? 500 : 200,
  });
}

/** All UUIDs of a scenario are equal, so emitted events are numbered. */
function* countEvents(): Generator<number, never> {
  for (let number = 1; ; number++) yield number;
}

/** Whether the id of an event is that of a call, not an attribute that its step gives. */
const isGenerated = ({ id }: JsonObject, environment: SimulatedEnvironment): boolean =>
  typeof id === "string" &&
  /\/\d+$/.test(id) &&
  [environment.runId, environment.id()].some((begin) => id.startsWith(begin));

/** Ordered by position with other events of the same instant. */
async function interceptEmittedEvent(
  { name }: Action,
  event: JsonObject,
  { environment, position, part }: ActivationScope,
  numbers: Generator<number, never>,
): Promise<boolean> {
  if (!name.endsWith("/rt") || own(event, "specversion") === undefined) return false;
  await untilForkDecided(part, (signal) => environment.sleep(0, signal, position));
  const number = numbers.next().value;
  environment.emit(isGenerated(event, environment) ? { ...event, id: `${environment.runId}-${number}` } : event);
  return true;
}
