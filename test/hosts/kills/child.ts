// One of several processes on a database: executes runs until it is killed or reads from standard input.

import { createLoader } from "../../../targets/typescript/load.ts";
import type { openEngine as open } from "../../../targets/typescript/runtime/hosts/dbos/index.ts";
import { workflows } from "../../crash/workflow.ts";

const [folder = "", store = "", server = "", first = "0", count = "0"] = process.argv.slice(2);
const { openEngine } = createLoader(folder)("dbos.js") as { readonly openEngine: typeof open };
const functions = {
  async call(key: string, n: number, signal: AbortSignal): Promise<number> {
    const response = await fetch(server, { method: "POST", body: JSON.stringify({ key, n }), signal });
    if (!response.ok) throw new Error("The call has failed.");
    return Number(await response.text());
  },
};
const log = ({ level, message }: { readonly level: string; readonly message: string }) => {
  if (level === "error") process.stderr.write(`${message}\n`);
};
const engine = await openEngine(
  { store, workflows, functions, send: () => undefined, log },
  { beat: 200, patience: 300 },
);
process.stdout.write("open\n");
process.stdin.on("data", async () => {
  await engine.close(1);
  process.exit(0);
});
const ids = Array.from({ length: Number(count) }, (_, i) => Number(first) + i);
for (const i of ids) {
  await engine.start("order", i, { id: `order-${i}` });
  await engine.deliver({
    specversion: "1.0",
    id: `paid-order-${i}`,
    source: "crash",
    type: "paid",
    order: `order-${i}`,
  });
}
process.stdout.write("begun\n");
