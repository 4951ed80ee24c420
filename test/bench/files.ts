import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, generate } from "../../src/compile.ts";
import { readJq, variable } from "../../src/expressions/index.ts";
import type { Program } from "../../src/ir/workflow.ts";
import { asl } from "../../targets/asl/index.ts";
import { typescript } from "../../targets/typescript/index.ts";
import { languages } from "../languages.ts";
import type { BenchmarkRow } from "./row.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Counts the files whose functions run for one task, as a measure of how scattered the code is. */
export async function fileRows(): Promise<readonly BenchmarkRow[]> {
  const machine = await filesEntered(() => generate(programOf("projects/order-desk"), asl));
  const printed = await filesEntered(() => printTypeScript(".items | map(select(.veg) | .id)"));
  return [
    rowOf("a workflow compiled to asl", 17, machine, /^(?:targets\/asl\/(?!jsonata\/)|src\/(?:passes|cfg)\/)/),
    rowOf("an expression printed as TypeScript", 9, printed, /^targets\/typescript\/(?!index|layout)/),
  ];
}

function rowOf(name: string, limit: number, files: readonly string[], inside: RegExp): BenchmarkRow {
  const list = files.filter((file) => inside.test(file));
  return { name: `files: ${name}`, value: list.length, limit, unit: "files", parts: {}, list };
}

function programOf(name: string): Program {
  const folder = join(root, "golden", name);
  const sources = ["orders.yaml", "parcel.yaml"].map((path) => ({
    path,
    text: readFileSync(join(folder, path), "utf8"),
  }));
  return check({ sources, options: {} }, languages).program!;
}

async function printTypeScript(program: string): Promise<unknown> {
  const source = { path: "<expression>", text: program };
  const span = { source, start: 0, end: program.length };
  const read = readJq(program, { variables: [], now: variable("now'"), spanAt: () => span });
  if (!("expression" in read)) throw new Error(`${program} cannot be parsed.`);
  return typescript.printExpression!.print(read.expression, [], span);
}

/** The files whose functions an act calls. A first call excludes module loading. */
async function filesEntered(act: () => Promise<unknown>): Promise<readonly string[]> {
  await act();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await act();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .filter(({ url, functions }) => url.startsWith(`file://${root}`) && functions.some(isCalled))
    .map(({ url }) => url.slice(`file://${root}`.length))
    .sort();
}

/** The first function of a script is its top level. */
const isCalled = ({
  ranges: [range],
}: {
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}) => range!.startOffset > 0 && range!.count > 0;
