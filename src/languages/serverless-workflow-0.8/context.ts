import { type Expression, variable } from "../../expressions/index.ts";
import type {
  Workflow as Definition,
  ErrorDefinition,
  EventDefinition,
  FunctionDefinition,
  RetryDefinition,
  State,
  Timeouts,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { FunctionDefinition as LoweredFunction, Reference } from "../../ir/workflow.ts";
import type { JsonObject } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { SchemaRules } from "../../types/index.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { createStepWriter, type StepIds, type StepWriter } from "../shared/steps.ts";

/** Whose rules apply: those of the specification, or those of SonataFlow where it differs. */
export type Dialect = "spec" | "sonataflow";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly definition: Definition;
  readonly lowering: LowerContext;
  readonly dialect: Dialect;
  readonly id: string;
  readonly states: ReadonlyMap<string, State>;
  readonly start: State;
  readonly events: ReadonlyMap<string, EventDefinition>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly errors: ReadonlyMap<string, ErrorDefinition>;
  readonly retries: ReadonlyMap<string, RetryDefinition>;
  /** Whether the data of a state may be other than an object. */
  readonly mayReplaceData: boolean;
  readonly constants: JsonObject;
  readonly secrets: ReadonlySet<string> | undefined;
  /** The rules that outputs have to fit, other than in `spec`. */
  readonly outputRules?: SchemaRules | undefined;
  readonly ids: StepIds;
  readonly entries: ReadonlyMap<State, string>;
  /** The functions of the program, with those that the lowering adds. */
  readonly calledFunctions: LoweredFunction[];
  /** The first states of compensations, by name. */
  readonly compensations: ReadonlyMap<string, State>;
  /** The id of the step that selects the next compensation. */
  readonly compensationEntry: string;
  /** What the lowering of expressions has found. */
  readonly found: Findings;
}

/** What the lowering finds out on its way. */
export interface Findings {
  /** Whether an expression reads the id of the run. */
  readsRunId: boolean;
  /** Whether a bare expression was reported. */
  hasBareExpression: boolean;
  /** Whether a wait was reported to which SonataFlow relates events otherwise. */
  hasOtherCorrelation: boolean;
  /** Where runs continue after compensations, by the number in the variable `afterCompensation`. */
  readonly continuations: Reference[];
}

/** Collects the steps of one state. */
export interface Writer extends StepWriter {
  readonly context: Context;
  readonly state: State;
  /** The variables of expressions in addition to the data, by name. */
  readonly locals: ReadonlyMap<string, Expression>;
  /** The timeouts of the branch, which take precedence over those of the state. */
  readonly branchTimeouts?: Timeouts | undefined;
}

/** The data of the state. */
export const data: Expression = variable("data");

/** The last result of an action, as the function returned it. */
export const result: Expression = variable("result");

/** Creates a writer for one state. */
export function createWriter(context: Context, state: State, scope: Pick<StepWriter, "slots" | "variables">): Writer {
  const construct = { noun: `${state.type} state`, name: state.name, span: spanOf(context, state, "name") };
  const steps = createStepWriter(construct, context.entries.get(state)!, context.ids, scope);
  return { ...steps, context, state, locals: new Map() };
}
