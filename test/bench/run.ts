// Runs the benchmarks, and prints a table to standard error and JSON to standard output. `npm run bench -- PART…`
// selects parts; `served`, which takes minutes, runs only if it is selected. `-- expressions all` runs the differential
// tests at full length (about ten minutes). Not part of the tests, because times depend on the machine.

import { brokerRows } from "./broker.ts";
import { compilerRows } from "./compiler.ts";
import { compositionRows } from "./compositions.ts";
import { conductorRows } from "./conductor.ts";
import { durableRows } from "./durable/index.ts";
import { editorRows } from "./editor.ts";
import { emissionRows } from "./emission.ts";
import { eventRows } from "./events.ts";
import { expressionRows } from "./expressions/index.ts";
import { fileRows } from "./files.ts";
import { hostRows } from "./hosts/index.ts";
import { restateRows } from "./hosts/restate.ts";
import { localRunRows } from "./local-runs.ts";
import { machineRows } from "./machines.ts";
import { openwhiskEventRows } from "./openwhisk-events.ts";
import { renderTable } from "./row.ts";
import { servedRows } from "./served/index.ts";
import { startRows } from "./start.ts";
import { watchRows } from "./watch.ts";

const words = process.argv.slice(2);
const isAll = words.includes("all");
const parts = {
  compiler: compilerRows,
  expressions: () => expressionRows(isAll),
  emission: emissionRows,
  durable: durableRows,
  events: async () => [...brokerRows(), ...(await eventRows()), ...(await openwhiskEventRows())],
  start: async () => startRows(),
  editor: editorRows,
  watch: watchRows,
  files: fileRows,
  conductor: conductorRows,
  compositions: compositionRows,
  machines: machineRows,
  runs: localRunRows,
  hosts: hostRows,
  restate: restateRows,
  served: servedRows,
};
const names = Object.keys(parts) as (keyof typeof parts)[];
const unknown = words.filter((word) => word !== "all" && !names.some((name) => name === word));
if (unknown.length > 0) throw new RangeError(`Unknown part ${unknown[0]}. Parts: ${names.join(", ")}.`);

const chosen = names.filter((name) => words.includes(name));
const rows = [];
for (const name of chosen.length > 0 ? chosen : names.filter((each) => each !== "served"))
  rows.push(...(await parts[name]()));
process.stderr.write(renderTable(rows));
process.stdout.write(`${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
