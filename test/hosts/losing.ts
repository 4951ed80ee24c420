import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Losing } from "./way.ts";

/** A way to a database on which an answer may be lost. */
export interface LosingWay {
  /** The address of the database on this way. */
  readonly url: string;
  /** Lets the answer to one commit be lost. Resolves when that has happened. */
  lose(losing: Losing): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Opens a way to a database, by its address: in a thread of its own, as an engine waits for its database with the one that it is in. */
export async function losingWayTo(database: string): Promise<LosingWay> {
  const { hostname, port } = new URL(database);
  const worker = new Worker(join(import.meta.dirname, "way.ts"), { workerData: { hostname, port: Number(port) } });
  const [own] = (await once(worker, "message")) as [number];
  return {
    url: database.replace(`:${port}/`, `:${own}/`),
    lose(losing) {
      worker.postMessage(losing);
      return once(worker, "message");
    },
    close: () => worker.terminate(),
  };
}
