import type { Report } from "../../src/diagnostics.ts";
import * as messages from "../../src/messages/asl.ts";
import { fileNames } from "../../src/output/names.ts";
import type { Program } from "../../src/program.ts";
import type { OutputFile, Target } from "../target.ts";
import { checkLimits } from "./limits.ts";
import { lowerWorkflow } from "./lower/machine.ts";
import { jsonText, printMachine } from "./print.ts";
import { substitutionsOf } from "./substitutions.ts";

/** AWS Step Functions: a state machine in Amazon States Language (JSONata) for each workflow. */
export const asl: Target = {
  name: "asl",
  summary: "Amazon States Language (JSONata), for AWS Step Functions",
  check,
  emit: (program) => machinesOf(program).flatMap(({ files }) => files),
  run: async (request) => (await import("./run.ts")).run(request),
  load: () => import("./run.ts"),
};

/** The largest definition that Step Functions takes, in bytes. */
const largest = 1_048_576;

function check(program: Program, report: Report): void {
  let refused = false;
  checkLimits(program, (diagnostic) => {
    refused = true;
    report(diagnostic);
  });
  if (refused) return;
  for (const { workflow, files, problems } of machinesOf(program)) {
    for (const { span, construct } of problems) report(messages.aslInexact(span, { construct }));
    if (problems.length > 0) continue;
    const bytes = Buffer.byteLength(files[0]!.text);
    if (bytes > largest) report(messages.aslSize(workflow.span, { id: workflow.id, bytes }));
  }
}

/** A workflow's machine, ready to be written. */
export interface MachineFiles {
  readonly workflow: Program["workflows"][number];
  readonly files: readonly OutputFile[];
  readonly problems: ReturnType<typeof lowerWorkflow>["problems"];
}

const made = new WeakMap<Program, readonly MachineFiles[]>();

/** The machines of a program that the limits let pass. What checking has made serves emitting too. */
export function machinesOf(program: Program): readonly MachineFiles[] {
  const known = made.get(program);
  if (known) return known;
  const substitutions = substitutionsOf(program);
  const names = fileNames(program.workflows.map(({ id }) => id));
  const machines = program.workflows.map((workflow, i): MachineFiles => {
    const { machine, problems } = lowerWorkflow(workflow, substitutions);
    if (problems.length > 0) return { workflow, files: [], problems };
    const { definition, map } = printMachine(machine, workflow);
    const files = [
      { path: `${names[i]}.asl.json`, text: jsonText(definition) },
      { path: `${names[i]}.asl.map.json`, text: jsonText(map) },
    ];
    return { workflow, files, problems };
  });
  made.set(program, machines);
  return machines;
}
