// Runs the workflows. For help, run `node main.ts --help`.

import { enableCompileCache } from "node:module";

// Caches compiled code for the next start. NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
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
