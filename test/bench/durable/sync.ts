import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { openEngine } from "../../../targets/typescript/runtime/sqlite/engine.ts";
import { median, seconds } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import { functions, workflows } from "./workflows.ts";

const steps = 1000;
const runs = 1000;
const stepsEach = 20;
const times = 9;

/**
 * Synced steps of one run and of many runs, relative to bare commits in the same folder. Measures in adjacent pairs
 * after a warm-up. Many runs are bound by the CPU, at 6 to 7 µs a step (a third in SQLite), so a disk with commits
 * below 90 to 105 µs lowers the ratio below 15.
 */
export async function syncRows(): Promise<readonly BenchmarkRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const engine = openEngine({
    store: join(folder, "runs.db"),
    workflows,
    functions,
    send: () => undefined,
    log: () => undefined,
  });
  const bare = bareCommits(join(folder, "bare.db"));
  const all: CommitRates[] = [];
  try {
    for (let i = 0; i <= times; i++) {
      const together = () => Promise.all(Array.from({ length: runs }, () => run(engine, stepsEach)));
      const measured = {
        bare: steps / (await seconds(() => bare(steps))),
        sequence: steps / (await seconds(() => run(engine, steps))),
        together: (runs * stepsEach) / (await seconds(together)),
      };
      if (i > 0) all.push(measured);
    }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  return rowsOf(all);
}

/** Per second. */
interface CommitRates {
  readonly bare: number;
  readonly sequence: number;
  readonly together: number;
}

function rowsOf(all: readonly CommitRates[]): readonly BenchmarkRow[] {
  const rate = (name: keyof CommitRates) => median(all.map((rates) => rates[name]));
  const to = (name: keyof CommitRates, other: keyof CommitRates) =>
    median(all.map((rates) => rates[name] / rates[other]));
  return [
    {
      name: "durable in sequence to bare commits",
      value: to("sequence", "bare"),
      limit: 0.8,
      isLeast: true,
      unit: "×",
      parts: { bare: rate("bare"), sequence: rate("sequence") },
    },
    {
      name: `${runs} runs at once to bare commits`,
      value: to("together", "bare"),
      limit: 15,
      isLeast: true,
      unit: "×",
      parts: {
        "to one run": to("together", "sequence"),
        together: rate("together"),
        "µs a bare commit": 1e6 / rate("bare"),
      },
    },
  ];
}

async function run(engine: Engine, count: number): Promise<void> {
  const { id } = await engine.start("sequence", count);
  await engine.ended(id);
}

/** Commits rows one by one, like a program without a runtime. */
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
