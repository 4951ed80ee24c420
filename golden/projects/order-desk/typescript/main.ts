// Runs the workflows. For help, run `node main.ts --help`.

import { enableCompileCache } from "node:module";

// Caches compiled code for the next start. NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
enableCompileCache();
const { main, openEngine } = await import("./runtime.js");
const { functions } = await import("./functions.ts");
const { orders } = await import("./orders.ts");
const { parcel } = await import("./parcel.ts");
process.exitCode = await main({ workflows: [orders, parcel], functions, open: openEngine, location: import.meta.url });
