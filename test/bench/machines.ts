import { parse } from "yaml";
import { generate } from "../../src/compile.ts";
import { type Program, programOf } from "../../src/ir/program.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { nullType, type Type, typeOfValue, union } from "../../src/types/index.ts";
import { asl } from "../../targets/asl/index.ts";
import { type Golden, readGolden } from "../golden/folder.ts";
import { compiled } from "../golden/make.ts";
import type { Row } from "./row.ts";

/** The golden files that had machines at commit 71c981c, in `serverless-workflow` unless another folder is given. */
const goldens =
  "problems/scenario-slips awkward-texts branch-handles-its-error conditions-that-never-decide delay errors-by-name expressions-by-lambda filter-selects-nothing " +
  "filtered-away foreach-filtered-results foreach-orders foreach-results foreach-spaced function-without-parameters hello-twice inject-filter interpolation json-form " +
  "nested-parallel older-spellings operation-call parallel-actions parallel-failure parallel-merge paths-beyond-the-schema poll-until-done produced-events " +
  "retry-additive retry-at-once retry-doubling retry-exclusion retry-interval retry-on-result retry-two-actions sequential-actions states-by-id subflow-external " +
  "subflow-inherits subflow-left-behind subflow-not-waited subflow-terminates-alone subflow-waited switch-ages switch-list switch-operators switch-without-default " +
  "terminate timeout-fails timeout-handled timeout-proceeds transition-denied typed-input where-results-go";

/** The characters of JSONata in these machines at that commit. */
const before = 82_597;

/** The amount of JSONata in machines relative to that commit, and the longest expressions. */
export async function machineRows(): Promise<readonly Row[]> {
  const plain: Expression[] = [];
  const trusted: Expression[] = [];
  for (const name of goldens.split(" ")) {
    const golden = readGolden(name.includes("/") ? name : `serverless-workflow/${name}`, parse);
    const { program, settings } = compiled(golden);
    if (!program) throw new Error(`${name} does not compile.`);
    plain.push(...(await expressionsIn(name, program, settings("asl"))));
    trusted.push(...(await expressionsIn(name, trusting(program, golden), settings("asl"))));
  }
  return [
    rowOf("JSONata in machines", plain, 70),
    rowOf("JSONata in machines, with results as the scenarios have them", trusted, 45),
  ];
}

interface Expression {
  readonly golden: string;
  readonly text: string;
}

function rowOf(name: string, expressions: readonly Expression[], limit: number): Row {
  const characters = expressions.reduce((sum, { text }) => sum + text.length, 0);
  const largest = [...expressions].sort((a, b) => b.text.length - a.text.length).slice(0, 12);
  return {
    name,
    value: (100 * characters) / before,
    limit,
    unit: "%",
    parts: { characters, before, expressions: expressions.length },
    list: largest.map(({ golden, text }) => `${text.length} ${golden}: ${text.slice(0, 120)}`),
  };
}

async function expressionsIn(
  golden: string,
  program: Program,
  settings: Parameters<typeof generate>[2],
): Promise<readonly Expression[]> {
  const { files } = await generate(program, asl, settings);
  const machines = files.filter(({ path }) => path.endsWith(".asl.json"));
  return machines.flatMap(({ text }) => textsIn(JSON.parse(text) as Json)).map((text) => ({ golden, text }));
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return value.startsWith("{% ") ? [value.slice(3, -3)] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap((item: Json) => textsIn(item)) : [];
}

/** Gives each function the result type of its responses in the scenarios; unmentioned functions return null. */
function trusting({ workflows, ...program }: Program, golden: Golden): Program {
  const { answers, mentioned } = answersIn(golden);
  return {
    ...program,
    ...programOf(
      workflows.map((workflow) => ({
        ...workflow,
        functions: workflow.functions.map((each) => ({
          ...each,
          resultType: mentioned.has(each.name) ? answers.get(each.name) : nullType,
        })),
      })),
    ),
  };
}

/** The literal responses in the scenarios, and all functions that the scenarios mention. */
function answersIn({ scenarios }: Golden): {
  readonly answers: ReadonlyMap<string, Type>;
  readonly mentioned: ReadonlySet<string>;
} {
  const file = scenarios ? (parse(scenarios.text) as { scenarios?: readonly { functions?: JsonObject }[] }) : {};
  const answers = new Map<string, Type>();
  const computed = new Set<string>();
  const mentioned = new Set<string>();
  for (const { functions = {} } of file.scenarios ?? [])
    for (const [name, given] of Object.entries(functions)) {
      mentioned.add(name);
      for (const each of (Array.isArray(given) ? given : [given]) as readonly Json[]) {
        if (!isObject(each) || "throws" in each) continue;
        if (!("returns" in each)) computed.add(name);
        else
          answers.set(
            name,
            union(...[answers.get(name), typeOfValue(each["returns"]!)].filter((type) => type !== undefined)),
          );
      }
    }
  return { answers: new Map([...answers].filter(([name]) => !computed.has(name))), mentioned };
}
