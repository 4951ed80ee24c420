// Runs the workflows: `node main.ts --help` tells how.

import { desk } from "./desk.ts";
import { functions } from "./functions.ts";
import { payment } from "./payment.ts";
import { main, openEngine } from "./runtime.js";

process.exitCode = await main({ workflows: [desk, payment], functions, open: openEngine, location: import.meta.url });
