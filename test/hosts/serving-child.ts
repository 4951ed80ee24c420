// A program that is served with a store in PostgreSQL.

import { createLoader } from "../../targets/typescript/load.ts";
import type { main as runMain } from "../../targets/typescript/runtime/face.ts";
import type { openEngine as open } from "../../targets/typescript/runtime/hosts/dbos/index.ts";
import { workflowOf } from "./samples.ts";

const [folder = "", store = ""] = process.argv.slice(2);
const load = createLoader(folder);
const { openEngine } = load("dbos.js") as { readonly openEngine: typeof open };
const { main } = load("runtime.js") as { readonly main: typeof runMain };
const workflow = workflowOf(async (flow) => {
  let sum = 0;
  for (let i = 0; i < 5; i++) sum += await flow.step(`Step ${i}`, () => i);
  return sum;
});
const program = {
  workflows: [workflow],
  functions: {},
  open: (options: Parameters<typeof open>[0]) => openEngine(options),
};
process.exitCode = await main(program, ["serve", "--port", "0", "--no-token", "--grace", "5", "--store", store]);
