import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAndWatch } from "../../src/cli/build.ts";
import { standardRegistry } from "../../src/cli/registry.ts";
import { silentTerminal } from "../../src/cli/terminal.ts";
import { median } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";

const root = join(import.meta.dirname, "../..");

/** Each group has a parent and its subflow. */
const groups = 25;
const changes = 15;

/** How long `build --watch` takes from a save to the output, in a project of 50 definitions with two targets. */
export async function watchRows(): Promise<readonly BenchmarkRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-watch-"));
  const stop = new AbortController();
  try {
    const outputs = "outputs: [{ target: asl, out: asl }, { target: typescript, out: app }]\n";
    const off = "diagnostics: { WB0512: off, WB2406: off, WB5301: off }\n";
    writeFileSync(join(folder, "waybill.config.yaml"), `sources: [flows]\n${outputs}${off}`);
    mkdirSync(join(folder, "flows"));
    for (let i = 0; i < groups; i += 1) for (const name of ["orders", "parcel"] as const) write(folder, name, i);
    let built: (() => void) | undefined;
    const next = () =>
      new Promise<void>((resolve) => {
        built = resolve;
      });
    const err = (text: string): void => {
      if (/definitions, |error/.test(text)) built?.();
    };
    const first = next();
    const terminal = { ...silentTerminal(folder), err };
    const watching = buildAndWatch([], { format: "text" }, terminal, standardRegistry, stop.signal);
    await first;
    const times: number[] = [];
    const used: number[] = [];
    for (let i = 0; i < changes; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const done = next();
      const before = process.cpuUsage();
      const start = performance.now();
      write(folder, "orders", i % groups, 2000 + i);
      await done;
      times.push(performance.now() - start);
      const { user, system } = process.cpuUsage(before);
      used.push((user + system) / 1000);
    }
    stop.abort();
    await watching;
    const parts = { processor: median(used.slice(5)), first: times[0]! };
    return [
      { name: "watch: a save among 50 definitions", value: median(times.slice(5)), limit: 100, unit: "ms", parts },
    ];
  } finally {
    stop.abort();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a definition of the order desk with an id of its own. */
function write(folder: string, name: "orders" | "parcel", i: number, limit = 1000): void {
  const text = readFileSync(join(root, `golden/projects/order-desk/${name}.yaml`), "utf8");
  const renamed = text
    .replace(`id: ${name}\n`, `id: ${name}-${i}\n`)
    .replace("workflowId: parcel", `workflowId: parcel-${i}`)
    .replace("value: '1000'", `value: '${limit}'`);
  writeFileSync(join(folder, `flows/${name}-${i}.yaml`), renamed);
}
