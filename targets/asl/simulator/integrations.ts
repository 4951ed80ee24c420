import { createContext, runInContext } from "node:vm";
import { assertNever, isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { runInWorker } from "../../../src/worker.ts";
import { FunctionFailure, type SimulatedEnvironment } from "../../../src/world.ts";
import type { Performed } from "../machine.ts";
import { StateError, type TaskRequest } from "./environment.ts";

/** What the Task states of one machine need beyond the world: what they do, and how to start other machines. */
export interface Linkage {
  /** What a state does in the words of the definition; undefined where it only computes expressions. */
  performed(state: string): Performed | undefined;
  /** The functions that are made with the machine: their calls are none of the scenario's. */
  readonly own: readonly OwnFunction[];
  /** What a Task gives that waits for events, or notes that a wait has been given up; undefined for any other. */
  receive(request: TaskRequest): Promise<Json> | undefined;
  /** Whether there is a machine of the program for a workflow. */
  has(workflow: string): boolean;
  /** Starts another machine of the program, as an execution of its own; rejects with its `StateError`. */
  start(workflow: string, input: Json, request: TaskRequest, wait: boolean): Promise<Json>;
}

/**
 * Performs a Task state of a machine that we emitted, in a scenario's world: functions, subflows and events are the
 * scenario's.
 */
export async function performTask(
  request: TaskRequest,
  linkage: Linkage,
  environment: SimulatedEnvironment,
): Promise<Json> {
  const made = linkage.own.find(({ resource }) => resource === request.resource);
  if (made) return made.lambda.call(request.arguments);
  const received = linkage.receive(request);
  if (received) return received;
  const task = linkage.performed(request.state);
  if (!task) throw new Error(`State ${request.state} is a Task, but the map does not say what it does.`);
  switch (task.kind) {
    case "function":
      return callFunction(task, request, environment);
    case "workflow":
      return startExecution(task.name, request, linkage, environment);
    case "event":
      return putEvents(request, environment);
    default:
      return assertNever(task.kind);
  }
}

/**
 * Calls a function with what of the arguments is its argument; its answer is a part of the result, where the service
 * has more to say.
 */
async function callFunction(
  { name, argument = "", answer }: Performed,
  request: TaskRequest,
  environment: SimulatedEnvironment,
): Promise<Json> {
  const value = await asStateError(environment.call(name, partAt(request.arguments, argument), request));
  return answer === undefined ? value : { [answer]: value };
}

/** The part of a value at a JSON Pointer. */
function partAt(value: Json, pointer: string): Json {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce<Json>((part, key) => (part as JsonObject)[key]!, value);
}

/**
 * `states:startExecution`, with `.sync:2` when the run waits: its `Output` is then the child's, its failure
 * `States.TaskFailed`.
 */
async function startExecution(
  id: string,
  request: TaskRequest,
  linkage: Linkage,
  environment: SimulatedEnvironment,
): Promise<Json> {
  const waits = request.resource.endsWith(".sync:2");
  const input = inputOf(request.arguments);
  const child = linkage.has(id)
    ? linkage.start(id, input, request, waits)
    : asStateError(environment.call(id, input, waits ? request : { ...request, signal: new AbortController().signal }));
  const arn = `arn:aws:states:::execution:${id}`;
  if (!waits) {
    child.catch(() => undefined);
    return { ExecutionArn: arn, StartDate: new Date(environment.now()).toISOString() };
  }
  try {
    return { ExecutionArn: arn, Status: "SUCCEEDED", Output: await child };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new StateError(
      "States.TaskFailed",
      JSON.stringify({ ExecutionArn: arn, Status: "FAILED", Error: error.error, Cause: error.cause }),
    );
  }
}

/** A child's input: a text is JSON text, and none is the empty object. */
function inputOf(given: Json): Json {
  const input = isObject(given) ? given["Input"] : undefined;
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input) as Json;
  } catch {
    throw new StateError("StepFunctions.InvalidExecutionInputException", "Invalid State Machine Execution Input");
  }
}

function putEvents(request: TaskRequest, environment: SimulatedEnvironment): Json {
  const entries = (request.arguments as JsonObject)["Entries"] as readonly JsonObject[];
  for (const entry of entries) environment.emit(entry["Detail"] as JsonObject);
  return { FailedEntryCount: 0, Entries: entries.map((_, i) => ({ EventId: `event-${i}` })) };
}

/** What a function throws fails its Task under the same name, with the message as cause. */
async function asStateError(answer: Promise<Json>): Promise<Json> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof FunctionFailure) throw new StateError(error.name, causeOf(error));
    throw error;
  }
}

/** A function that tells where it failed, or whose message would be taken for JSON, fails as Lambda functions do. */
function causeOf({ name, message, data }: FunctionFailure): string {
  const trace = isObject(data) ? data["trace"] : undefined;
  if (trace === undefined && !message.startsWith("{")) return message;
  return JSON.stringify({
    errorMessage: message,
    errorType: name,
    ...(trace === undefined ? {} : { stackTrace: trace }),
  });
}

/** A function that is made with a machine, and the resource by which the machine calls it. */
export interface OwnFunction {
  readonly resource: string;
  readonly lambda: Lambda;
}

/** A Lambda function. */
export interface Lambda {
  /** What it answers to an event. Rejects with a `StateError` when it fails. */
  call(event: Json): Promise<Json>;
  close(): void;
}

/** How long the function may take, in milliseconds of real time; it takes none of the run's. */
const patience = 10_000;

/**
 * The function of an emitted file, in a world of its own that has nothing but JavaScript. It is loaded when it is first
 * called.
 */
export function lambdaOf(text: string): Lambda {
  let context: object | undefined;
  return {
    async call(event) {
      try {
        context ??= loaded(text);
        const call = `handler(JSON.parse(${JSON.stringify(JSON.stringify(event))})).then(JSON.stringify)`;
        const answer = runInContext(call, context, { timeout: patience });
        return JSON.parse((await answer) as string) as Json;
      } catch (error) {
        throw failureOf(error as Error);
      }
    },
    close: () => undefined,
  };
}

/** The function of an emitted file that has functions of a definition: in a thread of its own, with limits. */
export function threadOf(text: string): Lambda {
  const thread = runInWorker(text);
  return {
    async call(event) {
      const answer = thread.call("handler", event);
      if ("value" in answer) return answer.value;
      throw failureOf(answer);
    },
    close: () => thread.close(),
  };
}

/** The file as a script: it exports one thing and imports nothing. */
function loaded(text: string): object {
  const context = createContext({});
  runInContext(text.replace(/^export const handler = /m, "globalThis.handler = "), context, { timeout: patience });
  return context;
}

/** A function that throws, or takes too long, as Lambda tells it. */
function failureOf({ name, message }: Pick<Error, "name" | "message">): StateError {
  const type = message.includes("timed out") ? "Sandbox.Timedout" : name;
  return new StateError(type, JSON.stringify({ errorMessage: message, errorType: type }));
}
