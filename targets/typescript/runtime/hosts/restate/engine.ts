import type { Delivery, Engine, ListedRun, RunCounts, RunSummary } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import {
  addRuns,
  CannotRetry,
  listedRun,
  matchesSearch,
  pageOf,
  pageRange,
  requireEvent,
  requireId,
  stepRange,
  valueTexts,
} from "../../internal.ts";
import type { NewRun } from "../broker/messages.ts";
import type { Address } from "./address.ts";
import { type AdminClient, callBook, endedIn, outlinesIn, queryIn, runIn } from "./admin-client.ts";
import { batched } from "./batching.ts";
import type { StartResult } from "./book.ts";
import type { Ends, openEnds } from "./ends.ts";
import { openGate } from "./gate.ts";
import { excessOf } from "./limits.ts";
import { cancel, forget, prune, retry, unsent } from "./outside.ts";
import { detailOf, isIn, type RunOutline, summaryOf, versionsOf } from "./reading.ts";
import type { Serving, Setting } from "./serving.ts";
import { listSteps } from "./steps.ts";
import { openTransport } from "./transport.ts";

/** The engine of a process. `openEndsBy` opens the observer of the ends of runs. */
export function engineOf(
  address: Address,
  setting: Setting,
  openEndsBy: (ask: Parameters<typeof openEnds>[0]) => Ends,
  serving: Serving | undefined,
): Engine {
  const { names, options } = setting;
  const { workflows } = options;
  const transport = openTransport(address);
  const ends = openEndsBy(async (ids) => (await endedIn(client, ids)).map((run) => summaryOf(run, workflows)));
  const gate = openGate(address, names.gate, transport.request);
  const client: AdminClient = { address, setting, ends, transport, gate };
  const starting = batched<NewRun, StartResult>((runs) => callBook(client, "startAll", runs), most);
  const delivering = batched<CloudEvent, Delivery>((events) => callBook(client, "deliverAll", events), most);
  let isClosed = false;
  return {
    start: (workflow, input, { id = crypto.randomUUID(), trace } = {}) =>
      start(client, starting, { id, workflow, input, ...(trace !== undefined && { trace }) }),
    async deliver(event) {
      requireEvent(event);
      requireTaken("The event", event);
      return delivering(event);
    },
    // Programs whose runs wait for tasks are refused on this host.
    reportTask: async () => "unknown",
    takeTask: async () => undefined,
    awaitedTasks: async () => new Map(),
    async list(filter = {}) {
      const { limit, before } = pageRange(filter);
      const found: { readonly number: number; readonly run: ListedRun }[] = [];
      for (const each of await outlinesIn(client)) {
        const { order } = each.kept;
        const run = listedRun(summaryOf(each, workflows));
        if (order >= before || !isIn(filter)(run) || !matchesSearch(run, filter)) continue;
        if (filter.value === undefined || (await hasValue(client, each, filter.value)))
          found.push({ number: order, run });
        if (found.length > limit) break;
      }
      return pageOf(found, limit);
    },
    async counts(filter = {}) {
      const counts = new Map<string, RunCounts>();
      for (const each of await outlinesIn(client)) {
        const run = summaryOf(each, workflows);
        if (isIn({ ...filter, status: undefined })(run)) addRuns(counts, run.workflow, run.status, 1);
      }
      return counts;
    },
    async steps(id, filter) {
      const range = stepRange(filter ?? {});
      const [run] = await outlinesIn(client, [id]);
      return run && listSteps(run, queryIn(client), range);
    },
    async show(id) {
      const run = await runIn(client, id);
      return run && detailOf(run, workflows, queryIn(client), names);
    },
    async versions() {
      const runs = await outlinesIn(client);
      return versionsOf(
        runs.map((each) => summaryOf(each, workflows)),
        workflows,
      );
    },
    ended: ends.of,
    cancel: (id) => cancel(client, id),
    async retry(id, { from } = {}) {
      if (from !== undefined) throw new CannotRetry("Restate keeps the journal of a run: it has no retry from a step.");
      return retry(client, id);
    },
    prune: (before) => prune(client, before),
    forget: (id) => forget(client, id),
    async compact() {
      throw new Error("The store is not a file: Restate returns free space.");
    },
    fault: transport.fault,
    unsent: () => unsent(client),
    async close(grace = 5) {
      if (isClosed) return;
      isClosed = true;
      ends.close();
      await serving?.close(grace);
      transport.stop();
    },
  };
}

/** Starts a run. */
async function start(
  client: AdminClient,
  starting: (run: NewRun) => Promise<StartResult>,
  run: NewRun,
): Promise<RunSummary> {
  const { id, workflow } = run;
  const { workflows } = client.setting.options;
  if (!workflows.some((each) => each.id === workflow)) throw new Error(`There is no workflow ${workflow} here.`);
  requireId(id);
  requireTaken("The input", run.input);
  const { isNew, kept } = await starting(run);
  const begun = summaryOf({ id, kept, summary: undefined, isShortened: false }, workflows);
  if (isNew) return begun;
  const known = await runIn(client, id);
  return known ? summaryOf(known, workflows) : begun;
}

/** Throws if a value is longer than Restate accepts. */
function requireTaken(what: string, value: unknown): void {
  const excess = excessOf(value);
  if (excess !== undefined) throw new TypeError(`${what} cannot be taken in: ${excess}.`);
}

/** The maximum batch of starts or events. */
const most = { count: 200, size: 4_000_000 };

/** Whether a run has a correlation value at its start. */
async function hasValue(client: AdminClient, run: RunOutline, value: string): Promise<boolean> {
  const { id, kept } = run;
  const { workflows } = client.setting.options;
  const known = workflows.find((each) => each.id === kept.workflow && each.version === kept.version);
  if (!known?.correlation) return false;
  const input = run.isShortened ? (await runIn(client, id))?.kept.input : kept.input;
  const own: unknown = known.correlation(input as never, { id });
  return own !== undefined && valueTexts(value).includes(JSON.stringify(own));
}
