import type { BenchmarkRow } from "../row.ts";
import { emittedRows } from "./emitted.ts";
import { eventRows } from "./events.ts";
import { fanOutRows } from "./fan-out.ts";
import { memoryRow } from "./memory.ts";
import { syncRows } from "./sync.ts";
import { waitingRows } from "./waiting.ts";

/** The runtime of emitted programs, in memory and on a store in the temporary folder. */
export const durableRows = async (): Promise<readonly BenchmarkRow[]> => [
  await memoryRow(),
  ...(await syncRows()),
  ...(await emittedRows()),
  ...(await fanOutRows()),
  ...(await eventRows()),
  ...(await waitingRows()),
];
