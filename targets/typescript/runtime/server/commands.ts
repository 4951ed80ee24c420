import type { Delivery, RunDetail } from "../engine.ts";
import { equalJson, type Json } from "../json.ts";
import { traceOfRequest } from "../trace.ts";
import { requireAllWorkflows, requireSignature, requireWorkflow } from "./access.ts";
import { mediaType, parse, readBytes, readText, requireJson } from "./body.ts";
import { eventsIn } from "./cloudevents.ts";
import type { Exchange, HandlerOptions } from "./handler.ts";
import { answer, Refusal } from "./refusal.ts";
import { runOf, visibleSummaryOf } from "./runs.ts";

/**
 * Starts a run; its input is the body, by default `{}`. With the id of an existing run, responds with that run if it has
 * the same workflow and input.
 */
export async function postRun(exchange: Exchange, workflow: string): Promise<void> {
  const { engine, request, response, query, grant, options } = exchange;
  requireWorkflow(grant, workflow);
  if (!options.workflows.includes(workflow)) throw new Refusal(404, "Not found", "There is no such workflow.");
  const id = idIn(request.headers["idempotency-key"], query.get("id"));
  const text = await readText(request, options.maximumBytes ?? usualMaximum);
  if (text !== "") requireJson(request);
  const input = text.trim() === "" ? {} : parse(text);
  requireValidInput(options, workflow, input);
  const before = id === undefined ? undefined : await engine.show(id);
  const run = await engine.start(workflow, input, { id, trace: traceOfRequest(request.headers) });
  if (id !== undefined) requireSame(await runOf(exchange, id), workflow, input);
  answer(response, before ? 200 : 201, visibleSummaryOf(run, grant), {
    location: `${options.prefix ?? ""}/runs/${encodeURIComponent(run.id.toWellFormed())}`,
  });
}

/** Cancels an active run. */
export async function postCancel(exchange: Exchange, id: string): Promise<void> {
  const { engine, response } = exchange;
  await runOf(exchange, id);
  if (!(await engine.cancel(id))) throw new Refusal(409, "Ended", "The run has ended already.");
  answer(response, 200, visibleSummaryOf(await runOf(exchange, id), exchange.grant));
}

/** Resumes a failed run from the step that failed, or a stranded one, and sends events again that sinks have refused. */
export async function postRetry(exchange: Exchange, id: string): Promise<void> {
  const { engine, response } = exchange;
  await runOf(exchange, id);
  const from = exchange.query.get("from") ?? undefined;
  const retried = await engine.retry(id, { from }).catch((thrown: unknown) => {
    if (!(thrown instanceof Error && thrown.name === "CannotRetry")) throw thrown;
    throw new Refusal(409, "Cannot retry from this step", thrown.message);
  });
  if (!retried)
    throw new Refusal(
      409,
      "Not failed",
      "The run has neither failed nor is it stranded, and no sink has refused an event of it.",
    );
  answer(response, 202, visibleSummaryOf(await runOf(exchange, id), exchange.grant));
}

/** Forgets runs that ended longer ago than `?older-than=` says, such as `P30D`. */
export async function postPrune({ engine, response, query, grant }: Exchange): Promise<void> {
  requireAllWorkflows(grant);
  const age = durationOf(query.get("older-than") ?? "");
  if (age === undefined)
    throw new Refusal(
      400,
      "Malformed duration",
      "?older-than= needs an ISO 8601 duration in weeks, days and less, such as P30D.",
    );
  answer(response, 200, { forgotten: await engine.prune(Date.now() - age) });
}

/** Deletes a run that has ended. */
export async function deleteRun(exchange: Exchange, id: string): Promise<void> {
  await runOf(exchange, id);
  const result = await exchange.engine.forget(id);
  if (result === "active")
    throw new Refusal(409, "Not ended", "The run has not ended, or has emitted events that are not sent.");
  answer(exchange.response, 200, { forgotten: result === "forgotten" ? 1 : 0 });
}

/** Refuses an input that the workflow does not accept. */
export function requireValidInput({ inputError }: HandlerOptions, workflow: string, input: Json): void {
  const invalid = inputError?.(workflow, input);
  if (invalid) throw new Refusal(422, invalid.name, invalid.message);
}

/** The id that a client gives a run, in the header or in the query. */
export function idIn(header: string | readonly string[] | undefined, query: string | null): string | undefined {
  const given = header === undefined ? undefined : String(header);
  if (given !== undefined && query !== null && given !== query)
    throw malformedId("the header Idempotency-Key and ?id= differ");
  const id = given ?? query ?? undefined;
  if (id !== undefined && !/^[^\p{Cc}\p{Cs}]{1,200}$/u.test(id))
    throw malformedId("it has 1 to 200 characters, none of them a control character");
  return id;
}

const malformedId = (why: string): Refusal =>
  new Refusal(400, "Malformed id", `The id of the run cannot be used: ${why}.`);

function requireSame(run: RunDetail, workflow: string, input: Json): void {
  if (run.workflow === workflow && equalJson(run.input, input)) return;
  throw new Refusal(
    409,
    "Another run",
    "There is a run with this id that began with another workflow or another input.",
  );
}

/** The default limit of bodies, in bytes. */
export const usualMaximum = 10 * 1024 * 1024;

/** So many events of a batch are taken in before others have their turn. */
const atOnce = 250;

/** Delivers events: none of a batch with a malformed event. An event that was delivered before is reported as a duplicate. */
export async function postEvents({ engine, request, response, grant, options }: Exchange): Promise<void> {
  const body = await readBytes(request, options.maximumBytes ?? usualMaximum);
  requireSignature(request, body, grant);
  const type = mediaType(request);
  const events = eventsIn({ headers: request.headers, type, body });
  const trace = traceOfRequest(request.headers);
  const deliveries: Delivery[] = [];
  for (let i = 0; i < events.length; i += atOnce)
    deliveries.push(
      ...(await Promise.all(events.slice(i, i + atOnce).map((event) => engine.deliver(event, { trace })))),
    );
  const results = deliveries.map(({ status, started, delivered }) => ({ status, started, delivered }));
  answer(response, 202, type === "application/cloudevents-batch+json" ? { events: results } : results[0]!);
}

/** An ISO 8601 duration in weeks, days and less, such as `P30D` or `PT12H`, in milliseconds; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  const found =
    /^P(?=[\dT])(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,12}(?:\.\d{1,3})?)S)?)?$/.exec(
      text,
    );
  if (!found) return undefined;
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  return ((((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000;
}
