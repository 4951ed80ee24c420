import { WorkflowError } from "./errors.ts";
import type { Host } from "./host.ts";
import type { Json } from "./json.ts";

/** What the holder of a task's token reports: its result, its failure, or that it is still in progress. */
export type TaskReport = TaskAnswer | { readonly kind: "heartbeat" };

/** A report that ends a task. */
export type TaskAnswer =
  | { readonly kind: "success"; readonly output: Json }
  | { readonly kind: "failure"; readonly error: string; readonly cause: string };

/**
 * The outcome of a report. `duplicate`: the same report has ended the task before. `answered`: another one has. `over`:
 * the run does not wait for the task any more. `unknown`: no task has the token.
 */
export type TaskReceipt = "accepted" | "duplicate" | "answered" | "over" | "unknown";

/** Restricts reports and workers to the tasks of some workflows; those of others do not exist for them. */
export interface TaskOptions {
  readonly workflows?: readonly string[] | undefined;
}

/** How a worker takes a task. */
export interface TakeOptions extends TaskOptions {
  /** How long it waits for one, in seconds; by default, not at all. */
  readonly wait?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A task of an activity, for the worker that has taken it. */
export interface ActivityTask {
  readonly token: string;
  readonly input: Json;
}

/** The failure that a report describes. */
export const reportedFailure = ({ error, cause }: TaskAnswer & { readonly kind: "failure" }): WorkflowError =>
  new WorkflowError(error, cause, { origin: "function" });

/** The failure of a task without a heartbeat in time. */
export const missedHeartbeat = (): WorkflowError =>
  new WorkflowError("Timeout", "The time allowed has passed.", { origin: "heartbeat" });

const refuse = (): never => {
  throw new WorkflowError("LimitError", "Runs on this host cannot wait for tasks.", { origin: "limit", fatal: true });
};

/** For hosts without tasks: the compiler refuses programs that need them. */
export const noTasks: Pick<Host, "openTask" | "offerTask" | "taskAnswer"> = {
  openTask: refuse,
  offerTask: refuse,
  taskAnswer: refuse,
};

/** A new token: 256 random bits, which cannot be guessed. It does not begin like an option of a command line. */
export const newTaskToken = (): string => cryptography().randomBytes(32).toString("base64url").replace(/^-/, "_");

/** The name of a task in stores: a hash of its token, so that the table of tasks reveals no token. */
export const taskOf = (token: string): string => cryptography().createHash("sha256").update(token).digest("hex");

/** Identifies an answer, so that a repeated one is recognized. Reveals nothing of it without the token. */
export const digestOf = (token: string, answer: TaskAnswer): string =>
  cryptography().createHmac("sha256", token).update(JSON.stringify(answer, withSortedMembers)).digest("hex");

const cryptography = () => process.getBuiltinModule("node:crypto");

const withSortedMembers = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
