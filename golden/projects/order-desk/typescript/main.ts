// Runs the workflows: `node main.ts --help` tells how.

import { enableCompileCache } from "node:module";

// What Node compiles is kept for the next start, but where NODE_DISABLE_COMPILE_CACHE=1.
enableCompileCache();
const { main, openEngine } = await import("./runtime.js");
const { functions } = await import("./functions.ts");
const { orders } = await import("./orders.ts");
const { parcel } = await import("./parcel.ts");
process.exitCode = await main({ workflows: [orders, parcel], functions, open: openEngine, location: import.meta.url });
