// Runs the workflows: `node main.ts --help` tells how.

import { desk } from "./desk.ts";
import { functions } from "./functions.ts";
import { payment } from "./payment.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({ workflows: [desk, payment], functions, open: openEngine, location: import.meta.url });
