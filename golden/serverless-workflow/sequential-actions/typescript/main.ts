// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { quote } from "./quote.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [quote],
  functions,
  open: openEngine,
  location: import.meta.url,
});
