// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { fragile } from "./fragile.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [fragile],
  functions,
  open: openEngine,
  location: import.meta.url,
});
