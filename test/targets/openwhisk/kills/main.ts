import { findFaults, killsFor, runKilled } from "./kill-run.ts";

// Runs random kills: `npm run kills -- COUNT SEED`, by default 200 from seed 1.

const [count = 200, first = 1] = process.argv.slice(2).map(Number);
const { points } = await runKilled([]);
let stalled = 0;
let failed = 0;
for (let seed = first; seed < first + count; seed++) {
  const seen = await runKilled(killsFor(seed, points));
  const faults = findFaults(seen);
  if (seen.manualResumptions > 0) stalled += 1;
  if (faults.length === 0) continue;
  failed += 1;
  console.log(`seed ${seed}: ${faults.join(" ")}\n  ${JSON.stringify(killsFor(seed, points))}`);
}
console.log(`${count} runs of ${points} points: ${stalled} were resumed by hand, ${failed} went wrong.`);
process.exitCode = failed === 0 ? 0 : 1;
