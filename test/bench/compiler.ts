import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minimum, processTimes, runNode, warmTimes } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";
import { definitionOf, ten } from "./states.ts";
import { checkText, compileTexts, parseText, type TargetName, targets } from "./tasks.ts";

const here = import.meta.dirname;
const few = 100;
const many = 10_000;

/** Compile times relative to bare Node and to `yaml` alone. Requires `dist` and `--expose-gc`. */
export const compilerRows = async (): Promise<readonly BenchmarkRow[]> => [
  ...wholeProcess(),
  await oneDefinition(),
  ...(await orderProcess()),
  ...(await growth()),
  memory(),
  ...manyDefinitions(),
];

function wholeProcess(): readonly BenchmarkRow[] {
  const compile = (target: TargetName): readonly string[] => [
    join(here, "../../dist/waybill.cjs"),
    ...["compile", join(here, ten.path), "--target", target],
  ];
  const { bare, yaml, asl, typescript } = processTimes(
    {
      bare: ["-e", "0"],
      yaml: [join(here, "parse-ten.mjs")],
      asl: compile("asl"),
      typescript: compile("typescript"),
    },
    21,
  );
  const row = (target: TargetName, ms: number, limit: number): BenchmarkRow => ({
    name: `whole process to ${target}, 10 states`,
    value: ms / bare,
    limit,
    unit: "×",
    parts: { bare, yaml, waybill: ms },
  });
  return [row("asl", asl, 3.5), row("typescript", typescript, 6)];
}

async function oneDefinition(): Promise<BenchmarkRow> {
  const acts = [() => parseText(ten.text), () => compileTexts([ten.text], "asl")];
  const [yaml, waybill] = await warmTimes(acts, 2000);
  return {
    name: "beyond yaml, 10 states",
    value: waybill! - yaml!,
    limit: 1.5,
    unit: "ms",
    parts: { yaml: yaml!, waybill: waybill! },
  };
}

/** The least times of the order process, relative to those of `yaml` alone. */
async function orderProcess(): Promise<readonly BenchmarkRow[]> {
  const text = readFileSync(join(here, "../../golden/serverless-workflow/order-process/workflow.yaml"), "utf8");
  const acts = [
    () => parseText(text),
    () => checkText(text),
    ...targets.map((target) => () => compileTexts([text], target)),
  ];
  const [yaml, ...times] = await warmTimes(acts, 300, "nothing", minimum);
  const limits = [
    ["check", 1.5],
    ["to asl", 3],
    ["to openwhisk", 3],
    ["to typescript", 5],
  ] as const;
  return limits.map(([name, limit], i) => ({
    name: `order process, ${name}, to yaml alone`,
    value: times[i]! / yaml!,
    limit,
    unit: "×",
    parts: { "yaml (ms)": yaml!, "waybill (ms)": times[i]! },
  }));
}

async function growth(): Promise<readonly BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const target of targets) {
    const [small, large] = [await perState(target, few, many / few), await perState(target, many, 1)];
    rows.push({
      name: `beyond yaml per state to ${target}, ${many} to ${few}`,
      value: large / small,
      limit: 1.3,
      unit: "×",
      parts: { "small (ms)": small, "large (ms)": large },
    });
  }
  return rows;
}

/** Compiles equally many states for all sizes, so that they produce equal garbage. */
async function perState(target: TargetName, count: number, times: number): Promise<number> {
  const text = definitionOf(count);
  const repeated = (act: () => Promise<void>) => async () => {
    for (let i = 0; i < times; i += 1) await act();
  };
  const acts = [repeated(() => parseText(text)), repeated(() => compileTexts([text], target))];
  const [yaml, waybill] = await warmTimes(acts, 7, "collect garbage");
  return (waybill! - yaml!) / (count * times);
}

/** What a child process used. */
interface Usage {
  readonly bytes: number;
  readonly seconds: number;
}

const usageOf = (...args: readonly (string | number)[]): Usage =>
  JSON.parse(runNode([join(here, "child.ts"), ...args.map(String)]).stdout) as Usage;

function memory(): BenchmarkRow {
  const [yaml, waybill] = [usageOf("yaml", many), usageOf("asl", many)].map(({ bytes }) => bytes / 1024 / 1024);
  return {
    name: `peak memory to yaml's, ${many} states (MiB)`,
    value: waybill! / yaml!,
    limit: 1.5,
    unit: "×",
    parts: { yaml: yaml!, waybill: waybill! },
  };
}

/** Programs of many definitions with ten states. */
function manyDefinitions(): readonly BenchmarkRow[] {
  const definitions = 1000;
  const [asl, typescript] = [usageOf("asl", 10, definitions), usageOf("typescript", 10, definitions)];
  const name = (target: TargetName, what: string): string => `${definitions} definitions to ${target}, ${what}`;
  const megabytes = typescript.bytes / 1024 / 1024;
  return [
    { name: name("asl", "processor time"), value: asl.seconds, limit: 2.5, unit: "s", parts: {} },
    { name: name("typescript", "processor time"), value: typescript.seconds, limit: 3.5, unit: "s", parts: {} },
    { name: name("typescript", "peak memory"), value: megabytes, limit: 300, unit: "MiB", parts: {} },
  ];
}
