// Runs the workflows: `node main.ts --help` tells how.

import { enableCompileCache } from "node:module";

// What Node compiles is kept for the next start, but where NODE_DISABLE_COMPILE_CACHE=1.
enableCompileCache();
const { main, openEngine } = await import("./runtime.js");
const { functions } = await import("./functions.ts");
const { order } = await import("./order.ts");
const { payment } = await import("./payment.ts");
const { shop } = await import("./shop.ts");
process.exitCode = await main({
  workflows: [order, payment, shop],
  functions,
  open: openEngine,
  location: import.meta.url,
});
