import { runInThisContext } from "node:vm";
import { loadJq } from "jq-wasm";
import {
  compileJavaScript,
  isRefusal,
  type JavaScriptProgram,
  javaScriptText,
  standaloneText,
} from "../../../src/expressions/js/compile.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import { realPrograms } from "../../expressions/real-programs.ts";
import { programsOf, type RealisticProgram } from "../../expressions/realistic/program.ts";
import { median, warmTimes } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import { type ProgramFunction, timeRatio } from "./time-ratio.ts";

const typical = ".items | map(select(.veg) | .id)";

/** Compile time, run time and code size of expressions. */
export async function speedRows(): Promise<readonly BenchmarkRow[]> {
  return [...(await runningRows()), await compilingRow(), helperRow()];
}

type MenuItem = {
  readonly id: number;
  readonly veg: boolean;
  readonly name: string;
  readonly tags: readonly string[];
};

type Menu = { readonly items: readonly MenuItem[] };

/** JSON of 94 KB. */
function createMenu(): Menu {
  const itemOf = (id: number): MenuItem => ({
    id,
    veg: id % 3 !== 0,
    name: `Dish number ${id} of the menu`,
    tags: ["lunch", `day${id % 7}`],
  });
  return { items: Array.from({ length: 1132 }, (_, id) => itemOf(id)) };
}

function vegetarianIds({ items }: Menu): number[] {
  const ids: number[] = [];
  for (const item of items) if (item.veg) ids.push(item.id);
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
  const input = createMenu();
  const text = JSON.stringify(input);
  const [{ byHand }] = programsOf([input], [[typical, vegetarianIds]]) as [RealisticProgram];
  const program = runInThisContext(
    `(() => {${standaloneText(compiled(typical))}\nreturn program; })()`,
  ) as ProgramFunction;
  if (jq.raw(text, typical, ["-c"]).stdout !== JSON.stringify(program(input)))
    throw new Error("jq gives something else.");
  const ratio = timeRatio(program, byHand, [input]);
  const times = 200;
  const repeated = () => {
    for (let i = 0; i < times; i += 1) program(input);
  };
  const [total, jqMs] = (await warmTimes([repeated, () => jq.raw(text, typical, ["-c"])], 101)) as [number, number];
  const [ours, jqs] = [(1000 * total) / times, 1000 * jqMs];
  const kilobytes = (Buffer.byteLength(text) / 1000).toFixed(0);
  const parts = { "JavaScript (µs)": ours, "jq-wasm (µs)": jqs };
  return [
    { name: `${typical} on ${kilobytes} KB, to a loop by hand`, value: ratio, limit: 1.2, unit: "×", parts },
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
  const [all, own] = [standaloneText, javaScriptText].map((print) => Buffer.byteLength(print(program))) as [
    number,
    number,
  ];
  return {
    name: `helpers of ${typical}`,
    value: all - own,
    limit: 1024,
    unit: "bytes",
    parts: { program: own },
    list: [program.helpers.join(", ")],
  };
}
