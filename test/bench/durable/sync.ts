import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { openEngine } from "../../../targets/typescript/runtime/sqlite.ts";
import type { Row } from "../row.ts";
import { median, seconds } from "./times.ts";
import { functions, workflows } from "./workflows.ts";

const steps = 1000;
const runs = 1000;
const stepsEach = 20;
const times = 5;

/**
 * Steps with a sync each, one after the other, against bare commits in the same folder; and those of many runs at once, against the former. Measured in
 * turns, as other processes use the disk too.
 */
export async function synced(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const engine = openEngine({
    store: join(folder, "runs.db"),
    workflows,
    functions,
    send: () => undefined,
    log: () => undefined,
  });
  const bare = bareCommits(join(folder, "bare.db"));
  const rates = { bare: [] as number[], sequence: [] as number[], together: [] as number[] };
  try {
    for (let i = 0; i < times; i++) {
      rates.bare.push(steps / (await seconds(() => bare(steps))));
      rates.sequence.push(steps / (await seconds(() => run(engine, steps))));
      const together = () => Promise.all(Array.from({ length: runs }, () => run(engine, stepsEach)));
      rates.together.push((runs * stepsEach) / (await seconds(together)));
    }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  return rowsOf(median(rates.bare), median(rates.sequence), median(rates.together));
}

const rowsOf = (bare: number, sequence: number, together: number): readonly Row[] => [
  {
    name: "durable in sequence to bare commits",
    value: sequence / bare,
    limit: 0.8,
    isLeast: true,
    unit: "×",
    parts: { bare, sequence },
  },
  {
    name: `${runs} runs at once to bare commits`,
    value: together / bare,
    limit: 15,
    isLeast: true,
    unit: "×",
    parts: { "to one run": together / sequence, together },
  },
];

async function run(engine: Engine, count: number): Promise<void> {
  const { id } = await engine.start("sequence", count);
  await engine.ended(id);
}

/** Commits so many rows one after the other, as a program without a runtime would. */
export function bareCommits(file: string): (count: number) => void {
  const db = new DatabaseSync(file);
  db.exec(
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (n INTEGER PRIMARY KEY, text TEXT) STRICT",
  );
  const insert = db.prepare("INSERT INTO rows (text) VALUES (?)");
  return (count) => {
    for (let i = 0; i < count; i++) insert.run('{"n":1}');
  };
}
