// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { credit } from "./credit.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [credit],
  functions,
  open: openEngine,
  location: import.meta.url,
});
