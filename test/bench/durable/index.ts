import type { Row } from "../row.ts";
import { emittedRows } from "./emitted.ts";
import { eventRows } from "./events.ts";
import { fanOut } from "./fan-out.ts";
import { inMemory } from "./memory.ts";
import { synced } from "./sync.ts";
import { manyWaiting } from "./waiting.ts";

/** The runtime of emitted programs, in memory and on a store in the temporary folder. */
export const durableRows = async (): Promise<readonly Row[]> => [
  await inMemory(),
  ...(await synced()),
  ...(await emittedRows()),
  ...(await fanOut()),
  ...(await eventRows()),
  ...(await manyWaiting()),
];
