import { isObject, type Json } from "../json.ts";
import type { TaskReceipt, TaskReport } from "../tasks.ts";
import { parse, readText, requireJson } from "./body.ts";
import { usualMaximum } from "./commands.ts";
import type { Exchange } from "./handler.ts";
import { answer, Refusal } from "./refusal.ts";
import { numberIn } from "./runs.ts";

/** Ends a task with its result, the body. */
export async function postSuccess(exchange: Exchange, token: string): Promise<void> {
  const output = await bodyOf(exchange);
  if (output === undefined) throw new Refusal(400, "No result", "The body is the result of the task, as JSON.");
  await report(exchange, token, { kind: "success", output });
}

/** Ends a task with a failure: `{ "error": …, "cause": … }`. Both are optional. */
export async function postFailure(exchange: Exchange, token: string): Promise<void> {
  await report(exchange, token, { kind: "failure", ...failureIn((await bodyOf(exchange)) ?? {}) });
}

/** Reports that a task is in progress. */
export async function postHeartbeat(exchange: Exchange, token: string): Promise<void> {
  const body = await bodyOf(exchange);
  if (body !== undefined && !(isObject(body) && Object.keys(body).length === 0))
    throw new Refusal(400, "Malformed body", "A heartbeat has no body.");
  await report(exchange, token, { kind: "heartbeat" });
}

/** Gives a worker the next task of an activity: 204 if there is none within `?wait=` seconds. */
export async function getActivityTask(exchange: Exchange, activity: string): Promise<void> {
  const { engine, request, response, query, grant, options } = exchange;
  if (request.method === "HEAD")
    throw new Refusal(405, "Method not allowed", "This path supports GET.", { headers: { allow: "GET" } });
  const wait = numberIn(query, "wait", 0, 300) ?? 0;
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.socket.once("close", leave);
  const { stopping } = options;
  const signal = AbortSignal.any([gone.signal, ...(stopping ? [stopping] : [])]);
  const task = await engine
    .takeTask(activity, { workflows: grant.workflows, wait, signal })
    .finally(() => request.socket.off("close", leave));
  if (task) answer(response, 200, { taskToken: task.token, input: task.input });
  else response.writeHead(204, { "cache-control": "no-store" }).end();
}

/** The JSON body of a request; undefined if it is empty. */
async function bodyOf({ request, options }: Exchange): Promise<Json | undefined> {
  const text = await readText(request, options.maximumBytes ?? usualMaximum);
  if (text.trim() === "") return undefined;
  requireJson(request);
  return parse(text);
}

/** The name and the message of a reported failure. Refuses other members. */
function failureIn(body: Json): { readonly error: string; readonly cause: string } {
  const { error = "", cause = "", ...others } = isObject(body) ? body : { others: null };
  if (typeof error !== "string" || typeof cause !== "string" || Object.keys(others).length > 0)
    throw new Refusal(400, "Malformed body", 'The body is an object with the strings "error" and "cause", if any.');
  return { error, cause };
}

async function report({ engine, response, grant }: Exchange, token: string, given: TaskReport): Promise<void> {
  const receipt = await engine.reportTask(token, given, { workflows: grant.workflows });
  if (receipt === "accepted" || receipt === "duplicate") answer(response, 200, { status: receipt });
  else throw new Refusal(...refusals[receipt]);
}

const refusals: {
  readonly [receipt in Exclude<TaskReceipt, "accepted" | "duplicate">]: readonly [number, string, string];
} = {
  answered: [409, "Answered", "The task has been answered already, by another report."],
  over: [410, "Over", "The run does not wait for this task any more."],
  unknown: [404, "Not found", "There is no task with this token."],
};
