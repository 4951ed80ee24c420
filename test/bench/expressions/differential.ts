// Compares random jq programs with jq 1.8.2: as JavaScript, as TypeScript, as JSONata and in the evaluator. Prints each
// shrunk disagreement and finally the totals and the reasons for rejections. `npm run differential -- [SEED] [CASES]
// [JSONATA-CASES]` defaults to a fresh seed, 100,000 and 20,000 cases. Exits with status 1 if there is a disagreement.
// SIGINT and SIGTERM print the results so far.

import { type Findings, startDifferential } from "./differential/run.ts";
import { shownDisagreement } from "./differential/tally.ts";

const [seed = Date.now() % 1_000_000, javascript = 100_000, jsonata = 20_000] = process.argv.slice(2).map(Number);
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`seed ${seed}`);

const start = performance.now();
const all = javascript + jsonata;
let told = 0;
const run = startDifferential(
  seed,
  { javascript, jsonata },
  {
    progress(cases) {
      if (cases % 1000 !== 0) return;
      const seconds = Math.round((performance.now() - start) / 1000);
      say(`${cases} of ${all} cases, ${told} disagreements, ${seconds} s`);
    },
    found(disagreement) {
      told += 1;
      say(shownDisagreement(disagreement));
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    sayFindings(run.findings());
    process.exit(130);
  });
const isAgreed = sayFindings(await run.done);
process.exitCode = isAgreed ? 0 : 1;

/**
 * Prints the totals, the abandoned programs and the disagreements that were not shrunk. Returns whether there are none.
 */
function sayFindings({ tallies, disagreements, whole, stuck }: Findings): boolean {
  for (const { reasons, ...counts } of tallies) {
    say(JSON.stringify(counts));
    for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]))
      say(`    refused ${count} times: ${reason}`);
  }
  for (const program of stuck) say(`given up: ${program}`);
  for (const disagreement of whole) say(shownDisagreement(disagreement));
  say(`${disagreements.length} disagreements, those above included`);
  return disagreements.length === 0;
}
