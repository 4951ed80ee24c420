import { writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { checkWith } from "../compile.ts";
import { describeErrno } from "../errno.ts";
import { type BuiltGraph, buildGraph } from "../graph/build.ts";
import { renderDot } from "../graph/dot.ts";
import { renderMermaid } from "../graph/mermaid.ts";
import { describeCoverage, idsOf, recordedPath, unitePaths } from "../graph/recorded-path.ts";
import { type Marks, renderSvg } from "../graph/svg.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import { openScenarios, type RecordedScenario } from "../scenario/run.ts";
import { didYouMean, listNames } from "../text/messages.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { type CommonFlags, requireOneOf } from "./flags.ts";
import { readInput } from "./input.ts";
import type { Registry } from "./registry.ts";
import { findScenarios } from "./stats.ts";
import { commandFailure, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill graph`. */
export interface GraphFlags extends Pick<CommonFlags, "from" | "option" | "config" | "strict" | "color"> {
  readonly format?: string;
  readonly out?: string;
  readonly workflow?: string;
  readonly scenario?: string;
  readonly scenarios?: readonly string[];
}

/** Runs `waybill graph`. */
export async function graph(
  paths: readonly string[],
  flags: GraphFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const format = formatOf(flags);
  if (flags.scenarios && flags.scenario === undefined) throw usageError("--scenarios requires --scenario.");
  const common = { ...flags, format: "text", quiet: true };
  const input = await readInput(paths, common, undefined, terminal, registry);
  const { program, diagnostics } = await checkWith(input, registry.languages);
  const shown = diagnostics.filter(({ severity }) => severity !== "info");
  const status = shown.length === 0 ? exit.success : await printDiagnostics(shown, common, terminal);
  if (!program || status !== exit.success) return status;
  const workflow = selectWorkflow(program, flags.workflow);
  const { built, marks } =
    flags.scenario === undefined
      ? { built: buildGraph(workflow), marks: {} }
      : await graphOfScenario(workflow, flags.scenario, flags, terminal, registry);
  write(formats[format](built, marks), flags.out, terminal);
  return exit.success;
}

const formats = {
  svg: ({ graph: built }: BuiltGraph, marks: Marks) => renderSvg(built, marks),
  mermaid: ({ graph: built }: BuiltGraph, marks: Marks) => renderMermaid(built, marks),
  dot: ({ graph: built }: BuiltGraph, marks: Marks) => renderDot(built, marks),
};

const formatNames: readonly (keyof typeof formats)[] = ["svg", "mermaid", "dot"];

const formatsByExtension: ReadonlyMap<string, keyof typeof formats> = new Map([
  [".svg", "svg"],
  [".mmd", "mermaid"],
  [".mermaid", "mermaid"],
  [".dot", "dot"],
  [".gv", "dot"],
]);

function formatOf({ format, out }: GraphFlags): keyof typeof formats {
  if (format !== undefined) return requireOneOf("--format", format, formatNames);
  if (out === undefined) return "svg";
  const known = formatsByExtension.get(extname(out).toLowerCase());
  const extensions = [...formatsByExtension.keys()].join(", ");
  if (known === undefined)
    throw usageError(`--out must end with one of ${extensions} if --format is omitted, not \`${out}\`.`);
  return known;
}

function selectWorkflow({ workflows, byId }: Program, id: string | undefined): Workflow {
  const found = id === undefined ? workflows[0] : byId.get(id);
  if (found) return found;
  if (id === undefined) throw commandFailure("The files contain no workflow.");
  const known = workflows.map((each) => each.id);
  throw usageError(`Unknown workflow \`${id}\`. ${didYouMean(id, known) ?? `Workflows: ${listNames(known)}.`}`);
}

/** The graph with the path of a scenario, and what all scenarios of the workflow cover. */
async function graphOfScenario(
  { id, span }: Workflow,
  name: string,
  flags: GraphFlags,
  terminal: Terminal,
  { languages, ...registry }: Registry,
): Promise<{ readonly built: BuiltGraph; readonly marks: Marks }> {
  const recorded: RecordedScenario[] = [];
  for (const prepared of await findScenarios([span.source.path], flags, terminal, { languages, ...registry })) {
    const session = openScenarios(prepared.file, prepared, languages);
    try {
      recorded.push(...(await session.recordings()));
    } finally {
      await session.close();
    }
  }
  const runs = recorded.flatMap(({ scenario, program, recordings }) => {
    const workflow = program.byId.get(id);
    const built = workflow && buildGraph(workflow);
    return built ? [{ scenario, built, recordings }] : [];
  });
  const found = runs.find(({ scenario }) => scenario === name);
  if (!found)
    throw usageError(
      unknownScenario(
        name,
        runs.map(({ scenario }) => scenario),
        id,
      ),
    );
  const taken = recordedPath(found.built, found.recordings.slice(0, 1));
  const covered = unitePaths(runs.map(({ built, recordings }) => recordedPath(built, recordings)));
  terminal.err(
    `${runs.length === 1 ? "1 scenario covers" : `${runs.length} scenarios cover`} ${describeCoverage(found.built, covered)}.\n`,
  );
  return { built: found.built, marks: { taken: idsOf(taken), covered: idsOf(covered) } };
}

function unknownScenario(name: string, known: readonly string[], workflow: string): string {
  if (known.length === 0)
    return `There are no scenarios for workflow \`${workflow}\` next to its definition or in its project. Name their files with --scenarios.`;
  return `Unknown scenario \`${name}\`. ${didYouMean(name, known) ?? `Scenarios: ${listNames(known)}.`}`;
}

function write(text: string, path: string | undefined, { out, cwd }: Terminal): void {
  if (path === undefined) {
    out(text);
    return;
  }
  try {
    writeFileSync(resolve(cwd, path), text);
  } catch (error) {
    throw commandFailure(`Cannot write ${path}: ${describeErrno(error) ?? (error as Error).message}.`);
  }
}
