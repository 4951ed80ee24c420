import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Engine, EngineOptions } from "../../../../../targets/typescript/runtime/engine.ts";
import type { CallbackOptions, Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { engineOn, type Hooks } from "../../../../../targets/typescript/runtime/sqlite/engine.ts";
import type { AnyWorkflow } from "../../../../../targets/typescript/runtime/workflow.ts";

let folder: string;
let clock: number;
const opened: Engine[] = [];
const tokens: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "waybill-tasks-"));
  clock = Date.UTC(2026, 0, 1);
  tokens.length = 0;
});
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close(0);
  rmSync(folder, { recursive: true });
});

const open = (workflows: readonly AnyWorkflow[], more: Partial<EngineOptions> = {}, hooks?: Hooks): Engine => {
  const options = {
    store: join(folder, "runs.db"),
    functions: {},
    send: () => undefined,
    log: () => undefined,
    workflows,
    ...more,
  };
  const engine = engineOn(options, hooks);
  opened.push(engine);
  return engine;
};

const define = (run: (flow: Flow, functions: unknown, input: Json) => Promise<Json>, more: object = {}): AnyWorkflow =>
  ({ id: "W", version: "1", name: "W", anyInput: true, run, ...more }) as unknown as AnyWorkflow;

/** Waits for one task, whose tokens are collected. */
const asking = (options?: CallbackOptions, call: (token: string) => unknown = () => undefined): AnyWorkflow =>
  define((flow) =>
    flow.callback(
      "Ask",
      ({ token }) => {
        tokens.push(token);
        return call(token);
      },
      options,
    ),
  );

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 5000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("This takes too long.");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

const started = async (engine: Engine, id = "a"): Promise<string> => {
  const before = tokens.length;
  await engine.start("W", null, { id });
  await until(() => tokens.length > before);
  return tokens.at(-1)!;
};

const success = (output: Json) => ({ kind: "success", output }) as const;
const failure = (error: string, cause = "") => ({ kind: "failure", error, cause }) as const;

describe("a task of a run", () => {
  test("ends with the reported result, once", async () => {
    const engine = open([asking()]);
    const token = await started(engine);
    expect(await engine.reportTask(token, success({ approved: true, by: "Ada" }))).toBe("accepted");
    expect((await engine.ended("a")).output).toEqual({ approved: true, by: "Ada" });
    expect(await engine.reportTask(token, success({ by: "Ada", approved: true }))).toBe("duplicate");
    expect(await engine.reportTask(token, success({ approved: false }))).toBe("answered");
    expect(await engine.reportTask(token, failure("Denied"))).toBe("answered");
    expect(await engine.reportTask(token, { kind: "heartbeat" })).toBe("answered");
  });

  test("fails with the reported error", async () => {
    const engine = open([asking()]);
    expect(await engine.reportTask(await started(engine), failure("Denied", "No budget."))).toBe("accepted");
    expect(await engine.ended("a")).toMatchObject({
      status: "failed",
      error: { name: "Denied", message: "No budget." },
    });
  });

  test("has a token of its own for each attempt, which others cannot guess, and which readers do not see", async () => {
    let db: DatabaseSync | undefined;
    const engine = open([asking({ retries: [{ limit: 1 }] })], {}, { opened: (opened) => (db = opened) });
    const first = await started(engine);
    expect(first).toMatch(/^[\w-]{43}$/);
    await engine.reportTask(first, failure("Busy"));
    await until(() => tokens.length === 2);
    const second = tokens[1]!;
    expect(second).not.toBe(first);
    expect(await engine.reportTask(first, success(1))).toBe("answered");
    await engine.reportTask(second, success(2));
    expect((await engine.ended("a")).output).toBe(2);
    expect(JSON.stringify([await engine.show("a"), await engine.steps("a")])).not.toContain(second);
    expect(JSON.stringify(db!.prepare("SELECT * FROM tasks").all())).not.toContain(second);
  });

  test("is unknown to reports with another token, and to those that are limited to other workflows", async () => {
    const engine = open([asking()]);
    const token = await started(engine);
    expect(await engine.reportTask(`${token}x`, success(1))).toBe("unknown");
    expect(await engine.reportTask(token, success(1), { workflows: ["V"] })).toBe("unknown");
    expect(await engine.reportTask(token, success(1), { workflows: ["V", "W"] })).toBe("accepted");
  });

  test("keeps an answer that is there before the call has returned", async () => {
    const engine: Engine = open([asking({}, (token) => engine.reportTask(token, success("early")))]);
    await engine.start("W", null, { id: "a" });
    expect((await engine.ended("a")).output).toBe("early");
  });

  test("fails with the call although the answer is there, and then takes no other", async () => {
    const engine: Engine = open([
      asking({}, async (token) => {
        await engine.reportTask(token, success("early"));
        throw new Error("not sent");
      }),
    ]);
    await engine.start("W", null, { id: "a" });
    expect(await engine.ended("a")).toMatchObject({ status: "failed", error: { message: "not sent" } });
  });

  test("is over when its run has ended, is cancelled or has timed out", async () => {
    const engine = open([asking({ timeout: 0.05 })]);
    const token = await started(engine);
    expect(await engine.ended("a")).toMatchObject({ status: "failed", error: { name: "Timeout" } });
    expect(await engine.reportTask(token, success(1))).toBe("over");
    const other = open([asking()], { store: join(folder, "other.db") });
    const cancelled = await started(other, "b");
    await other.cancel("b");
    expect(await other.reportTask(cancelled, success(1))).toBe("over");
  });

  test("is over when an enclosing step gives up", async () => {
    const workflow = define(async (flow) => {
      await flow.fork(
        "Both",
        {
          ask: (inner) => inner.callback("Ask", ({ token }) => void tokens.push(token)),
          nap: async (inner) => {
            await inner.sleep("Nap", 0.05);
            return null;
          },
        },
        { join: 1 },
      );
      await flow.sleep("Rest", 0.3);
      return "done";
    });
    const engine = open([workflow]);
    const token = await started(engine);
    await until(async () => (await engine.show("a"))!.steps.some(({ key }) => key === "Rest"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await engine.reportTask(token, success(1))).toBe("over");
    expect((await engine.ended("a")).output).toBe("done");
  });

  test("is shown as what the run waits for, and counted", async () => {
    const engine = open([asking()]);
    const token = await started(engine);
    await until(async () => (await engine.show("a"))!.status === "waiting");
    expect((await engine.show("a"))!.waitingFor).toEqual({ events: [], tasks: ["Ask"] });
    expect((await engine.steps("a"))!.pending).toMatchObject([{ key: "Ask#answer", isTask: true }]);
    expect(await engine.awaitedTasks()).toEqual(new Map([["W", 1]]));
    await engine.reportTask(token, success(1));
    await engine.ended("a");
    expect(await engine.awaitedTasks()).toEqual(new Map());
  });
});

describe("heartbeats of a task", () => {
  const options = { heartbeat: 10, timeout: 35 };
  const openTimed = (workflow = asking(options)) => open([workflow], { now: () => clock, pace: 1000 });

  test("prolong the wait, but not the timeout, also after a restart", async () => {
    const first = openTimed();
    const token = await started(first);
    clock += 8000;
    expect(await first.reportTask(token, { kind: "heartbeat" })).toBe("accepted");
    await first.close(0);
    clock += 9000;
    const second = openTimed();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await second.show("a"))!.status).toBe("waiting");
    expect(await second.reportTask(token, { kind: "heartbeat" })).toBe("accepted");
    clock += 9000;
    expect(await second.reportTask(token, { kind: "heartbeat" })).toBe("accepted");
    clock += 9000;
    expect((await second.ended("a")).error).toMatchObject({ name: "Timeout", message: "The time allowed has passed." });
    expect(await second.reportTask(token, { kind: "heartbeat" })).toBe("over");
  });

  test("fail the step when one is missed, also while the call is in progress", async () => {
    const engine = openTimed(asking(options, () => new Promise(() => undefined)));
    const token = await started(engine);
    clock += 10_000;
    expect((await engine.ended("a")).error).toMatchObject({ name: "Timeout" });
    expect(await engine.reportTask(token, success(1))).toBe("over");
  });

  test("have an origin of their own", async () => {
    const origins: string[] = [];
    const workflow = define(async (flow) => {
      try {
        return await flow.callback("Ask", ({ token }) => void tokens.push(token), { heartbeat: 0.05 });
      } catch (caught) {
        origins.push(flow.failure(caught).origin);
        return null;
      }
    });
    const engine = open([workflow]);
    await engine.start("W", null, { id: "a" });
    await engine.ended("a");
    expect(origins).toEqual(["heartbeat"]);
  });
});

describe("a process that is killed", () => {
  /** Opens an engine that stops after some commits as if the process had been killed. */
  const openWithCrash = (workflow: AnyWorkflow, commits: number) => {
    let left = commits;
    const { promise: died, resolve } = Promise.withResolvers<void>();
    const committed = () => {
      left -= 1;
      if (left === 0) resolve();
      return left <= 0;
    };
    return { engine: open([workflow], {}, { committed }), died };
  };

  test("keeps one token per attempt, and neither loses nor repeats an accepted answer, wherever it is killed", async () => {
    for (let commits = 1; commits < 12; commits++) {
      const calls: string[] = [];
      const workflow = define(async (flow) => {
        const first = await flow.callback("Ask", ({ token }) => void calls.push(`1 ${token}`));
        const second = await flow.callback("Ask", ({ token }) => void calls.push(`2 ${token}`));
        return [first, second];
      });
      const accepted = new Map<string, number>();
      const id = `run-${commits}`;
      const drive = async (engine: Engine): Promise<void> => {
        await engine.start("W", null, { id });
        for (let n = 1; ; ) {
          const run = await engine.show(id);
          if (run!.status === "succeeded") return;
          for (const call of calls) {
            const [number, token] = call.split(" ") as [string, string];
            const receipt = await engine.reportTask(token, success(n));
            if (receipt === "accepted") accepted.set(number, n);
            n += 1;
          }
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      };
      const { engine, died } = openWithCrash(workflow, commits);
      await Promise.race([died, drive(engine).catch(() => undefined)]);
      await engine.close(0);
      const again = open([workflow]);
      await drive(again);
      const { output } = await again.ended(id);
      for (const [number, n] of accepted) expect((output as readonly number[])[Number(number) - 1]).toBe(n);
      for (const step of ["1", "2"])
        expect(new Set(calls.filter((call) => call.startsWith(step))).size, `tokens of call ${step}`).toBe(1);
      await again.close(0);
    }
  });

  test("takes an answer for a run that no process executes", async () => {
    const first = open([asking()]);
    const token = await started(first);
    await first.close(0);
    const paused = open([asking()], { isPaused: true });
    expect(await paused.reportTask(token, success("by command"))).toBe("accepted");
    await paused.close(0);
    expect((await open([asking()]).ended("a")).output).toBe("by command");
    expect(tokens).toEqual([token]);
  });

  test("takes an answer for a run that has left memory", async () => {
    const engine = open([asking()], {}, { most: 0 });
    const token = await started(engine);
    await until(async () => (await engine.show("a"))!.status === "waiting");
    await engine.reportTask(token, success("back"));
    expect((await engine.ended("a")).output).toBe("back");
    expect(tokens).toEqual([token]);
  });
});

describe("a retried run", () => {
  test("asks again with another token after its task has failed or timed out", async () => {
    for (const end of ["failed", "timed out"]) {
      tokens.length = 0;
      const engine = open([asking({ timeout: end === "failed" ? 60 : 0.05 })], { store: join(folder, `${end}.db`) });
      const token = await started(engine);
      if (end === "failed") await engine.reportTask(token, failure("Denied"));
      await engine.ended("a");
      expect(await engine.retry("a")).toBe(true);
      await until(() => tokens.length === 2);
      expect(await engine.reportTask(token, success("old"))).not.toBe("accepted");
      expect(await engine.reportTask(tokens[1]!, success("new"))).toBe("accepted");
      expect((await engine.ended("a")).output).toBe("new");
    }
  });

  test("keeps what other branches have done since the task began", async () => {
    let worked = 0;
    const workflow = define((flow) =>
      flow.fork("Both", {
        ask: (inner) => inner.callback("Ask", ({ token }) => void tokens.push(token)),
        work: (inner) => inner.step("Work", () => ++worked),
      }),
    );
    const engine = open([workflow]);
    const token = await started(engine);
    await until(() => worked === 1);
    await engine.reportTask(token, failure("Denied"));
    await engine.ended("a");
    await engine.retry("a");
    await until(() => tokens.length === 2);
    await engine.reportTask(tokens[1]!, success("yes"));
    expect((await engine.ended("a")).output).toEqual({ ask: "yes", work: 1 });
    expect(worked).toBe(1);
  });

  test("continues a task that an enclosing step had ended", async () => {
    let fails = true;
    const workflow = define((flow) =>
      flow.fork("Both", {
        ask: (inner) => inner.callback("Ask", ({ token }) => void tokens.push(token)),
        work: async (inner) => {
          await inner.sleep("Nap", 0.05);
          return inner.step("Work", () => {
            if (fails) throw new Error("not now");
            return "worked";
          });
        },
      }),
    );
    const engine = open([workflow]);
    const token = await started(engine);
    await engine.ended("a");
    expect(await engine.reportTask(token, success("yes"))).toBe("over");
    fails = false;
    await engine.retry("a");
    await until(async () => (await engine.reportTask(token, success("yes"))) === "accepted");
    expect((await engine.ended("a")).output).toEqual({ ask: "yes", work: "worked" });
    expect(tokens).toEqual([token]);
  });

  test("repeats the call when it is retried from its step", async () => {
    const workflow = define(async (flow) => {
      await flow.callback("Ask", ({ token }) => void tokens.push(token));
      throw new Error("later");
    });
    const engine = open([workflow]);
    await engine.reportTask(await started(engine), success(1));
    await engine.ended("a");
    await engine.retry("a", { from: "Ask" });
    await until(() => tokens.length === 2);
    expect(await engine.reportTask(tokens[1]!, success(2))).toBe("accepted");
  });
});

describe("an activity", () => {
  const working = (options: CallbackOptions = {}) =>
    define((flow, _, input) => flow.activity("Review", "reviewers", () => ({ document: input }), options));

  test("gives each task to one worker, the oldest first, and ends with what it reports", async () => {
    const engine = open([working()]);
    expect(await engine.takeTask("reviewers")).toBeUndefined();
    await engine.start("W", 1, { id: "a" });
    const first = await engine.takeTask("reviewers", { wait: 5 });
    expect(first?.input).toEqual({ document: 1 });
    expect(await engine.takeTask("reviewers")).toBeUndefined();
    expect(await engine.takeTask("writers")).toBeUndefined();
    await engine.reportTask(first!.token, success("reviewed"));
    expect((await engine.ended("a")).output).toBe("reviewed");
  });

  test("offers a task again to nobody after a restart, and one that nobody has taken still", async () => {
    const first = open([working()]);
    await first.start("W", 1, { id: "a" });
    const task = await first.takeTask("reviewers", { wait: 5 });
    await first.start("W", 2, { id: "b" });
    await until(async () => (await first.show("b"))!.waitingFor.activities?.[0] === "reviewers");
    await first.close(0);
    const second = open([working()]);
    const other = await second.takeTask("reviewers", { wait: 5 });
    expect(other?.input).toEqual({ document: 2 });
    expect(await second.takeTask("reviewers")).toBeUndefined();
    await second.reportTask(task!.token, success("first"));
    await second.reportTask(other!.token, success("second"));
    expect([(await second.ended("a")).output, (await second.ended("b")).output]).toEqual(["first", "second"]);
  });

  test("counts its limits from when a worker has taken the task", async () => {
    const engine = open([working({ timeout: 20, heartbeat: 10 })], { now: () => clock, pace: 1000 });
    await engine.start("W", 1, { id: "a" });
    await until(async () => (await engine.show("a"))!.waitingFor.activities !== undefined);
    clock += 3_600_000;
    await new Promise((resolve) => setTimeout(resolve, 30));
    const task = await engine.takeTask("reviewers");
    expect(task).toMatchObject({ token: expect.any(String), input: { document: 1 } });
    await until(async () => (await engine.show("a"))!.waitingFor.tasks !== undefined);
    clock += 10_000;
    expect((await engine.ended("a")).error).toMatchObject({ name: "Timeout" });
    expect(await engine.reportTask(task!.token, success(1))).toBe("over");
  });

  test("offers no task of a run that has ended, and none to workers of other workflows", async () => {
    const engine = open([working()]);
    await engine.start("W", 1, { id: "a" });
    await until(async () => (await engine.show("a"))!.waitingFor.activities !== undefined);
    expect(await engine.takeTask("reviewers", { workflows: ["V"] })).toBeUndefined();
    await engine.cancel("a");
    expect(await engine.takeTask("reviewers")).toBeUndefined();
  });
});

test("the tasks of pruned runs are deleted", async () => {
  const engine = open([asking()]);
  const token = await started(engine);
  await engine.reportTask(token, success(1));
  await engine.ended("a");
  await engine.forget("a");
  expect(await engine.reportTask(token, success(1))).toBe("unknown");
});
