import { DBOS } from "@dbos-inc/dbos-sdk";
import { functions } from "../durable/workflows.ts";
import { concurrently, type HostTask, type PreparedTask, tasksOn } from "./emitted.ts";

/** Runs before the measurement. */
const before = 500;

async function byHand({ store, name, runs, steps }: HostTask): Promise<PreparedTask> {
  const run = DBOS.registerWorkflow(
    async (count: number) => {
      let n = 0;
      for (let i = 0; i < count; i++) {
        const before = n;
        n = await DBOS.runStep(async () => functions.next(before), { name: "Next" });
      }
      return n;
    },
    { name: "sequence" },
  );
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: store, executorID: name, logger: silent });
  await DBOS.launch();
  const one = async (workflowID: string, count: number) =>
    (await DBOS.startWorkflow(run, { workflowID })(count)).getResult();
  await concurrently(before, (i) => one(`${name}-before-${i}`, 5));
  return {
    async act() {
      await concurrently(runs, (i) => one(`${name}-${i}`, steps));
      return undefined;
    },
    close: () => DBOS.shutdown(),
  };
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The tasks of processes that share a database. */
export const tasks = tasksOn("dbos.js", { before, events: 200 }, byHand);
