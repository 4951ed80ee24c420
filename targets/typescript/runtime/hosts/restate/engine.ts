import type { Delivery, Engine, RunSummary } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import type { NewRun } from "../broker/messages.ts";
import { parts } from "../parts.ts";
import type { Address } from "./address.ts";
import { type AdminClient, knownNow, tellBook } from "./admin-client.ts";
import { batched } from "./batching.ts";
import type { StartResult } from "./book.ts";
import type { Ends, openEnds } from "./ends.ts";
import { excessOf } from "./limits.ts";
import { cancel, prune, retry, unsent } from "./outside.ts";
import { openQuery } from "./query.ts";
import { detailOf, isIn, knownIn, knownQuery, summaryOf, versionsOf } from "./reading.ts";
import type { Serving, Setting } from "./serving.ts";
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
  const { query, close } = openQuery(address.admin, reach.lost);
  const ends = openEndsBy(async (ids) => (await knownNow(desk, ids)).map((run) => summaryOf(run, workflows)));
  const desk: AdminClient = { address, setting, query, ends, reach };
  const known = (ids?: readonly string[]) => knownIn(query(knownQuery(names, ids)), names);
  const summaries = () => known().map((each) => summaryOf(each, workflows));
  const starting = batched<NewRun, StartResult>((runs) => tellBook(desk, "startAll", runs), most);
  const delivering = batched<CloudEvent, Delivery>((events) => tellBook(desk, "deliverAll", events), most);
  let isClosed = false;
  return {
    start: (workflow, input, { id = crypto.randomUUID() } = {}) => start(desk, starting, { id, workflow, input }),
    async deliver(event) {
      parts.requireEvent(event);
      requireTaken("The event", event);
      return delivering(event);
    },
    list: (filter = {}) => summaries().filter(isIn(filter)).slice(0, filter.limit),
    show(id) {
      const [run] = known([id]);
      return run && detailOf(run, workflows, query, names);
    },
    versions: () => versionsOf(summaries(), workflows),
    ended: ends.of,
    cancel: (id) => cancel(desk, id),
    retry: (id) => retry(desk, id),
    prune: (before) => prune(desk, before),
    fault: reach.fault,
    unsent: () => unsent(desk),
    async close(grace = 5) {
      if (isClosed) return;
      isClosed = true;
      ends.close();
      await serving?.close(grace);
      reach.stop();
      close();
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
  parts.requireId(id);
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
