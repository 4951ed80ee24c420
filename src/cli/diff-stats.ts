import { generate } from "../compile.ts";
import { settingsFor } from "../configuration/index.ts";
import type { StatRow } from "../diff/stats.ts";
import type { ScenarioFile } from "../scenario/model.ts";
import { onTarget } from "../scenario/run.ts";
import type { Target, WorkflowMetric } from "../target/contract.ts";
import { byteLength } from "../text/source.ts";
import type { DiffSide } from "./diff.ts";
import { openSide } from "./diff-scenarios.ts";
import type { Registry } from "./registry.ts";

/** Measures the output of both sides for a target: its metrics, its size, and the cost of scenarios. */
export async function measureSides(
  sides: readonly [DiffSide, DiffSide],
  target: Target,
  files: readonly ScenarioFile[],
  registry: Registry,
): Promise<readonly StatRow[]> {
  const [old, created] = [
    await measure(sides[0], target, files, registry),
    await measure(sides[1], target, files, registry),
  ];
  return [...new Set([...old.keys(), ...created.keys()])].map((name) => ({
    name,
    old: old.get(name),
    new: created.get(name),
  }));
}

async function measure(
  side: DiffSide,
  target: Target,
  files: readonly ScenarioFile[],
  registry: Registry,
): Promise<ReadonlyMap<string, number>> {
  const { configurationOf = () => undefined, read, moduleBase, inspectModule, findDependencies, folder } = side.input;
  const settings = { ...settingsFor(target.name, configurationOf, side.program.workflows) };
  const made = await generate(side.program, target, {
    ...settings,
    ...{ read, moduleBase, inspectModule, findDependencies, folder },
  });
  const values = new Map<string, number>();
  const add = (name: string, value: number): void => void values.set(name, (values.get(name) ?? 0) + value);
  for (const metric of made.metrics) if (isOfWorkflow(metric)) add(metric.name, metric.value);
  add("files", made.files.length);
  add(
    "bytes of all files",
    made.files.reduce((sum, { text }) => sum + byteLength(text), 0),
  );
  if (files.length === 0 || !target.runMetrics) return values;
  const runner = await onTarget(target);
  try {
    for (const file of files) {
      const session = openSide(file, side, registry);
      try {
        for (const { scenario, used } of await session.usage(runner))
          for (const { name, value } of target.runMetrics((what) => used.get(what) ?? 0))
            add(`${name}: ${scenario}`, value);
      } finally {
        await session.close();
      }
    }
  } finally {
    runner.executor?.close();
  }
  return values;
}

const isOfWorkflow = ({ state, scenario }: WorkflowMetric): boolean => state === undefined && scenario === undefined;
