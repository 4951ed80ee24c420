// Runs the workflows: `node main.ts --help` tells how.

import { customs } from "./customs.ts";
import { functions } from "./functions.ts";
import { parcelDepot } from "./parcel-depot.ts";
import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [customs, parcelDepot],
  functions,
  open: openEngine,
  location: import.meta.url,
});
