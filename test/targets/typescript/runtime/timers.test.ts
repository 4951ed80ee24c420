import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../../../targets/typescript/runtime/engine.ts";
import type { Flow } from "../../../../targets/typescript/runtime/flow.ts";
import { beginTimers } from "../../../../targets/typescript/runtime/main/timers.ts";
import { nextFiring, timerWorkflows } from "../../../../targets/typescript/runtime/timers.ts";
import type { AnyWorkflow, Timer } from "../../../../targets/typescript/runtime/workflow.ts";
import { type Place, place, until, workflowOf } from "./sqlite/place.ts";

const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

test.each<[Exclude<Timer, { after: number }>, string, string | undefined]>([
  [{ every: 3600 }, "08:30:00", "09:15:00"],
  [{ every: 3600 }, "09:15:00", "10:15:00"],
  [{ every: 3600, times: 2 }, "09:15:00", "10:15:00"],
  [{ every: 3600, times: 2 }, "10:15:00", undefined],
  [{ every: 3600, from: "2026-01-01T10:00:00Z" }, "08:15:00", "10:00:00"],
  [{ every: 3600, from: "2026-01-01T10:00:00Z" }, "10:00:00", "11:00:00"],
  [{ every: 3600, from: "2026-01-01T06:00:00Z", times: 3 }, "08:15:00", undefined],
  [{ every: 3600, until: "2026-01-01T09:15:00Z" }, "08:15:00", "09:15:00"],
  [{ every: 3600, until: "2026-01-01T09:15:00Z" }, "09:15:00", undefined],
  [{ cron: "*/20 * * * *" }, "08:15:00", "08:20:00"],
  [{ cron: "0 12 * * *", timezone: "Europe/Berlin", until: "2026-01-01T11:00:00Z" }, "08:15:00", "11:00:00"],
  [{ cron: "0 12 * * *", timezone: "Europe/Berlin", until: "2026-01-01T11:00:00Z" }, "11:00:00", undefined],
])("%o after %s: %s", (timer, last, next) => {
  expect(nextFiring(timer, { began: at("08:15:00"), last: at(last) })).toBe(next && at(next));
});

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

/** Ten hours pass in a second. */
const pace = 36_000;

const timed = (timers: readonly Timer[], run = async (_: Flow): Promise<null> => null): AnyWorkflow =>
  workflowOf(run, { start: { timers } });

/** An engine of a program that serves, whose clock shows an instant. */
async function serving(workflow: AnyWorkflow, from = at("08:00:00")): Promise<Engine> {
  const began = performance.now();
  const now = () => from + (performance.now() - began) * pace;
  const timers = timerWorkflows([workflow]).map((each) => each.workflow);
  const engine = here.open([workflow, ...timers], {}, { now, pace });
  await beginTimers(engine, [workflow], (entry) => here.log.push(entry));
  return engine;
}

const runsOf = async (engine: Engine, workflow = "W") => (await engine.list({ workflow, limit: 1000 })).runs;
const hasRuns = (engine: Engine, count: number, workflow?: string) =>
  until(async () => (await runsOf(engine, workflow)).length >= count);

test("each interval starts a run, whatever the number of servers and starts", async () => {
  const workflow = timed([{ every: 3600 }]);
  const engine = await serving(workflow);
  await beginTimers(engine, [workflow], () => undefined);
  await hasRuns(engine, 3);
  const hours = (await runsOf(engine)).map(({ created }) =>
    Math.floor((Date.parse(created) - at("08:00:00")) / 3_600_000),
  );
  expect(hours).toEqual([...new Set(hours)]);
  expect(hours).not.toContain(0);
  expect((await runsOf(engine, "W timer 0")).map(({ id }) => id)).toEqual(["W every 3600s"]);
});

test("what is due while no process runs happens once", async () => {
  const workflow = timed([{ every: 3600 }]);
  const first = await serving(workflow);
  await hasRuns(first, 1);
  const before = (await runsOf(first)).length;
  await first.close();
  const second = await serving(workflow, at("08:00:00") + 10 * 86_400_000);
  await hasRuns(second, before + 2);
  const late = (await runsOf(second)).map(({ created }) => Date.parse(created)).filter((time) => time > at("23:59:59"));
  expect(late.length).toBeLessThan(10);
});

test("a timer that has changed is replaced, and one that is gone ends", async () => {
  const first = await serving(timed([{ every: 3600 }, { cron: "0 0 1 1 *" }]));
  await first.close();
  const second = await serving(timed([{ every: 7200 }]));
  const timers = [...(await runsOf(second, "W timer 0")), ...(await runsOf(second, "W timer 1"))];
  expect(timers.map(({ id, status }) => [id, status === "cancelled"]).sort()).toEqual([
    ["W cron 0 0 1 1 *", true],
    ["W every 3600s", true],
    ["W every 7200s", false],
  ]);
});

test("a timer that an operator cancelled does not begin again", async () => {
  const workflow = timed([{ every: 3600 }]);
  const engine = await serving(workflow);
  await engine.cancel("W every 3600s");
  const before = (await runsOf(engine)).length;
  await beginTimers(engine, [workflow], (entry) => here.log.push(entry));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await runsOf(engine)).length).toBe(before);
  expect(here.log.at(-1)!.message).toBe("A timer does not begin again, because its run has ended.");
});

test("the next run follows the end of the last one, however that ended", async () => {
  let count = 0;
  const workflow = timed([{ after: 3600 }], async (flow) => {
    await flow.sleep("work", 1800);
    count += 1;
    const fails = count === 2;
    return flow.step("check", () => {
      if (fails) throw Object.assign(new Error("no"), { name: "Odd" });
      return null;
    });
  });
  const engine = await serving(workflow);
  await hasRuns(engine, 4, "W timer 0");
  const [first, second, third] = (await runsOf(engine, "W timer 0")).toReversed();
  expect([first!.status, second!.status]).toEqual(["succeeded", "failed"]);
  // Work of half an hour and an hour after it; a busy machine is later, as a second is ten hours
  expect((Date.parse(third!.created) - Date.parse(second!.created)) / 60_000).toBeGreaterThanOrEqual(89);
});
