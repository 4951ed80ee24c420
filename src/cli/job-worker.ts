import { parentPort } from "node:worker_threads";
import { CommandError } from "./terminal.ts";
import type { Job, JobResult, JobValue } from "./workers.ts";

// The entry point of a thread that runs jobs, one at a time.

parentPort?.on("message", async (job: Job) => parentPort?.postMessage(await perform(job)));

async function perform(job: Job): Promise<JobResult> {
  try {
    return { kind: "done", value: await runJob(job) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { kind: "failed", message: error.message, status: error.status };
  }
}

async function runJob(job: Job): Promise<JobValue> {
  switch (job.kind) {
    case "build":
      return (await import("./build-report.ts")).performBuildJob(job);
    case "scenarios":
      return (await import("./test-run.ts")).performScenarioJob(job);
  }
}
