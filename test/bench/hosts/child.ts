// A process that runs one task on DBOS, emitted or hand-written. It starts when standard input receives a line, and
// prints the measurement as JSON.

import { once } from "node:events";
import type { HostTask } from "./emitted.ts";
import { tasks } from "./tasks.ts";

const request = JSON.parse(process.argv[2]!) as HostTask;
const { act, close } = await tasks[request.task](request);
process.stdout.write("open\n");
await once(process.stdin, "data");
const cpu = process.cpuUsage();
const start = performance.now();
const more = await act();
const { user, system } = process.cpuUsage(cpu);
const memory = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  `${JSON.stringify({ seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6, memory, ...more })}\n`,
);
await close();
process.exit(0);
