import { createHash } from "node:crypto";
import { createContext, runInContext } from "node:vm";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { machineVariable } from "../event-groups.ts";
import type { DynamoDB } from "../runtime/table.ts";
import type { StepFunctions } from "../runtime/tasks.ts";
import { StateError, type TaskRequest } from "./environment.ts";
import { createEventsTable, namedError } from "./events-table.ts";

/** The generated event functions of a workflow. */
export interface EventFunctionFiles {
  readonly workflow: string;
  /** The workflow that ingests the events, if it is another. */
  readonly leader?: string | undefined;
  readonly starts: readonly string[];
  readonly resource: string;
  readonly text: string;
  readonly runtime: string;
}

/** EventBridge, the table and the event functions of a program, shared by all runs of a simulation. */
export interface EventServices {
  /** Subscribes a new run to events. `start` is set if events are to start it. */
  join(environment: SimulatedEnvironment, start?: PendingRun): EventSubscription;
}

/** A run that waits for events to start it. */
interface PendingRun {
  readonly workflow: string;
  /** Receives the name and input of its execution. */
  onStart(execution: { readonly name: string; readonly input: Json }): void;
}

/** The events of one run. */
export interface EventSubscription {
  isWait(request: TaskRequest): boolean;
  /** Calls `wait` for a state. With a task token, resolves when the task completes. */
  wait(workflow: string, request: TaskRequest): Promise<Json>;
  unsubscribe(): void;
}

/** Creates event services without events. */
export function createEventServices(files: readonly EventFunctionFiles[], now: () => number): EventServices {
  const tasks = createTaskRegistry();
  const starting: PendingRun[] = [];
  const enqueue = createQueue();
  const dynamodb = createEventsTable();
  const functions = new Map(
    files.map((each) => [each.workflow, functionLoader(each, { now, dynamodb, tasks, pendingRuns: starting })]),
  );
  const leading = files.filter(({ leader }) => leader === undefined);
  const ingest = (event: JsonObject): void => {
    const id = tasks.register(event);
    const given = id === undefined ? undefined : eventBridgeEvent(id, event, now());
    if (given) for (const { workflow } of leading) void enqueue(() => functions.get(workflow)!().ingest(given));
  };
  const resources = new Set(files.map(({ resource }) => resource));
  return {
    join(environment, start) {
      if (start)
        starting.push({ ...start, onStart: (execution) => start.onStart(tasks.claimInput(execution, environment)) });
      const unsubscribe = environment.listen(ingest);
      return {
        isWait: ({ arguments: given }) => resources.has(String((given as JsonObject | null)?.["FunctionName"])),
        async wait(workflow, { arguments: given, signal, position }) {
          const payload = (given as JsonObject)["Payload"] as JsonObject;
          const call = (): Promise<Json> => functions.get(workflow)!().wait(payload);
          if (payload["task"] === undefined) return { Payload: await enqueue(call), StatusCode: 200 };
          const callAndWait = async (): Promise<Json> => {
            const done = tasks.open(String(payload["task"]), environment, signal);
            done.catch(() => undefined);
            await enqueue(call);
            return done;
          };
          const result = await callAndWait();
          if (!endedAtOnce(result)) return result;
          await environment.sleep(0, signal, position);
          return callAndWait();
        },
        unsubscribe,
      };
    },
  };
}

/** Whether a wait ended at once. It must still be processed after everything else of that instant. */
const endedAtOnce = (result: Json): boolean =>
  ((result as JsonObject)["received"] as JsonObject)["alternative"] === null;

function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

const eventBridgeEvent = (id: string, event: JsonObject, now: number): JsonObject => ({
  id,
  source: event["source"] ?? "",
  "detail-type": event["type"] ?? "",
  time: new Date(now).toISOString(),
  detail: event,
});

type TaskRegistry = ReturnType<typeof createTaskRegistry>;

function createTaskRegistry() {
  const openTasks = new Map<string, { resolve(answer: JsonObject): void; reject(error: StateError): void }>();
  const arrived = new Map<JsonObject, string>();
  const close = (token: string) => {
    const task = openTasks.get(token);
    if (!task) throw namedError("TaskTimedOut");
    openTasks.delete(token);
    return task;
  };
  const client: Omit<StepFunctions, "startExecution"> = {
    async sendTaskSuccess({ taskToken, output }) {
      close(taskToken).resolve(JSON.parse(output) as JsonObject);
    },
    async sendTaskFailure({ taskToken, error, cause }) {
      close(taskToken).reject(new StateError(error, cause));
    },
    getExecutionHistory: async () => ({ events: [] }),
  };
  return {
    client,
    /** Registers an event; returns its id, or undefined if it is known. */
    register(event: JsonObject): string | undefined {
      if (arrived.has(event)) return undefined;
      arrived.set(event, `event-${arrived.size}`);
      return arrived.get(event);
    },
    /** Claims the events in the input of a started execution. */
    claimInput<Execution extends { readonly input: Json }>(
      execution: Execution,
      environment: SimulatedEnvironment,
    ): Execution {
      for (const event of consumedEvents(execution.input as JsonObject, arrived.keys())) environment.claim(event);
      return execution;
    },
    open: (token: string, environment: SimulatedEnvironment, signal: AbortSignal): Promise<Json> =>
      new Promise((resolve, reject) => {
        const complete = (answer: JsonObject): void => {
          for (const event of consumedEvents(answer, arrived.keys())) environment.claim(event);
          resolve(answer);
        };
        openTasks.set(token, { resolve: complete, reject });
        signal.addEventListener("abort", () => {
          openTasks.delete(token);
          reject(signal.reason as Error);
        });
      }),
  };
}

function consumedEvents({ received }: JsonObject, arrived: Iterable<JsonObject>): readonly JsonObject[] {
  if (received === undefined) return [];
  const { events } = received as unknown as { readonly events: readonly { readonly event: JsonObject }[] };
  const texts = new Set(events.map(({ event }) => JSON.stringify(event)));
  return [...arrived].filter((event) => texts.has(JSON.stringify(event)));
}

interface EventFunctions {
  wait(payload: Json): Promise<Json>;
  ingest(event: Json): Promise<Json>;
}

interface EventFunctionContext {
  readonly now: () => number;
  readonly dynamodb: DynamoDB;
  readonly tasks: TaskRegistry;
  readonly pendingRuns: PendingRun[];
}

/** Loads the functions of a workflow for the set of machines that events can currently start. */
function functionLoader(files: EventFunctionFiles, surroundings: EventFunctionContext): () => EventFunctions {
  const { tasks, pendingRuns: starting } = surroundings;
  const stepFunctions: StepFunctions = {
    ...tasks.client,
    async startExecution({ stateMachineArn, name, input }) {
      const at = starting.findIndex(({ workflow }) => stateMachineArn === machineOf(workflow));
      const [next] = starting.splice(at, 1);
      next!.onStart({ name, input: JSON.parse(input) as Json });
    },
  };
  const loaded = new Map<string, EventFunctions>();
  return () => {
    const machines = files.starts.map((id) => starting.some(({ workflow }) => workflow === id) && machineOf(id));
    const key = JSON.stringify(machines);
    const known = loaded.get(key) ?? loadFunctions(files, machines, { ...surroundings, stepFunctions });
    loaded.set(key, known);
    return known;
  };
}

const machineOf = (workflow: string): string => `arn:aws:states:::stateMachine:${workflow}`;

/**
 * Evaluates the generated functions in a sandbox with only the clients that they import. `machines`: those that events
 * can start.
 */
function loadFunctions(
  { text, runtime }: EventFunctionFiles,
  machines: readonly (string | false)[],
  { now, dynamodb, stepFunctions }: EventFunctionContext & { readonly stepFunctions: StepFunctions },
): EventFunctions {
  const arns = machines.flatMap((machine, i) => (machine === false ? [] : [[machineVariable(i), machine]]));
  const context = createContext({
    modules: {
      "node:crypto": { createHash },
      "@aws-sdk/client-dynamodb": { DynamoDB: clientClass(dynamodb) },
      "@aws-sdk/client-sfn": { SFN: clientClass(stepFunctions) },
    },
    process: { env: { EVENTS_TABLE: "events", ...Object.fromEntries(arns) } },
    Date: class extends Date {
      static override now = now;
    },
    setTimeout: (go: () => void) => queueMicrotask(go),
  });
  runInContext(`modules["./runtime/events.mjs"] = (() => {${asScript(runtime)}})();`, context);
  return runInContext(`(() => {${asScript(text)}})()`, context) as EventFunctions;
}

/** A class whose instances all delegate to one client. */
const clientClass = (client: object): (new () => object) =>
  class {
    constructor() {
      Object.assign(this, client);
    }
  };

const asScript = (text: string): string =>
  text
    .replace(/^import \{ ([\w, ]+) \} from (".+");$/gm, "const { $1 } = modules[$2];")
    .replace(/^export \{ ([\w, ]+) \};$/m, "return { $1 };");
