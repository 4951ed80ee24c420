import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Compilation } from "../compile.ts";
import { externalWorkflow } from "../diagnostics/flow.ts";
import { separateWorkflow } from "../diagnostics/output.ts";
import { sortDiagnostics } from "../diagnostics/renderers/sort.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import type { Program } from "../ir/program.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Workflow } from "../ir/workflow.ts";
import { deliver } from "../output/deliver.ts";
import { OutputFailure } from "../output/disk.ts";
import { type DeliveredWorkflow, type Delivery, type Plan, shownFrom } from "../output/plan.ts";
import type { PassRun } from "../passes/index.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { CompileChoices } from "./compile.ts";
import { printDiagnostics } from "./diagnostics.ts";
import type { Registry } from "./registry.ts";
import { type ExitStatus, failure, type Terminal } from "./terminal.ts";

/** Brings what was compiled to the folder `--out`, or compares it with what is there, and tells what came of that. */
export async function deliverTo(
  out: string,
  compilation: Compilation & { readonly program?: Program | undefined },
  target: Target,
  passes: readonly PassRun[],
  choices: CompileChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const shown = out.replace(/(?<=.)[\\/]+$/, "");
  const folder = resolve(terminal.cwd, out);
  const delivery: Delivery = {
    folder,
    shown,
    target: target.name,
    workflows: delivered(compilation.program!, folder, terminal),
    files: compilation.files,
    prune: choices.prune === true,
    force: choices.force === true,
    check: choices.check === true,
    keepVersions: Number(choices.keepVersions ?? 3),
  };
  const plan = attempted(delivery);
  const diagnostics = sortDiagnostics([...stillTrue(compilation.diagnostics, plan.problems), ...plan.problems]);
  const status = await printDiagnostics(diagnostics, choices, terminal);
  if (choices.stats)
    await (await import("./statistics.ts")).tellFigures(compilation, target, passes, choices, terminal, registry);
  if (plan.problems.length === 0 && !choices.check && !choices.quiet) terminal.err(toldOf(plan, delivery));
  return status;
}

/** Of a workflow that was compiled into the folder before, it is not told too that it is taken for one that exists elsewhere. */
function stillTrue(diagnostics: readonly Diagnostic[], problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const apart = new Set(problems.filter(({ code }) => code === separateWorkflow.code).map(({ span }) => span));
  return diagnostics.filter(({ code, span }) => code !== externalWorkflow.code || !apart.has(span));
}

function delivered({ workflows, byId }: Program, folder: string, { cwd }: Terminal): readonly DeliveredWorkflow[] {
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

function attempted(delivery: Delivery): Plan {
  try {
    return deliver(delivery);
  } catch (error) {
    if (!(error instanceof OutputFailure)) throw error;
    const path = error.path === "" ? delivery.shown : `${delivery.shown}/${error.path}`;
    throw failure(`\`${path}\` ${error.message}.`);
  }
}

/** What has been done, a line for each file or for the many in one folder, and the whole in one line at the end. */
function toldOf({ written, changed, same, removed, left, keeping }: Plan, { folder, shown }: Delivery): string {
  const orphans = [...left].filter(([, { source }]) => source !== undefined && !existsSync(join(folder, source)));
  const lines = [
    ...inFolders(written.map(({ path }) => path)).map((path) => `written  ${shown}/${path}`),
    ...inFolders(changed.map(({ path }) => path)).map((path) => `changed  ${shown}/${path}`),
    ...removed.map((path) => `removed  ${shown}/${path}`),
    ...keeping.told.map(({ workflow, version, isKept }) =>
      isKept
        ? `kept     ${shown}/previous/${version}/ for the runs of ${workflow} that began with it`
        : `removed  ${shown}/previous/${version}/: more versions of ${workflow} than --keep-versions keeps; runs that began with it are stranded`,
    ),
    ...orphans.flatMap(([, { source, files }]) =>
      [...files.keys()].map(
        (path) => `left     ${shown}/${path}: its definition ${shownFrom(source!, shown)} is gone; --prune removes it`,
      ),
    ),
  ];
  const counts = [
    [written.length, "written"],
    [changed.length, "changed"],
    [removed.length, "removed"],
    [same.length, "up to date"],
    [[...left.values()].reduce((sum, { files }) => sum + files.size, 0), "left of other definitions"],
  ] as const;
  const summary = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(", ");
  return [...lines, `${shown}: ${summary}`].map((line) => `${visible(line)}\n`).join("");
}

/** Paths, of which many in one folder are told by the folder: `runtime/ (83 files)`. */
function inFolders(paths: readonly string[]): readonly string[] {
  const byFolder = Map.groupBy(paths, (path) => /^[^/]+\//.exec(path)?.[0] ?? "");
  return [...byFolder].flatMap(([folder, within]) =>
    folder !== "" && within.length > most ? [`${folder} (${within.length} files)`] : within,
  );
}

/** How many files of one folder are told by their names. */
const most = 4;
