// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { ship } from "./ship.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [ship],
  functions,
  open: openEngine,
  location: import.meta.url,
});
