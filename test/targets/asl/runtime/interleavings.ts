import type { Json, JsonObject } from "../../../../src/json.ts";
import { createTable, named } from "../../../../targets/asl/run/table.ts";
import { createHandlers } from "../../../../targets/asl/runtime/index.ts";
import type { Definition } from "../../../../targets/asl/runtime/model.ts";
import type { DynamoDB } from "../../../../targets/asl/runtime/table.ts";
import type { StepFunctions } from "../../../../targets/asl/runtime/tasks.ts";

/** What goes on at once: waits, by the indexes of their iterations, events by their ids, and how often something goes wrong. */
export interface Setting {
  readonly definition: Definition;
  /** The step, and the index of its iteration; each is the wait of a task of its own. */
  readonly waits: readonly { readonly step: string; readonly index: number }[];
  readonly events: readonly { readonly id: string; readonly type: string }[];
  /** How many functions may break off, wherever they are; they are called again then. */
  readonly crashes: number;
  /** How many tasks may end by themselves: they time out, or their branch has lost. */
  readonly ends: number;
}

/** What was found: how many states there are, and what is wrong in those where nothing is left to happen. */
export interface Explored {
  readonly states: number;
  readonly ends: number;
  readonly faults: ReadonlySet<string>;
}

/**
 * Goes through all interleavings of the calls that functions make to the table and to Step Functions, each call one step. A state that was seen before, with
 * the same table and the same answers given to each function so far, is not gone through again.
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

/** A function that is running: what it has been answered so far, and the call that it waits for. */
interface Actor {
  readonly name: string;
  /** Calls the function again after it has broken off. */
  readonly again: () => void;
  readonly task: string | undefined;
  answers: string;
  pending: (() => void) | undefined;
  isOver: boolean;
}

function beginScene({ definition, waits, events, crashes, ends }: Setting) {
  const table = createTable();
  const told = new Map<string, { readonly output: string; readonly ids: readonly string[] }>();
  const gone = new Set<string>();
  const begun = new Set<string>();
  const actors: Actor[] = [];
  let [crashed, ended] = [0, 0];
  const tell = (task: string, output: string): void => {
    if (told.has(task) || gone.has(task)) throw named("TaskTimedOut");
    const { received } = JSON.parse(output) as { received: { events: { event: JsonObject }[] } };
    told.set(task, { output, ids: received.events.map(({ event }) => String(event["id"])) });
  };
  const stepFunctions: StepFunctions = {
    sendTaskSuccess: async ({ taskToken, output }) => tell(taskToken, output),
    sendTaskFailure: async () => {
      throw new Error("No wait of these fails.");
    },
    startExecution: async () => {
      throw new Error("No event starts a run.");
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
      machines: {},
      starts: false,
      now: () => 1000,
      pause: async () => {},
    });
    void call(handlers).then(() => {
      actor.isOver = true;
    });
  };
  const wait = (step: string, index: number, attempt: number): void => {
    const task = `${step} ${index}, attempt ${attempt}`;
    begun.add(task);
    const started = new Date(1000).toISOString();
    const asked = { step, run: "r", started, position: [index], variables: {}, correlation: null, task };
    begin(
      task,
      task,
      (handlers) => handlers.wait(asked),
      () => {
        gone.add(task);
        if (!told.has(task)) wait(step, index, attempt + 1);
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
  for (const { step, index } of waits) wait(step, index, 1);
  for (const { type, id } of events) event(type, id);
  const running = (): readonly Actor[] => actors.filter(({ isOver }) => !isOver);
  const open = (): readonly string[] => [...begun].filter((task) => !told.has(task) && !gone.has(task));
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
    ],
    isOver: () => running().length === 0,
    fingerprint: () =>
      JSON.stringify([
        [...told],
        [...gone],
        crashed,
        ended,
        actors.map(({ name, answers, isOver }) => [name, answers, isOver]),
      ]),
    faults: async (): Promise<readonly string[]> => {
      const used = [...told.values()].flatMap(({ ids }) => ids);
      const free = await freeIn(table);
      const twice = used.filter((id, i) => used.indexOf(id) !== i || free.includes(id));
      const lost = events.filter(({ id }) => !used.includes(id) && !free.includes(id));
      const waiting = free.length > 0 ? open() : [];
      return [
        ...twice.map((id) => `Event ${id} is used twice.`),
        ...lost.map(({ id }) => `Event ${id} is lost.`),
        ...waiting.map((task) => `Nobody has told ${task} of ${free.join()}.`),
      ];
    },
  };
}

/** The ids of the events in the table that nobody has used. */
async function freeIn(table: DynamoDB): Promise<readonly string[]> {
  const request = { KeyConditionExpression: "pk = :space", ExpressionAttributeValues: { ":space": { S: "w" } } };
  const { Items = [] } = await table.query(request);
  const bodies = Items.filter(({ sk }) => sk!.S!.startsWith("event#")).map(({ body }) => JSON.parse(body!.S!));
  return bodies.map(({ event }: { event: { id: string } }) => event.id);
}

/** The same calls, each of which is made when it is its turn; what breaks off makes none any more. */
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
