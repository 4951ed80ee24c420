// Runs the workflows. For help, run `node main.ts --help`.

import { enableCompileCache } from "node:module";

// Caches compiled code for the next start. NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
enableCompileCache();
const { main, openEngine } = await import("./runtime.js");
const { functions } = await import("./functions.ts");
const { bill } = await import("./bill.ts");
const { check } = await import("./check.ts");
const { desk } = await import("./desk.ts");
process.exitCode = await main({
  workflows: [bill, check, desk],
  functions,
  open: openEngine,
  location: import.meta.url,
});
