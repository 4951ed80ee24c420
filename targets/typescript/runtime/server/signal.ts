import { isObject, type Json } from "../json.ts";
import { traceOfRequest } from "../trace.ts";
import { requireScope, requireSignature, requireWorkflow } from "./access.ts";
import { decode, parse, readBytes, requireJson } from "./body.ts";
import { structuredEvent } from "./cloudevents.ts";
import { idIn, requireValidInput, usualMaximum } from "./commands.ts";
import type { Exchange } from "./handler.ts";
import { answer, Refusal } from "./refusal.ts";
import { runOf, visibleSummaryOf } from "./runs.ts";

/**
 * Starts a run unless there is one with its id, and delivers an event after that, so that the run can receive it:
 * `{ "input": …, "event": … }`. The input of an existing run stays. A repeated request has no further effect.
 */
export async function postSignal(exchange: Exchange, workflow: string): Promise<void> {
  const { engine, request, response, query, grant, options } = exchange;
  requireScope(grant, "events");
  requireWorkflow(grant, workflow);
  if (!options.workflows.includes(workflow)) throw new Refusal(404, "Not found", "There is no such workflow.");
  const id = idIn(request.headers["idempotency-key"], query.get("id"));
  const body = await readBytes(request, options.maximumBytes ?? usualMaximum);
  requireSignature(request, body, grant);
  requireJson(request);
  const { input, event: given } = membersOf(parse(decode(body)));
  const event = structuredEvent(given, "The event");
  requireValidInput(options, workflow, input);
  const known = id === undefined ? undefined : await engine.show(id);
  if (known && known.workflow !== workflow)
    throw new Refusal(409, "Another run", "There is a run of another workflow with this id.");
  const trace = traceOfRequest(request.headers);
  const run = await engine.start(workflow, input, { id, trace });
  const { status } = await engine.deliver(event, { trace });
  const summary = visibleSummaryOf(await runOf(exchange, run.id), grant);
  answer(
    response,
    known ? 200 : 201,
    { run: summary, event: status },
    {
      location: `${options.prefix ?? ""}/runs/${encodeURIComponent(run.id.toWellFormed())}`,
    },
  );
}

function membersOf(body: Json): { readonly input: Json; readonly event: Json } {
  const others = isObject(body) ? Object.keys(body).filter((name) => name !== "input" && name !== "event") : [];
  if (!isObject(body) || body["event"] === undefined || others.length > 0)
    throw new Refusal(400, "Malformed body", 'The body is an object with "event", and "input" if the run needs one.');
  return { input: body["input"] ?? {}, event: body["event"] };
}
