import { parentPort } from "node:worker_threads";
import { CommandError } from "./terminal.ts";
import { performScenarioJob } from "./test-run.ts";
import type { Job, JobResult } from "./workers.ts";

// The entry point of a thread that runs jobs, one at a time.

parentPort?.on("message", async (job: Job) => parentPort?.postMessage(await perform(job)));

async function perform(job: Job): Promise<JobResult> {
  try {
    return { kind: "done", value: await performScenarioJob(job) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { kind: "failed", message: error.message, status: error.status };
  }
}
