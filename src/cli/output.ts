import { relative, resolve } from "node:path";
import type { Compilation } from "../compile.ts";
import { externalWorkflow } from "../diagnostics/flow.ts";
import { separateWorkflow } from "../diagnostics/output.ts";
import { sortDiagnostics } from "../diagnostics/renderers/sort.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import { OutputError } from "../output/disk.ts";
import { displayPath, type OutputPlan, type OutputRequest, type OutputWorkflow, orphansOf } from "../output/plan.ts";
import { writeOutput } from "../output/write.ts";
import type { PassRun } from "../passes/index.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { CompileFlags } from "./compile.ts";
import { printDiagnostics } from "./diagnostics.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type ExitStatus, type Terminal } from "./terminal.ts";

/** Writes the output to `--out` or compares it, and prints a summary. */
export async function writeToFolder(
  out: string,
  compilation: Compilation & { readonly program?: Program | undefined },
  target: Target,
  passes: readonly PassRun[],
  flags: CompileFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const options = { ...flags, keepVersions: Number(flags.keepVersions ?? 3) };
  const request = outputRequest(out, target.name, compilation, options, terminal);
  const plan = tryWriting(request);
  const diagnostics = sortDiagnostics([...withoutSuperseded(compilation.diagnostics, plan.problems), ...plan.problems]);
  const status = await printDiagnostics(diagnostics, flags, terminal);
  if (flags.stats)
    await (await import("./stats.ts")).printMetrics(compilation, target, passes, flags, terminal, registry);
  if (plan.problems.length === 0 && !flags.check && !flags.quiet) terminal.err(summarizePlan(plan, request));
  return status;
}

/** Describes the output for a folder. The compilation must have a program. */
export function outputRequest(
  out: string,
  target: string,
  { program, files }: Compilation,
  {
    prune,
    force,
    check,
    keepVersions,
  }: Pick<CompileFlags, "prune" | "force" | "check"> & { readonly keepVersions: number },
  terminal: Terminal,
): OutputRequest {
  const folder = resolve(terminal.cwd, out);
  return {
    folder,
    displayName: out.replace(/(?<=.)[\\/]+$/, ""),
    target,
    workflows: outputWorkflows(program!, folder, terminal),
    files,
    prune: prune === true,
    force: force === true,
    check: check === true,
    keepVersions,
  };
}

/** A workflow that was compiled to the same folder before is not external. */
function withoutSuperseded(diagnostics: readonly Diagnostic[], problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const superseded = new Set(problems.filter(({ code }) => code === separateWorkflow.code).map(({ span }) => span));
  return diagnostics.filter(({ code, span }) => code !== externalWorkflow.code || !superseded.has(span));
}

function outputWorkflows({ workflows, byId }: Program, folder: string, { cwd }: Terminal): readonly OutputWorkflow[] {
  return workflows.map((workflow) => ({
    id: workflow.id,
    span: workflow.span,
    source: sourceOf(workflow, folder, cwd),
    starts: stepsOf(workflow).flatMap((step) =>
      step.kind === "invoke" && !byId.has(step.workflow.name) ? [step.workflow] : [],
    ),
  }));
}

function sourceOf({ span }: Workflow, folder: string, cwd: string): string | undefined {
  const { path } = span.source;
  return path === "<stdin>" ? undefined : relative(folder, resolve(cwd, path)).replaceAll("\\", "/");
}

/** Writes or compares the output; a failure of the file system ends the command. */
export function tryWriting(request: OutputRequest): OutputPlan {
  try {
    return writeOutput(request);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    const path = error.path === "" ? request.displayName : `${request.displayName}/${error.path}`;
    throw commandFailure(`\`${path}\` ${error.message}.`);
  }
}

/** Lists what changed in a folder. */
export function summarizePlan(
  { written, changed, same, removed, others, retention }: OutputPlan,
  { folder, displayName: shown }: OutputRequest,
): string {
  const lines = [
    ...abbreviateFolders(written.map(({ path }) => path)).map((path) => `written  ${shown}/${path}`),
    ...abbreviateFolders(changed.map(({ path }) => path)).map((path) => `changed  ${shown}/${path}`),
    ...removed.map((path) => `removed  ${shown}/${path}`),
    ...retention.changes.map(({ workflow, version, isKept }) =>
      isKept
        ? `kept     ${shown}/previous/${version}/ for unfinished runs of ${workflow}`
        : `removed  ${shown}/previous/${version}/, which exceeds --keep-versions of ${workflow}; its unfinished runs cannot resume`,
    ),
    ...orphansOf(others, folder).flatMap(({ source, files }) =>
      [...files.keys()].map(
        (path) => `orphaned ${shown}/${path}: ${displayPath(source, shown)} no longer exists; use --prune to remove it`,
      ),
    ),
  ];
  const counts = [
    [written.length, "written"],
    [changed.length, "changed"],
    [removed.length, "removed"],
    [same.length, "up to date"],
    [[...others.values()].reduce((sum, { files }) => sum + files.size, 0), "of other definitions"],
  ] as const;
  const summary = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(", ");
  return [...lines, `${shown}: ${summary}`].map((line) => `${visible(line)}\n`).join("");
}

/** Abbreviates many paths in a folder: `runtime/ (83 files)`. */
function abbreviateFolders(paths: readonly string[]): readonly string[] {
  const byFolder = Map.groupBy(paths, (path) => /^[^/]+\//.exec(path)?.[0] ?? "");
  return [...byFolder].flatMap(([folder, within]) =>
    within.length > (folder === "" ? maxFilesAtTop : maxFilesPerFolder)
      ? [`${folder} (${within.length} files)`]
      : within,
  );
}

const maxFilesPerFolder = 4;
const maxFilesAtTop = 40;
