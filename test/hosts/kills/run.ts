// `npm run kills-dbos`: kills one of three processes on one database 200 times (or so many times as is said), and tells what was found.

import { startPostgres } from "../postgres.ts";
import { kills } from "./kills.ts";
import { seeded } from "./seeded.ts";

const [moments = "200", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const server = await startPostgres();
try {
  const began = performance.now();
  const found = await kills(server, Number(moments), seeded(Number(seed)));
  process.stdout.write(
    `${JSON.stringify({ seed, seconds: Math.round((performance.now() - began) / 1000), ...found }, undefined, 2)}\n`,
  );
  process.exitCode = found.wrong.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
