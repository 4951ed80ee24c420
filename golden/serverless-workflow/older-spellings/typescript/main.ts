// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { workflow } from "./workflow.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [workflow],
  functions,
  open: openEngine,
  location: import.meta.url,
});
