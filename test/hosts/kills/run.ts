// `npm run kills-dbos [-- COUNT SEED all]`: kills one of three processes on a database, by default 200 times; with `all`,
// also stops and kills the database, stops processes, and loses what is sent on their connections.
// `npm run kills-restate [-- COUNT SEED]`: kills and stops one of two processes, or the Restate server, by default 50 times.

import { startPostgres } from "../postgres.ts";
import { startRestate } from "../restate-server.ts";
import { seeded } from "../samples.ts";
import type { KillReport } from "./campaign.ts";
import { runWithKills as onDbos } from "./dbos.ts";
import { runWithKills as onRestate } from "./restate.ts";

const [host = "dbos", moments = "", seed = `${Date.now() % 1_000_000}`, kinds = ""] = process.argv.slice(2);
const random = seeded(Number(seed));

async function killOnDbos(): Promise<KillReport> {
  const server = await startPostgres();
  const all = ["kill", "kill", "stop", "forget", "stop database", "kill database"] as const;
  try {
    return await onDbos(server, Number(moments || "200"), random, kinds === "all" ? all : ["kill"]);
  } finally {
    await server.stop();
  }
}

async function killOnRestate(): Promise<KillReport> {
  const server = await startRestate();
  try {
    return await onRestate(server, Number(moments || "50"), random, [
      "kill",
      "kill",
      "stop",
      "stop server",
      "kill server",
    ]);
  } finally {
    await server.stop();
  }
}

const began = performance.now();
const report = await (host === "restate" ? killOnRestate() : killOnDbos());
const seconds = Math.round((performance.now() - began) / 1000);
process.stdout.write(`${JSON.stringify({ host, seed, seconds, ...report }, undefined, 2)}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
