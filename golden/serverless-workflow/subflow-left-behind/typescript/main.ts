// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { order } from "./order.ts";
import { bill } from "./bill.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [order, bill],
  functions,
  open: openEngine,
  location: import.meta.url,
});
