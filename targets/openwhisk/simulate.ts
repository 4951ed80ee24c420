import { isObject, type Json, type JsonObject, own, setOwn } from "../../src/json.ts";
import type { Outcome, OutputFile, RunRequest, Simulator } from "../../src/target.ts";
import { FunctionFailure, type SimulatedEnvironment } from "../../src/world.ts";
import { carried, taken } from "./helpers/values.ts";
import { secretKey } from "./runtime/actions/secrets.ts";
import { mostAtOnce } from "./select/bounds.ts";
import { installAlarms } from "./simulator/alarms.ts";
import { clientOf } from "./simulator/client.ts";
import { deploy } from "./simulator/deploy.ts";
import { type Action, findAction, nameOf, putAction, qualified, Refusal } from "./simulator/entities.ts";
import type { Place, Run } from "./simulator/place.ts";
import { createPlatform, type Platform } from "./simulator/platform.ts";
import { type BoundFunction, type Emitted, emittedIn, triggersOf } from "./simulator/program.ts";
import { createRedis } from "./simulator/redis.ts";
import { createRuns, type Runs, takesPlace, whileWanted } from "./simulator/runs.ts";
import { kindsOf } from "./statistics.ts";

/** Executes emitted programs on a platform in this process. The runs of one simulation meet on one platform. */
export function createExecutor(): Simulator {
  const programs = new WeakMap<readonly OutputFile[], Emitted>();
  const sites = new WeakMap<object, Promise<Site>>();
  return {
    async run(files, request) {
      const program = programs.get(files) ?? emittedIn(files);
      programs.set(files, program);
      const { simulation } = request.environment;
      const site = sites.get(simulation) ?? siteOf(program, request.environment);
      sites.set(simulation, site);
      return run(await site, request);
    },
    close() {},
  };
}

/** A platform on which a program has been deployed. */
interface Site {
  readonly program: Emitted;
  readonly platform: Platform;
  readonly runs: Runs;
}

/** Calls a workflow, or waits until an event starts it. */
function run({ program, platform, runs }: Site, { workflow, input, environment }: RunRequest): Promise<Outcome> {
  const { action, raw = false } = program.workflows[workflow]!;
  return new Promise((resolve, reject) => {
    const begun: Run = { environment, left: 0, ended: (result) => resolve(outcomeOf(result, raw)), failed: reject };
    if (input === undefined) {
      runs.await(begun, nameOf(platform.entities, action));
      return;
    }
    environment.started();
    const params = raw && isObject(input) ? input : carried(input);
    platform.invoke(action, params, { environment, position: [], part: { run: begun, isRoot: true } });
  });
}

/** How a run has ended, by what its last activation gives. */
function outcomeOf(result: JsonObject, raw: boolean): Outcome {
  const error = own(result, "error");
  if (error === undefined) return { status: "succeeded", output: raw ? result : taken(result) };
  return { status: "failed", error: isObject(error) ? describedBy(error) : toldBy(error, raw) };
}

type Failure = Extract<Outcome, { readonly status: "failed" }>["error"];

/** A failure that is described: by the composition, or by the conductor where it rejects a run. */
function describedBy(error: JsonObject): Failure {
  const { code, name = "Error", message = "", data, origin } = error;
  if (code !== undefined) return rejected;
  const told = { name: textOf(name), message: textOf(message), ...(data !== undefined && { data }) };
  return { ...told, ...(typeof origin === "string" && { origin: origin as NonNullable<Failure["origin"]> }) };
}

/** The end of a run that the conductor rejects: why, it says in words of its own. */
const rejected: Failure = {
  name: "Rejected",
  message: "The conductor rejects this run: a state cannot do its work.",
  origin: "denied",
};

/** A failure that is told by any value. */
function toldBy(error: Json, raw: boolean): Failure {
  if (!raw) return { name: "Error", message: textOf(error) };
  const message = typeof error === "string" ? error : "The run has failed with an error that is no text.";
  return { name: "ApplicationError", message };
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

/** Deploys a program. What no run does happens in the world of the first. */
async function siteOf(program: Emitted, environment: SimulatedEnvironment): Promise<Site> {
  const redis = createRedis(() => environment.now());
  const nowhere: Place = { environment, position: [] };
  const runs = createRuns();
  let isDeployed = false;
  const net = { connect: redis.connect, createConnection: redis.connect };
  const platform = createPlatform({
    reach: (place, action, within) => ({
      modules: {
        openwhisk: clientOf(within, place, (event) => isEmitted(action, event, place())),
        "node:net": net,
        "node:tls": net,
      },
      fetch: (url: string, request: { readonly body: string }) => fetched(program, url, request.body, place()),
    }),
    placeOf: runs.placeOf,
    takesPlace,
    concurrent: mostAtOnce,
    idOf: ({ part }) => (part?.isRoot && part.run.id === undefined ? part.run.environment.runId : undefined),
    recorded(activation, place) {
      if (isDeployed) for (const kind of kindsOf(activation)) place.environment.recorder?.uses(kind, 1);
      runs.recorded(activation, place);
    },
    fault: (error, { part }) => {
      for (const each of part ? [part.run] : runs.all()) each.failed(error);
    },
  });
  installAlarms(platform, { ticks: false });
  const given = { $store: { url: "redis://redis" }, $secrets: secretsOf(program, environment) };
  await deploy(program.deployment, given, platform, nowhere);
  for (const [name, bound] of Object.entries(program.functions)) deployFunction(platform, name, bound);
  isDeployed = true;
  const site = { program, platform, runs };
  let last: Promise<unknown> = Promise.resolve();
  environment.listen((event) => {
    last = last.then(() => arrive(event, site, nowhere));
  });
  return site;
}

/** An event comes, when what came before has been dealt with. It starts a run where one waits for that: the world has no others. */
async function arrive(event: JsonObject, { program, platform, runs }: Site, place: Place): Promise<void> {
  const { entities } = platform;
  const actions = Object.values(program.workflows).map(({ action }) => action);
  const starts = actions.filter((action) => runs.isAwaited(nameOf(entities, action)));
  for (const [name, action] of entities.actions) {
    const { $settings } = action.parameters;
    if (!name.endsWith("/rt-resume") || typeof $settings !== "string") continue;
    const settings = { ...(JSON.parse($settings) as JsonObject), starts };
    entities.actions.set(name, {
      ...action,
      parameters: { ...action.parameters, $settings: JSON.stringify(settings) },
    });
  }
  await Promise.all(triggersOf(program, event).map((trigger) => platform.fire(trigger, event, place).ended));
}

/** The texts of the secrets of a program, by id and key. */
function secretsOf({ secrets }: Emitted, environment: SimulatedEnvironment): JsonObject {
  const texts: { [id: string]: { [key: string]: string } } = {};
  for (const { id, key, version } of secrets) {
    const text = environment.secret(id, key);
    if (text !== undefined) setOwn(texts, id, { ...own(texts, id), [secretKey({ key, version })]: text });
  }
  return texts;
}

/** The longest that an action may take, in milliseconds. */
const mostTime = 300_000;

/** Deploys an action that asks the world what a function answers: as long as the manifest says that it may take, else as long as any action. */
function deployFunction({ entities }: Platform, name: string, bound: BoundFunction): void {
  const key = qualified(entities, name);
  if (key === undefined) return;
  const run = (params: JsonObject, place: Place) => answerOf(bound, params, place);
  const limits = findAction(entities, key)?.action.limits ?? { timeout: mostTime };
  putAction(entities, name, { exec: { kind: "native", run }, limits });
}

/** What an action answers that stands for a function of the world. */
async function answerOf({ function: name, raw }: BoundFunction, params: JsonObject, place: Place): Promise<Json> {
  try {
    const given = raw ? params : taken(params);
    const answer = await whileWanted(place.part, (decided) => {
      const signal = AbortSignal.any([decided, place.signal].filter((each) => each !== undefined));
      return place.environment.call(name, given, { position: place.position, signal });
    });
    return raw && isObject(answer) ? answer : carried(answer);
  } catch (error) {
    if (!(error instanceof FunctionFailure)) throw error;
    if (error.name === "ActionNotFound") throw new Refusal(404, "The requested resource does not exist.");
    const { name: kind, message, data } = error;
    if (raw) return { error: message };
    return { error: { ...(isObject(data) ? data : data !== undefined && { data }), name: kind, message } };
  }
}

/** What a web action answers that stands for a function of the world. */
async function fetched({ functions }: Emitted, url: string, body: string, place: Place): Promise<object> {
  const bound = own(functions, url);
  if (!bound) throw new TypeError("fetch failed");
  const answer = await answerOf(bound, JSON.parse(body) as JsonObject, place);
  return new Response(JSON.stringify(answer), {
    status: isObject(answer) && own(answer, "error") !== undefined ? 500 : 200,
  });
}

/** Takes an event that a workflow emits: in the order of positions with what else is emitted at the instant. */
async function isEmitted(
  { name }: Action,
  event: JsonObject,
  { environment, position, part }: Place,
): Promise<boolean> {
  if (!name.endsWith("/rt-call")) return false;
  await whileWanted(part, (signal) => environment.sleep(0, signal, position));
  environment.emit(event);
  return true;
}
