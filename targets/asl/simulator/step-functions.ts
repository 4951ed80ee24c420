import { serviceError } from "./dynamodb/errors.ts";
import type { ServiceClock } from "./dynamodb/index.ts";
import { byteLength } from "./dynamodb/items.ts";

/** The service's limit on the output of a Task and the input of an execution, in bytes. */
export const maxDataBytes = 262_144;

const maxTokenLength = 2048;

/** The end of a Task that waited with a token. */
export type TaskResult =
  | { readonly kind: "succeeded"; readonly output: string }
  | { readonly kind: "failed"; readonly error: string; readonly cause: string };

/** An execution that was started. */
export interface StartedExecution {
  readonly arn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly input: string;
}

export type StepFunctionsOperation = "sendTaskSuccess" | "sendTaskFailure" | "startExecution" | "getExecutionHistory";

export interface StepFunctionsOptions {
  readonly clock?: ServiceClock;
  /** How long a request takes, in milliseconds. Default: no time. */
  readonly latency?: number;
  /** Lets a request fail. `isApplied`: it takes place nevertheless, and only its response is lost. */
  fault?(operation: StepFunctionsOperation, request: object): { error: Error; isApplied?: boolean } | undefined;
  /** Called for every execution that is started. */
  onStart?(execution: StartedExecution): void;
  /** Called for every Task that ends by its token. */
  onTaskEnd?(token: string, result: TaskResult): void;
}

/**
 * A simulated Step Functions with the methods of the client `SFN` of the AWS SDK that event functions use. Tasks with
 * a token wait until they are completed, or until `stopTask`.
 */
export interface SimulatedStepFunctions {
  sendTaskSuccess(request: { readonly taskToken: string; readonly output: string }): Promise<object>;
  sendTaskFailure(request: {
    readonly taskToken: string;
    readonly error?: string;
    readonly cause?: string;
  }): Promise<object>;
  startExecution(request: {
    readonly stateMachineArn: string;
    readonly name: string;
    readonly input: string;
  }): Promise<{ readonly executionArn: string }>;
  getExecutionHistory(request: object): Promise<{ readonly events: readonly object[]; readonly nextToken?: string }>;
  /** A Task of an execution starts to wait with a token. */
  openTask(token: string, executionArn: string): void;
  /** A Task times out, or its execution or branch is stopped: its token is of no use any more. */
  stopTask(token: string): void;
  /** An execution ends. Its name cannot be used again. */
  endExecution(executionArn: string): void;
  readonly results: ReadonlyMap<string, TaskResult>;
  readonly executions: readonly StartedExecution[];
}

/** Creates a simulated Step Functions without executions. */
export function createStepFunctions(options: StepFunctionsOptions = {}): SimulatedStepFunctions {
  const open = new Map<string, string>();
  const results = new Map<string, TaskResult>();
  const executions = new Map<string, StartedExecution>();
  const ended = new Set<string>();
  const histories = new Map<string, object[]>();

  async function send<Response>(
    operation: StepFunctionsOperation,
    request: object,
    perform: () => Response,
  ): Promise<Response> {
    const fault = options.fault?.(operation, request);
    if (fault && !fault.isApplied) throw fault.error;
    const half = (options.latency ?? 0) / 2;
    if (half > 0) await options.clock?.sleep(half);
    const response = perform();
    if (half > 0) await options.clock?.sleep(half);
    if (fault) throw fault.error;
    return response;
  }

  function endTask(token: string, result: TaskResult, details: object): object {
    if (token.length === 0 || token.length > maxTokenLength) throw serviceError("InvalidToken", "Invalid Token");
    const execution = open.get(token);
    if (execution === undefined)
      throw serviceError(results.has(token) ? "TaskTimedOut" : "TaskDoesNotExist", "Task Timed Out or does not exist");
    open.delete(token);
    results.set(token, result);
    histories.set(execution, [...(histories.get(execution) ?? []), details]);
    options.onTaskEnd?.(token, result);
    return {};
  }

  return {
    sendTaskSuccess: (request) =>
      send("sendTaskSuccess", request, () => {
        const { taskToken: token, output } = request;
        requireData("output", output);
        return endTask(token, { kind: "succeeded", output }, { taskSucceededEventDetails: { output } });
      }),
    sendTaskFailure: (request) =>
      send("sendTaskFailure", request, () => {
        const { taskToken: token, error = "", cause = "" } = request;
        if (error.length > 256) throw tooLong("error", 256);
        if (cause.length > 32_768) throw tooLong("cause", 32_768);
        return endTask(token, { kind: "failed", error, cause }, { taskFailedEventDetails: { error, cause } });
      }),
    startExecution: (request) =>
      send("startExecution", request, () => {
        const { stateMachineArn, name, input } = request;
        if (!/^[\w-]{1,80}$/.test(name)) throw serviceError("InvalidName", `Invalid Name: '${name}'`);
        requireData("input", input);
        const arn = `${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`;
        const known = executions.get(arn);
        if (known && (known.input !== input || ended.has(arn)))
          throw serviceError("ExecutionAlreadyExists", `Execution Already Exists: '${arn}'`);
        if (known) return { executionArn: arn };
        const execution = { arn, stateMachineArn, name, input };
        executions.set(arn, execution);
        options.onStart?.(execution);
        return { executionArn: arn };
      }),
    getExecutionHistory: (request) =>
      send("getExecutionHistory", request, () => {
        const { executionArn, reverseOrder, maxResults = 100, nextToken } = request as HistoryRequest;
        if (maxResults > 1000) throw serviceError("ValidationException", "maxResults is at most 1000");
        const all = histories.get(executionArn) ?? [];
        const ordered = reverseOrder ? all.toReversed() : all;
        const [from, to] = [Number(nextToken ?? 0), Number(nextToken ?? 0) + maxResults];
        return { events: ordered.slice(from, to), ...(to < ordered.length && { nextToken: String(to) }) };
      }),
    openTask: (token, executionArn) => void open.set(token, executionArn),
    stopTask(token) {
      if (open.delete(token)) results.set(token, { kind: "failed", error: "States.Timeout", cause: "" });
    },
    endExecution: (executionArn) => void ended.add(executionArn),
    results,
    get executions() {
      return [...executions.values()];
    },
  };
}

interface HistoryRequest {
  readonly executionArn: string;
  readonly reverseOrder?: boolean;
  readonly maxResults?: number;
  readonly nextToken?: string;
}

const tooLong = (name: string, most: number): Error =>
  serviceError(
    "ValidationException",
    `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must have length less than ` +
      `or equal to ${most}`,
  );

/** The limit in characters is checked before the request is processed, and that in bytes with the syntax. */
function requireData(name: "input" | "output", text: string): void {
  if (text.length > maxDataBytes) throw tooLong(name, maxDataBytes);
  if (byteLength(text) > maxDataBytes || !isJson(text))
    throw serviceError(name === "input" ? "InvalidExecutionInput" : "InvalidOutput", `The ${name} is not valid`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
