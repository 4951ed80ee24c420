import type { Program } from "../ir/workflow.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { checkOptions, checkRules } from "./arguments.ts";
import { checkProgram } from "./compile.ts";
import type { CheckOptions } from "./options.ts";

// The module `waybill/ir`: the intermediate representation, and the contracts of languages and targets. Unstable: every
// release may change it.

export type { Document } from "../documents/index.ts";
export type { SimulatedEnvironment } from "../environment/environment.ts";
export { FunctionFailure } from "../environment/errors.ts";
export {
  access,
  alternative,
  and,
  binary,
  bind,
  call,
  collect,
  comma,
  concatenate,
  conditional,
  type Expression,
  evaluateOne,
  freeVariables,
  identity,
  iterate,
  literal,
  member,
  object,
  or,
  parseCondition,
  parseJsonPath,
  pipe,
  printExpression,
  query,
  simplify,
  slice,
  update,
  variable,
} from "../expressions/index.ts";
export { printProgram } from "../ir/print.ts";
export type * from "../ir/protocols.ts";
export { verify } from "../ir/verify.ts";
export {
  exits,
  expressionsOf,
  handlersOf,
  innerScopes,
  mapScopes,
  namesRead,
  reachableSteps,
  retriesOf,
  scopesOf,
  stepsById,
  stepsOf,
  successors,
  withSteps,
} from "../ir/walk.ts";
export type * from "../ir/workflow.ts";
export { isObject, type Json, type JsonObject, own } from "../json.ts";
export { certainScore, type Detection, type Language, type LowerContext, noMatch, threshold } from "../language.ts";
export type { OptionDefinition } from "../options.ts";
export {
  flattenExceptions,
  forWorkflow,
  type Pass,
  removeDeadStores,
  runPasses,
  simplifyBranches,
  threadJumps,
} from "../passes/index.ts";
export type { Plugin } from "../plugins/plugin.ts";
export { createValidator, type Validator } from "../schema/index.ts";
export type { OutputFile, Settings, Target, TargetCommand, WorkflowMetric } from "../target/contract.ts";
export type { Engine, EngineRun, OpenOptions, RunStatus } from "../target/engine.ts";
export type { Outcome, RunRequest, Simulator } from "../target/simulator.ts";
export { type Diagnostic, defineError, defineInfo, defineWarning, type Report, withFix } from "../text/diagnostics.ts";
export { type Position, positionOf, type Source, type Span } from "../text/source.ts";
export type { CheckOptions } from "./options.ts";

/** A checked program. */
export interface ProgramResult {
  readonly ok: boolean;
  /** Undefined if the definitions have errors. */
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks definitions and returns their program. Rejects only for invalid options. */
export async function lowerDefinitions(options: CheckOptions): Promise<ProgramResult> {
  checkOptions(options, checkRules);
  const { program, diagnostics } = await checkProgram(options);
  return { ok: program !== undefined, program, diagnostics };
}
