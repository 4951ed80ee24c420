// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { hello } from "./hello.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [hello],
  functions,
  open: openEngine,
  location: import.meta.url,
});
