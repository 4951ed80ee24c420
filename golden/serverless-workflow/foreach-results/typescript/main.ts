// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { sums } from "./sums.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [sums],
  functions,
  open: openEngine,
  location: import.meta.url,
});
