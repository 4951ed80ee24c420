import type { Delivery, Engine, RunCounts, RunSummary } from "../../engine.ts";
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
} from "../../internal.ts";
import type { NewRun } from "../broker/messages.ts";
import type { Address } from "./address.ts";
import { type AdminClient, knownNow, queryIn, tellBook } from "./admin-client.ts";
import { batched } from "./batching.ts";
import type { StartResult } from "./book.ts";
import type { Ends, openEnds } from "./ends.ts";
import { openGate } from "./gate.ts";
import { excessOf } from "./limits.ts";
import { cancel, forget, prune, retry, unsent } from "./outside.ts";
import { detailOf, isIn, summaryOf, versionsOf } from "./reading.ts";
import type { Serving, Setting } from "./serving.ts";
import { hasValue, listSteps } from "./steps.ts";
import { openReach } from "./transport.ts";

/** The engine of a process. `openEndsBy` opens the observer of the ends of runs. */
export function engineOf(
  address: Address,
  setting: Setting,
  openEndsBy: (ask: Parameters<typeof openEnds>[0]) => Ends,
  serving: Serving | undefined,
): Engine {
  const { names, options } = setting;
  const { workflows } = options;
  const reach = openReach(address);
  const ends = openEndsBy(async (ids) => (await knownNow(desk, ids)).map((run) => summaryOf(run, workflows)));
  const gate = openGate(address, names.gate, reach.request);
  const desk: AdminClient = { address, setting, ends, reach, gate };
  const starting = batched<NewRun, StartResult>((runs) => tellBook(desk, "startAll", runs), most);
  const delivering = batched<CloudEvent, Delivery>((events) => tellBook(desk, "deliverAll", events), most);
  let isClosed = false;
  return {
    start: (workflow, input, { id = crypto.randomUUID(), trace } = {}) =>
      start(desk, starting, { id, workflow, input, ...(trace !== undefined && { trace }) }),
    async deliver(event) {
      requireEvent(event);
      requireTaken("The event", event);
      return delivering(event);
    },
    async list(filter = {}) {
      const { limit, before } = pageRange(filter);
      const found = (await knownNow(desk))
        .filter(({ id, kept }) => kept.order < before && hasValue(id, kept, filter.value, workflows))
        .map((each) => ({ number: each.kept.order, run: listedRun(summaryOf(each, workflows)) }))
        .filter(({ run }) => isIn(filter)(run) && matchesSearch(run, filter));
      return pageOf(found, limit);
    },
    async counts(filter = {}) {
      const counts = new Map<string, RunCounts>();
      for (const each of await knownNow(desk)) {
        const run = summaryOf(each, workflows);
        if (isIn({ ...filter, status: undefined })(run)) addRuns(counts, run.workflow, run.status, 1);
      }
      return counts;
    },
    async steps(id, filter) {
      const range = stepRange(filter ?? {});
      const [run] = await knownNow(desk, [id]);
      return run && listSteps(run, queryIn(desk), range);
    },
    async show(id) {
      const [run] = await knownNow(desk, [id]);
      return run && detailOf(run, workflows, queryIn(desk), names);
    },
    async versions() {
      const runs = await knownNow(desk);
      return versionsOf(
        runs.map((each) => summaryOf(each, workflows)),
        workflows,
      );
    },
    ended: ends.of,
    cancel: (id) => cancel(desk, id),
    async retry(id, { from } = {}) {
      if (from !== undefined) throw new CannotRetry("Restate keeps the journal of a run: it has no retry from a step.");
      return retry(desk, id);
    },
    prune: (before) => prune(desk, before),
    forget: (id) => forget(desk, id),
    async compact() {
      throw new Error("The store is not a file: Restate returns free space.");
    },
    fault: reach.fault,
    unsent: () => unsent(desk),
    async close(grace = 5) {
      if (isClosed) return;
      isClosed = true;
      ends.close();
      await serving?.close(grace);
      reach.stop();
    },
  };
}

/** Starts a run. */
async function start(
  desk: AdminClient,
  starting: (run: NewRun) => Promise<StartResult>,
  run: NewRun,
): Promise<RunSummary> {
  const { id, workflow } = run;
  const { workflows } = desk.setting.options;
  if (!workflows.some((each) => each.id === workflow)) throw new Error(`There is no workflow ${workflow} here.`);
  requireId(id);
  requireTaken("The input", run.input);
  const { isNew, kept } = await starting(run);
  const begun = summaryOf({ id, kept, summary: undefined }, workflows);
  if (isNew) return begun;
  const [known] = await knownNow(desk, [id]);
  return known ? summaryOf(known, workflows) : begun;
}

/** Throws if a value is longer than Restate accepts. */
function requireTaken(what: string, value: unknown): void {
  const excess = excessOf(value);
  if (excess !== undefined) throw new TypeError(`${what} cannot be taken in: ${excess}.`);
}

/** The maximum batch of starts or events. */
const most = { count: 200, size: 4_000_000 };
