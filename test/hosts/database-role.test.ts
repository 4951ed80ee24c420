import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enginesOnPostgres, openOnDbos } from "./dbos.ts";
import { correlated, event, until, workflowOf } from "./samples.ts";

// A program whose database role owns nothing.

const page = readFileSync(join(import.meta.dirname, "../../targets/typescript/runtime/hosts/README.md"), "utf8");
/** The statements of the page for operators. */
const grants = /```sql\n(.*?GRANT.*?)```/s.exec(page)![1]!;

enginesOnPostgres("a role with the documented privileges", ({ server, withoutEngines }) => {
  test("runs workflows, but creates nothing", { timeout: 60_000 }, async () => {
    const owner = await server().createDatabase();
    const role = owner.replace("waybill@", "orders@");
    const database = new URL(owner).pathname.slice(1);
    const sent: unknown[] = [];
    const log: unknown[] = [];
    const workflow = workflowOf(
      async (flow, input) => {
        const step = await flow.step("Step", () => 1);
        const { events } = await flow.receive("Wait");
        await flow.emit("Tell", "told", null);
        await flow.sleep("Nap", 0.05);
        return [input, step, events[0]!.event.id];
      },
      {
        ...correlated,
        events: { ...correlated.events!, told: { type: "told", source: "test" } },
        waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
      },
    );
    const options = {
      workflows: [workflow],
      functions: {},
      send: (each: unknown) => void sent.push(each),
      log: (entry: unknown) => void log.push(entry),
    };
    await withoutEngines(async () => {
      await (await openOnDbos({ ...options, store: owner })).close();
      await server().query(owner, `REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
      await server().query(owner, "CREATE ROLE orders LOGIN");
      await expect(openOnDbos({ ...options, store: role })).rejects.toThrow("permission denied");
      await server().query(owner, grants.replaceAll("DATABASE waybill", `DATABASE ${database}`));
      const engine = await openOnDbos({ ...options, store: role });
      const second = await openOnDbos({ ...options, store: role, isPaused: true });
      await engine.start("W", "x", { id: "a" });
      await engine.start("W", "x", { id: "b" });
      await until(async () => (await second.show("a"))?.status === "waiting");
      await second.deliver(event("1", { who: "a" }));
      expect((await engine.ended("a")).output).toEqual(["x", 1, "1"]);
      expect(await second.cancel("b")).toBe(true);
      await until(async () => sent.length === 1 && (await engine.unsent()).unsent === 0);
      expect(await engine.prune(Date.now() + 60_000)).toBe(2);
      await second.close();
      await engine.close();
      expect(JSON.stringify(log)).not.toContain("denied");
      for (const text of ["CREATE TABLE waybill.x ()", "CREATE SCHEMA x", "DROP TABLE waybill.runs"])
        await expect(server().query(role, text)).rejects.toThrow(/permission denied|must be owner/);
    });
  });
});
