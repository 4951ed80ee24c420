import { expect, test } from "vitest";
import type { Engine } from "../../targets/typescript/runtime/engine.ts";
import { enginesOnPostgres } from "./dbos.ts";
import { until, workflowOf } from "./samples.ts";

// Runs during whose execution processes on a PostgreSQL database die.

enginesOnPostgres("suspects", ({ server, open }) => {
  test("only the suspect that a process has begun last has one more death, until it is blocked", {
    timeout: 60_000,
  }, async () => {
    const store = await server().createDatabase();
    const hanging = workflowOf((flow) => flow.step("Hang", () => new Promise<never>(() => undefined)), {});
    /** Opens an engine that closes as if its process had died. */
    const live = async (): Promise<{ readonly engine: Engine; die(): Promise<void> }> => {
      let isDead = false;
      const hooks = { committed: () => isDead, isKilled: () => isDead };
      const engine = await open(store, { workflows: [hanging] }, hooks);
      return {
        engine,
        async die() {
          isDead = true;
          await engine.close(0);
        },
      };
    };
    const query = (sql: string) => server().query(store, sql);
    const deathsOf = async (id: string) =>
      Number((await query(`SELECT deaths FROM waybill.runs WHERE id = '${id}'`))[0]!["deaths"]);
    const suspect = async () =>
      (
        await query(
          "SELECT id FROM waybill.runs WHERE ref = (SELECT suspect FROM waybill.processes ORDER BY ref DESC LIMIT 1)",
        )
      )[0]?.["id"];

    const first = await live();
    for (const id of ["a", "b"]) await first.engine.start("W", null, { id });
    await until(async () => (await query("SELECT 1 FROM waybill.runs WHERE owner IS NOT NULL")).length === 2);
    await query("UPDATE waybill.runs SET deaths = 3");
    await first.die();

    for (let deaths = 3; deaths < 8; deaths++) {
      const next = await live();
      await until(async () => (await suspect()) === "a");
      expect([await deathsOf("a"), await deathsOf("b")]).toEqual([deaths, 3]);
      await next.die();
    }
    const last = await live();
    await until(async () => (await last.engine.show("a"))?.status === "stranded");
    expect((await last.engine.show("a"))?.reason).toBe(
      "Processes have died 8 times while the run was executed, 5 times right after it had begun.",
    );
    expect((await last.engine.show("b"))?.status).toBe("running");
    await until(async () => (await suspect()) === undefined);
  });
});
