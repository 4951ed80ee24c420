import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { CommitLoss } from "./lossy-proxy-worker.ts";

/** A proxy of a database that can lose the response to a commit. */
export interface LossyProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Loses the response to one commit; resolves when that has happened. */
  loseCommit(loss: CommitLoss): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Starts a proxy in a worker thread: engines block the main thread while they wait for the database. */
export async function startLossyProxy(database: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(database);
  const worker = new Worker(join(import.meta.dirname, "lossy-proxy-worker.ts"), {
    workerData: { hostname, port: Number(port) },
  });
  const [own] = (await once(worker, "message")) as [number];
  return {
    url: database.replace(`:${port}/`, `:${own}/`),
    loseCommit(loss) {
      worker.postMessage(loss);
      return once(worker, "message");
    },
    close: () => worker.terminate(),
  };
}
