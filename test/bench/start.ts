import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processTimes } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";

const root = join(import.meta.dirname, "../..");

/**
 * How long a program with three workflows takes to list its runs, relative to bare Node, with and without Node's
 * compile cache. Requires `dist`.
 */
export function startRows(): readonly BenchmarkRow[] {
  const folder = mkdtempSync(join(tmpdir(), "waybill-start-"));
  try {
    const main = join(programIn(folder), "main.ts");
    const list = ["--no-warnings", main, "list", "--store", join(folder, "runs.db")];
    const parts = processTimes({ bare: ["-e", "0"], cached: list, plain: list }, 15, {
      cached: { NODE_COMPILE_CACHE: undefined, TMPDIR: folder },
      plain: { NODE_DISABLE_COMPILE_CACHE: "1" },
    });
    const { bare, cached, plain } = parts;
    const name = "`main.ts list`, 3 workflows";
    return [
      { name: `${name}, with the compile cache`, value: cached / bare, limit: 4, unit: "×", parts: { bare, cached } },
      { name: `${name}, without`, value: plain / bare, limit: 6, unit: "×", parts: { bare, plain } },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program and a store with one run. */
function programIn(folder: string): string {
  for (const file of ["orders.yaml", "parcel.yaml", "waybill.config.yaml", "functions"])
    cpSync(join(root, "golden/projects/order-desk", file), join(folder, file), { recursive: true });
  cpSync(join(root, "golden/sm4c/retries/workflow.yaml"), join(folder, "third.yaml"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const compile = ["compile", "orders.yaml", "parcel.yaml", "third.yaml", "--target", "typescript", "--out", "app"];
  run(folder, [join(root, "dist/waybill.cjs"), ...compile]);
  run(folder, ["app/main.ts", "start", "parcel", "--store", "runs.db"]);
  return join(folder, "app");
}

function run(cwd: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
