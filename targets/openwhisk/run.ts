import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Executor, Outcome, OutputFile, RunRequest } from "../../src/target.ts";
import { FunctionFailure, type World } from "../../src/world.ts";
import { installAlarms } from "./run/alarms.ts";
import { clientOf } from "./run/client.ts";
import { deploy } from "./run/deploy.ts";
import { type Action, findAction, isConductor, putAction, qualified, Refusal } from "./run/entities.ts";
import type { Part, Place, Run } from "./run/place.ts";
import { type Activation, createPlatform, type Platform } from "./run/platform.ts";
import { type BoundFunction, carried, type Emitted, emittedIn, taken, triggersOf } from "./run/program.ts";
import { createRedis } from "./run/redis.ts";

/** Executes emitted programs on a platform in this process. The runs of one simulation meet on one platform. */
export function createExecutor(): Executor {
  const programs = new WeakMap<readonly OutputFile[], Emitted>();
  const sites = new WeakMap<object, Promise<Site>>();
  return {
    async run(files, request) {
      const program = programs.get(files) ?? emittedIn(files);
      programs.set(files, program);
      const { simulation } = request.world;
      const site = sites.get(simulation) ?? siteOf(program, request.world);
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

/** The runs of a program. */
interface Runs {
  /** Those that wait for an event to start them, in the order in which they began to. */
  readonly waiting: Run[];
  /** All that have begun, by the ids that conductors have for them, and for their subflows. */
  readonly byId: Map<string, Run>;
}

/** Calls a workflow, or waits until an event starts it. */
function run({ program, platform, runs }: Site, { workflow, input, world }: RunRequest): Promise<Outcome> {
  const { action, raw = false } = program.workflows[workflow]!;
  return new Promise((resolve, reject) => {
    const begun: Run = { world, left: 0, ended: (result) => resolve(outcomeOf(result, raw)), failed: reject };
    if (input === undefined) {
      runs.waiting.push(begun);
      return;
    }
    world.started();
    const params = raw && isObject(input) ? input : carried(input);
    platform.invoke(action, params, { world, position: [], part: { run: begun, isRoot: true } });
  });
}

/** How a run has ended, by what its last activation gives. */
function outcomeOf(result: JsonObject, raw: boolean): Outcome {
  const error = own(result, "error");
  if (error === undefined) return { status: "succeeded", output: raw ? result : taken(result) };
  if (!isObject(error))
    return { status: "failed", error: { name: raw ? "ApplicationError" : "Error", message: textOf(error) } };
  if (own(error, "code") !== undefined)
    return { status: "failed", error: { name: "Rejected", message: textOf(own(error, "error")), origin: "denied" } };
  const { name = "Error", message = "", data, origin } = error;
  const told = { name: textOf(name), message: textOf(message), ...(data !== undefined && { data }) };
  return { status: "failed", error: { ...told, ...(typeof origin === "string" && { origin: origin as "function" }) } };
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

/** Deploys a program. What no run does happens in the world of the first. */
async function siteOf(program: Emitted, world: World): Promise<Site> {
  const redis = createRedis(() => world.now());
  const nowhere: Place = { world, position: [] };
  const runs: Runs = { waiting: [], byId: new Map() };
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
    placeOf: (action, params, around) => placeOf(action, params, around, runs),
    recorded: (activation, place) => recorded(activation, place, runs),
    fault: (error, { part }) => {
      for (const each of part ? [part.run] : [...runs.byId.values(), ...runs.waiting]) each.failed(error);
    },
  });
  installAlarms(platform, { ticks: false });
  const given = { $store: { url: "redis://redis" }, $secrets: secretsOf(program, world) };
  await deploy(program.deployment, given, platform, nowhere);
  for (const [name, bound] of Object.entries(program.functions)) deployFunction(platform, name, bound);
  world.listen((event) => {
    for (const trigger of triggersOf(program, event)) platform.fire(trigger, event, nowhere);
  });
  return { program, platform, runs };
}

/** The texts of the secrets of a program, by id and key. */
function secretsOf({ secrets }: Emitted, world: World): JsonObject {
  const texts: { [id: string]: { [key: string]: string } } = {};
  for (const { id, key } of secrets) {
    const text = world.secret(id, key);
    if (text !== undefined) texts[id] = { ...texts[id], [key]: text };
  }
  return texts;
}

/** Deploys an action that asks the world what a function answers. It takes as long as the world says, but where the manifest has limits for it. */
function deployFunction({ entities }: Platform, name: string, bound: BoundFunction): void {
  const key = qualified(entities, name);
  if (key === undefined) return;
  const known = findAction(entities, key)?.action;
  const run = (params: JsonObject, place: Place) => answerOf(bound, params, place);
  putAction(entities, name, { exec: { kind: "native", run, isLimited: known !== undefined }, limits: known?.limits });
}

/** What an action answers that stands for a function of the world. */
async function answerOf({ function: name, raw }: BoundFunction, params: JsonObject, place: Place): Promise<Json> {
  try {
    const answer = await place.world.call(name, raw ? params : taken(params), place);
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

/** Takes an event that a workflow emits. */
function isEmitted({ name }: Action, event: JsonObject, { world }: Place): boolean {
  const emits = name.endsWith("/rt-call");
  if (emits) world.emit(event);
  return emits;
}

/** Where an activation takes place: that of a run which goes on in the middle where the run is, and any other where what calls it does. */
function placeOf(action: Action, params: JsonObject, around: Place, runs: Runs): Place | undefined {
  const sign = own(params, "$waybill");
  const { run: id, position } = (isObject(sign) ? sign : {}) as { readonly run?: string; readonly position?: number[] };
  const known = id === undefined ? undefined : runs.byId.get(id);
  if (known) {
    const isRoot = known.id === id && !position?.length;
    return { world: known.world, position: position ?? [], part: { run: known, isRoot } };
  }
  if (!isConductor(action)) return { ...around, position: position ?? around.position };
  if (!around.part) return startedBy(runs.waiting.shift());
  const { run, isRoot } = around.part;
  if (isRoot && run.id === undefined) return around;
  const part: Part = { run, isRoot: false };
  if (!around.isDetached) return { ...around, position: position ?? around.position, part };
  run.world.launch();
  run.left += 1;
  return { ...around, position: apart(around.position, run.left), part };
}

/** Where a run begins that an event starts, if there is one that waits for that. */
function startedBy(run: Run | undefined): Place | undefined {
  run?.world.started();
  return run && { world: run.world, position: [], part: { run, isRoot: true } };
}

/** Where the n-th subflow is that nobody waits for: behind what started it, and those before it. */
function apart(position: readonly number[], n: number): readonly number[] {
  const end = position.indexOf(Number.POSITIVE_INFINITY);
  return [...(end < 0 ? position : position.slice(0, end)), Number.POSITIVE_INFINITY, n];
}

/** Notes by which id a conductor knows a run, and how the run ends. */
function recorded({ role, response }: Activation, { part }: Place, runs: Runs): void {
  if (!part) return;
  const { run, isRoot } = part;
  const { result } = response;
  if (role === "conductor") {
    const id = runIn(result);
    if (id !== undefined) runs.byId.set(id, run);
    if (isRoot && id !== undefined) run.id ??= id;
  }
  if (role !== "composition" || !isRoot || !isObject(result)) return;
  const isSuspended = own(result, "status") === "suspended" && own(result, "run") === run.id && run.id !== undefined;
  if (!isSuspended) run.ended(result);
}

/** The id of the run of which a conductor keeps the state. */
function runIn(said: Json): string | undefined {
  const state = isObject(said) ? own(said, "state") : undefined;
  const resume = isObject(state) ? own(state, "$resume") : undefined;
  const id = isObject(resume) ? own(resume, "run") : undefined;
  return typeof id === "string" ? id : undefined;
}
