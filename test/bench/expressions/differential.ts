// Random jq programs as JavaScript, as JSONata and in the core's evaluator, against jq 1.8.2: prints what agrees, what is refused and why, and
// every disagreement made as small as it can be. Run by `npm run differential -- [SEED] [CASES] [JSONATA-CASES]`: with a new seed, and 100,000 cases for
// JavaScript and 20,000 for JSONata unless told. Ends with status 1 where there is a disagreement.

import { runDifferential } from "./differential/run.ts";
import { shownDisagreement } from "./differential/tally.ts";

const [seed = Date.now() % 1_000_000, javascript = 100_000, jsonata = 20_000] = process.argv.slice(2).map(Number);
process.stdout.write(`seed ${seed}\n`);
const start = performance.now();
const all = javascript + jsonata;
const { tallies, disagreements, stuck } = await runDifferential(seed, { javascript, jsonata }, (cases) => {
  if (cases % 5000 === 0)
    process.stderr.write(`${cases} of ${all} cases, ${Math.round((performance.now() - start) / 1000)} s\n`);
});
for (const { reasons, ...counts } of tallies) {
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]))
    process.stdout.write(`    refused ${count} times: ${reason}\n`);
}
for (const program of stuck) process.stdout.write(`given up: ${program}\n`);
for (const disagreement of disagreements) process.stdout.write(`${shownDisagreement(disagreement)}\n`);
process.exitCode = disagreements.length > 0 ? 1 : 0;
