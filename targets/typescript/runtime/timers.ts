import { isCronSyntaxError, parseCron } from "../../../src/text/cron.ts";
import { nextOccurrence } from "../../../src/text/cron-times.ts";
import { WorkflowError } from "./errors.ts";
import type { Flow } from "./flow.ts";
import { isObject, type Json, type JsonObject, own } from "./json.ts";
import { type AnyWorkflow, defineWorkflow, type Timer, type Workflow } from "./workflow.ts";

/** A workflow whose run fires a timer of another workflow, and the id of its first run. */
export interface TimerWorkflow {
  readonly workflow: AnyWorkflow;
  readonly firstRun: string;
}

/**
 * The workflows that fire the timers of others. A run of one waits for each instant and starts a run of the other
 * workflow, so that timers are as durable as runs: a firing happens once, whichever process executes it, and one that
 * is due while no process runs happens as soon as one does. Of several that are due then, only one happens.
 */
export const timerWorkflows = (workflows: readonly AnyWorkflow[]): readonly TimerWorkflow[] =>
  workflows.flatMap((workflow) =>
    (workflow.start?.timers ?? []).map((timer, i) => {
      const text = textOf(timer);
      const name = {
        id: `${workflow.id} timer ${i}`,
        version: `${versionPrefix}${text}`,
        name: `${workflow.name}: ${text}`,
      };
      const fires = "after" in timer ? followingRuns(name, workflow, timer.after) : firings(name, workflow, timer);
      return { workflow: fires, firstRun: `${workflow.id} ${text}` };
    }),
  );

/** Whether a version is that of a workflow that fires a timer. */
export const isTimerVersion = (version: string): boolean => version.startsWith(versionPrefix);

const versionPrefix = "timer ";

type Name = Pick<AnyWorkflow, "id" | "version" | "name">;
type InstantTimer = Exclude<Timer, { readonly after: number }>;

/** What a timer's run continues with: the instant at which the timer began, and that of its last firing. */
interface TimerState extends JsonObject {
  readonly began: number;
  readonly last: number;
}

/** After this many firings another run continues, because some hosts limit what a run records. */
const maxFirings = 500;

function firings(name: Name, workflow: AnyWorkflow, timer: InstantTimer): AnyWorkflow {
  const timerWorkflow: Workflow<object, JsonObject> = defineWorkflow({
    ...name,
    async run(flow: Flow, _: object, input: JsonObject) {
      let state = stateIn(input) ?? (await beginningOf(flow));
      for (let count = 0; count < maxFirings; count++) {
        state = await flow.round("firing", state);
        const next = nextFiring(timer, state);
        if (next === undefined) return end(flow, timer);
        await flow.sleepUntil("wait", new Date(next).toISOString());
        await flow.launch("start", workflow, {});
        const now = await flow.now("now");
        state = { ...state, last: Math.max(next, now) };
      }
      await flow.launch("next", timerWorkflow, state);
      return null;
    },
  });
  return timerWorkflow;
}

async function beginningOf(flow: Flow): Promise<TimerState> {
  const now = await flow.now("begin");
  return { began: now, last: now };
}

function stateIn(input: JsonObject): TimerState | undefined {
  const [began, last] = [own(input, "began"), own(input, "last")];
  return typeof began === "number" && typeof last === "number" ? { began, last } : undefined;
}

/** A timer that fires a number of times from its beginning must not begin again: its run remains. */
async function end(flow: Flow, timer: InstantTimer): Promise<Json> {
  if ("every" in timer && timer.times !== undefined && timer.from === undefined)
    await flow.sleepUntil("over", "9999-12-31T23:59:59Z");
  return null;
}

/** The next instant of a timer, in milliseconds since 1970; undefined if it does not fire any more. */
export function nextFiring(timer: InstantTimer, { began, last }: TimerState): number | undefined {
  const next = "cron" in timer ? nextCron(timer, last) : nextInterval(timer, began, last);
  const isOver = next === undefined || (timer.until !== undefined && next > Date.parse(timer.until));
  return isOver || next > lastInstant ? undefined : next;
}

/** The last instant of RFC 3339. */
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

function nextCron({ cron, timezone }: Extract<Timer, { readonly cron: string }>, last: number): number | undefined {
  const parsed = parseCron(cron);
  if (isCronSyntaxError(parsed)) throw new WorkflowError("DataError", parsed.message);
  return nextOccurrence(parsed, last, timezone);
}

function nextInterval(
  { every, from, times }: Extract<Timer, { readonly every: number }>,
  began: number,
  last: number,
): number | undefined {
  const interval = every * 1000;
  const first = from === undefined ? began + interval : Date.parse(from);
  const n = last < first ? 0 : Math.floor((last - first) / interval) + 1;
  return times !== undefined && n >= times ? undefined : first + n * interval;
}

/**
 * A run of this workflow waits, unless it is the first, executes the other workflow, and starts the next one. So a run
 * of a timer is here one of the other workflow, with its output or error.
 */
function followingRuns(name: Name, workflow: AnyWorkflow, seconds: number): AnyWorkflow {
  const timerWorkflow: Workflow<object, JsonObject> = defineWorkflow({
    ...name,
    async run(flow: Flow, _: object, input: JsonObject) {
      if (isObject(input) && own(input, "follows") === true) await flow.sleep("wait", seconds);
      const next = (): Promise<void> => flow.launch("next", timerWorkflow, { follows: true });
      try {
        const output = await flow.invoke("run", workflow, {});
        await next();
        return output;
      } catch (thrown) {
        if (thrown instanceof WorkflowError) await next();
        throw thrown;
      }
    },
  });
  return timerWorkflow;
}

/** Describes a timer; the same for timers that fire alike. */
function textOf(timer: Timer): string {
  if ("after" in timer) return `after ${timer.after}s`;
  const until = timer.until === undefined ? "" : ` until ${timer.until}`;
  if ("cron" in timer) return `cron ${timer.cron}${timer.timezone === undefined ? "" : ` ${timer.timezone}`}${until}`;
  const from = timer.from === undefined ? "" : ` from ${timer.from}`;
  return `every ${timer.every}s${from}${until}${timer.times === undefined ? "" : ` ${timer.times} times`}`;
}
