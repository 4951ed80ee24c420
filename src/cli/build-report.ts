import { pathKind, readOutput } from "../output/disk.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { BuildCounts } from "./build-cache.ts";
import { summarizePlan } from "./output.ts";
import {
  type BuiltOutput,
  buildProject,
  type CompileObservers,
  type ProjectBuild,
  type ProjectBuildFlags,
} from "./project-build.ts";
import { findProjects, type OpenProject } from "./projects.ts";
import { standardRegistry } from "./registry.ts";
import { silentTerminal, type Terminal } from "./terminal.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What to print of a build. */
export interface BuildReportFlags extends ProjectBuildFlags {
  /** With `check`: how the outputs differ. */
  readonly diff?: boolean;
}

/** What is printed of the build of a project. */
export interface BuildReport extends BuildCounts {
  readonly diagnostics: readonly Diagnostic[];
  readonly isChanged: boolean;
  /** The changed files; empty with `check`. */
  readonly summary: string;
  readonly diff: string;
}

/** A project to build, in the form that a worker receives. */
export interface BuildJob {
  readonly kind: "build";
  /** The configuration. */
  readonly path: string;
  readonly cwd: string;
  readonly flags: BuildReportFlags;
}

/** Builds a project and describes the result. */
export async function reportBuild(
  project: OpenProject,
  flags: BuildReportFlags,
  terminal: Terminal,
  observers?: Omit<CompileObservers, "cache">,
): Promise<BuildReport> {
  return describeBuild(await buildProject(project, flags, terminal, observers), flags);
}

function describeBuild(
  { definitions, files, bytes, diagnostics, outputs, isChanged }: ProjectBuild,
  { check, diff, quiet }: BuildReportFlags,
): BuildReport {
  const written = check || quiet ? [] : outputs.filter(({ plan }) => plan.problems.length === 0);
  return {
    ...{ definitions, files, bytes, diagnostics, isChanged },
    summary: written.map(({ plan, request }) => summarizePlan(plan, request)).join(""),
    diff: diff ? outputs.map(diffOutput).join("") : "",
  };
}

/** Prints how the files of a folder would change. */
function diffOutput({ plan: { removed }, request: { folder, displayName, files } }: BuiltOutput): string {
  const before = (path: string) => (pathKind(folder, path) === "file" ? readOutput(folder, path) : undefined);
  const changed = files.filter(({ path, text }) => before(path) !== text);
  return [
    ...changed.map(({ path, text }) => unifiedDiff(`${displayName}/${path}`, before(path), text)),
    ...removed.map((path) => unifiedDiff(`${displayName}/${path}`, before(path), undefined)),
  ].join("");
}

/** Runs a job in a worker. */
export async function performBuildJob({ path, cwd, flags }: BuildJob): Promise<BuildReport> {
  const terminal = silentTerminal(cwd);
  const [project] = await findProjects([path], terminal, standardRegistry);
  if (!project) throw new Error(`The project ${path} has disappeared.`);
  return reportBuild(project, flags, terminal);
}
