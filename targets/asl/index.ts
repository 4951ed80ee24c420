import { fileNames } from "../../src/output/names.ts";
import type { Program } from "../../src/program.ts";
import type { OutputFile, Target } from "../../src/target.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import type { Legal } from "./computed/workflow.ts";
import * as messages from "./diagnostics/kinds.ts";
import { expressionsFile } from "./expressions.ts";
import { checkLimits } from "./limits.ts";
import type { Problem } from "./lower/context.ts";
import { lowered } from "./lower/workflow.ts";
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
  for (const made of machinesOf(program)) checkMachine(made, report);
}

function checkMachine({ workflow, files, problems, legal }: MachineFiles, report: Report): void {
  for (const { span, construct } of problems) {
    const reason = legal.impossible.find((each) => isWithin(span, each.span))?.reason;
    report(messages.aslInexact(span, { construct, reason }));
  }
  if (problems.length > 0) return;
  for (const { parts } of legal.computed)
    for (const { span, why } of parts) report(messages.aslComputed(span, { why, file: files[2]!.path }));
  const bytes = Buffer.byteLength(files[0]!.text);
  if (bytes > largest) report(messages.aslSize(workflow.span, { id: workflow.id, bytes }));
}

const isWithin = (part: Span, whole: Span): boolean =>
  part.source === whole.source && part.start >= whole.start && part.end <= whole.end;

/** A workflow's machine, ready to be written. */
export interface MachineFiles {
  readonly workflow: Program["workflows"][number];
  /** The machine, where its states come from and, if it has one, the function that computes its expressions. */
  readonly files: readonly OutputFile[];
  readonly problems: readonly Problem[];
  readonly legal: Legal;
}

const made = new WeakMap<Program, readonly MachineFiles[]>();

/** The machines of a program that the limits let pass. What checking has made serves emitting too. */
export function machinesOf(program: Program): readonly MachineFiles[] {
  const known = made.get(program);
  if (known) return known;
  const substitutions = substitutionsOf(program);
  const names = fileNames(program.workflows.map(({ id }) => id));
  const machines = program.workflows.map((workflow, i): MachineFiles => {
    const { machine, problems, legal } = lowered(workflow, substitutions);
    if (problems.length > 0) return { workflow, files: [], problems, legal };
    const name = names[i]!;
    const { computed } = legal;
    const lambda =
      computed.length > 0 ? [{ path: `${name}.expressions.mjs`, text: expressionsFile(workflow, computed) }] : [];
    const { definition, map } = printMachine(
      machine,
      legal.workflow,
      lambda[0] && { file: lambda[0].path, resource: substitutions.expressionsOf(workflow) },
    );
    const files = [
      { path: `${name}.asl.json`, text: jsonText(definition) },
      { path: `${name}.asl.map.json`, text: jsonText(map) },
      ...lambda,
    ];
    return { workflow, files, problems, legal };
  });
  made.set(program, machines);
  return machines;
}
