// Runs the workflows. For help, run `node main.ts --help`.

import { enableCompileCache } from "node:module";

// Caches compiled code for the next start. NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
enableCompileCache();
const { main, openEngine } = await import("./runtime.js");
const { functions } = await import("./functions.ts");
const { desk } = await import("./desk.ts");
const { payment } = await import("./payment.ts");
process.exitCode = await main({ workflows: [desk, payment], functions, open: openEngine, location: import.meta.url });
