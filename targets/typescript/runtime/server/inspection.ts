import type { StepPage } from "../engine.ts";
import type { EventDefinition, Pattern } from "../events.ts";
import type { Json } from "../json.ts";
import { isCursor } from "../paging.ts";
import { sumOfCounts } from "../run-counts.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { mayUse, requireWorkflow } from "./access.ts";
import type { Exchange } from "./handler.ts";
import { answer, Refusal } from "./refusal.ts";
import { limitIn, malformed, runOf } from "./runs.ts";

/** Lists a page of the recorded steps of a run. */
export async function getSteps(exchange: Exchange, id: string): Promise<void> {
  const { engine, query, response } = exchange;
  const limit = limitIn(query);
  const after = query.get("after") ?? undefined;
  if (after !== undefined && !isCursor(after)) throw malformed("after is the next of an earlier page");
  await runOf(exchange, id);
  const page = await engine.steps(id, { limit, after });
  if (!page) throw new Refusal(404, "Not found", "There is no such run.");
  answer(response, 200, stepPageOf(page));
}

/** A page of steps, as JSON. */
export const stepPageOf = ({ steps, pending, next }: StepPage) => ({
  steps: steps.map((step) => ({ ...step, error: step.error && { ...step.error } })),
  pending: pending.map((each) => ({ ...each })),
  next,
});

/** Responds with the number of runs by status, of one workflow or of all. */
export async function getCounts({ engine, response, query, grant }: Exchange): Promise<void> {
  const workflow = query.get("workflow") ?? undefined;
  if (workflow !== undefined) requireWorkflow(grant, workflow);
  const counts = await engine.counts({ workflow, workflows: grant.workflows });
  answer(response, 200, { counts: { ...sumOfCounts(counts.values()) } });
}

/** Lists the workflows that can be started, with their events. */
export function getWorkflows({ response, grant, options }: Exchange): void {
  const { workflows, definitions = [] } = options;
  const list = workflows
    .filter((id) => mayUse(grant, id))
    .map((id) => {
      const definition = definitions.find((each) => each.id === id);
      return definition ? descriptionOf(definition) : { id, name: id, events: [] };
    });
  answer(response, 200, { workflows: list });
}

/** Responds with the graph of a version of a workflow, if it is known. */
export async function getGraph({ response, query, grant, options }: Exchange, id: string): Promise<void> {
  requireWorkflow(grant, id);
  const version = query.get("version");
  if (version === null) throw malformed("version is missing");
  const graph = await options.graphOf?.(id, version);
  if (graph === undefined) throw new Refusal(404, "Not found", "There is no picture of this version.");
  answer(response, 200, graph);
}

function descriptionOf(workflow: AnyWorkflow): Json {
  const received = receivedBy(workflow);
  const events = Object.entries(workflow.events ?? {}).map(([name, definition]) => ({
    ...eventOf(name, definition),
    direction: received.has(name) ? "receives" : "emits",
  }));
  return { id: workflow.id, name: workflow.name, version: workflow.version, events };
}

const eventOf = (name: string, { type, source, subject, correlation, correlationAttribute }: EventDefinition) => ({
  name,
  type: type ?? name,
  source,
  subject,
  isCorrelated: correlation !== undefined,
  correlationAttribute,
});

/** The names of the events that start runs of a workflow or that its waits use. */
function receivedBy({ start, waits = {} }: AnyWorkflow): ReadonlySet<string> {
  const alternatives = [...(start?.on ?? []), ...Object.values(waits).flatMap((wait) => wait.alternatives)];
  const patterns: readonly Pattern[] = alternatives.flatMap(({ all, none = [] }) => [...all.flat(), ...none]);
  return new Set(patterns.map((pattern) => (typeof pattern === "string" ? pattern : pattern.event)));
}
