// Random jq programs as JavaScript, as JSONata and in the core's evaluator, against jq 1.8.2: prints each disagreement when it is found, made as small as
// it can be, and at the end what agrees, what is refused and why. Run by `npm run differential -- [SEED] [CASES] [JSONATA-CASES]`: with a new seed, and
// 100,000 cases for JavaScript and 20,000 for JSONata unless told. Ends with status 1 where there is a disagreement. A run that is ended by SIGINT or
// SIGTERM prints what there is until then.

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

/** The table, what was given up, and the disagreements that were not told yet, as nothing smaller was made of them; whether there is none at all. */
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
