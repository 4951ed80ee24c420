import { templates } from "../../src/generated/typescript-templates.js";
import { eventBridgePattern, receivedEvents } from "../../src/ir/event-patterns.ts";
import type { Program } from "../../src/ir/program.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import { collectImports, js, printCode, printProgram, renderTemplate } from "../../src/js-ast/index.ts";
import type { Json } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { FunctionsModule } from "./bindings/index.ts";
import { exportedName } from "./emit/module.ts";
import { createProgramNames } from "./emit/names.ts";
import type { Image } from "./image.ts";

/** The clients that a function of AWS Lambda needs for what its workflows do. */
export function lambdaPackages(program: Program): readonly (readonly [name: string, version: string])[] {
  const { emits, receives, launches } = featuresOf(program);
  return [
    ...(emits ? [["@aws-sdk/client-eventbridge", "3.1162.0"] as const] : []),
    ...(receives ? [["@aws-sdk/client-dynamodb", "3.1164.0"] as const] : []),
    ...(launches || receives ? [["@aws-sdk/client-lambda", "3.1164.0"] as const] : []),
  ];
}

/** What of AWS a program needs: it emits events, receives some, of which some start runs, and starts runs that nobody waits for. */
function featuresOf(program: Program) {
  const steps = program.workflows.flatMap(stepsOf);
  return {
    emits: steps.some(({ kind }) => kind === "emit"),
    receives: receivedPatterns(program).length > 0,
    starts: program.workflows.some(({ start }) => (start.on ?? []).length > 0),
    launches: steps.some((step) => step.kind === "invoke" && !step.wait),
  };
}

/** The patterns of the events that a program receives, each once. */
function receivedPatterns({ workflows }: Program): readonly string[] {
  return [...new Set(workflows.flatMap(receivedEvents).map((event) => JSON.stringify(eventBridgePattern(event))))];
}

/** A program as a README names it: its workflows, and where its runtime is. */
export interface ReadmeData {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly runtime: string;
}

/** What makes a program a function of AWS Lambda: its handler, the template that deploys it, and what somebody has to know who does that. */
export function lambdaFiles(
  program: Program,
  modules: ReadonlyMap<string, string>,
  { hasSinks }: FunctionsModule,
  described: ReadmeData,
  image: Image,
): readonly OutputFile[] {
  const { workflows } = program;
  const does = featuresOf(program);
  const where = (holds: boolean) => (holds ? [{}] : []);
  const rules = receivedPatterns(program);
  const names = workflows.map(({ name }) => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")).join(", ");
  const start = JSON.stringify({ workflow: workflows[0]?.id ?? "workflow", input: {} });
  return [
    { path: "handler.mjs", text: printHandler(program, modules, hasSinks) },
    { path: "assemble.mjs", text: printAssembler(image) },
    {
      path: "template.yaml",
      text: renderTemplate(templates["template.yaml"], {
        description: JSON.stringify(`Workflows: ${names}`.replaceAll("{{", "{ {").slice(0, 250)),
        emits: where(does.emits),
        launches: where(does.starts || does.launches),
        starts: where(does.starts),
        usesBus: where(does.receives || does.emits),
        receives: where(does.receives),
        rules: rules.map((pattern, i) => ({ pattern, number: String(i + 1) })),
      }),
    },
    {
      path: "README.md",
      text: renderTemplate(templates["README-lambda.md"], {
        ...described,
        receives: where(does.receives),
        start: `'${start.replaceAll("'", "\\u0027")}'`,
      }),
    },
  ];
}

/** What puts together what AWS Lambda runs: modules outside of the program's folder stand at the same places beside it there. */
function printAssembler({ context, program, files: beside, installs, missing: left }: Image): string {
  const isApart = context !== ".";
  const text = (value: Json): string => printCode(js.value(value), { types: false });
  const handler = `./${program.split("/").map(encodeURIComponent).join("/")}/handler.mjs`;
  const apart = {
    files: text(beside),
    context: text(context),
    handler: text(`export * from ${JSON.stringify(handler)};\n`),
  };
  return renderTemplate(templates["assemble.mjs"], {
    what: isApart
      ? "this program, the modules of its functions, and the packages of both"
      : "this program and its packages",
    program: text(program),
    apart: isApart ? [apart] : [],
    left: left.map((path) => ({ warning: text(`${path} is not in dist: copy it to where functions.ts finds it.`) })),
    installs: text([...new Set([...installs.keys(), program])]),
  });
}

/**
 * The module that AWS Lambda loads, where events come in:
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
  const described = js.record({
    workflows: receives ? workflows : listed,
    functions: imported("functions", "./functions.ts"),
    sinks: hasSinks ? imported("sinks", "./functions.ts") : undefined,
    receives: receives ? js.literal(true) : undefined,
  });
  const exported = (name: string, made: string, given: ReturnType<typeof js.record>) =>
    js.constant(js.name(name), js.call(imported(made, "./lambda.js"), [given]), { exported: true });
  const statements = [
    ...(receives ? [js.constant(workflows, listed)] : []),
    js.comment("What AWS Lambda invokes: each durable execution is a run of one of the workflows."),
    exported("handler", "durable", described),
    ...(receives ? [js.comment("What EventBridge calls for each event that comes.")] : []),
    ...(receives ? [exported("ingest", "receiving", js.record({ workflows }))] : []),
  ];
  return printProgram([...collectImports(statements), ...statements], { types: false });
}
