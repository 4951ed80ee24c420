// Processes one job. The parent may kill it at any moment, so it writes each stage to a file before starting it and
// each report to another when done. `watch.ts` starts it with the path of the job.

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createComputer } from "../../src/scenario/computer.ts";
import { targets } from "../../targets/index.ts";
import type { EquivalenceCase } from "./case.ts";
import { fieldsIn, schemaOf, stepKinds } from "./coverage.ts";
import { writeOutput } from "./emitted.ts";
import {
  type CaseFailure,
  crashOf,
  type Examination,
  type ExaminationTools,
  examine,
  isSameFailure,
} from "./examine.ts";
import { casesOf, generatorOf, shrinkCase } from "./generators.ts";
import type { CampaignJob, CaseReport } from "./job.ts";
import { failuresOfChange } from "./metamorphic.ts";
import { isAborted } from "./observe.ts";

const job = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as CampaignJob;
const generator = generatorOf(job.language);
const caseOf = casesOf(job);
const schema = schemaOf(job.language);
let current = "";
const note = (stage: string) => writeFileSync(job.progress, `${current}\n${stage}`);
const runners = await Promise.all(targets.map(async (target) => ({ target, executor: await target.loadSimulator!() })));
const { isStrict = false } = job;
const tools: ExaminationTools = { runners, computer: createComputer(), note, isStrict };

// The parent handles interrupts.
process.on("SIGINT", () => undefined);

process.on("unhandledRejection", (error) => {
  appendFileSync(
    job.results,
    `${JSON.stringify({ name: current, ...empty, failures: [crashOf("process", error)] })}\n`,
  );
  process.exit(0);
});

const empty = { scenarios: 0, tied: 0, status: [], accepted: [], codes: [], kinds: [], fields: [] };

for (const name of job.names) {
  current = name;
  collect();
  note("generate");
  const report = await reportCase(name, caseOf(name));
  appendFileSync(job.results, `${JSON.stringify(report)}\n`);
}
current = "";
note("end");
for (const { executor } of runners) executor.close();
await tools.computer.close();
const { user, system } = process.cpuUsage();
appendFileSync(job.results, `${JSON.stringify({ seconds: (user + system) / 1e6 })}\n`);

async function reportCase(name: string, original: EquivalenceCase): Promise<CaseReport> {
  const { program, diagnostics, expected, files, failures, tied } = await examineWithChange(original, tools);
  if (job.emitted !== undefined) writeOutput(job.emitted, `${job.prefix ?? ""}${name}`, files);
  return {
    name,
    scenarios: expected.length,
    tied: tied.size,
    status: expected.flatMap((seen) => (isAborted(seen) ? ["endless"] : seen.map(({ outcome }) => outcome.status))),
    accepted: program ? ["reference", ...files.keys()] : [],
    codes: [...new Set(diagnostics.map(({ code }) => code))],
    kinds: program ? stepKinds(program) : [],
    fields: fieldsIn(original, schema),
    failures,
    ...(failures.length > 0 ? await shrinkFailure(original, failures) : {}),
  };
}

/** Examines a case and, if it is random and sound, a changed case that must mean the same. */
async function examineWithChange(original: EquivalenceCase, around: ExaminationTools): Promise<Examination> {
  const examined = await examine(original, around);
  if (examined.failures.length > 0 || job.kind !== "random" || isStrict) return examined;
  return {
    ...examined,
    failures: await failuresOfChange(original, examined.expected, generator, Number(current), around),
  };
}

/** Collects garbage of earlier cases, so that memory reflects the current one. */
function collect(): void {
  if (process.memoryUsage.rss() > 400 * 2 ** 20) globalThis.gc?.();
}

/** Shrinks a case while it shows the first of its failures. */
async function shrinkFailure(
  original: EquivalenceCase,
  failures: readonly CaseFailure[],
): Promise<Pick<CaseReport, "smallest" | "failures">> {
  const [failure] = failures as [CaseFailure];
  if (job.trials === 0) return { smallest: original, failures };
  const runners = tools.runners.filter(({ target }) => failure.on.endsWith(target.name));
  const silent = { ...tools, runners, note: (stage: string) => note(`shrink: ${stage}`) };
  const same = async (smaller: EquivalenceCase) => {
    collect();
    return (await examineWithChange(smaller, silent)).failures.find((other) => isSameFailure(failure, other));
  };
  const found = await shrinkCase(job, current, async (smaller) => (await same(smaller)) !== undefined, job.trials);
  return { smallest: found, failures: [(await same(found)) ?? failure, ...failures.slice(1)] };
}
