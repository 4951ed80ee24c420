import { targets as allTargets } from "../targets/index.ts";
import { languages as allLanguages } from "./languages/index.ts";
import type { TargetName } from "./library/options.ts";

export type { ProgramDiff, WorkflowDiff } from "./diff/model.ts";
export type { Json, JsonObject } from "./json.ts";
export { type CheckResult, type CompileResult, check, compile } from "./library/compile.ts";
export {
  type BuildOptions,
  type BuildOutput,
  type BuildResult,
  type CallOptions,
  type Context,
  type ContextOptions,
  createContext,
  type DiskContextOptions,
  type HostContextOptions,
  type TestOptions,
} from "./library/context.ts";
export {
  applyFixes,
  type DiagnosticFormat,
  type Explanation,
  explain,
  explainAll,
  type RenderOptions,
  renderDiagnostics,
} from "./library/diagnostics.ts";
export { type DiffOptions, type DiffResult, diff } from "./library/diff.ts";
export { type GraphFormat, type GraphOptions, type GraphResult, graph } from "./library/graph.ts";
export type { Host } from "./library/host.ts";
export type {
  CheckOptions,
  CompileOptions,
  ProgramOptions,
  RunnerName,
  ScenarioOptions,
  TargetName,
} from "./library/options.ts";
export { runScenarios, type ScenarioReport } from "./library/scenarios.ts";
export type { Options as LanguageSettings } from "./options.ts";
export type { Plugin } from "./plugins/plugin.ts";
export type { Result as ScenarioResult } from "./scenario/run.ts";
export type { OutputFile, WorkflowMetric } from "./target/contract.ts";
export type { Diagnostic, Fix, Note as DiagnosticNote, Severity } from "./text/diagnostics.ts";
export type { FixedSource } from "./text/fix.ts";
export { type Position, positionOf, type Source as SourceFile, type Span } from "./text/source.ts";

/** The names of the source languages. */
export const languages: readonly string[] = allLanguages.map(({ name }) => name);

/** The names of the targets. */
export const targets: readonly TargetName[] = allTargets.map(({ name }) => name as TargetName);
