// Runs the workflows: `node main.ts --help` tells how.

import { bill } from "./bill.ts";
import { check } from "./check.ts";
import { desk } from "./desk.ts";
import { functions } from "./functions.ts";
import { main, openEngine } from "./runtime.js";

process.exitCode = await main({ workflows: [bill, check, desk], functions, open: openEngine, location: import.meta.url });
