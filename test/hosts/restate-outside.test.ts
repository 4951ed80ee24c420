import { describe, expect, test } from "vitest";
import { loaderOf } from "../../targets/typescript/load.ts";
import type { LogEntry } from "../../targets/typescript/runtime/engine.ts";
import type { main as command } from "../../targets/typescript/runtime/main/main.ts";
import { processTerminal } from "../../targets/typescript/runtime/main/terminal.ts";
import { runtimePlace } from "./place.ts";
import { openOnRestate } from "./restate.ts";
import { enginesOnRestate } from "./restate-engines.ts";
import { absence, freePort } from "./restate-server.ts";
import { breaking, correlated, until, workflowOf } from "./samples.ts";

// What is done to runs on Restate from outside: they are cancelled, retried and forgotten.

const why = absence();

describe.skipIf(why !== undefined)(
  `from outside on Restate${why ? ` (left out: ${why})` : ""}`,
  { timeout: 60_000 },
  () => {
    const engines = enginesOnRestate();
    const { open } = engines;

    test("a command beside a server cancels, retries and lists its runs, and serves nothing itself", async () => {
      const store = await engines.server.address();
      const { workflow, mend } = breaking();
      const serving = await open(store, { workflows: [workflow] });
      const asking = await open(store, { workflows: [workflow], isPaused: true });
      const beside = await open(store, { workflows: [workflow] });
      await serving.start("W", "wait", { id: "a" });
      await beside.start("W", null, { id: "b" });
      expect((await asking.ended("b")).status).toBe("failed");
      expect(asking.show("b")).toMatchObject({ steps: [{ key: "Break", status: "failed" }] });
      mend();
      expect(await asking.retry("b")).toBe(true);
      expect((await beside.ended("b")).output).toBe("mended");
      expect(await asking.cancel("a")).toBe(true);
      expect(asking.list().map(({ id, status }) => [id, status])).toEqual([
        ["b", "succeeded"],
        ["a", "cancelled"],
      ]);
    });

    test("commands say that Restate is not there, and end with 1", async () => {
      const { main } = loaderOf(runtimePlace())("runtime.js") as { readonly main: typeof command };
      const store = `http://127.0.0.1:${await freePort()}?ingress=http://127.0.0.1:${await freePort()}`;
      for (const args of [["list"], ["show", "a"], ["start", "W"], ["cancel", "a"], ["retry", "a"], ["versions"]]) {
        const said: string[] = [];
        const terminal = {
          ...processTerminal,
          environment: {},
          err: (words: string) => void said.push(words),
          out: () => undefined,
        };
        const program = { workflows: [workflowOf(async () => 1)], functions: {}, open: openOnRestate };
        expect(await main(program, [...args, "--store", store], terminal)).toBe(1);
        expect(said.join("")).toMatch(/^Restate at http:\S+ does not answer: .*ECONNREFUSED.*\.\n$/);
      }
    });

    test("a run that fails again at once as it is retried can be retried again", async () => {
      const { workflow, mend } = breaking();
      const engine = await open(await engines.server.address(), { workflows: [workflow] });
      await engine.start("W", null, { id: "a" });
      for (let i = 0; i < 10; i++) {
        expect((await engine.ended("a")).status).toBe("failed");
        expect(await engine.retry("a")).toBe(true);
      }
      expect((await engine.ended("a")).status).toBe("failed");
      mend();
      expect(await engine.retry("a")).toBe(true);
      expect((await engine.ended("a")).output).toBe("mended");
    });

    test("a run that is stranded here is cancelled by the process that has its version, and it goes on nowhere", async () => {
      const first = await engines.server.address();
      const version = (n: string) =>
        workflowOf(async (flow) => (await flow.receive("Wait", { alternatives: [{ all: [["go"]] }] })) && n, {
          ...correlated,
          version: n,
        });
      const log: LogEntry[] = [];
      const old = await open(first, { workflows: [version("1")], log: (entry) => log.push(entry) });
      await old.start("W", null, { id: "a" });
      await until(() => old.show("a")?.status === "waiting");
      const fresh = await open(await engines.server.addressBeside(first), { workflows: [version("2")] });
      expect(await fresh.cancel("a")).toBe(true);
      expect(fresh.show("a")?.status).toBe("cancelled");
      expect(log.map(({ message }) => message)).toContain("The run has been cancelled.");
    });

    test("what is left of runs where they were about to be forgotten is forgotten the next time", async () => {
      const store = await engines.server.address();
      const { workflow } = breaking();
      const done = workflowOf(async () => 1, { id: "Done" });
      const slow = workflowOf(async (flow) => (await flow.sleep("Nap", 3600)) ?? 1, { id: "Slow" });
      const first = await open(store, { workflows: [workflow, done, slow] });
      await first.start("Slow", null, { id: "slow" });
      const ids = Array.from({ length: 60 }, (_, i) => `${i}`);
      for (const id of ids) await first.start(id === "1" ? "W" : "Done", null, { id });
      for (const id of ids) await first.ended(id);
      const { origin, searchParams } = new URL(store);
      const ask = async (query: string) => {
        const headers = { "content-type": "application/json", accept: "application/json" };
        const response = await fetch(`${origin}/query`, { method: "POST", headers, body: JSON.stringify({ query }) });
        return ((await response.json()) as { readonly rows: readonly { readonly id: string }[] }).rows;
      };
      const runs = `SELECT id FROM sys_invocation WHERE target_service_name = '${searchParams.get("name")}-run'`;
      const [succeeded] = await ask(`${runs} AND target_service_key = '0'`);
      const [failed] = await ask(`${runs} AND target_service_key = '1'`);
      await fetch(`${origin}/invocations/${succeeded!.id}/purge`, { method: "PATCH" });
      await fetch(`${origin}/invocations/${failed!.id}/kill`, { method: "PATCH" });
      expect(await first.retry("1")).toBe(false);
      await first.close(0);
      const later = await open(store, { workflows: [workflow], now: () => Date.now() + 120_000 });
      expect(await later.cancel("slow")).toBe(true);
      expect(await later.prune(Date.now() + 300_000)).toBe(ids.length + 1);
      expect(later.list()).toEqual([]);
      expect(await ask(runs)).toEqual([]);
    });
  },
);
