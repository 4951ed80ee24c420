import { createContext, runInContext } from "node:vm";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import { FunctionFailure } from "../../../src/environment/errors.ts";
import { assertNever, isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { runInWorker } from "../../../src/worker.ts";
import { messageWithDetails } from "../detailed-message.ts";
import type { TaskAction } from "../machine.ts";
import { missingSecret, resolveReferences, type SecretName } from "../runtime/secrets.ts";
import { StateError, type TaskRequest } from "./environment.ts";
import { putEntries } from "./event-bridge.ts";

/** What the Task states of a machine need besides the simulated environment. */
export interface TaskContext {
  /** What a Task does for the definition; undefined if it serves the machine itself. */
  actionOf(state: string): TaskAction | undefined;
  /** Generated functions; scenarios do not see their calls. */
  readonly functions: readonly LoadedFunction[];
  /** Whether the cause of an error is its message, also that of a Lambda function. */
  readonly plainCauses: boolean;
  /** Handles Tasks of event waits; undefined for any other. */
  receive(request: TaskRequest): Promise<Json> | undefined;
  has(workflow: string): boolean;
  /** A unique id for an event. */
  eventId(): string;
  /** Starts an execution of another machine of the program; rejects with its `StateError`. */
  start(workflow: string, input: Json, request: TaskRequest, wait: boolean, name: string | undefined): Promise<Json>;
  /** Lets the run continue in another execution of its machine when this one has ended. */
  continueIn(execution: NextExecution): void;
}

/** The execution in which a run continues. */
export interface NextExecution {
  readonly name: string;
  readonly input: Json;
}

/** Performs a Task with the functions, subflows and events of a scenario. */
export async function performTask(
  request: TaskRequest,
  context: TaskContext,
  environment: SimulatedEnvironment,
): Promise<Json> {
  const generated = context.functions.find(({ resource }) => resource === request.resource);
  if (generated) return generated.lambda.call(request.arguments);
  const received = context.receive(request);
  if (received) return received;
  const task = context.actionOf(request.state);
  if (!task) throw new Error(`State ${request.state} is a Task, but the map does not say what it does.`);
  switch (task.kind) {
    case "function":
      return callFunction(task, request, context, environment);
    case "workflow":
      return startExecution(task, request, context, environment);
    case "event":
      return putEvents(request, context, environment);
    case "continuation":
      return continueRun(task.name, request, context, environment);
    default:
      return assertNever(task.kind);
  }
}

async function callFunction(
  { name, argument = "", answer, detailed, secrets }: TaskAction,
  request: TaskRequest,
  { plainCauses }: TaskContext,
  environment: SimulatedEnvironment,
): Promise<Json> {
  const sent = partAt(request.arguments, argument);
  const read = ({ id, key }: SecretName): string => {
    const secret = environment.secret(id, key);
    if (secret === undefined) throw new FunctionFailure("SecretNotFound", missingSecret({ id, key }));
    return secret;
  };
  const given = secrets ? await asStateError(resolveReferences(sent, secrets, read)) : sent;
  const called = environment.call(name, given, request);
  const value = await asStateError(called, detailed, plainCauses).catch((error: unknown) => {
    throw request.hasToken && error instanceof StateError ? withoutEmpty(error) : error;
  });
  return answer === undefined ? value : { [answer]: value };
}

/** A callback that fails without a name or a cause has none. */
const withoutEmpty = ({ error, cause }: StateError): StateError =>
  new StateError(error === "" ? undefined : error, cause === "" ? undefined : cause);

function partAt(value: Json, pointer: string): Json {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce<Json>((part, key) => (part as JsonObject)[key]!, value);
}

/**
 * Performs `states:startExecution`. With `.sync:2`, `Output` is the child's output, and its failure is
 * `States.TaskFailed`.
 */
async function startExecution(
  { name: id, detailed }: TaskAction,
  request: TaskRequest,
  context: TaskContext,
  environment: SimulatedEnvironment,
): Promise<Json> {
  const waits = request.resource.endsWith(".sync:2");
  const input = executionInput(request.arguments);
  const child = context.has(id)
    ? context.start(id, input, request, waits, executionName(request.arguments))
    : asStateError(
        environment.call(id, input, waits ? request : { ...request, signal: new AbortController().signal }),
        detailed,
      );
  const started = startedExecution(id, environment);
  if (!waits) {
    child.catch(() => undefined);
    return started;
  }
  const arn = started["ExecutionArn"]!;
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

function continueRun(
  id: string,
  { arguments: given }: TaskRequest,
  context: TaskContext,
  environment: SimulatedEnvironment,
): Json {
  const name = executionName(given)!;
  context.continueIn({ name, input: executionInput(given) });
  return startedExecution(`${id}:${name}`, environment);
}

const startedExecution = (id: string, environment: SimulatedEnvironment): JsonObject => ({
  ExecutionArn: `arn:aws:states:::execution:${id}`,
  StartDate: new Date(environment.now()).toISOString(),
});

function executionName(given: Json): string | undefined {
  const name = isObject(given) ? given["Name"] : undefined;
  if (name === undefined) return undefined;
  if (typeof name === "string" && /^[\w.-]{1,80}$/.test(name)) return name;
  throw new StateError("StepFunctions.InvalidNameException", `Invalid Name: '${JSON.stringify(name)}'`);
}

function executionInput(given: Json): Json {
  const input = isObject(given) ? given["Input"] : undefined;
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input) as Json;
  } catch {
    throw new StateError("StepFunctions.InvalidExecutionInputException", "Invalid State Machine Execution Input");
  }
}

/** Simulated UUIDs are all equal, so an event with one gets an id of its own, or it would repeat an earlier event. */
function putEvents(request: TaskRequest, context: TaskContext, environment: SimulatedEnvironment): Json {
  const entries = (request.arguments as JsonObject)["Entries"] as readonly JsonObject[];
  const response = putEntries(entries);
  for (const { Detail } of entries) {
    const event = Detail as JsonObject;
    environment.emit(event["id"] === environment.id() ? { ...event, id: context.eventId() } : event);
  }
  return response;
}

/** A function's error fails its Task under the same name, with the message as cause. */
async function asStateError(response: Promise<Json>, isDetailed = false, isPlain = false): Promise<Json> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof FunctionFailure)
      throw new StateError(error.name, isPlain ? error.message : causeOf(error, isDetailed));
    throw error;
  }
}

/** Errors with data, or with a message that looks like JSON, have the Cause of a Lambda function. */
function causeOf({ name, message, data }: FunctionFailure, isDetailed: boolean): string {
  const trace = isObject(data) ? data["trace"] : undefined;
  const detailed = isDetailed ? messageWithDetails(message, data) : undefined;
  const isOther = isDetailed && detailed === undefined && data !== undefined;
  if (trace === undefined && detailed === undefined && !isOther && !message.startsWith("{")) return message;
  return JSON.stringify({
    errorMessage: detailed ?? message,
    errorType: name,
    ...(trace === undefined || isOther ? {} : { stackTrace: trace }),
    ...(isOther ? { data } : {}),
  });
}

/** A generated function with the resource that identifies it. */
export interface LoadedFunction {
  readonly resource: string;
  readonly lambda: Lambda;
}

/** A Lambda function. */
export interface Lambda {
  call(event: Json): Promise<Json>;
  close(): void;
}

/** Limit in real time; simulated time does not pass. High enough for a busy machine. */
const timeoutMs = 30_000;

/** Loads a generated function, on its first call, into a sandbox with nothing but JavaScript. */
export function sandboxedLambda(text: string): Lambda {
  let context: object | undefined;
  return {
    async call(event) {
      try {
        context ??= loadScript(text);
        const call = `handler(JSON.parse(${JSON.stringify(JSON.stringify(event))})).then(JSON.stringify)`;
        const response = runInContext(call, context, { timeout: timeoutMs });
        return JSON.parse((await response) as string) as Json;
      } catch (error) {
        throw lambdaError(error as Error);
      }
    },
    close: () => undefined,
  };
}

/** Loads a generated function with code of the definition into a worker with limits. */
export function workerLambda(text: string): Lambda {
  const worker = runInWorker(text);
  return {
    async call(event) {
      const response = worker.call("handler", event);
      if ("value" in response) return response.value;
      throw lambdaError(response);
    },
    close: () => worker.close(),
  };
}

/** Evaluates a module without imports whose only export is the handler. */
function loadScript(text: string): object {
  const context = createContext({});
  runInContext(text.replace(/^export const handler = /m, "globalThis.handler = "), context, { timeout: timeoutMs });
  return context;
}

function lambdaError({ name, message }: Pick<Error, "name" | "message">): StateError {
  const type = message.includes("timed out") ? "Sandbox.Timedout" : name;
  return new StateError(type, JSON.stringify({ errorMessage: message, errorType: type }));
}
