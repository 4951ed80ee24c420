// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { charge } from "./charge.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [charge],
  functions,
  open: openEngine,
  location: import.meta.url,
});
