import { createHash } from "node:crypto";
import type { Partition, RunRecord, StoredEvent } from "../../../../src/events/partition.ts";
import { commonPartition } from "../../../../src/events/routing.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { type Definition, rulesOf, type StartDefinition } from "../../../../targets/asl/runtime/definition.ts";
import { createHandlers } from "../../../../targets/asl/runtime/handlers.ts";
import { type DynamoDB, type EventTable, openTable } from "../../../../targets/asl/runtime/table.ts";
import type { StepFunctions } from "../../../../targets/asl/runtime/tasks.ts";
import { createDynamoDB, serviceError } from "../../../../targets/asl/simulator/dynamodb/index.ts";

/** Concurrent waits and events (by id), and the number of failures to inject. */
export interface Setting {
  readonly definition: Definition;
  /** The step, and the index of its iteration. Each is the wait of a separate task. */
  readonly waits: readonly { readonly step: string; readonly index: number }[];
  readonly events: readonly { readonly id: string; readonly type: string }[];
  /** How many functions may crash at any point; they are called again. */
  readonly crashes: number;
  /** How many tasks may end early: by timeout, or because their branch lost. */
  readonly ends: number;
  /**
   * The first step of runs that events start, unless they start behind their first wait. Without it, runs end at once.
   */
  readonly first?: string;
  /** How often time passes, and how many milliseconds each time. */
  readonly pauses?: { readonly count: number; readonly each: number };
}

/** The number of states, and the faults of the final ones. */
export interface Explored {
  readonly states: number;
  readonly ends: number;
  readonly faults: ReadonlySet<string>;
}

/**
 * Explores all interleavings of the requests that functions make to the table and to Step Functions, one request per
 * step. A state with a known table and known responses is not explored again.
 */
export async function explore(setting: Setting): Promise<Explored> {
  const seen = new Set<string>();
  const faults = new Set<string>();
  const paths: (readonly number[])[] = [[]];
  let ends = 0;
  for (let path = paths.pop(); path; path = paths.pop()) {
    const scene = beginScene(setting);
    const done: number[] = [];
    for (;;) {
      await quiet();
      const choices = scene.choices();
      if (done.length >= path.length) {
        const state = scene.fingerprint();
        if (seen.has(state)) break;
        seen.add(state);
        for (let i = 1; i < choices.length; i++) paths.push([...done, i]);
        if (scene.isOver()) {
          ends += 1;
          for (const fault of await scene.faults()) faults.add(fault);
        }
      }
      if (choices.length === 0) break;
      const choice = path[done.length] ?? 0;
      choices[choice]!();
      done.push(choice);
    }
  }
  return { states: seen.size, ends, faults };
}

const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A running function: the responses so far, and its pending request. */
interface Actor {
  readonly name: string;
  /** Calls the function again after a crash. */
  readonly again: () => void;
  readonly task: string | undefined;
  answers: string;
  pending: (() => void) | undefined;
  isOver: boolean;
}

/** The wait of a task. */
interface Begun {
  readonly run: string;
  readonly step: string;
}

function beginScene({ definition, waits, events, crashes, ends, first, pauses = { count: 0, each: 0 } }: Setting) {
  const table = createDynamoDB({ clock: { now: () => now, sleep: async () => {} } });
  const told = new Map<string, { readonly output: string; readonly ids: readonly string[] }>();
  const gone = new Set<string>();
  const begun = new Map<string, Begun>();
  const started: string[] = [];
  const actors: Actor[] = [];
  let [crashed, ended, passed, now] = [0, 0, 0, beginning];
  const tell = (task: string, output: string): void => {
    if (told.has(task) || gone.has(task)) throw serviceError("TaskTimedOut");
    const { received } = JSON.parse(output) as { received: { events: { event: JsonObject }[] } };
    told.set(task, { output, ids: received.events.map(({ event }) => String(event["id"])) });
  };
  const stepFunctions: StepFunctions = {
    sendTaskSuccess: async ({ taskToken, output }) => tell(taskToken, output),
    sendTaskFailure: async () => {
      throw new Error("No wait of these fails.");
    },
    startExecution: async ({ stateMachineArn, name, input }) => {
      const run = `${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`;
      if (started.includes(run)) throw serviceError("ExecutionAlreadyExists");
      started.push(run);
      if (input !== "{}") tell(run, input);
      else if (first !== undefined) wait({ run, step: first, index: 0, since: now }, 1);
    },
    getExecutionHistory: async () => ({
      events: [...told.values()].map(({ output }) => ({ taskSucceededEventDetails: { output } })),
    }),
  };
  const begin = (
    name: string,
    task: string | undefined,
    call: (handlers: ReturnType<typeof createHandlers>) => Promise<Json>,
    again: () => void,
  ): void => {
    const actor: Actor = { name, task, again, answers: "", pending: undefined, isOver: false };
    actors.push(actor);
    const handlers = createHandlers(definition, {
      dynamodb: stepwise(table, actor) as DynamoDB,
      stepFunctions: stepwise(stepFunctions, actor) as StepFunctions,
      table: "events",
      machines: { W: machine },
      starts: true,
      now: () => now,
      pause: async () => {},
    });
    void call(handlers).then(() => {
      actor.isOver = true;
    });
  };
  const wait = (of: Begun & { readonly index: number; readonly since: number }, attempt: number): void => {
    const { run, step, index, since } = of;
    const task = `${run} ${step} ${index}, attempt ${attempt}`;
    begun.set(task, { run, step });
    const started = new Date(since).toISOString();
    const asked = { step, run, started, position: [index], variables: {}, correlation: null, task };
    begin(
      task,
      task,
      (handlers) => handlers.wait(asked),
      () => {
        gone.add(task);
        if (!told.has(task)) wait(of, attempt + 1);
      },
    );
  };
  const event = (type: string, id: string): void => {
    const detail = { specversion: "1.0", type, source: "/s", id };
    const delivered = { id, source: "/s", "detail-type": type, time: "", detail };
    begin(
      id,
      undefined,
      (handlers) => handlers.ingest(delivered),
      () => event(type, id),
    );
  };
  for (const each of waits) wait({ ...each, run: "r", since: beginning }, 1);
  for (const { type, id } of events) event(type, id);
  const running = (): readonly Actor[] => actors.filter(({ isOver }) => !isOver);
  const open = (): readonly string[] => [...begun.keys()].filter((task) => !told.has(task) && !gone.has(task));
  return {
    choices: (): readonly (() => void)[] => [
      ...running().flatMap(({ pending }) => pending ?? []),
      ...(crashed < crashes ? running() : []).map((actor) => () => {
        crashed += 1;
        actor.isOver = true;
        actor.again();
      }),
      ...(ended < ends ? open() : []).map((task) => () => {
        ended += 1;
        gone.add(task);
      }),
      ...(passed < pauses.count
        ? [
            () => {
              passed += 1;
              now += pauses.each;
            },
          ]
        : []),
    ],
    isOver: () => running().length === 0,
    fingerprint: () =>
      digest([
        [...told],
        [...gone],
        started,
        crashed,
        ended,
        passed,
        actors.map(({ name, answers, isOver }) => [name, answers, isOver]),
      ]),
    faults: async (): Promise<readonly string[]> => {
      const used = [...told.values()].flatMap(({ ids }) => ids);
      const stored = openEvents(table as DynamoDB, definition);
      const { partition } = await stored.read(commonPartition, now);
      const waiting = open().map((task) => ({ task, ...begun.get(task)! }));
      const runs = new Map<string, RunRecord | undefined>();
      for (const { run } of waiting) runs.set(run, await stored.readRun(run, commonPartition));
      return [
        ...faultsOfEvents(events, used, partition.events),
        ...faultsOfWaits(definition, waiting, partition.events, runs),
        ...faultsOfStarts(definition, started, partition),
        ...(partition.isUnsettled ? ["The partition is not settled."] : []),
      ];
    },
  };
}

/** Identifies an explored state; there are millions. */
const digest = (state: Json): string =>
  createHash("sha256").update(JSON.stringify(state)).digest("base64").slice(0, 22);

const beginning = 1000;
const machine = "arn:aws:states:eu-west-1:1:stateMachine:w";

const idOf = ({ event }: StoredEvent): string => String(event["id"]);

const openEvents = (table: DynamoDB, definition: Definition): EventTable =>
  openTable(table, "events", definition.group, { rules: rulesOf(definition, () => undefined), kept: 1e9 });

/** Every event is used once or available to others; a started run without waits owns its start events. */
function faultsOfEvents(
  events: Setting["events"],
  used: readonly string[],
  stored: readonly StoredEvent[],
): readonly string[] {
  const kept = stored.filter(({ users }) => !users).map(idOf);
  const held = stored.filter(({ users }) => users).map(idOf);
  const twice = used.filter((id, i) => used.indexOf(id) !== i || kept.includes(id));
  const lost = events.filter(({ id }) => ![...used, ...kept, ...held].includes(id));
  return [
    ...twice.map((id) => `Event ${id} is used twice.`),
    ...kept.filter((id, i) => kept.indexOf(id) !== i).map((id) => `Event ${id} is there twice.`),
    ...held.filter((id) => !used.includes(id)).map((id) => `Event ${id} is held by a wait that has not received it.`),
    ...lost.map(({ id }) => `Event ${id} is lost.`),
  ];
}

/** No task waits for an event that is available to it. */
function faultsOfWaits(
  { workflows }: Definition,
  waiting: readonly (Begun & { readonly task: string })[],
  stored: readonly StoredEvent[],
  known: ReadonlyMap<string, RunRecord | undefined>,
): readonly string[] {
  return waiting.flatMap(({ task, run, step }) => {
    const wait = workflows[0]!.waits.find((each) => each.step === step)!;
    const types = wait.alternatives.flatMap(({ all }) => all.flat().map(({ event }) => event));
    const after = known.get(run)?.after ?? 0;
    const own = stored.filter(({ runs, isFree, order }) => runs?.includes(run) || (isFree && order > after));
    const left = own.filter(({ event }) => types.includes(String(event["type"])));
    return left.map((each) => `${task} has not received ${idOf(each)}.`);
  });
}

/** Events start the required runs once, and in time. */
function faultsOfStarts(
  { workflows }: Definition,
  started: readonly string[],
  { events: stored, runs, waits }: Partition,
): readonly string[] {
  const { start } = workflows[0]!;
  const owned = stored.filter((event) => event.runs);
  const unstarted = [
    ...Object.entries(runs).flatMap(([run, record]) => (record.start ? run : [])),
    ...waits.flatMap(({ run, data }) => (JSON.stringify(data).includes("starts") ? run : [])),
  ];
  return [
    ...(start ? faultsOfStart(start, stored) : []),
    ...unstarted.map((run) => `No function has started ${run}.`),
    ...owned.flatMap((event) => event.runs!.flatMap((run) => (started.includes(run) ? [] : `${run} does not exist.`))),
  ];
}

function faultsOfStart(
  { on, complete, from = 0, until = Infinity, gap }: StartDefinition,
  stored: readonly StoredEvent[],
): readonly string[] {
  const owned = stored.filter((event) => event.runs);
  const open = stored.filter(({ isFree, at }) => isFree && from <= at && at < until);
  const late = owned.filter(({ at }) => at < from || until <= at);
  const isFar = (one: StoredEvent, other: StoredEvent) =>
    one.runs!.some((run) => other.runs!.includes(run)) && other.at - one.at > (gap ?? 1e9) * 1000;
  const far = owned.filter((one) => owned.some((other) => isFar(other, one)));
  const ready = on.map(({ all }) =>
    all.map((group) => open.find(({ event }) => group.some((each) => each.event === event["type"]))),
  );
  const isReady = (found: readonly (StoredEvent | undefined)[]) =>
    complete && gap === undefined ? found.every(Boolean) : !complete && found.some(Boolean);
  return [
    ...ready.filter(isReady).map((found) => `No run begins with ${found.map((each) => each && idOf(each)).join()}.`),
    ...late.map((each) => `A run begins with ${idOf(each)} at the wrong time.`),
    ...far.map((each) => `A run begins with ${idOf(each)}, which came too early.`),
  ];
}

/** A client whose requests wait for their turn; a crashed actor makes no further requests. */
function stepwise(client: object, actor: Actor): object {
  const calls = Object.entries(client as { [name: string]: (request: never) => Promise<unknown> });
  return Object.fromEntries(
    calls.map(([name, call]) => [
      name,
      (request: never) =>
        new Promise((resolve, reject) => {
          actor.pending = () => {
            actor.pending = undefined;
            call(request).then(
              (answer) => {
                actor.answers += JSON.stringify([name, answer]);
                resolve(answer);
              },
              (error: Error) => {
                actor.answers += error.name;
                reject(error);
              },
            );
          };
        }),
    ]),
  );
}
