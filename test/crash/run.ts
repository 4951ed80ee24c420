// Kills a process that runs workflows, at random moments (`npm run crashes -- --moments N`; 500 when absent), and reports what has come
// of the runs; exits with 1 when a completed step was repeated, when something was lost, or when a run has not ended as it should.

import { parseArgs } from "node:util";
import { crash } from "./crash.ts";

const { values } = parseArgs({ options: { moments: { type: "string", default: "500" } } });
const found = await crash(Number(values.moments), Math.random);
process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
process.exitCode = found.wrong.length === 0 ? 0 : 1;
