import { expect, test } from "vitest";
import type { Codec } from "../../targets/typescript/runtime/engine.ts";
import { enginesOnPostgres } from "./dbos.ts";
import { correlated, event, until, workflowOf } from "./samples.ts";

/** Hides payloads as well as a cipher does, for a test. */
const codec: Codec = {
  encode: (data) => data.map((byte) => byte ^ 0x55),
  decode: (data) => data.map((byte) => byte ^ 0x55),
};

enginesOnPostgres("a codec", ({ server, open }) => {
  test("encodes what is stored of runs", { timeout: 60_000 }, async () => {
    const workflow = workflowOf(
      async (flow) => {
        const result = await flow.step("Step", () => "PAYLOAD of a result");
        const { events } = await flow.receive("Wait");
        return [result, events[0]!.event.data!];
      },
      { ...correlated, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
    );
    const store = await server().createDatabase();
    const engine = await open(store, { workflows: [workflow], codec });
    const second = await open(store, { workflows: [workflow], codec, isPaused: true });
    await engine.start("W", "PAYLOAD of an input", { id: "a" });
    await engine.start("W", "PAYLOAD of an input", { id: "b" });
    await until(async () => (await second.list({ status: "waiting" })).runs.length === 2);
    await second.deliver(event("1", { who: "a", data: "PAYLOAD of an event" }));
    await second.deliver(event("2", { who: "nobody", data: "PAYLOAD of an event" }));
    expect((await engine.ended("a")).output).toEqual(["PAYLOAD of a result", "PAYLOAD of an event"]);
    expect((await second.show("b"))?.input).toBe("PAYLOAD of an input");
    const tables = await server().query(store, "SELECT tablename FROM pg_tables WHERE schemaname = 'waybill'");
    for (const { tablename } of tables) {
      const rows = await server().query(store, `SELECT * FROM waybill."${tablename}"`);
      expect(JSON.stringify(rows), `${tablename}`).not.toContain("PAYLOAD");
    }
    await expect(open(store, { workflows: [workflow] })).rejects.toThrow("there is no codec");
  });
});
