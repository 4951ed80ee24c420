import { fill, importsOf, js, printProgram } from "../../src/code/index.ts";
import { templates } from "../../src/generated/typescript-templates.js";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Step } from "../../src/ir/workflow.ts";
import type { Program } from "../../src/program.ts";
import type { OutputFile } from "../../src/target.ts";
import type { Emission } from "./bindings/index.ts";
import { exportedName } from "./emit/module.ts";
import { namesWith } from "./emit/names.ts";

/** The clients that a function of AWS Lambda needs for what its workflows do: emit events, and start runs that nobody waits for. */
export function packagesOnLambda({ workflows }: Program): readonly (readonly [name: string, version: string])[] {
  const steps = workflows.flatMap(stepsOf);
  const emits = steps.some(({ kind }) => kind === "emit");
  const launches = steps.some((step) => step.kind === "invoke" && !step.wait);
  return [
    ...(emits ? [["@aws-sdk/client-eventbridge", "3.1162.0"] as const] : []),
    ...(launches ? [["@aws-sdk/client-lambda", "3.1164.0"] as const] : []),
  ];
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
  const names = workflows.map(({ name }) => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")).join(", ");
  const start = JSON.stringify({ workflow: workflows[0]?.id ?? "workflow", input: {} });
  return [
    { path: "handler.mjs", text: handlerText(program, modules, hasSinks) },
    {
      path: "template.yaml",
      text: fill(templates["template.yaml"], {
        description: JSON.stringify(`Workflows: ${names}`.replaceAll("{{", "{ {").slice(0, 250)),
        emits: some("emit"),
        launches: some("invoke", (step) => step.kind === "invoke" && !step.wait),
      }),
    },
    {
      path: "README.md",
      text: fill(templates["README-lambda.md"], {
        ...described,
        start: `'${start.replaceAll("'", "\\u0027")}'`,
      }),
    },
  ];
}

/** The module that AWS Lambda loads: `export const handler = durable({ workflows: [orders], functions });` */
function handlerText({ workflows }: Program, modules: ReadonlyMap<string, string>, hasSinks: boolean): string {
  const names = namesWith(["handler"]);
  const imported = (name: string, module: string) => js.imported(name, module, names.fresh(name));
  const durable = imported("durable", "./lambda.js");
  const program = js.record({
    workflows: js.array(workflows.map(({ id }) => imported(exportedName(id), `./${modules.get(id)}.ts`))),
    functions: imported("functions", "./functions.ts"),
    sinks: hasSinks ? imported("sinks", "./functions.ts") : undefined,
  });
  const statements = [
    js.comment("What AWS Lambda invokes: each durable execution is a run of one of the workflows."),
    js.constant(js.name("handler"), js.call(durable, [program]), { exported: true }),
  ];
  return printProgram([...importsOf(statements), ...statements], { types: false });
}
