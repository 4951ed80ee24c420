// Kills what runs workflows, at random moments, and reports what has come of the runs: an emitted program over HTTP, from its spawning on, and an engine
// alone (`npm run crashes -- --moments N`, 500 of each when absent; `--only http` or `--only engine` leaves the other out). Exits with 1 when a completed
// step was repeated, when something was lost or taken twice, or when a run has not ended as it should.

import { parseArgs } from "node:util";
import { crash } from "./crash.ts";
import { crashServer } from "./http/campaign.ts";

const { values } = parseArgs({
  options: { moments: { type: "string", default: "500" }, only: { type: "string" } },
});
const campaigns = { http: crashServer, engine: crash };
for (const [name, campaign] of Object.entries(campaigns)) {
  if (values.only !== undefined && values.only !== name) continue;
  const found = await campaign(Number(values.moments), Math.random);
  process.stdout.write(`${name} ${JSON.stringify(found, null, 2)}\n`);
  if (found.wrong.length > 0) process.exitCode = 1;
}
