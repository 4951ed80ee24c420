// Runs the workflows: `node main.ts --help` tells how.

import { functions } from "./functions.ts";
import { orders } from "./orders.ts";
import { parcel } from "./parcel.ts";
import { main, openEngine } from "./runtime.js";

process.exitCode = await main({ workflows: [orders, parcel], functions, open: openEngine, location: import.meta.url });
