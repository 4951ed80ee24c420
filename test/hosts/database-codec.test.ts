import { expect, test } from "vitest";
import type { Codec } from "../../targets/typescript/runtime/engine.ts";
import { enginesOnPostgres } from "./dbos.ts";
import { correlated, event, until, workflowOf } from "./samples.ts";

/** Hides payloads as well as a cipher does, for a test. */
const codec: Codec = {
  encode: (data) => data.map((byte) => byte ^ 0x55),
  decode: (data) => data.map((byte) => byte ^ 0x55),
};

const base64 = (text: string): string => Buffer.from(text).toString("base64").slice(0, 8);

enginesOnPostgres("a codec", ({ server, open, withoutEngines: alone }) => {
  const isEncoded = async () => {
    const workflow = workflowOf(
      async (flow) => {
        const result = await flow.step("Step", () => "PAYLOAD of a result");
        const { events } = await flow.receive("Wait");
        return [result, events[0]!.event.data!];
      },
      { ...correlated, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
    );
    const failing = workflowOf(
      (flow) =>
        flow.step("Step", () => {
          throw new Error("PAYLOAD of an error");
        }),
      { id: "F" },
    );
    const workflows = [workflow, failing];
    const store = await server().createDatabase();
    const engine = await open(store, { workflows, codec });
    const second = await open(store, { workflows, codec, isPaused: true });
    await engine.start("W", "PAYLOAD of an input", { id: "a" });
    await engine.start("W", "PAYLOAD of an input", { id: "b" });
    await until(async () => (await second.list({ status: "waiting" })).runs.length === 2);
    await second.deliver(event("1", { who: "a", data: "PAYLOAD of an event" }));
    await second.deliver(event("2", { who: "nobody", data: "PAYLOAD of an event" }));
    expect((await engine.ended("a")).output).toEqual(["PAYLOAD of a result", "PAYLOAD of an event"]);
    expect((await second.show("b"))?.input).toBe("PAYLOAD of an input");
    await engine.start("F", null, { id: "c" });
    expect((await engine.ended("c")).error?.message).toBe("PAYLOAD of an error");
    const statuses = "SELECT status FROM dbos.workflow_status WHERE workflow_uuid IN ('a', 'c') ORDER BY workflow_uuid";
    await until(async () => {
      const rows = await server().query(store, statuses);
      return rows.map(({ status }) => status).join() === "SUCCESS,ERROR";
    });
    const tables = await server().query(
      store,
      "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('waybill', 'dbos')",
    );
    for (const { schemaname, tablename } of tables) {
      const rows = await server().query(store, `SELECT * FROM "${schemaname}"."${tablename}"`);
      const text = JSON.stringify(rows);
      for (const each of ["PAYLOAD", base64("PAYLOAD")]) expect(text, `${tablename}`).not.toContain(each);
    }
    await expect(open(store, { workflows })).rejects.toThrow("there is no codec");
  };
  test("encodes what is stored of runs, also by DBOS", { timeout: 60_000 }, () => alone(isEncoded));
});
