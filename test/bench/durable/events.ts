import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { openEngine } from "../../../targets/typescript/runtime/sqlite/engine.ts";
import { type AnyWorkflow, defineWorkflow } from "../../../targets/typescript/runtime/workflow.ts";
import { median, seconds } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";

const [events, part] = [3000, 300];

/** An event starts it, then it waits indefinitely. */
const startedBy = defineWorkflow({
  id: "started",
  version: "1",
  name: "started",
  start: { on: [{ all: [["go"]] }] },
  events: { go: { type: "go" }, never: { type: "never" } },
  waits: { Never: { alternatives: [{ all: [["never"]] }] } },
  run: async (flow) => (await flow.receive("Never")).alternative,
});

/** Receives one event, then waits for another type while events of the first type accumulate. */
const keeping = defineWorkflow({
  id: "keeping",
  version: "1",
  name: "keeping",
  anyInput: true,
  events: {
    tick: { type: "tick", correlation: () => "same" },
    end: { type: "end", correlation: () => "same" },
  },
  correlation: () => "same",
  waits: {
    Tick: { alternatives: [{ all: [["tick"]] }] },
    End: { alternatives: [{ all: [["end"]] }, { all: [["tick"], ["end"]] }] },
  },
  async run(flow) {
    await flow.receive("Tick");
    return (await flow.receive("End")).alternative;
  },
});

/** The cost of an event after many earlier ones, which started waiting runs or which a run keeps unused. */
export async function eventRows(): Promise<readonly BenchmarkRow[]> {
  return [
    await rowOf(`an event that starts a run, the last of ${events} to the first`, startedBy, "go", () => undefined),
    await rowOf(`an event for a run with ${events} unused events, to the first`, keeping, "tick", async (engine) => {
      await engine.start("keeping", null, { id: "keeping" });
    }),
  ];
}

async function rowOf(
  name: string,
  workflow: unknown,
  type: string,
  before: (engine: Engine) => Promise<void> | void,
): Promise<BenchmarkRow> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const engine = openEngine({
    store: join(folder, "runs.db"),
    workflows: [workflow as AnyWorkflow],
    functions: {},
    send: () => undefined,
    log: () => undefined,
  });
  const times: number[] = [];
  try {
    await before(engine);
    for (let i = 0; i < events; i++) {
      const event = { specversion: "1.0", id: `e${i}`, source: "bench", type } as const;
      times.push((await seconds(() => engine.deliver(event))) * 1000);
    }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  const [first, last] = [median(times.slice(0, part)), median(times.slice(-part))];
  return { name, value: last / first, limit: 2, unit: "×", parts: { "ms first": first, "ms last": last } };
}
