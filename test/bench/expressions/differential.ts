// Compares random jq programs with jq 1.8.2: as JavaScript, as TypeScript, as JSONata and in the evaluator. Prints each
// shrunk disagreement and finally the totals and the reasons for rejections. `npm run differential -- [SEED] [CASES]
// [JSONATA-CASES]` defaults to a fresh seed, 100,000 and 20,000 cases. Exits with status 1 if there is a disagreement.
// SIGINT and SIGTERM print the results so far.

import { type DifferentialResult, startDifferential } from "./differential/run.ts";
import { describeDisagreement } from "./differential/tally.ts";

const [seed = Date.now() % 1_000_000, javascript = 100_000, jsonata = 20_000] = process.argv.slice(2).map(Number);
const printLine = (line: string) => process.stdout.write(`${line}\n`);
printLine(`seed ${seed}`);

const start = performance.now();
const all = javascript + jsonata;
let count = 0;
const run = startDifferential(
  seed,
  { javascript, jsonata },
  {
    onProgress(cases) {
      if (cases % 1000 !== 0) return;
      const seconds = Math.round((performance.now() - start) / 1000);
      printLine(`${cases} of ${all} cases, ${count} disagreements, ${seconds} s`);
    },
    onDisagreement(disagreement) {
      count += 1;
      printLine(describeDisagreement(disagreement));
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    printResult(run.findings());
    process.exit(130);
  });
const isAgreed = printResult(await run.done);
process.exitCode = isAgreed ? 0 : 1;

/**
 * Prints the totals, the abandoned programs and the disagreements that were not shrunk. Returns whether all agree.
 */
function printResult({ tallies, disagreements, whole, stuck }: DifferentialResult): boolean {
  for (const { reasons, ...counts } of tallies) {
    printLine(JSON.stringify(counts));
    for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]))
      printLine(`    rejected ${count} times: ${reason}`);
  }
  for (const program of stuck) printLine(`abandoned: ${program}`);
  for (const disagreement of whole) printLine(describeDisagreement(disagreement));
  printLine(`${disagreements.length} disagreements in total`);
  return disagreements.length === 0;
}
