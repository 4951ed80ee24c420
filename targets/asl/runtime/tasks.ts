import type { Answer } from "../../../src/events/partition.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import type { ReceivedPart, StartBehindWait } from "./definition.ts";

/** The part of the client for Step Functions that is used. It must not repeat requests, whose errors are ambiguous. */
export interface StepFunctions {
  sendTaskSuccess(request: { readonly taskToken: string; readonly output: string }): Promise<unknown>;
  sendTaskFailure(request: {
    readonly taskToken: string;
    readonly error: string;
    readonly cause: string;
  }): Promise<unknown>;
  startExecution(request: {
    readonly stateMachineArn: string;
    readonly name: string;
    readonly input: string;
  }): Promise<unknown>;
  getExecutionHistory(request: JsonObject): Promise<ExecutionHistory>;
}

interface ExecutionHistory {
  readonly events?: readonly {
    readonly taskSucceededEventDetails?: { readonly output?: string };
    readonly taskFailedEventDetails?: { readonly cause?: string };
  }[];
  readonly nextToken?: string;
}

/** How a Task that waits ends: with an output, or with an error because its output would be too large. */
export type TaskEnd =
  | { readonly kind: "output"; readonly output: string }
  | { readonly kind: "error"; readonly error: string; readonly cause: string };

/** The maximum size of an execution's input and a Task's output, in bytes. */
const maxBytes = 262_144;

/** How the Task of a wait ends. The id of the wait and its events make the result unique in its execution. */
export function taskEnd(wait: string, answer: Answer, part: ReceivedPart, orders: readonly number[]): TaskEnd {
  const output = received(answer, part, (value) => ({ ...value, wait }));
  if (output !== undefined) return { kind: "output", output };
  const cause = `The events are larger than 256 KiB, the maximum of a Task's output (wait ${wait}, events ${orders.join(", ")}).`;
  return { kind: "error", error: "States.DataLimitExceeded", cause };
}

/** The input of an execution that begins behind its first wait; undefined if it is too large. */
export function inputBehindWait(
  { alternative, events, groups, value }: Answer,
  { inputs, isOnly }: StartBehindWait,
  execution: string,
): string | undefined {
  const compute = inputs[alternative ?? inputs.length];
  if (!compute) return undefined;
  const parts = { events, groups } as unknown as { readonly events: Json; readonly groups: Json };
  const computed = compute({ ...parts, token: value ?? null });
  const input = isOnly ? computed : { started: execution, ...(computed as JsonObject) };
  const text = JSON.stringify(input);
  return fits(text) ? text : undefined;
}

/** An answer as JSON: with the events in both forms if that fits, else with the part that the machine reads. */
function received(answer: Answer, part: ReceivedPart, complete: (value: JsonObject) => JsonObject): string | undefined {
  const parts = part === "all" ? ([part] as const) : (["all", part] as const);
  return parts.map((each) => JSON.stringify(complete(receivedValue(answer, each)))).find(fits);
}

/** Whether a string is at most as long as Step Functions allows, in UTF-8. */
function fits(text: string): boolean {
  if (text.length * 3 <= maxBytes) return true;
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes <= maxBytes;
}

/** The alternative of a wait whose condition has failed. Its only group is the error. */
export const failedCondition = -1;

/** An answer as state machines read it. */
function receivedValue({ alternative, events, groups, value, error }: Answer, part: ReceivedPart): JsonObject {
  const received =
    error === undefined
      ? { alternative, ...(part !== "groups" && { events }), ...(part !== "events" && { groups }) }
      : { alternative: failedCondition, events: [], groups: [{ name: "error", event: error }] };
  return { received: received as unknown as Json, token: value ?? null };
}

/** Ends a Task. `gone`: it does not wait any more, possibly because it has been ended already. */
export async function endTask(client: StepFunctions, taskToken: string, end: TaskEnd): Promise<"ended" | "gone"> {
  try {
    if (end.kind === "output") await client.sendTaskSuccess({ taskToken, output: end.output });
    else await client.sendTaskFailure({ taskToken, error: end.error, cause: end.cause });
    return "ended";
  } catch (error) {
    if (["TaskTimedOut", "TaskDoesNotExist", "InvalidToken"].includes((error as Error).name)) return "gone";
    throw error;
  }
}

/** Whether the history of an execution contains the end of a Task. */
export async function hasEnded(client: StepFunctions, executionArn: string, end: TaskEnd): Promise<boolean> {
  let nextToken: string | undefined;
  do {
    const page = await client.getExecutionHistory({
      executionArn,
      reverseOrder: true,
      maxResults: 1000,
      ...(nextToken !== undefined && { nextToken }),
    });
    const isFound = page.events?.some(({ taskSucceededEventDetails: succeeded, taskFailedEventDetails: failed }) =>
      end.kind === "output" ? succeeded?.output === end.output : failed?.cause === end.cause,
    );
    if (isFound) return true;
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return false;
}

/** Starts an execution once, however often it is requested. */
export async function startOnce(client: StepFunctions, execution: string, input: string): Promise<void> {
  const { stateMachineArn, name } = splitExecution(execution);
  try {
    await client.startExecution({ stateMachineArn, name, input });
  } catch (error) {
    if ((error as Error).name !== "ExecutionAlreadyExists") throw error;
  }
}

/** The ARN of an execution. */
export const executionOf = (stateMachineArn: string, name: string): string =>
  `${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`;

function splitExecution(arn: string): { readonly stateMachineArn: string; readonly name: string } {
  const end = arn.lastIndexOf(":");
  return { stateMachineArn: arn.slice(0, end).replace(":execution:", ":stateMachine:"), name: arn.slice(end + 1) };
}

/** Retries requests that AWS has refused because there were too many. Such a request has had no effect. */
export async function whileThrottled<Response>(
  request: () => Promise<Response>,
  pause: (milliseconds: number) => Promise<void>,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!throttlingErrors.has((error as Error).name) || attempt >= maxRetries) throw error;
      await pause((0.5 + Math.random() / 2) * Math.min(maxPause, 100 * 2 ** attempt));
    }
  }
}

const throttlingErrors: ReadonlySet<string> = new Set([
  "RequestLimitExceeded",
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
]);

/** About 20 seconds, a third of the time that a function has. The longest pause is in milliseconds. */
const [maxRetries, maxPause] = [10, 4000];
