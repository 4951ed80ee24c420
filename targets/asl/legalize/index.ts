import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";
import {
  type FlatWorkflow,
  flattenExceptions,
  forEachWorkflow,
  forWorkflow,
  fuseAssignments,
  type Guards,
  type Pass,
  type PassHooks,
  type PassRun,
  renamed,
  runPasses,
  simplifyBranches,
  sinkRecovery,
  threadJumps,
} from "../../../src/passes/index.ts";
import { disguisedNames, nativeRecovery } from "../errors.ts";
import { UnsupportedExpression } from "../jsonata/context.ts";
import type { OutlinedWorkflow, outline } from "../outlining/outline.ts";
import type { OwnErrors } from "../own-errors.ts";
import type { Services } from "../services.ts";
import { addCallableForms } from "./callable-forms.ts";
import { checkInput } from "./check-inputs.ts";
import { distributeLoops, toleratesFailures } from "./distribute-loops.ts";
import { factorBranches } from "./factor-branches.ts";
import { indexWaits, raiseWaitErrors } from "./failing-waits.ts";
import { lowerFirstJoins } from "./first-joins.ts";
import { declareIntrinsics, typesBefore } from "./intrinsic-types.ts";
import { hasOnlyLegalExpressions } from "./legality.ts";
import { limitAttempts } from "./limit-attempts.ts";
import { limitBranches } from "./limit-branches.ts";
import { type MachineQueries, withMachineQueries } from "./machine-queries.ts";
import { type FindUncaught, originalIds, outlineIllegal } from "./outline-illegal.ts";
import { paceIterations } from "./pace-iterations.ts";
import { plainBuiltIns } from "./plain-builtins.ts";
import { queryTokens } from "./query-tokens.ts";
import { queryWindows } from "./query-windows.ts";
import { lowerQuorums } from "./quorums.ts";
import { raiseEnds } from "./raise-ends.ts";
import { referToSecrets } from "./secret-references.ts";
import { shareRaises } from "./share-raises.ts";
import { splitCalls } from "./split-calls.ts";
import { sendTaskTokens } from "./task-tokens.ts";
import { drawDelays, timeRetries } from "./time-retries.ts";
import { type TranslatedScript, translateScripts } from "./translate-scripts.ts";

// Legalization rewrites everything that Step Functions or JSONata cannot express, so that selection maps each step to
// states. The passes run in the order of
// the lists below.

/** 0. Checks that settings add. The argument is whether a workflow checks its input. */
export const settingPasses: readonly Pass<Program, (workflow: Workflow) => boolean>[] = [
  forEachWorkflow({
    name: "check-inputs",
    run: (workflow, checks: (workflow: Workflow) => boolean) => (checks(workflow) ? checkInput(workflow) : workflow),
  }),
];

/** 1. Passes on the program: what Step Functions lacks, and what concerns several workflows. */
export const programPasses: readonly Pass<Program, OwnErrors>[] = [
  forEachWorkflow(sinkRecovery),
  forEachWorkflow({ name: "share-raises", run: shareRaises }),
  forEachWorkflow({ name: "limit-attempts", run: limitAttempts }),
  forEachWorkflow({ name: "limit-branches", run: limitBranches }),
  forEachWorkflow({ name: "pace-iterations", run: paceIterations }),
  forEachWorkflow({ name: "index-waits", run: indexWaits }),
  forEachWorkflow({ name: "failing-waits", run: raiseWaitErrors }),
  { name: "split-calls", run: splitCalls },
  { name: "callable-forms", run: addCallableForms },
];

/** A workflow in legalization, with what passes learned about it. */
interface LegalizationUnit extends MachineQueries {
  readonly workflow: Workflow;
  /** Before legalization, with translated scripts: diagnostics refer to its steps. */
  readonly source: Workflow;
  readonly translated: readonly TranslatedScript[];
  readonly distributed: ReadonlySet<string>;
  /** Undefined if all expressions are legal. */
  readonly outlined: OutlinedWorkflow | undefined;
  /** Set by `flatten-exceptions`. */
  readonly flattened?: Flattened;
}

interface Flattened {
  readonly guards: Guards;
  /** Names that errors of expressions may have, under which no Catch finds them. */
  readonly disguised: ReadonlySet<string>;
  /** Including those that flattening added. */
  readonly names: WorkflowNames;
}

/** A workflow that is ready for selection. */
export interface LegalizedWorkflow extends Omit<LegalizationUnit, "workflow" | "flattened">, Flattened {
  readonly workflow: FlatWorkflow;
  readonly services: Services;
}

/** 2. Calls of functions with source text that are expressions. Decides which services the workflow needs. */
const scriptPasses: readonly Pass<LegalizationUnit, Program>[] = [
  {
    name: "translate-scripts",
    run: (unit, program) => {
      const result = translateScripts(unit.workflow, program);
      return { ...unit, ...result, source: result.workflow };
    },
  },
];

/** Information shared by the passes on one workflow. */
export interface LegalizationContext {
  readonly program: Program;
  readonly ownErrors: OwnErrors;
  readonly services: Services;
  /** Whether no execution of the workflow is started otherwise than by its events. */
  readonly startsOnlyByEvents: boolean;
}

/** 3. Passes on one workflow: constructs that Step Functions lacks. */
const constructPasses: readonly Pass<LegalizationUnit, LegalizationContext>[] = [
  forWorkflow({ name: "secret-references", run: (workflow) => referToSecrets(workflow) }),
  forWorkflow({ name: "task-tokens", run: (workflow) => sendTaskTokens(workflow) }),
  forWorkflow({
    name: "query-windows",
    run: (workflow, { startsOnlyByEvents }) => queryWindows(workflow, { checksStart: !startsOnlyByEvents }),
  }),
  forWorkflow({ name: "first-joins", run: (workflow, { ownErrors }) => lowerFirstJoins(workflow, ownErrors) }),
  {
    name: "quorums",
    run: (unit, { ownErrors, services }) => ({
      ...unit,
      ...lowerQuorums(unit.workflow, ownErrors, services.joinTable),
    }),
  },
  {
    name: "query-tokens",
    run: (unit, { services }) => ({ ...unit, ...queryTokens(unit.workflow, services.waitFunction) }),
  },
  {
    name: "distribute-loops",
    run: (unit, { services, program }) =>
      services.distributes
        ? { ...unit, ...distributeLoops(unit.workflow, services.joinTable, () => typesBefore(unit.workflow, program)) }
        : unit,
  },
  {
    name: "tolerant-loops",
    run: (unit) => ({ ...unit, distributed: withTolerant(unit.distributed, unit.workflow) }),
  },
  forWorkflow({
    name: "factor-branches",
    run: (workflow, { program }) => factorBranches(workflow, () => typesBefore(workflow, program)),
  }),
  forWorkflow(simplifyBranches),
  forWorkflow({ name: "time-retries", run: (workflow) => timeRetries(workflow) }),
  forWorkflow({ name: "plain-builtins", run: (workflow) => plainBuiltIns(workflow) }),
];

const withTolerant = (distributed: ReadonlySet<string>, workflow: Workflow): ReadonlySet<string> =>
  new Set([...distributed, ...stepsOf(workflow).flatMap((step) => (toleratesFailures(step) ? step.id : []))]);

const flatteningPasses: readonly Pass<LegalizationUnit, LegalizationContext>[] = [
  {
    name: "flatten-exceptions",
    run: (unit) => {
      const disguised = disguisedNames(unit.workflow);
      const support = nativeRecovery(unit.outlined?.expressions, disguised);
      const drawn = drawDelays(unit.workflow, support);
      const names = workflowNames(drawn);
      const { workflow, guards } = flattenExceptions(drawn, support, names);
      // A loop whose retries become steps has another id.
      const distributed = withTolerant(unit.distributed, workflow);
      return { ...unit, workflow, distributed, flattened: { guards, disguised, names } };
    },
  },
  forWorkflow({ name: "raise-ends", run: (workflow, { ownErrors }) => raiseEnds(workflow as FlatWorkflow, ownErrors) }),
  renamed(forWorkflow(simplifyBranches), "simplify-branches-2"),
  forWorkflow(threadJumps),
  forWorkflow(fuseAssignments),
];

interface OutliningContext extends LegalizationContext {
  /** Outlines expressions; undefined if all are legal. */
  readonly outline: typeof outline | undefined;
  readonly findUncaught: FindUncaught;
}

/** 4. Expressions that JSONata lacks, and attempts. */
const expressionPasses: readonly Pass<LegalizationUnit, OutliningContext>[] = [
  {
    name: "outline",
    run: (unit, context) => {
      const { outline, findUncaught } = context;
      if (!outline) return unit;
      const outlined = outlineIllegal({
        hasIllegal: !hasOnlyLegalExpressions(unit.workflow, withMachineQueries(context.services, unit)),
        outline: (targets) => outline(unit.workflow, targets, typesBefore(unit.workflow, context.program)),
        findUncaught: (tried) =>
          findUncaught(finish(runPasses(flatteningPasses, withOutlined(unit, tried), context, {}), context), context),
      });
      return withOutlined(unit, outlined);
    },
  },
  ...flatteningPasses,
];

/** The names of all passes, in order. */
export const passNames: readonly string[] = [
  settingPasses,
  programPasses,
  scriptPasses,
  constructPasses,
  expressionPasses,
].flatMap((passes) => passes.map(({ name }) => name));

/** What `legalize` knows of a workflow, and how it selects states. */
interface SelectingContext<Selection> extends Omit<LegalizationContext, "services"> {
  /** Binds the services that a workflow needs. */
  readonly servicesOf: (workflow: Workflow) => Services;
  readonly findUncaught: FindUncaught;
  readonly select: (workflow: LegalizedWorkflow, context: LegalizationContext) => Selection;
}

/** A legalized workflow with its states. */
export interface LegalizedSelection<Selection> {
  readonly legalized: LegalizedWorkflow;
  readonly selection: Selection;
}

/** Runs the passes on one workflow, and selects its states. */
export async function legalize<Selection extends { readonly problems: readonly unknown[] }>(
  workflow: Workflow,
  { servicesOf, ...shared }: SelectingContext<Selection>,
  hooks: PassHooks,
): Promise<LegalizedSelection<Selection>> {
  const initial: LegalizationUnit = {
    workflow,
    source: workflow,
    translated: [],
    distributed: new Set(),
    outlined: undefined,
  };
  const translated = runPasses(scriptPasses, initial, shared.program, hooks);
  const context = { ...shared, services: servicesOf(translated.workflow) };
  const { verify, afterPass } = hooks;
  const withIntrinsics: PassHooks = {
    ...hooks,
    verify: verify && ((each, pass) => verify(declareIntrinsics(each), pass)),
  };
  const lowered = runPasses(constructPasses, translated, context, withIntrinsics);
  // Most workflows need no outlining, which only selection can tell: what it finds without problems is final.
  const runs: PassRun[] = [];
  const recording: PassHooks = { ...withIntrinsics, afterPass: afterPass && ((run) => void runs.push(run)) };
  const plain = legalizeExpressions(lowered, context, undefined, recording);
  if (plain?.selection.problems.length === 0) {
    for (const run of runs) afterPass?.(run);
    return plain;
  }
  const { outline } = await import("../outlining/outline.ts");
  return legalizeExpressions(lowered, context, outline, withIntrinsics)!;
}

/** Without `outline`, undefined if an expression has no exact form. */
function legalizeExpressions<Selection>(
  lowered: LegalizationUnit,
  context: LegalizationContext & Omit<SelectingContext<Selection>, "servicesOf">,
  outliner: typeof outline | undefined,
  hooks: PassHooks,
): LegalizedSelection<Selection> | undefined {
  const legalized = finish(runPasses(expressionPasses, lowered, { ...context, outline: outliner }, hooks), context);
  try {
    return { legalized, selection: context.select(legalized, { ...context, services: legalized.services }) };
  } catch (error) {
    if (outliner || !(error instanceof UnsupportedExpression)) throw error;
    return undefined;
  }
}

function withOutlined(unit: LegalizationUnit, outlined: OutlinedWorkflow | undefined): LegalizationUnit {
  if (!outlined) return unit;
  const isDistributed = (id: string): boolean => originalIds(id, outlined).some((each) => unit.distributed.has(each));
  const loops = stepsOf(outlined.workflow).filter(({ kind, id }) => kind === "foreach" && isDistributed(id));
  return { ...unit, workflow: outlined.workflow, outlined, distributed: new Set(loops.map(({ id }) => id)) };
}

const finish = (unit: LegalizationUnit, { services }: LegalizationContext): LegalizedWorkflow => ({
  ...unit,
  ...unit.flattened!,
  workflow: unit.workflow as FlatWorkflow,
  services: withMachineQueries(services, unit),
});
