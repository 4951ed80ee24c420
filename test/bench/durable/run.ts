// Measures the runtime of emitted programs: prints its rows as JSON on standard output. Nothing of it is tested, as times depend on the machine.

import { inMemory } from "./memory.ts";
import { synced } from "./sync.ts";
import { manyWaiting } from "./waiting.ts";

const rows = [await inMemory(), ...(await synced()), ...(await manyWaiting())];
process.stdout.write(`${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
