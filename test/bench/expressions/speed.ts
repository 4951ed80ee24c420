import { runInThisContext } from "node:vm";
import { loadJq } from "jq-wasm";
import {
  compileJavaScript,
  isRefusal,
  type JavaScriptProgram,
  standaloneText,
} from "../../../src/expressions/js/compile.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../../src/json.ts";
import { realPrograms } from "../../expressions/real-programs.ts";
import { median, warmTimes } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";

const typical = ".items | map(select(.veg) | .id)";

/** Compile time, run time and code size of expressions. */
export async function speedRows(): Promise<readonly BenchmarkRow[]> {
  return [...(await runningRows()), await compilingRow(), helperRow()];
}

interface MenuItem {
  readonly id: number;
  readonly veg: boolean;
  readonly name: string;
  readonly tags: readonly string[];
}

/** JSON of 94 KB. */
function items(): { readonly items: readonly MenuItem[] } {
  const itemOf = (id: number): MenuItem => ({
    id,
    veg: id % 3 !== 0,
    name: `Dish number ${id} of the menu`,
    tags: ["lunch", `day${id % 7}`],
  });
  return { items: Array.from({ length: 1132 }, (_, id) => itemOf(id)) };
}

function loop(input: { readonly items: readonly MenuItem[] }): number[] {
  const ids: number[] = [];
  for (const item of input.items) if (item.veg) ids.push(item.id);
  return ids;
}

function compiled(program: string): JavaScriptProgram {
  const read = readJq(program);
  const result =
    "expression" in read ? compileJavaScript(read.expression) : { refused: read[0]!.message, span: undefined };
  if (isRefusal(result)) throw new Error(result.refused);
  return result;
}

async function runningRows(): Promise<readonly BenchmarkRow[]> {
  const jq = await loadJq();
  const input = items();
  const text = JSON.stringify(input);
  const program = runInThisContext(`(() => {${standaloneText(compiled(typical))}\nreturn program; })()`) as (
    input: Json,
  ) => Json;
  if (jq.raw(text, typical, ["-c"]).stdout !== JSON.stringify(program(input as never)))
    throw new Error("jq gives something else.");
  const times = 200;
  const repeated = (act: () => unknown) => () => {
    for (let i = 0; i < times; i += 1) act();
  };
  const acts = [
    repeated(() => program(input as never)),
    repeated(() => loop(input)),
    () => jq.raw(text, typical, ["-c"]),
  ];
  const [ours, byHand, jqs] = (await warmTimes(acts, 101)).map((ms, i) => (1000 * ms) / (i < 2 ? times : 1)) as [
    number,
    number,
    number,
  ];
  const kilobytes = (Buffer.byteLength(text) / 1000).toFixed(0);
  const parts = { "JavaScript (µs)": ours, "by hand (µs)": byHand, "jq-wasm (µs)": jqs };
  return [
    { name: `${typical} on ${kilobytes} KB, to a loop by hand`, value: ours / byHand, limit: 3, unit: "×", parts },
    { name: `${typical} on ${kilobytes} KB, in jq-wasm's time`, value: (100 * ours) / jqs, limit: 1, unit: "%", parts },
  ];
}

/** From jq source to JavaScript source. */
async function compilingRow(): Promise<BenchmarkRow> {
  const micros = (times: readonly number[]) => times.map((ms) => 1000 * ms);
  const compiling = (program: string) => () => {
    if (standaloneText(compiled(program)) === "") throw new Error("There is no program.");
  };
  const [ours] = micros(await warmTimes([compiling(typical)], 20_000)) as [number];
  const examples = realPrograms().filter((program) => "expression" in readJq(program));
  const others = micros(await warmTimes(examples.map(compiling), 300));
  const parts =
    others.length > 0
      ? { "median of the examples": median(others), "longest of the examples": Math.max(...others) }
      : {};
  return { name: `parsing and compiling ${typical}`, value: ours, limit: 50, unit: "µs", parts };
}

function helperRow(): BenchmarkRow {
  const program = compiled(typical);
  const { text, helpers } = program;
  const [all, own] = [Buffer.byteLength(standaloneText(program)), Buffer.byteLength(text)];
  return {
    name: `helpers of ${typical}`,
    value: all - own,
    limit: 1024,
    unit: "bytes",
    parts: { program: own },
    list: [helpers.join(", ")],
  };
}
