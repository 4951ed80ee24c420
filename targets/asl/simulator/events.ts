import { createHash } from "node:crypto";
import { createContext, runInContext } from "node:vm";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { machineVariable } from "../event-groups.ts";
import { createDynamoDB, type ServiceClock, type SimulatedDynamoDB } from "./dynamodb/index.ts";
import { StateError, type TaskRequest } from "./environment.ts";
import { createStepFunctions, type SimulatedStepFunctions, type TaskResult } from "./step-functions.ts";

/** The generated event functions of a workflow. */
export interface EventFunctionFiles {
  readonly workflow: string;
  /** The workflow that ingests the events, if it is another. */
  readonly leader?: string | undefined;
  readonly starts: readonly string[];
  readonly resource: string;
  readonly file: string;
  /** The emitted modules, by path. */
  readonly modules: ReadonlyMap<string, string>;
}

/** EventBridge, the table and the event functions of a program, shared by all runs of a simulation. */
export interface EventServices {
  /** Subscribes a new run to events. `start` is set if events are to start it. */
  join(environment: SimulatedEnvironment, start?: Omit<PendingRun, "mayStart">): EventSubscription;
}

/** A run that waits for events to start it. */
interface PendingRun {
  readonly workflow: string;
  /** Whether events may start it now. */
  mayStart(): boolean;
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
  const starting: PendingRun[] = [];
  const waiting = new Map<string, (result: TaskResult) => void>();
  const clock: ServiceClock = { now, sleep: async () => {} };
  const dynamodb = createDynamoDB({ clock });
  const stepFunctions = createStepFunctions({
    clock,
    onTaskEnd: (token, result) => waiting.get(token)?.(result),
    onStart({ stateMachineArn, name, input }) {
      const run = starting.find((each) => each.mayStart() && stateMachineArn === machineOf(each.workflow));
      if (!run) throw new Error(`No run of ${stateMachineArn} may start.`);
      starting.splice(starting.indexOf(run), 1);
      run.onStart({ name, input: JSON.parse(input) as Json });
    },
  });
  const enqueue = createQueue();
  const functions = new Map(
    files.map((each) => [each.workflow, functionLoader(each, { now, dynamodb, stepFunctions, pendingRuns: starting })]),
  );
  const leading = files.filter(({ leader }) => leader === undefined);
  const delivered = new WeakSet<JsonObject>();
  let deliveries = 0;
  /** Every run of the simulation receives an event; the bus delivers it once. */
  const ingest = (event: JsonObject): void => {
    if (delivered.has(event)) return;
    delivered.add(event);
    const given = eventBridgeEvent(`delivery-${deliveries++}`, event, now());
    for (const { workflow } of leading) void enqueue(() => functions.get(workflow)!().ingest(given));
  };
  const resources = new Set(files.map(({ resource }) => resource));

  /** Waits until a Task ends by its token, or rejects when the signal is aborted. */
  const taskEnd = (token: string, execution: string, signal: AbortSignal): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      stepFunctions.openTask(token, execution);
      const stop = (): void => {
        stepFunctions.stopTask(token);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", stop);
      waiting.set(token, (result) => {
        signal.removeEventListener("abort", stop);
        if (result.kind === "succeeded") resolve(JSON.parse(result.output) as JsonObject);
        else reject(new StateError(result.error, result.cause));
      });
    });

  return {
    join(environment, start) {
      if (start)
        starting.push({
          ...start,
          mayStart: () => environment.mayStart(),
          onStart(execution) {
            if (hasEvents(execution.input as JsonObject)) environment.received();
            start.onStart(execution);
          },
        });
      const unsubscribe = environment.listen(ingest);
      return {
        isWait: ({ arguments: given }) => resources.has(String((given as JsonObject | null)?.["FunctionName"])),
        async wait(workflow, { state, arguments: given, signal, position }) {
          const reportSize = (error: unknown): void => {
            if (error instanceof StateError && error.error === "States.DataLimitExceeded")
              environment.recorder?.onLimit(
                `The events that \`${state}\` receives have more than 262,144 bytes, which Step Functions rejects.`,
              );
          };
          const payload = (given as JsonObject)["Payload"] as JsonObject;
          const call = (): Promise<Json> => functions.get(workflow)!().wait(payload);
          if (payload["task"] === undefined) return { Payload: await enqueue(call), StatusCode: 200 };
          const callAndWait = async (): Promise<JsonObject> => {
            const end = taskEnd(String(payload["task"]), String(payload["execution"] ?? payload["run"]), signal);
            end.catch(reportSize);
            await enqueue(call);
            return end;
          };
          const endNow = await callAndWait();
          if (hasEvents(endNow)) environment.received();
          if (!endedAtOnce(endNow)) return endNow;
          const timer = environment.sleep(0, signal, position).then(() => "over" as const);
          for (;;) {
            const isOver = (await Promise.race([timer, nextEvent(environment)])) === "over";
            const end = await callAndWait();
            if (hasEvents(end)) environment.received();
            if (isOver || !endedAtOnce(end)) return end;
          }
        },
        unsubscribe,
      };
    },
  };
}

/** Waits for the next event that a run receives. */
const nextEvent = (environment: SimulatedEnvironment): Promise<void> =>
  new Promise((resolve) => {
    const stop = environment.listen(() => {
      stop();
      resolve();
    });
  });

/** Whether a wait ended at once. It still receives the events of that instant, and ends after everything else of it. */
const endedAtOnce = (result: JsonObject): boolean => (result["received"] as JsonObject)["alternative"] === null;

/** Large results have only one of the two parts. */
const hasEvents = ({ received }: JsonObject): boolean => {
  const { events, groups } = (received ?? {}) as {
    readonly events?: readonly Json[];
    readonly groups?: readonly Json[];
  };
  return (events ?? groups ?? []).length > 0;
};

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

interface EventFunctions {
  wait(payload: Json): Promise<Json>;
  ingest(event: Json): Promise<Json>;
}

interface EventFunctionContext {
  readonly now: () => number;
  readonly dynamodb: SimulatedDynamoDB;
  readonly stepFunctions: SimulatedStepFunctions;
  readonly pendingRuns: readonly PendingRun[];
}

/** Loads the functions of a workflow for the set of machines that events can currently start. */
function functionLoader(files: EventFunctionFiles, context: EventFunctionContext): () => EventFunctions {
  const loaded = new Map<string, EventFunctions>();
  return () => {
    const isPending = (id: string) => context.pendingRuns.some((run) => run.workflow === id && run.mayStart());
    const machines = files.starts.map((id) => isPending(id) && machineOf(id));
    const key = JSON.stringify(machines);
    const known = loaded.get(key) ?? loadFunctions(files, machines, context);
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
  { file, modules }: EventFunctionFiles,
  machines: readonly (string | false)[],
  { now, dynamodb, stepFunctions }: EventFunctionContext,
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
  const load = (path: string): EventFunctions => {
    const text = modules.get(path)!;
    for (const [, imported] of text.matchAll(/^import \{ .*? \} from "\.\/(.+)";$/gm)) load(imported!);
    const name = JSON.stringify(`./${path}`);
    return runInContext(`modules[${name}] ??= (() => {${asScript(text)}})();`, context) as EventFunctions;
  };
  return load(file);
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
