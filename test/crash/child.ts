// The process to kill: resumes the runs of a store, starts missing ones, and delivers each event repeatedly, like a
// sender without an acknowledgment. Exits when all runs have ended.

import { openEngine } from "../../targets/typescript/runtime/sqlite/engine.ts";
import { workflows } from "./workflow.ts";

const [store = "", server = "", count = "0"] = process.argv.slice(2);
const functions = {
  async call(key: string, n: number, signal: AbortSignal): Promise<number> {
    const response = await fetch(server, { method: "POST", body: JSON.stringify({ key, n }), signal });
    if (!response.ok) throw new Error("The call has failed.");
    return Number(await response.text());
  },
};
const engine = openEngine({ store, workflows, functions, send: () => undefined, log: () => undefined });
process.stdout.write("open\n");
const ids = Array.from({ length: Number(count) }, (_, i) => `order-${i}`);
for (const [i, id] of ids.entries()) await engine.start("order", i, { id });
for (const id of ids)
  await engine.deliver({ specversion: "1.0", id: `paid-${id}`, source: "crash", type: "paid", order: id });
await Promise.all(ids.map((id) => engine.ended(id)));
await engine.close();
