// One of several processes that Restate calls at one address: it goes on with whatever runs it gets, until it is killed.

import { loaderOf } from "../../targets/typescript/load.ts";
import type { openEngine as open } from "../../targets/typescript/runtime/hosts/restate/index.ts";
import { workflows } from "../crash/workflow.ts";

const [place = "", store = "", calls = "", name = ""] = process.argv.slice(2);
const { openEngine } = loaderOf(place)("restate.js") as { readonly openEngine: typeof open };
const functions = {
  async call(key: string, n: number, signal: AbortSignal): Promise<number> {
    const response = await fetch(calls, { method: "POST", body: JSON.stringify({ key, n, name }), signal });
    if (!response.ok) throw new Error("The call has failed.");
    return Number(await response.text());
  },
};
await openEngine({ store, workflows, functions, send: () => undefined, log: () => undefined });
process.stdout.write("open\n");
