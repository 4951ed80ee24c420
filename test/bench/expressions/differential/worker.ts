// A worker thread of the differential run: judges the programs of a job and shrinks disagreements.

import { parentPort } from "node:worker_threads";
import type { DifferentialJob, WorkerMessage } from "./job.ts";
import { loadJqRunner } from "./jq.ts";
import { type Disagreement, judge } from "./judge.ts";
import { samplesOf } from "./samples.ts";
import { shrink } from "./shrink.ts";

/** Per subject and thread; shrinking takes seconds. */
const maxShrunk = 15;

const jq = await loadJqRunner();
const shrunk = new Map<string, number>();
const send = (report: WorkerMessage): void => parentPort!.postMessage(report);

parentPort!.on("message", async (job: DifferentialJob) => {
  for (const [index, sample] of samplesOf(job.set, job.seed, job.size).entries()) {
    if (index < job.from) continue;
    const judgements = await judge(jq, sample, job.subjects, (index >> 1) % 2 === 1);
    const found = judgements.flatMap(({ disagreements }) => disagreements.slice(0, 1)).filter(isWorthwhile);
    send({ kind: "judged", index, judgements });
    for (const first of found) send({ kind: "shrunk", first, smallest: await smallestOf(first) });
  }
  send({ kind: "done" });
});

function isWorthwhile({ subject }: Disagreement): boolean {
  const count = shrunk.get(subject) ?? 0;
  shrunk.set(subject, count + 1);
  return count < maxShrunk;
}

const smallestOf = (first: Disagreement): Promise<Disagreement> =>
  shrink(first, async ({ program, input }, best) => {
    send({ kind: "shrinking", first, smallest: best });
    const [judgement] = await judge(jq, { program, inputs: [input] }, [first.subject], first.simplified);
    return judgement?.disagreements.find(({ against }) => against === first.against);
  });
