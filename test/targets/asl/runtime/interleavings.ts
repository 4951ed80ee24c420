import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { createHandlers } from "../../../../targets/asl/runtime/handlers.ts";
import type { Arrival, Definition, Run } from "../../../../targets/asl/runtime/model.ts";
import { type DynamoDB, type Item, openTable } from "../../../../targets/asl/runtime/table.ts";
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
      const free = await freeIn(table);
      const waiting = open().map((task) => ({ task, ...begun.get(task)! }));
      return [
        ...faultsOfEvents(events, used, free),
        ...(await faultsOfWaits(table, definition, waiting, free)),
        ...faultsOfStarts(definition, started, free, await leftIn(table)),
      ];
    },
  };
}

/** Identifies an explored state; there are millions. */
const digest = (state: Json): string =>
  createHash("sha256").update(JSON.stringify(state)).digest("base64").slice(0, 22);

const beginning = 1000;
const machine = "arn:aws:states:eu-west-1:1:stateMachine:w";

const idOf = ({ event }: Arrival): string => String(event["id"]);

/** Every event is used once or available to others; a started run without waits owns its start events. */
function faultsOfEvents(
  events: Setting["events"],
  used: readonly string[],
  free: readonly Arrival[],
): readonly string[] {
  const kept = free.map(idOf);
  const twice = used.filter((id, i) => used.indexOf(id) !== i || kept.includes(id));
  const lost = events.filter(({ id }) => !used.includes(id) && !kept.includes(id));
  return [
    ...twice.map((id) => `Event ${id} is used twice.`),
    ...kept.filter((id, i) => kept.indexOf(id) !== i).map((id) => `Event ${id} is there twice.`),
    ...lost.map(({ id }) => `Event ${id} is lost.`),
  ];
}

/** No task waits for an event that is available to it. */
async function faultsOfWaits(
  table: DynamoDB,
  { waits }: Definition,
  waiting: readonly (Begun & { readonly task: string })[],
  free: readonly Arrival[],
): Promise<readonly string[]> {
  const known = new Map<string, Run | undefined>();
  for (const { run } of waiting) known.set(run, await openTable(table, "events", "w").run(run));
  return waiting.flatMap(({ task, run, step }) => {
    const types = waits.get(step)!.alternatives.flatMap(({ all }) => all.flat().map(({ event }) => event));
    const after = known.get(run)?.after ?? -1;
    const own = free.filter((each) => (each.run === undefined ? each.order > after : each.run === run));
    const left = own.filter(({ event }) => types.includes(String(event["type"])));
    return left.map((each) => `Nobody has told ${task} of ${idOf(each)}.`);
  });
}

/** Events start the required runs once, and in time. */
function faultsOfStarts(
  { starts = [] }: Definition,
  started: readonly string[],
  free: readonly Arrival[],
  left: readonly string[],
): readonly string[] {
  const mine = free.filter(({ run }) => run !== undefined);
  const others = free.filter(({ run }) => run === undefined);
  const unstarted = starts.flatMap(({ on, complete, from = 0, until = Number.POSITIVE_INFINITY, gap }) => {
    const open = others.filter(({ at }) => from <= at && at < until);
    const shut = mine.filter(({ at }) => at < from || until <= at);
    const far = mine.filter((one) => mine.some(({ run, at }) => run === one.run && at - one.at > (gap ?? 1e9) * 1000));
    const ready = on.map(({ all }) =>
      all.map((group) => open.find(({ event }) => group.some((each) => each.event === event["type"]))),
    );
    const isReady = (found: readonly (Arrival | undefined)[]) =>
      complete && gap === undefined ? found.every(Boolean) : !complete && found.some(Boolean);
    return [
      ...ready.filter(isReady).map((found) => `No run begins with ${found.map((each) => each && idOf(each)).join()}.`),
      ...shut.map((each) => `A run begins with ${idOf(each)} at the wrong time.`),
      ...far.map((each) => `A run begins with ${idOf(each)}, which came too early.`),
    ];
  });
  return [
    ...unstarted,
    ...left.map((start) => `Nobody has started ${start}.`),
    ...mine.filter(({ run }) => !started.includes(run!)).map((each) => `${idOf(each)} is for a run that is none.`),
  ];
}

/** The unused events in the table. */
const freeIn = async (table: DynamoDB): Promise<readonly Arrival[]> =>
  (await itemsIn(table, "event#")).map(({ body }) => JSON.parse(body!.S!) as Arrival);

/** The runs that remain to be started. */
const leftIn = async (table: DynamoDB): Promise<readonly string[]> =>
  (await itemsIn(table, "start#")).map(({ sk }) => sk!.S!);

async function itemsIn(table: DynamoDB, kind: string): Promise<readonly Item[]> {
  const partition = { KeyConditionExpression: "pk = :space", ExpressionAttributeValues: { ":space": { S: "w" } } };
  const request = { TableName: "events", ...partition };
  const { Items = [] } = await table.query(request);
  return Items.filter(({ sk }) => sk!.S!.startsWith(kind));
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
