import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { generate } from "../../src/compile.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { Source } from "../../src/text/source.ts";
import { asl } from "../../targets/asl/index.ts";
import { type Golden, readGolden } from "../golden/folder.ts";
import { compileGolden } from "../golden/make.ts";
import { type BenchmarkRow, skippedRow } from "./row.ts";

const folder = join(import.meta.dirname, "hand-written");
const examples = join(import.meta.dirname, "../../../shared/examples/serverless-workflow");

/** The amount of JSONata in machines relative to machines that people wrote for the same definitions. */
export async function handWrittenRows(): Promise<readonly BenchmarkRow[]> {
  const entries = Object.entries(parse(readFileSync(join(folder, "definitions.yaml"), "utf8")) as Definitions);
  const found: Comparison[] = [];
  for (const [name, definition] of entries) {
    const golden = goldenOf(name, definition);
    if (golden) found.push(await compare(name, definition, golden));
  }
  const published = found.filter(({ isExample }) => isExample);
  if (published.length === 0) return [skippedRow("machines against hand-written ones", "characters")];
  const rowsOf = (what: string, some: readonly Comparison[], limits: readonly [number, number]) => [
    rowOf(what, some, limits[0], ({ plain }) => plain),
    rowOf(`${what}, with schemas`, some, limits[1], ({ typed }) => typed),
  ];
  const only = (wanted: string) => found.filter(({ name }) => name === wanted);
  return [
    { ...rowOf(`${published.length} public examples`, published, 11_000, ({ plain }) => plain), list: found.map(line) },
    rowOf(`${published.length} public examples, with schemas`, published, 4_400, ({ typed }) => typed),
    ...rowsOf("order process", only("order"), [2_000, 1_000]),
    ...rowsOf("event greeting", only("event-based-greeting"), [400, 150]),
  ];
}

const sourceOf = (path: string, text: string): Source => ({ path, text });

type Definitions = { readonly [name: string]: Definition };

interface Definition {
  readonly example?: string;
  readonly golden?: string;
  readonly difference: string;
  readonly input?: JsonObject;
  readonly results?: JsonObject;
  readonly events?: JsonObject;
}

interface Comparison {
  readonly name: string;
  readonly isExample: boolean;
  readonly difference: string;
  readonly hand: Measure;
  readonly plain: Measure;
  readonly typed: Measure;
}

interface Measure {
  readonly characters: number;
  readonly longest: number;
  readonly states: number;
}

function goldenOf(name: string, { example, golden }: Definition): Golden | undefined {
  if (golden) return readGolden(`serverless-workflow/${golden}`, parse);
  const path = join(examples, `${example}.json`);
  if (!existsSync(path)) return undefined;
  const source = sourceOf(`${example}.json`, readFileSync(path, "utf8"));
  return {
    ...{ name, folder, sources: [source], schemas: [], modules: [], settings: {}, kept: {} },
    ...{ configuration: undefined, scenarios: undefined },
  };
}

async function compare(name: string, definition: Definition, golden: Golden): Promise<Comparison> {
  const hand = JSON.parse(readFileSync(join(folder, `${name}.asl.json`), "utf8")) as Json;
  return {
    name,
    isExample: definition.example !== undefined,
    difference: definition.difference,
    hand: measure([hand]),
    plain: measure(await machinesOf(configured(golden, {}))),
    typed: measure(await machinesOf(withSchemas(definition, golden))),
  };
}

function withSchemas({ input, results, events }: Definition, golden: Golden): Golden {
  const functions = Object.entries(results ?? {}).map(([name, result]) => [name, { result }]);
  const data = Object.entries(events ?? {}).map(([name, schema]) => [name, { data: schema }]);
  const configuration = { functions: Object.fromEntries(functions), events: Object.fromEntries(data) };
  const [source] = golden.sources;
  const typed = () => JSON.stringify({ dataInputSchema: "input.json", ...(parse(source!.text) as JsonObject) });
  const sources = input ? [sourceOf(source!.path, typed())] : golden.sources;
  return {
    ...configured(golden, configuration),
    sources,
    schemas: input ? [sourceOf("input.json", JSON.stringify(input))] : [],
  };
}

/** Where events start a run, only they do, as in the machines that people wrote. */
const configured = (golden: Golden, configuration: JsonObject): Golden => ({
  ...golden,
  configuration: sourceOf(
    "waybill.config.json",
    JSON.stringify({ ...configuration, targets: { asl: { start: "events" } } }),
  ),
});

async function machinesOf(golden: Golden): Promise<readonly Json[]> {
  const { program, settings, diagnostics } = compileGolden(golden);
  if (!program) throw new Error(`${golden.name} does not compile: ${diagnostics.map(({ message }) => message)}`);
  const { files, diagnostics: refusals } = await generate(program, asl, settings("asl"));
  const [refusal] = refusals.filter(({ severity }) => severity === "error");
  if (refusal) throw new Error(`${golden.name} is refused: ${refusal.message}`);
  return files.flatMap(({ path, text }) => (path.endsWith(".asl.json") ? [JSON.parse(text) as Json] : []));
}

function measure(machines: readonly Json[]): Measure {
  const lengths = machines.flatMap(expressionsOf).map((text) => text.length);
  return {
    characters: lengths.reduce((sum, length) => sum + length, 0),
    longest: Math.max(0, ...lengths),
    states: machines.reduce<number>((sum, machine) => sum + statesIn(machine), 0),
  };
}

/** The JSONata expressions in a machine. */
export function expressionsOf(value: Json): readonly string[] {
  if (typeof value === "string") return value.startsWith("{% ") ? [value.slice(3, -3)] : [];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((item: Json) => expressionsOf(item))
    : [];
}

function statesIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = isObject(value) && isObject(value["States"]) ? Object.keys(value["States"]).length : 0;
  return Object.values(value).reduce<number>((sum, item: Json) => sum + statesIn(item), own);
}

function rowOf(
  what: string,
  comparisons: readonly Comparison[],
  limit: number,
  read: (comparison: Comparison) => Measure,
): BenchmarkRow {
  const sum = (of: (comparison: Comparison) => number) => comparisons.reduce((total, each) => total + of(each), 0);
  const [value, byHand] = [sum((each) => read(each).characters), sum(({ hand }) => hand.characters)];
  return {
    name: `JSONata of the ${what}`,
    value,
    limit,
    unit: "characters",
    parts: {
      "by hand": byHand,
      ratio: value / byHand,
      states: sum((each) => read(each).states),
      "states by hand": sum(({ hand }) => hand.states),
      longest: Math.max(...comparisons.map((each) => read(each).longest)),
    },
  };
}

const line = ({ name, hand, plain, typed, difference }: Comparison): string =>
  `${name}: ${plain.characters}, with schemas ${typed.characters}, by hand ${hand.characters}; states ${plain.states}, by hand ${hand.states}; longest ${plain.longest}, ${typed.longest}, by hand ${hand.longest}. ${difference}`;
