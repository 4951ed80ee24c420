// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { nest } from "./nest.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [nest],
  functions,
  open: openEngine,
  location: import.meta.url,
});
