// Kills workflow processes at random moments and checks their runs: an emitted program over HTTP and an engine alone.
// `npm run crashes -- --moments N` sets the number of kills of each (default 500); `--only http|engine` selects one.
// Exits with status 1 if a completed step was repeated, anything was lost or duplicated, or a run did not end
// correctly.

import { parseArgs } from "node:util";
import { crash } from "./crash.ts";
import { crashServer } from "./http/campaign.ts";

const { values } = parseArgs({
  options: { moments: { type: "string", default: "500" }, only: { type: "string" } },
});
const campaigns = { http: crashServer, engine: crash };
for (const [name, campaign] of Object.entries(campaigns)) {
  if (values.only !== undefined && values.only !== name) continue;
  const result = await campaign(Number(values.moments), Math.random);
  process.stdout.write(`${name} ${JSON.stringify(result, null, 2)}\n`);
  if (result.wrong.length > 0) process.exitCode = 1;
}
