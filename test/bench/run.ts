// Measures what is promised, all in one run: prints a table on standard error and JSON on standard output. Run by `npm run bench`, which builds first;
// `npm run bench -- compiler` (or `expressions`, `emission`, `durable`, `start`, `rooms`, `conductor`, `machines`, `hosts`, `restate`) for one part, and `-- expressions all` for the differential runs at full length, some ten minutes.
// No test runs it, as times depend on the machine.

import { compilerRows } from "./compiler.ts";
import { conductorRows } from "./conductor.ts";
import { durableRows } from "./durable/index.ts";
import { emissionRows } from "./emission.ts";
import { expressionRows } from "./expressions/index.ts";
import { hostRows } from "./hosts/index.ts";
import { restateRows } from "./hosts/restate.ts";
import { machineRows } from "./machines.ts";
import { roomRows } from "./rooms.ts";
import { table } from "./row.ts";
import { startRows } from "./start.ts";

const words = process.argv.slice(2);
const isAll = words.includes("all");
const parts = {
  compiler: compilerRows,
  expressions: () => expressionRows(isAll),
  emission: emissionRows,
  durable: durableRows,
  start: async () => startRows(),
  rooms: roomRows,
  conductor: conductorRows,
  machines: machineRows,
  hosts: hostRows,
  restate: restateRows,
};
const names = Object.keys(parts) as (keyof typeof parts)[];
const unknown = words.filter((word) => word !== "all" && !names.some((name) => name === word));
if (unknown.length > 0) throw new RangeError(`There is no part ${unknown[0]}; there are ${names.join(", ")}.`);

const chosen = names.filter((name) => words.includes(name));
const rows = [];
for (const name of chosen.length > 0 ? chosen : names) rows.push(...(await parts[name]()));
process.stderr.write(table(rows));
process.stdout.write(`${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
