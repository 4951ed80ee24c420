// One of several processes on a database: executes runs until it is killed or reads from standard input.

import { createLoader } from "../../../targets/typescript/load.ts";
import type { openEngine as open } from "../../../targets/typescript/runtime/hosts/dbos/index.ts";
import { workflows } from "../../crash/workflow.ts";

const [folder = "", store = "", server = "", first = "0", count = "0", patience = "300"] = process.argv.slice(2);
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
/** Repeats what fails because the database does not respond. */
async function persist<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (reason) {
      if (!(reason instanceof Error && reason.name === "StoreError")) throw reason;
      if ("fault" in reason && reason.fault === "foreign") process.exit(3);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

const options = { store, workflows, functions, send: () => undefined, log };
const engine = await persist(() => openEngine(options, { beat: 200, patience: Number(patience) }));
/** Others have taken over the runs of a process that was gone for too long. */
setInterval(() => {
  const fault = engine.fault();
  if (fault && "fault" in fault && fault.fault === "foreign") process.exit(3);
}, 100);
process.stdout.write("open\n");
process.stdin.on("data", async () => {
  await engine.close(1);
  process.exit(0);
});
const ids = Array.from({ length: Number(count) }, (_, i) => Number(first) + i);
for (const i of ids) {
  await persist(() => engine.start("order", i, { id: `order-${i}` }));
  const paid = {
    specversion: "1.0",
    id: `paid-order-${i}`,
    source: "crash",
    type: "paid",
    order: `order-${i}`,
  };
  await persist(() => engine.deliver(paid));
}
process.stdout.write("begun\n");
