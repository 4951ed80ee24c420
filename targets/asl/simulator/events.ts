import { createHash } from "node:crypto";
import { createContext, runInContext } from "node:vm";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { machineVariable } from "../event-groups.ts";
import type { DynamoDB } from "../runtime/table.ts";
import type { StepFunctions } from "../runtime/tasks.ts";
import { StateError, type TaskRequest } from "./environment.ts";
import { createTable, named } from "./events-table.ts";

/** The functions of a workflow that receives events, as they were emitted. */
export interface ReceivingFiles {
  readonly workflow: string;
  /** The workflow whose function is given the events, where that is another. */
  readonly leader?: string | undefined;
  /** The workflows that events start, by whom it takes events from. */
  readonly starts: readonly string[];
  /** What the machine calls `wait` by. */
  readonly resource: string;
  readonly text: string;
  /** The module that it imports. */
  readonly runtime: string;
}

/** EventBridge, a table, and the functions of the workflows of a program that receive events: one for all runs that are in one world. */
export interface Rendezvous {
  /** A run comes into being; it hears the events of its world until it is left. `start`: hears of the execution that events start for it. */
  join(environment: SimulatedEnvironment, start?: Awaited): Receiving;
}

/** A run that events are to start. */
interface Awaited {
  readonly workflow: string;
  /** The name and the input of its execution. */
  hear(execution: { readonly name: string; readonly input: Json }): void;
}

/** How one run receives events. */
export interface Receiving {
  /** Whether a Task asks `wait`. */
  isWait(request: TaskRequest): boolean;
  /** A state asks `wait`; with the token of its task it goes on when the task is told. */
  wait(workflow: string, request: TaskRequest): Promise<Json>;
  /** Stops hearing events. */
  leave(): void;
}

/** Nothing has come yet. */
export function createRendezvous(files: readonly ReceivingFiles[], now: () => number): Rendezvous {
  const tasks = createTasks();
  const starting: Awaited[] = [];
  const inTurn = createQueue();
  const dynamodb = createTable();
  const functions = new Map(
    files.map((each) => [each.workflow, functionsFor(each, { now, dynamodb, tasks, starting })]),
  );
  const leading = files.filter(({ leader }) => leader === undefined);
  const ingest = (event: JsonObject): void => {
    const id = tasks.heard(event);
    const given = id === undefined ? undefined : delivered(id, event, now());
    if (given) for (const { workflow } of leading) void inTurn(() => functions.get(workflow)!().ingest(given));
  };
  const resources = new Set(files.map(({ resource }) => resource));
  return {
    join(environment, start) {
      if (start) starting.push({ ...start, hear: (execution) => start.hear(tasks.begun(execution, environment)) });
      const leave = environment.listen(ingest);
      return {
        isWait: ({ arguments: given }) => resources.has(String((given as JsonObject | null)?.["FunctionName"])),
        async wait(workflow, { arguments: given, signal, position }) {
          const payload = (given as JsonObject)["Payload"] as JsonObject;
          const call = (): Promise<Json> => functions.get(workflow)!().wait(payload);
          if (payload["task"] === undefined) return { Payload: await inTurn(call), StatusCode: 200 };
          const answered = async (): Promise<Json> => {
            const done = tasks.begin(String(payload["task"]), environment, signal);
            done.catch(() => undefined);
            await inTurn(call);
            return done;
          };
          const answer = await answered();
          if (!isNothing(answer)) return answer;
          await environment.sleep(0, signal, position);
          return answered();
        },
        leave,
      };
    },
  };
}

/** Whether a wait was over at once: it is so behind all that comes and is answered at its instant. */
const isNothing = (answer: Json): boolean => ((answer as JsonObject)["received"] as JsonObject)["alternative"] === null;

/** Does one thing after the other, in the order in which they are asked for. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** An event as EventBridge delivers it. */
const delivered = (id: string, event: JsonObject, now: number): JsonObject => ({
  id,
  source: event["source"] ?? "",
  "detail-type": event["type"] ?? "",
  time: new Date(now).toISOString(),
  detail: event,
});

type Tasks = ReturnType<typeof createTasks>;

/** The tasks that wait to be told, by their tokens, and the events that have come. */
function createTasks() {
  const open = new Map<string, { resolve(answer: JsonObject): void; reject(error: StateError): void }>();
  const arrived = new Map<JsonObject, string>();
  const taken = (token: string) => {
    const task = open.get(token);
    if (!task) throw named("TaskTimedOut");
    open.delete(token);
    return task;
  };
  const client: Omit<StepFunctions, "startExecution"> = {
    async sendTaskSuccess({ taskToken, output }) {
      taken(taskToken).resolve(JSON.parse(output) as JsonObject);
    },
    async sendTaskFailure({ taskToken, error, cause }) {
      taken(taskToken).reject(new StateError(error, cause));
    },
    getExecutionHistory: async () => ({ events: [] }),
  };
  return {
    client,
    /** The id of an event that nobody has heard of yet. */
    heard(event: JsonObject): string | undefined {
      if (arrived.has(event)) return undefined;
      arrived.set(event, `event-${arrived.size}`);
      return arrived.get(event);
    },
    /** An execution that is started; what it is given, its run has used. */
    begun<Execution extends { readonly input: Json }>(
      execution: Execution,
      environment: SimulatedEnvironment,
    ): Execution {
      for (const event of usedIn(execution.input as JsonObject, arrived.keys())) environment.claim(event);
      return execution;
    },
    begin: (token: string, environment: SimulatedEnvironment, signal: AbortSignal): Promise<Json> =>
      new Promise((resolve, reject) => {
        const told = (answer: JsonObject): void => {
          for (const event of usedIn(answer, arrived.keys())) environment.claim(event);
          resolve(answer);
        };
        open.set(token, { resolve: told, reject });
        signal.addEventListener("abort", () => {
          open.delete(token);
          reject(signal.reason as Error);
        });
      }),
  };
}

/** The events, as they came, that a wait has used, or an execution has been started with. */
function usedIn({ received }: JsonObject, arrived: Iterable<JsonObject>): readonly JsonObject[] {
  if (received === undefined) return [];
  const { events } = received as unknown as { readonly events: readonly { readonly event: JsonObject }[] };
  const texts = new Set(events.map(({ event }) => JSON.stringify(event)));
  return [...arrived].filter((event) => texts.has(JSON.stringify(event)));
}

interface Functions {
  wait(payload: Json): Promise<Json>;
  ingest(event: Json): Promise<Json>;
}

interface Surroundings {
  readonly now: () => number;
  readonly dynamodb: DynamoDB;
  readonly tasks: Tasks;
  /** The runs that events are to start, the next first; shrinks. */
  readonly starting: Awaited[];
}

/** The functions of a workflow, where there are runs that events are to start, and where there are none. */
function functionsFor(files: ReceivingFiles, surroundings: Surroundings): () => Functions {
  const { tasks, starting } = surroundings;
  const stepFunctions: StepFunctions = {
    ...tasks.client,
    async startExecution({ stateMachineArn, name, input }) {
      const at = starting.findIndex(({ workflow }) => stateMachineArn === machineOf(workflow));
      const [next] = starting.splice(at, 1);
      next!.hear({ name, input: JSON.parse(input) as Json });
    },
  };
  const loaded = new Map<string, Functions>();
  return () => {
    const machines = files.starts.map((id) => starting.some(({ workflow }) => workflow === id) && machineOf(id));
    const key = JSON.stringify(machines);
    const known = loaded.get(key) ?? loadedFrom(files, machines, { ...surroundings, stepFunctions });
    loaded.set(key, known);
    return known;
  };
}

const machineOf = (workflow: string): string => `arn:aws:states:::stateMachine:${workflow}`;

/** The functions as they were emitted, in a world of their own that has the clients that they import, and nothing else. `machines`: those that events start now. */
function loadedFrom(
  { text, runtime }: ReceivingFiles,
  machines: readonly (string | false)[],
  { now, dynamodb, stepFunctions }: Surroundings & { readonly stepFunctions: StepFunctions },
): Functions {
  const arns = machines.flatMap((machine, i) => (machine === false ? [] : [[machineVariable(i), machine]]));
  const context = createContext({
    modules: {
      "node:crypto": { createHash },
      "@aws-sdk/client-dynamodb": { DynamoDB: clientOf(dynamodb) },
      "@aws-sdk/client-sfn": { SFN: clientOf(stepFunctions) },
    },
    process: { env: { EVENTS_TABLE: "events", ...Object.fromEntries(arns) } },
    Date: class extends Date {
      static override now = now;
    },
    setTimeout: (go: () => void) => queueMicrotask(go),
  });
  runInContext(`modules["./runtime/events.mjs"] = (() => {${asScript(runtime)}})();`, context);
  return runInContext(`(() => {${asScript(text)}})()`, context) as Functions;
}

/** A class of clients that all are one. */
const clientOf = (client: object): (new () => object) =>
  class {
    constructor() {
      Object.assign(this, client);
    }
  };

/** A module as the body of a function that gives what the module exports. */
const asScript = (text: string): string =>
  text
    .replace(/^import \{ ([\w, ]+) \} from (".+");$/gm, "const { $1 } = modules[$2];")
    .replace(/^export \{ ([\w, ]+) \};$/m, "return { $1 };");
