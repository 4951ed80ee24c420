import { parse } from "yaml";
import { generate } from "../../src/compile.ts";
import { type Program, programOf } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { nullType, type Type, typeOfValue, union } from "../../src/types/index.ts";
import { asl } from "../../targets/asl/index.ts";
import { type Golden, readGolden } from "../golden/folder.ts";
import { compileGolden } from "../golden/make.ts";
import { expressionsOf, handWrittenRows } from "./hand-written.ts";
import type { BenchmarkRow } from "./row.ts";

/** The golden files that had machines at commit 71c981c, in `serverless-workflow` unless another folder is given. */
const goldens =
  "problems/scenario-slips awkward-texts branch-handles-its-error conditions-that-never-decide delay errors-by-name expressions-by-lambda filter-selects-nothing " +
  "filtered-away foreach-filtered-results foreach-orders foreach-results foreach-spaced function-without-parameters hello-twice inject-filter interpolation json-form " +
  "nested-parallel older-spellings operation-call parallel-actions parallel-failure parallel-merge paths-beyond-the-schema poll-until-done produced-events " +
  "retry-additive retry-at-once retry-doubling retry-exclusion retry-interval retry-on-result retry-two-actions sequential-actions states-by-id subflow-external " +
  "subflow-inherits subflow-left-behind subflow-not-waited subflow-terminates-alone subflow-waited switch-ages switch-list switch-operators switch-without-default " +
  "terminate timeout-fails timeout-handled timeout-proceeds transition-denied typed-input where-results-go";

/** The characters of JSONata in these machines at that commit. */
const baseline = 82_597;

/** The amount of JSONata in machines relative to that commit, and the longest expressions. */
export async function machineRows(): Promise<readonly BenchmarkRow[]> {
  const plain: MachineExpression[] = [];
  const typed: MachineExpression[] = [];
  for (const name of goldens.split(" ")) {
    const golden = readGolden(name.includes("/") ? name : `serverless-workflow/${name}`, parse);
    const { program, settings } = compileGolden(golden);
    if (!program) throw new Error(`${name} does not compile.`);
    plain.push(...(await expressionsIn(name, program, settings("asl"))));
    typed.push(...(await expressionsIn(name, withResultTypes(program, golden), settings("asl"))));
  }
  return [
    rowOf("JSONata in machines", plain, 70),
    rowOf("JSONata in machines, with result types from scenarios", typed, 45),
    ...(await handWrittenRows()),
  ];
}

interface MachineExpression {
  readonly golden: string;
  readonly text: string;
}

function rowOf(name: string, expressions: readonly MachineExpression[], limit: number): BenchmarkRow {
  const characters = expressions.reduce((sum, { text }) => sum + text.length, 0);
  const largest = [...expressions].sort((a, b) => b.text.length - a.text.length).slice(0, 12);
  return {
    name,
    value: (100 * characters) / baseline,
    limit,
    unit: "%",
    parts: { characters, before: baseline, expressions: expressions.length },
    list: largest.map(({ golden, text }) => `${text.length} ${golden}: ${text.slice(0, 120)}`),
  };
}

async function expressionsIn(
  golden: string,
  program: Program,
  settings: Parameters<typeof generate>[2],
): Promise<readonly MachineExpression[]> {
  const { files } = await generate(program, asl, settings);
  const machines = files.filter(({ path }) => path.endsWith(".asl.json"));
  return machines.flatMap(({ text }) => expressionsOf(JSON.parse(text) as Json)).map((text) => ({ golden, text }));
}

/** Gives each function the result type of its responses in the scenarios; unmentioned functions return null. */
function withResultTypes({ workflows, ...program }: Program, golden: Golden): Program {
  const { responses, mentioned } = responsesIn(golden);
  return {
    ...program,
    ...programOf(
      workflows.map((workflow) => ({
        ...workflow,
        functions: workflow.functions.map((each) => ({
          ...each,
          resultType: mentioned.has(each.name) ? responses.get(each.name) : nullType,
        })),
      })),
    ),
  };
}

/** The literal responses in the scenarios, and all functions that the scenarios mention. */
function responsesIn({ scenarios }: Golden): {
  readonly responses: ReadonlyMap<string, Type>;
  readonly mentioned: ReadonlySet<string>;
} {
  const file = scenarios ? (parse(scenarios.text) as { scenarios?: readonly { functions?: JsonObject }[] }) : {};
  const responses = new Map<string, Type>();
  const computed = new Set<string>();
  const mentioned = new Set<string>();
  for (const { functions = {} } of file.scenarios ?? [])
    for (const [name, response] of Object.entries(functions)) {
      mentioned.add(name);
      for (const each of (Array.isArray(response) ? response : [response]) as readonly Json[]) {
        if (!isObject(each) || "throws" in each) continue;
        if (!("returns" in each)) computed.add(name);
        else
          responses.set(
            name,
            union(...[responses.get(name), typeOfValue(each["returns"]!)].filter((type) => type !== undefined)),
          );
      }
    }
  return { responses: new Map([...responses].filter(([name]) => !computed.has(name))), mentioned };
}
