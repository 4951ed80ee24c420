// Runs the workflows: `node main.ts --help` tells how.

import { enableCompileCache } from "node:module";

// What Node compiles is kept for the next start, but where NODE_DISABLE_COMPILE_CACHE=1.
enableCompileCache();
const { main, openEngine } = await import("./runtime.js");
const { functions } = await import("./functions.ts");
const { bill } = await import("./bill.ts");
const { check } = await import("./check.ts");
const { desk } = await import("./desk.ts");
process.exitCode = await main({ workflows: [bill, check, desk], functions, open: openEngine, location: import.meta.url });
