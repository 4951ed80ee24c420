// Runs extreme cases, then random programs and mutants with fresh seeds: `npm run equivalence -- --minutes 20`. Prints
// a table and each finding, keeps findings as scenario files, and exits with status 1 if it found any. Options: `--seed
// N` (first seed), `--batch N` (cases per process), `--kind random|mutants|large`, `--language NAME`, `--trials N`
// (shrinking attempts), `--out DIR` (folder for findings). An interrupt ends the campaign after the current batch.
//
// `--strict` runs random programs in which nothing happens at one instant, and counts every difference: the rules of
// `unspecified.ts` for what platforms may choose are not applied. Scenarios that still have ties are not compared.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { emptyTally, examineBatch, seedsFrom, table } from "./campaign.ts";
import { findingsFolder, writeFinding } from "./findings.ts";
import { generatorOf, generators } from "./generators.ts";
import type { CampaignJob } from "./job.ts";
import { examplesOf } from "./mutants.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    batch: { type: "string", default: "200" },
    kind: { type: "string" },
    language: { type: "string" },
    trials: { type: "string", default: "400" },
    out: { type: "string", default: findingsFolder },
    strict: { type: "boolean", default: false },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const first = Number(values.seed ?? Math.floor(Date.now() / 1000) % 1_000_000_000);
const batch = Number(values.batch);
const isStrict = values.strict;
const kindOf = (round: number): CampaignJob["kind"] => {
  if (isStrict) return "random";
  const kind = values.kind as CampaignJob["kind"] | undefined;
  return kind ?? (round === 0 ? "large" : round % 3 === 0 ? "mutants" : "random");
};
const chosen = generators.filter(({ language }) => values.language === undefined || language === values.language);
const tallies = chosen.map(({ language }) => ({ language, tally: emptyTally() }));

process.stdout.write(`first seed ${first}\n`);
for (const { language } of chosen)
  if (!existsSync(examplesOf(language)))
    process.stdout.write(`No further examples of ${language} found: mutating goldens only.\n`);
let isInterrupted = false;
process.on("SIGINT", () => {
  isInterrupted = true;
});
for (let round = 0; !isInterrupted && performance.now() < end; round++) {
  for (const { language, tally } of tallies) {
    const before = tally.findings.length;
    const kind = kindOf(round);
    const names = kind === "large" ? [...generatorOf(language).large.keys()] : seedsFrom(first + round * batch, batch);
    await examineBatch(tally, { kind, language, names, trials: Number(values.trials), isStrict });
    for (const { name, failures, smallest } of tally.findings.slice(before)) {
      const [failure] = failures as [(typeof failures)[0] & object];
      const folder = join(values.out, `${language}-${isStrict ? "strict" : kind}-${name.replaceAll(/\W+/g, "-")}`);
      if (smallest) await writeFinding(folder, smallest, failure);
      const aspects = failure.differences.map(({ aspect }) => aspect).join();
      process.stdout.write(
        `${isStrict ? "strict" : kind} ${name}: ${failure.on} ${failure.kind} ${aspects}${failure.message.split("\n").slice(0, 2).join(" ").slice(0, 300)}\n`,
      );
    }
  }
  process.stderr.write(
    `${tallies.map(({ tally }) => tally.cases).join()} cases, ${tallies.map(({ tally }) => tally.findings.length).join()} findings\n`,
  );
}
for (const { language, tally } of tallies) process.stdout.write(`\n${language}\n${table(tally, language)}`);
process.exitCode = tallies.some(({ tally }) => tally.findings.length > 0) ? 1 : 0;
