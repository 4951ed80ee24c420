// Processes one job. The parent may kill it at any moment, so it writes each stage to a file before starting it and
// each report to another when done. `watch.ts` starts it with the path of the job.

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createComputer } from "../../src/scenario/computer.ts";
import type { Case } from "./case.ts";
import { fieldsIn, schemaOf, stepKinds } from "./coverage.ts";
import { keepEmitted } from "./emitted.ts";
import { crash, type Examined, examine, type Fault, isSameFault, type Tools } from "./examine.ts";
import { casesOf, generatorOf, smallestOf } from "./generators.ts";
import type { Job, Report } from "./job.ts";
import { changeFaults } from "./metamorphic.ts";
import { isBrokenOff } from "./observe.ts";
import { targets } from "./targets.ts";

const job = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Job;
const generator = generatorOf(job.language);
const caseOf = casesOf(job);
const schema = schemaOf(job.language);
let current = "";
const note = (stage: string) => writeFileSync(job.progress, `${current}\n${stage}`);
const runners = await Promise.all(targets.map(async (target) => ({ target, executor: await target.loadSimulator!() })));
const tools: Tools = { runners, computer: createComputer(), note };

// The parent handles interrupts.
process.on("SIGINT", () => undefined);

process.on("unhandledRejection", (error) => {
  appendFileSync(job.results, `${JSON.stringify({ name: current, ...empty, faults: [crash("process", error)] })}\n`);
  process.exit(0);
});

const empty = { scenarios: 0, status: [], accepted: [], codes: [], kinds: [], fields: [] };

for (const name of job.names) {
  current = name;
  collect();
  note("generate");
  const report = await reported(name, caseOf(name));
  appendFileSync(job.results, `${JSON.stringify(report)}\n`);
}
current = "";
note("end");
for (const { executor } of runners) executor.close();
await tools.computer.close();
const { user, system } = process.cpuUsage();
appendFileSync(job.results, `${JSON.stringify({ seconds: (user + system) / 1e6 })}\n`);

async function reported(name: string, original: Case): Promise<Report> {
  const { program, diagnostics, meant, files, faults } = await examinedWhole(original, tools);
  if (job.emitted !== undefined) keepEmitted(job.emitted, name, files);
  return {
    name,
    scenarios: meant.length,
    status: meant.flatMap((seen) => (isBrokenOff(seen) ? ["endless"] : seen.map(({ outcome }) => outcome.status))),
    accepted: program ? ["reference", ...files.keys()] : [],
    codes: [...new Set(diagnostics.map(({ code }) => code))],
    kinds: program ? stepKinds(program) : [],
    fields: fieldsIn(original, schema),
    faults,
    ...(faults.length > 0 ? await smallest(original, faults) : {}),
  };
}

/** Examines a case and, if it is random and sound, a changed case that must mean the same. */
async function examinedWhole(original: Case, around: Tools): Promise<Examined> {
  const examined = await examine(original, around);
  if (examined.faults.length > 0 || job.kind !== "random") return examined;
  return { ...examined, faults: await changeFaults(original, examined.meant, generator, Number(current), around) };
}

/** Collects garbage of earlier cases, so that memory reflects the current one. */
function collect(): void {
  if (process.memoryUsage.rss() > 400 * 2 ** 20) globalThis.gc?.();
}

/** Shrinks a case while it shows the first of its failures. */
async function smallest(original: Case, faults: readonly Fault[]): Promise<Pick<Report, "smallest" | "faults">> {
  const [fault] = faults as [Fault];
  if (job.trials === 0) return { smallest: original, faults };
  const runners = tools.runners.filter(({ target }) => fault.on.endsWith(target.name));
  const silent = { ...tools, runners, note: (stage: string) => note(`shrink: ${stage}`) };
  const same = async (smaller: Case) => {
    collect();
    return (await examinedWhole(smaller, silent)).faults.find((other) => isSameFault(fault, other));
  };
  const found = await smallestOf(job, current, async (smaller) => (await same(smaller)) !== undefined, job.trials);
  return { smallest: found, faults: [(await same(found)) ?? fault, ...faults.slice(1)] };
}
