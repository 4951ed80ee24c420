import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { generate } from "../../src/compile.ts";
import type { Composition } from "../../targets/openwhisk/composition.ts";
import { openwhisk } from "../../targets/openwhisk/index.ts";
import { readGolden } from "../golden/folder.ts";
import { compileGolden } from "../golden/make.ts";
import type { BenchmarkRow } from "./row.ts";

const folder = join(import.meta.dirname, "hand-written-compositions");

/** A composition that a person would write for a definition. */
export interface HandWritten {
  /** The golden of the definition. */
  readonly golden: string;
  readonly composition: Composition;
  /** What ours has in addition. */
  readonly difference: string;
}

/** The compositions in `hand-written-compositions`. */
export function handWrittenCompositions(): readonly HandWritten[] {
  const definitions = parse(readFileSync(join(folder, "definitions.yaml"), "utf8")) as {
    readonly [name: string]: { readonly difference: string };
  };
  return Object.entries(definitions).map(([name, { difference }]) => ({
    golden: `serverless-workflow/${name}`,
    composition: JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Composition,
    difference,
  }));
}

/** The composition that the target generates for a golden with one workflow. */
export async function compositionOf(golden: string): Promise<Composition> {
  const { program, settings } = compileGolden(readGolden(golden, parse));
  const { files } = program ? await generate(program, openwhisk, settings("openwhisk")) : { files: [] };
  const file = files.find(({ path }) => path.endsWith(".composition.json"));
  if (!file) throw new Error(`${golden} does not compile.`);
  return JSON.parse(file.text) as Composition;
}

/** The states of compositions relative to those that people would write for the same definitions. */
export async function compositionRows(): Promise<readonly BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const { golden, composition, difference } of handWrittenCompositions()) {
    const [ours, theirs] = [await compositionOf(golden), composition];
    const states = Object.keys(ours.States).length;
    const written = Object.keys(theirs.States).length;
    rows.push({
      name: `states of the composition ${golden.replace(/^.*\//, "")}`,
      value: states / written,
      limit: 1.5,
      unit: "×",
      parts: {
        states,
        "by hand": written,
        bytes: JSON.stringify(ours.States).length,
        "bytes by hand": JSON.stringify(theirs.States).length,
        "bytes of helpers": JSON.stringify(ours.Helpers ?? {}).length,
      },
      list: [difference],
    });
  }
  return rows;
}
