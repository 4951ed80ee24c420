// One of several processes behind one address: it executes the runs that Restate assigns to it until it is killed.

import { createLoader } from "../../targets/typescript/load.ts";
import type { openEngine as open } from "../../targets/typescript/runtime/hosts/restate/index.ts";
import { workflows } from "../crash/workflow.ts";

const [folder = "", store = "", calls = "", name = ""] = process.argv.slice(2);
const { openEngine } = createLoader(folder)("restate.js") as { readonly openEngine: typeof open };
const functions = {
  async call(key: string, n: number, signal: AbortSignal): Promise<number> {
    const response = await fetch(calls, { method: "POST", body: JSON.stringify({ key, n, name }), signal });
    if (!response.ok) throw new Error("The call has failed.");
    return Number(await response.text());
  },
};
await openEngine({ store, workflows, functions, send: () => undefined, log: () => undefined });
process.stdout.write("open\n");
