// Compares random jq programs with jq 1.8.2: in the evaluator, as JavaScript, as TypeScript and as JSONata. Prints each
// shrunk disagreement and finally the totals and the reasons for rejections. `npm run differential -- [--seed N]
// [--count PROGRAMS] [--printed PROGRAMS]` defaults to a fresh seed, 40,000 programs in the evaluator, and a quarter as
// many in each printed form. Exits with status 1 if there is a disagreement. SIGINT and SIGTERM print the results so far.

import { parseArgs } from "node:util";
import { type DifferentialResult, startDifferential } from "./differential/run.ts";
import { describeDisagreement } from "./differential/tally.ts";

const { values } = parseArgs({
  options: { seed: { type: "string" }, count: { type: "string" }, printed: { type: "string" } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const evaluator = Number(values.count ?? 40_000);
const printed = Number(values.printed ?? Math.ceil(evaluator / 4));
if (![seed, evaluator, printed].every(Number.isSafeInteger)) throw new RangeError("Options take whole numbers.");
const printLine = (line: string) => process.stdout.write(`${line}\n`);
printLine(`seed ${seed}`);

const start = performance.now();
const all = Math.max(evaluator, printed) + printed;
let count = 0;
const run = startDifferential(
  seed,
  { evaluator, printed },
  {
    onProgress(programs) {
      if (programs % 1000 !== 0) return;
      const seconds = Math.round((performance.now() - start) / 1000);
      printLine(`${programs} of ${all} programs, ${count} disagreements, ${seconds} s`);
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
