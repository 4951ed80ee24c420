// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { parent } from "./parent.ts";
import { child } from "./child.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [parent, child],
  functions,
  open: openEngine,
  location: import.meta.url,
});
