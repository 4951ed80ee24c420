import type { Call, Emit, ForEach, Fork, Invoke } from "../../../src/ir/workflow.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { catchesDataErrors, retryFields } from "../errors.ts";
import { intrinsics } from "../intrinsics.ts";
import type { MachineState } from "../machine.ts";
import type { ScopeContext } from "./context.ts";
import { catchRules, exitTo, type StateGuard } from "./edges.ts";
import { errorSources, withExpressionErrors } from "./failures.ts";
import { type SymbolTable, withValue } from "./symbols.ts";

/** A step that may fail, with the variable that its result is bound to. */
export type FailingStep = (Call | Invoke | Fork | ForEach | (Emit & Pick<Call, "handlers" | "retries">)) & {
  readonly bind?: string | undefined;
};

/** Adds the transition of a step to its state, and its retries and handlers as `Retry` and `Catch`. */
export function withRecovery(
  context: ScopeContext,
  state: MachineState,
  step: FailingStep,
  symbols: SymbolTable,
  result: Parameters<typeof withValue>[2],
): MachineState {
  const { guards: attempts, disguised } = context.machine;
  const guards = (other: FlatStep) => attempts.get(step.id) === attempts.get(other.id);
  const catches = catchesDataErrors(step, disguised);
  const guarded: StateGuard = { defaultOutput: intrinsics.result, catches, guards, isGuarded: attempts.has(step.id) };
  const exit = exitTo(context, step.next, withValue(symbols, step.bind, result), guarded);
  if (step.handlers.length > 0 && context.machine.subflowErrorNames(step) === "mixed")
    context.machine.problems.push({ span: step.span, construct: mixedErrors });
  return {
    ...state,
    ...(step.retries.length > 0 ? { retry: retryFields(step, step.retries, context.machine.workflow.errorNames) } : {}),
    ...(step.handlers.length > 0
      ? {
          catch: catchRules(
            context,
            step.handlers,
            symbols,
            withExpressionErrors(errorSources(step, context.machine), { ...state, exit }),
          ),
        }
      : {}),
    exit,
  };
}

const mixedErrors =
  "errors of subflows whose languages name a timeout differently: an execution's error does not say which language it is from";
