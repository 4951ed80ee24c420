import { templates } from "../../../../src/generated/typescript-lambda-templates.js";
import { eventBridgePattern, receivedEvents } from "../../../../src/ir/event-patterns.ts";
import { mainWorkflow } from "../../../../src/ir/order.ts";
import { startsOnEvents } from "../../../../src/ir/starts.ts";
import { stepsOf } from "../../../../src/ir/walk.ts";
import type { Program } from "../../../../src/ir/workflow.ts";
import { collectImports, js, printCode, printProgram, renderTemplate } from "../../../../src/js-ast/index.ts";
import type { Json } from "../../../../src/json.ts";
import type { OutputFile } from "../../../../src/target/contract.ts";
import { exportedName } from "../../emit/module.ts";
import { createProgramNames } from "../../emit/names.ts";
import type { Project } from "../../host.ts";
import type { Image } from "../../image.ts";
import { readmeData } from "../../readme.ts";

/** The AWS clients that the workflows need. */
export function lambdaPackages(program: Program): readonly (readonly [name: string, version: string])[] {
  const { emits, receives, launches } = featuresOf(program);
  return [
    ...(emits ? [["@aws-sdk/client-eventbridge", "3.1162.0"] as const] : []),
    ...(receives ? [["@aws-sdk/client-dynamodb", "3.1164.0"] as const] : []),
    ...(launches || receives ? [["@aws-sdk/client-lambda", "3.1164.0"] as const] : []),
  ];
}

/** `starts`: events start runs. `launches`: runs start others without waiting. */
function featuresOf(program: Program) {
  const steps = program.workflows.flatMap(stepsOf);
  return {
    emits: steps.some(({ kind }) => kind === "emit"),
    receives: receivedPatterns(program).length > 0,
    starts: program.workflows.some(startsOnEvents),
    launches: steps.some((step) => step.kind === "invoke" && !step.wait),
  };
}

function receivedPatterns({ workflows }: Program): readonly string[] {
  return [...new Set(workflows.flatMap(receivedEvents).map((event) => JSON.stringify(eventBridgePattern(event))))];
}

/** Handler, template, README and assembly script. */
export function lambdaFiles({ program, modules, functions, runtime, image }: Project): readonly OutputFile[] {
  const { workflows } = program;
  const features = featuresOf(program);
  const when = (condition: boolean) => (condition ? [{}] : []);
  const rules = receivedPatterns(program);
  const names = workflows.map(({ name }) => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")).join(", ");
  const start = JSON.stringify({ workflow: mainWorkflow(program)?.id ?? "workflow", input: {} });
  return [
    { path: "handler.mjs", text: printHandler(program, modules, functions.hasSinks) },
    { path: "assemble.mjs", text: printAssembler(image) },
    {
      path: "template.yaml",
      text: renderTemplate(templates["template.yaml"], {
        description: JSON.stringify(`Workflows: ${names}`.replaceAll("{{", "{ {").slice(0, 250)),
        emits: when(features.emits),
        launches: when(features.starts || features.launches),
        starts: when(features.starts),
        usesBus: when(features.receives || features.emits),
        receives: when(features.receives),
        rules: rules.map((pattern, i) => ({ pattern, number: String(i + 1) })),
      }),
    },
    {
      path: "README.md",
      text: renderTemplate(templates["README.md"], {
        ...readmeData(program, runtime),
        receives: when(features.receives),
        start: `'${start.replaceAll("'", "\\u0027")}'`,
      }),
    },
  ];
}

/** Outside modules keep their relative positions. */
function printAssembler({ context, program, files, installs, missing }: Image): string {
  const hasContext = context !== ".";
  const text = (value: Json): string => printCode(js.value(value), { types: false });
  const handler = `./${program.split("/").map(encodeURIComponent).join("/")}/handler.mjs`;
  const outside = {
    files: text(files),
    context: text(context),
    handler: text(`export * from ${JSON.stringify(handler)};\n`),
  };
  return renderTemplate(templates["assemble.mjs"], {
    what: hasContext
      ? "this program, the modules of its functions, and the packages of both"
      : "this program and its packages",
    program: text(program),
    outside: hasContext ? [outside] : [],
    missing: missing.map((path) => ({
      warning: text(`${path} is not in dist. Copy it to the path that functions.ts imports.`),
    })),
    installs: text([...new Set([...installs.keys(), program])]),
  });
}

/**
 * The module that AWS Lambda loads, if it receives events:
 *
 *   const workflows = [orders];
 *   export const handler = durable({ workflows, functions, receives: true });
 *   export const ingest = receiving({ workflows });
 */
function printHandler(program: Program, modules: ReadonlyMap<string, string>, hasSinks: boolean): string {
  const names = createProgramNames(["handler", "ingest", "workflows"]);
  const imported = (name: string, module: string) => js.imported(name, module, names.fresh(name));
  const receives = receivedPatterns(program).length > 0;
  const listed = js.array(program.workflows.map(({ id }) => imported(exportedName(id), `./${modules.get(id)}.ts`)));
  const workflows = js.name("workflows");
  const options = js.record({
    workflows: receives ? workflows : listed,
    functions: imported("functions", "./functions.ts"),
    sinks: hasSinks ? imported("sinks", "./functions.ts") : undefined,
    receives: receives ? js.literal(true) : undefined,
  });
  const exported = (name: string, factory: string, argument: ReturnType<typeof js.record>) =>
    js.constant(js.name(name), js.call(imported(factory, "./lambda.js"), [argument]), { exported: true });
  const statements = [
    ...(receives ? [js.constant(workflows, listed)] : []),
    js.comment("The entry point of the workflows function: each durable execution is a run of a workflow."),
    exported("handler", "durable", options),
    ...(receives
      ? [js.comment("The entry point of the events function, which EventBridge invokes for each event.")]
      : []),
    ...(receives ? [exported("ingest", "receiving", js.record({ workflows }))] : []),
  ];
  return printProgram([...collectImports(statements), ...statements], { types: false });
}
