import type { Expression } from "../../expressions/index.ts";
import type { Machine, State } from "../../generated/asl-definition.ts";
import type { NameSpace } from "../../ir/names.ts";
import type { BuiltIn } from "../../ir/protocols.ts";
import type { FunctionDefinition, Reference } from "../../ir/workflow.ts";
import type { ReadContext } from "../shared/properties.ts";
import type { StepFragment, StepIds, StepWriter } from "../shared/steps.ts";
import type { QueriedValues } from "./queried-values.ts";

/** The state of a lowering. */
export interface Context extends ReadContext {
  readonly machine: Machine;
  /** The id of the workflow. */
  readonly id: string;
  readonly ids: StepIds;
  readonly functions: FunctionDefinition[];
  readonly functionNames: NameSpace;
  /** The names of the built-in functions that states call. */
  readonly builtIns: Map<BuiltIn["kind"], string>;
  /** Whether an error may have no name or no cause. */
  readonly hasNullErrors: boolean;
  /** How many programs with functions of their own have been made. */
  readonly programs: { count: number };
}

/** The variables with what the context object has of an execution. */
export interface ExecutionFacts {
  readonly input: string;
  readonly name: string;
  readonly startTime: string;
  /** The Map states whose executions contain it, outermost first. */
  readonly maps: readonly string[];
}

/** The variables of the run. */
export const runFacts: ExecutionFacts = {
  input: "executionInput",
  name: "executionName",
  startTime: "startTime",
  maps: [],
};

/** The names of the variables. */
export const factNames = ({ input, name, startTime }: ExecutionFacts): readonly string[] => [input, name, startTime];

/** A machine, a branch or an item processor in the source. */
export interface StatesOwner {
  readonly StartAt: string;
  readonly States: { readonly [name: string]: State };
}

/** A variable that states assign. */
export interface Variable {
  /** Its name in the IR. */
  readonly name: string;
  /** Some read may come before the first assignment: the variable holds an array with the value, or an empty one. */
  readonly isBoxed: boolean;
}

/** A scope of states. */
export interface MachineScope {
  readonly context: Context;
  readonly owner: StatesOwner;
  readonly variables: Map<string, Expression | undefined>;
  readonly slots: StepWriter["slots"];
  readonly names: NameSpace;
  /** The ids of the first steps, by state. */
  readonly entries: ReadonlyMap<string, string>;
  /** The variables of `Assign` that states of this scope and of those around it assign. */
  readonly assigned: ReadonlyMap<string, Variable>;
  /** In an execution of a distributed Map: the variables around it, which it does not see. */
  readonly hidden: ReadonlySet<string> | undefined;
  /** What the context object has of the execution. */
  readonly facts: ExecutionFacts;
}

/** What a state reads that steps before it record or count. */
export interface Preparation {
  /** The variable with the instant at which the state was entered. */
  readonly entered: string | undefined;
  /** The variable with the number of retries so far. */
  readonly retries: string | undefined;
  /** The variables with random values that no expression has taken yet. */
  readonly drawn: { readonly id: string[]; readonly random: string[] };
  /** What expressions of JSONata read. */
  readonly queried: QueriedValues | undefined;
  /** The steps at the start of each attempt. */
  each(writer: Writer): StepFragment;
}

/** Collects the steps of one state. */
export interface Writer<Kind extends State = State> extends StepWriter {
  readonly context: Context;
  readonly scope: MachineScope;
  readonly state: Kind;
  readonly name: string;
  readonly preparation: Preparation;
  /** The first step of a state of the scope. */
  route(owner: object, key: string): Reference;
}

/** The variable with the input of the current state. */
export const inputName = "input";

/** Declares a variable with a new name in the scope. */
export function freshVariable({ scope }: Pick<Writer, "scope">, wanted: string): string {
  const name = scope.names.fresh(wanted);
  scope.variables.set(name, undefined);
  return name;
}
