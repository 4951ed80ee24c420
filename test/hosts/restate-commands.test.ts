import { describe, expect, test } from "vitest";
import { createLoader } from "../../targets/typescript/load.ts";
import type { LogEntry } from "../../targets/typescript/runtime/engine.ts";
import type { main as command } from "../../targets/typescript/runtime/main/main.ts";
import { processTerminal } from "../../targets/typescript/runtime/main/terminal.ts";
import { enginesOnRestate, openOnRestate } from "./restate.ts";
import { freePort, skipReason } from "./restate-server.ts";
import { runtimeFolder } from "./runtime-folder.ts";
import { breakingWorkflow, correlated, until, workflowOf } from "./samples.ts";

// Commands on runs of Restate: cancel, retry and prune.

const why = skipReason();

describe.skipIf(why !== undefined)(`commands on Restate${why ? ` (skipped: ${why})` : ""}`, { timeout: 60_000 }, () => {
  const engines = enginesOnRestate();
  const { open } = engines;

  test("a command cancels, retries and lists runs of a server and serves none itself", async () => {
    const store = await engines.server.address();
    const { workflow, fix } = breakingWorkflow();
    const serving = await open(store, { workflows: [workflow] });
    const paused = await open(store, { workflows: [workflow], isPaused: true });
    const second = await open(store, { workflows: [workflow] });
    await serving.start("W", "wait", { id: "a" });
    await second.start("W", null, { id: "b" });
    expect((await paused.ended("b")).status).toBe("failed");
    expect(await paused.show("b")).toMatchObject({ steps: [{ key: "Break", status: "failed" }] });
    fix();
    expect(await paused.retry("b")).toBe(true);
    expect((await second.ended("b")).output).toBe("fixed");
    expect(await paused.cancel("a")).toBe(true);
    expect((await paused.list()).runs.map(({ id, status }) => [id, status])).toEqual([
      ["b", "succeeded"],
      ["a", "cancelled"],
    ]);
  });

  test("commands report that Restate is unreachable and exit with status 1", async () => {
    const { main } = createLoader(runtimeFolder())("runtime.js") as { readonly main: typeof command };
    const store = `http://127.0.0.1:${await freePort()}?ingress=http://127.0.0.1:${await freePort()}`;
    for (const args of [["list"], ["show", "a"], ["start", "W"], ["cancel", "a"], ["retry", "a"], ["versions"]]) {
      const errors: string[] = [];
      const terminal = {
        ...processTerminal,
        environment: {},
        err: (words: string) => void errors.push(words),
        out: () => undefined,
      };
      const program = { workflows: [workflowOf(async () => 1)], functions: {}, open: openOnRestate };
      expect(await main(program, [...args, "--store", store], terminal)).toBe(1);
      expect(errors.join("")).toMatch(/^Restate at http:\S+ does not answer: .*ECONNREFUSED.*\.\n$/);
    }
  });

  test("a run that fails again immediately after a retry can be retried again", async () => {
    const { workflow, fix } = breakingWorkflow();
    const engine = await open(await engines.server.address(), { workflows: [workflow] });
    await engine.start("W", null, { id: "a" });
    for (let i = 0; i < 10; i++) {
      expect((await engine.ended("a")).status).toBe("failed");
      expect(await engine.retry("a")).toBe(true);
    }
    expect((await engine.ended("a")).status).toBe("failed");
    fix();
    expect(await engine.retry("a")).toBe(true);
    expect((await engine.ended("a")).output).toBe("fixed");
  });

  test("a run whose version is missing here is canceled by the process that has it", async () => {
    const first = await engines.server.address();
    const version = (n: string) =>
      workflowOf(async (flow) => (await flow.receive("Wait")) && n, {
        ...correlated,
        version: n,
        waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
      });
    const log: LogEntry[] = [];
    const old = await open(first, { workflows: [version("1")], log: (entry) => log.push(entry) });
    await old.start("W", null, { id: "a" });
    await until(async () => (await old.show("a"))?.status === "waiting");
    const fresh = await open(await engines.server.addressAtOtherPort(first), { workflows: [version("2")] });
    expect(await fresh.cancel("a")).toBe(true);
    expect((await fresh.show("a"))?.status).toBe("cancelled");
    expect(log.map(({ message }) => message)).toContain("The run has been cancelled.");
  });

  test("an interrupted prune is completed by the next one", async () => {
    const store = await engines.server.address();
    const { workflow } = breakingWorkflow();
    const done = workflowOf(async () => 1, { id: "Done" });
    const slow = workflowOf(async (flow) => (await flow.sleep("Nap", 3600)) ?? 1, { id: "Slow" });
    const first = await open(store, { workflows: [workflow, done, slow] });
    await first.start("Slow", null, { id: "slow" });
    const ids = Array.from({ length: 60 }, (_, i) => `${i}`);
    for (const id of ids) await first.start(id === "1" ? "W" : "Done", null, { id });
    for (const id of ids) await first.ended(id);
    const { origin, searchParams } = new URL(store);
    const select = async (query: string) => {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const response = await fetch(`${origin}/query`, { method: "POST", headers, body: JSON.stringify({ query }) });
      return ((await response.json()) as { readonly rows: readonly { readonly id: string }[] }).rows;
    };
    const runs = `SELECT id FROM sys_invocation WHERE target_service_name = '${searchParams.get("name")}-run'`;
    const [succeeded] = await select(`${runs} AND target_service_key = '0'`);
    const [failed] = await select(`${runs} AND target_service_key = '1'`);
    await fetch(`${origin}/invocations/${succeeded!.id}/purge`, { method: "PATCH" });
    await fetch(`${origin}/invocations/${failed!.id}/kill`, { method: "PATCH" });
    expect(await first.retry("1")).toBe(false);
    await first.close(0);
    const later = await open(store, { workflows: [workflow], now: () => Date.now() + 120_000 });
    expect(await later.cancel("slow")).toBe(true);
    expect(await later.prune(Date.now() + 300_000)).toBe(ids.length + 1);
    expect((await later.list()).runs).toEqual([]);
    expect(await select(runs)).toEqual([]);
  });
});
