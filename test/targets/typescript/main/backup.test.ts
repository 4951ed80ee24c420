import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { program, run, serve } from "./running.ts";

describe("backup", () => {
  test("a copy made while a server starts runs is whole, private, and continues from its moment", async () => {
    const folder = program();
    const store = ["--store", join(folder, "runs.db")];
    const copy = join(folder, "copy.db");
    const server = await serve(folder, store);
    const waiting = await server.ask("POST", "/workflows/order/runs?id=waiting", {});
    expect(waiting.status).toBe(201);
    let isDone = false;
    const starting = (async () => {
      for (let i = 0; !isDone; i += 1) await server.ask("POST", `/workflows/greet/runs?id=r${i}`, "Ada");
    })();
    expect(await run(folder, ["backup", copy, ...store])).toMatchObject({ status: 0, out: "" });
    isDone = true;
    await starting;
    await server.stop("SIGTERM");
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(existsSync(`${copy}-wal`)).toBe(false);
    const restored = await serve(folder, ["--store", copy]);
    const paid = { specversion: "1.0", id: "1", source: "/pay", type: "order.paid" };
    await restored.ask("POST", "/events", paid, { "content-type": "application/cloudevents+json" });
    const ended = await restored.ask("GET", "/runs/waiting/result?wait=10");
    expect([ended.status, ended.body]).toMatchObject([200, { version: "1" }]);
    await restored.stop("SIGTERM");
  });

  test("existing files, missing and damaged stores are refused", async () => {
    const folder = program();
    const [store, copy] = [join(folder, "small.db"), join(folder, "other.db")];
    expect(await run(folder, ["start", "greet", "--input", '"Ada"', "--store", store])).toMatchObject({ status: 0 });
    writeFileSync(copy, "mine");
    expect(await run(folder, ["backup", copy, "--store", store])).toMatchObject({ status: 1 });
    expect(readFileSync(copy, "utf8")).toBe("mine");
    const missing = await run(folder, ["backup", join(folder, "new.db"), "--store", join(folder, "none.db")]);
    expect([missing.status, missing.err]).toEqual([1, `There is no store ${join(folder, "none.db")}.\n`]);
    writeFileSync(store, readFileSync(store).fill(7, 4096, 12_000));
    const damaged = await run(folder, ["backup", join(folder, "new.db"), "--store", store]);
    expect(damaged.status).toBe(1);
    expect(existsSync(join(folder, "new.db"))).toBe(false);
    const database = await run(folder, ["backup", join(folder, "new.db"), "--store", "postgresql://localhost/x"]);
    expect(database.err).toContain("the tools of its server");
  });
});
