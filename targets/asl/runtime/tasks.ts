import type { JsonObject } from "../../../src/json.ts";
import type { Answer, Starting, Waiting } from "./model.ts";

/** What is used of the client for Step Functions. It must not repeat requests by itself: what an answer means depends on who has asked before. */
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
  getExecutionHistory(request: JsonObject): Promise<History>;
}

/** A page of what has happened in an execution. */
interface History {
  readonly events?: readonly {
    readonly taskSucceededEventDetails?: { readonly output?: string };
    readonly taskFailedEventDetails?: { readonly cause?: string };
  }[];
  readonly nextToken?: string;
}

/** Tells the task of a wait that is over how it ended. `gone`: it does not wait any more, be it that somebody has told it already. */
export async function tell(client: StepFunctions, { task, ended, key }: Waiting): Promise<"told" | "gone"> {
  const answer = ended!.answer;
  try {
    await client.sendTaskSuccess({ taskToken: task, output: JSON.stringify({ ...answer, wait: key }) });
    return "told";
  } catch (error) {
    const { name } = error as Error;
    if (name === "InvalidOutput" || name === "ValidationException") {
      await fail(client, task, "States.DataLimitExceeded", "What a wait gives is larger than a state can take.");
      return "told";
    }
    if (name === "TaskTimedOut" || name === "TaskDoesNotExist" || name === "InvalidToken") return "gone";
    throw error;
  }
}

const fail = (client: StepFunctions, taskToken: string, error: string, cause: string): Promise<unknown> =>
  client.sendTaskFailure({ taskToken, error, cause });

/**
 * Whether a task that is gone was told before, by somebody who could not note it any more: the history of its execution says so. A wait has the same key
 * each time that a run comes to it, and answers have no events in common, so that its answer tells it from others.
 */
export async function wasTold(client: StepFunctions, { run, key, ended }: Waiting): Promise<boolean> {
  const output = JSON.stringify({ ...ended!.answer, wait: key });
  let nextToken: string | undefined;
  do {
    const page = await client.getExecutionHistory({
      executionArn: run,
      reverseOrder: true,
      maxResults: 1000,
      ...(nextToken !== undefined && { nextToken }),
    });
    if (page.events?.some(({ taskSucceededEventDetails: done }) => done?.output === output)) return true;
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return false;
}

/** Starts an execution that is to be started once, however often this is asked for. */
export async function startOnce(
  client: StepFunctions,
  stateMachineArn: string,
  { name, answer }: Starting,
): Promise<void> {
  const input = answer === undefined ? "{}" : inputOf(answer, executionOf(stateMachineArn, name));
  try {
    await client.startExecution({ stateMachineArn, name, input });
  } catch (error) {
    if ((error as Error).name !== "ExecutionAlreadyExists") throw error;
  }
}

/** The ARN of an execution. */
export const executionOf = (stateMachineArn: string, name: string): string =>
  `${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`;

/** What an execution is started with that begins behind its first wait: it takes for such what has its own ARN in it. */
export const inputOf = (answer: Answer, execution: string): string => JSON.stringify({ started: execution, ...answer });
