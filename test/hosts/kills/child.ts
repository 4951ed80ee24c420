// One of several processes on a database or a Restate server: executes runs, and serves `/health`, until it is killed or
// reads from standard input.

import { createLoader } from "../../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../../targets/typescript/runtime/engine.ts";
import { serve } from "../../../targets/typescript/runtime/server/serve.ts";
import { workflows } from "../../crash/workflow.ts";
import type { ProcessRequest } from "./process.ts";

const [folder = "", request = "{}"] = process.argv.slice(2);
const { host, store, calls, first, count, patience } = JSON.parse(request) as ProcessRequest;
const { openEngine } = createLoader(folder)(`${host}.js`) as {
  readonly openEngine: (options: EngineOptions, hooks?: object) => Promise<Engine>;
};
const functions = {
  async call(key: string, n: number, signal: AbortSignal): Promise<number> {
    const response = await fetch(calls, { method: "POST", body: JSON.stringify({ key, n }), signal });
    if (!response.ok) throw new Error("The call has failed.");
    return Number(await response.text());
  },
};
const log = ({ level, message }: { readonly level: string; readonly message: string }) => {
  if (level === "error") process.stderr.write(`${message}\n`);
};
/** Repeats what fails because the store does not respond. */
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
const hooks = host === "dbos" ? { beat: 200, patience } : {};
const engine = await persist(() => openEngine(options, hooks));
/** Others have taken over the runs of a process that was gone for too long. */
setInterval(() => {
  const fault = engine.fault();
  if (fault && "fault" in fault && fault.fault === "foreign") process.exit(3);
}, 100);
const { url } = await serve(engine, { port: 0, workflows: [] });
process.stdout.write(`open ${url}\n`);
process.stdin.on("data", async () => {
  await engine.close(1);
  process.exit(0);
});
const ids = Array.from({ length: count }, (_, i) => first + i);
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
  process.stdout.write(`paid ${i}\n`);
}
process.stdout.write("begun\n");
