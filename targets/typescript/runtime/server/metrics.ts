import { requireAllWorkflows } from "./access.ts";
import type { Exchange } from "./handler.ts";
import { Refusal } from "./refusal.ts";

/** Responds with the metrics of the process and its store, for Prometheus and others that read OpenMetrics. */
export async function getMetrics({ engine, response, grant, options }: Exchange): Promise<void> {
  requireAllWorkflows(grant);
  if (!options.metrics) throw new Refusal(404, "Not found", "There are no metrics.");
  const text = await options.metrics(engine);
  response.writeHead(200, {
    "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}
