import { fill, importsOf, js, printProgram } from "../../src/code/index.ts";
import { templates } from "../../src/generated/typescript-templates.js";
import { patternOf, receivedBy } from "../../src/ir/receiving.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Step } from "../../src/ir/workflow.ts";
import type { Program } from "../../src/program.ts";
import type { OutputFile } from "../../src/target.ts";
import type { Emission } from "./bindings/index.ts";
import { exportedName } from "./emit/module.ts";
import { namesWith } from "./emit/names.ts";

/** The clients that a function of AWS Lambda needs for what its workflows do: emit events, receive them, and start runs that nobody waits for. */
export function packagesOnLambda(program: Program): readonly (readonly [name: string, version: string])[] {
  const steps = program.workflows.flatMap(stepsOf);
  const isReceiving = receivedIn(program).length > 0;
  const emits = steps.some(({ kind }) => kind === "emit");
  const launches = steps.some((step) => step.kind === "invoke" && !step.wait);
  return [
    ...(emits ? [["@aws-sdk/client-eventbridge", "3.1162.0"] as const] : []),
    ...(isReceiving ? [["@aws-sdk/client-dynamodb", "3.1164.0"] as const] : []),
    ...(launches || isReceiving ? [["@aws-sdk/client-lambda", "3.1164.0"] as const] : []),
  ];
}

/** The patterns of the events that a program receives, each once. */
function receivedIn({ workflows }: Program): readonly string[] {
  return [...new Set(workflows.flatMap(receivedBy).map((event) => JSON.stringify(patternOf(event))))];
}

/** A program as a README names it: its workflows, and where its runtime is. */
export interface Described {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly runtime: string;
}

/** What makes a program a function of AWS Lambda: its handler, the template that deploys it, and what somebody has to know who does that. */
export function lambdaFiles(
  program: Program,
  modules: ReadonlyMap<string, string>,
  { hasSinks }: Emission,
  described: Described,
): readonly OutputFile[] {
  const { workflows } = program;
  const some = (kind: Step["kind"], holds: (step: Step) => boolean = () => true) =>
    workflows.some((workflow) => stepsOf(workflow).some((step) => step.kind === kind && holds(step))) ? [{}] : [];
  const rules = receivedIn(program);
  const starts = workflows.some(({ start }) => (start.on ?? []).length > 0);
  const launches = some("invoke", (step) => step.kind === "invoke" && !step.wait).length > 0;
  const names = workflows.map(({ name }) => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")).join(", ");
  const start = JSON.stringify({ workflow: workflows[0]?.id ?? "workflow", input: {} });
  return [
    { path: "handler.mjs", text: handlerText(program, modules, hasSinks) },
    {
      path: "template.yaml",
      text: fill(templates["template.yaml"], {
        description: JSON.stringify(`Workflows: ${names}`.replaceAll("{{", "{ {").slice(0, 250)),
        emits: some("emit"),
        launches: starts || launches ? [{}] : [],
        starts: starts ? [{}] : [],
        onBus: rules.length > 0 || some("emit").length > 0 ? [{}] : [],
        hasVariables: rules.length > 0 || some("emit").length > 0 ? [{}] : [],
        receives: rules.length > 0 ? [{}] : [],
        rules: rules.map((pattern, i) => ({ pattern, number: String(i + 1) })),
      }),
    },
    {
      path: "README.md",
      text: fill(templates["README-lambda.md"], {
        ...described,
        receives: rules.length > 0 ? [{}] : [],
        start: `'${start.replaceAll("'", "\\u0027")}'`,
      }),
    },
  ];
}

/** The module that AWS Lambda loads: `export const handler = durable({ workflows: [orders], functions });` */
function handlerText(program: Program, modules: ReadonlyMap<string, string>, hasSinks: boolean): string {
  const { workflows } = program;
  const names = namesWith(["handler", "ingest"]);
  const known = new Map<string, ReturnType<typeof js.imported>>();
  const imported = (name: string, module: string) => {
    const found = known.get(`${module} ${name}`) ?? js.imported(name, module, names.fresh(name));
    known.set(`${module} ${name}`, found);
    return found;
  };
  const durable = imported("durable", "./lambda.js");
  const receives = receivedIn(program).length > 0;
  const described = (isReceiving: boolean) =>
    js.record({
      workflows: js.array(workflows.map(({ id }) => imported(exportedName(id), `./${modules.get(id)}.ts`))),
      functions: imported("functions", "./functions.ts"),
      sinks: hasSinks && !isReceiving ? imported("sinks", "./functions.ts") : undefined,
      receives: receives && !isReceiving ? js.literal(true) : undefined,
    });
  const taking = receives
    ? [
        js.comment("What EventBridge calls for each event that comes."),
        js.constant(js.name("ingest"), js.call(imported("receiving", "./lambda.js"), [described(true)]), {
          exported: true,
        }),
      ]
    : [];
  const statements = [
    js.comment("What AWS Lambda invokes: each durable execution is a run of one of the workflows."),
    js.constant(js.name("handler"), js.call(durable, [described(false)]), { exported: true }),
    ...taking,
  ];
  return printProgram([...importsOf(statements), ...statements], { types: false });
}
