// `npm run kills-dbos [-- COUNT SEED all]`: kills one of three processes on a database, by default 200 times; with `all`,
// also stops and kills the database, stops processes, and loses what is sent on their connections.

import { startPostgres } from "../postgres.ts";
import { seeded } from "../samples.ts";
import { runWithKills } from "./kills.ts";

const [moments = "200", seed = `${Date.now() % 1_000_000}`, kinds = ""] = process.argv.slice(2);
const server = await startPostgres();
try {
  const began = performance.now();
  const all = ["kill", "kill", "stop", "forget", "stop database", "kill database"] as const;
  const report = await runWithKills(server, Number(moments), seeded(Number(seed)), kinds === "all" ? all : ["kill"]);
  process.stdout.write(
    `${JSON.stringify({ seed, seconds: Math.round((performance.now() - began) / 1000), ...report }, undefined, 2)}\n`,
  );
  process.exitCode = report.faults.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
