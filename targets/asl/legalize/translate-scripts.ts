import { proveDataFlow } from "../../../src/analysis/types/flow.ts";
import type { StepTypes } from "../../../src/analysis/types/variables.ts";
import { canFail, type Expression, inferType, member, simplify, substitute } from "../../../src/expressions/index.ts";
import type { Script } from "../../../src/ir/protocols.ts";
import type { ScriptFunction } from "../../../src/ir/scripts.ts";
import { mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Assign, ChooseCase, Program, Step, Workflow } from "../../../src/ir/workflow.ts";
import { truthOf } from "../../../src/types/index.ts";
import { unsupportedParts } from "../jsonata/print.ts";

/** A function whose calls became expressions. */
export interface TranslatedScript {
  readonly definition: ScriptFunction;
  /** Whether some of its calls remain. */
  readonly isCalled: boolean;
}

/** One translation may make the next possible, because its result becomes known. */
const maxRounds = 8;

/**
 * Translates calls of functions whose source is only an expression into assignments, if types guarantee the same
 * result and JSONata has the expression. Removes functions without calls.
 */
export function translateScripts(
  replacements: Workflow,
  program: Program,
): { readonly workflow: Workflow; readonly translated: readonly TranslatedScript[] } {
  const scripts = new Map(
    replacements.functions.flatMap((each) => (isScript(each) ? [[each.name, each] as const] : [])),
  );
  if (![...scripts.values()].some(({ protocol }) => protocol.expression))
    return { workflow: replacements, translated: [] };
  const translated = new Set<string>();
  let workflow = replacements;
  for (let round = 0; round < maxRounds; round++) {
    const { before } = proveDataFlow(workflow, program.workflows);
    let isMore = false;
    workflow = mapSteps(workflow, (step) => {
      const script = step.kind === "call" ? scripts.get(step.function.name) : undefined;
      const assignment = step.kind === "call" && script && translateCall(step, script.protocol, before.get(step.id));
      if (!assignment) return step;
      isMore = true;
      translated.add(script.name);
      return assignment;
    });
    if (!isMore) break;
  }
  const called = new Set(stepsOf(workflow).flatMap((step) => (step.kind === "call" ? [step.function.name] : [])));
  const decided = translated.size === 0 ? workflow : removeImpossibleCases(workflow, program);
  const functions = workflow.functions.filter(({ name }) => called.has(name) || !translated.has(name));
  return {
    workflow: { ...decided, functions },
    translated: [...translated].map((name) => ({ definition: scripts.get(name)!, isCalled: called.has(name) })),
  };
}

const isScript = (definition: Workflow["functions"][number]): definition is ScriptFunction =>
  definition.protocol?.kind === "script";

const mapSteps = (workflow: Workflow, change: (step: Step) => Step): Workflow =>
  mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(change) }));

function removeImpossibleCases(workflow: Workflow, program: Program): Workflow {
  const { before } = proveDataFlow(workflow, program.workflows);
  return mapSteps(workflow, (step) => {
    const types = before.get(step.id);
    if (step.kind !== "choose" || !types) return step;
    const isPossible = ({ when }: ChooseCase): boolean => canFail(when) || truthOf(inferType(when, types)) !== "never";
    return { ...step, cases: step.cases.filter(isPossible) };
  });
}

function translateCall(
  { id, origin, span, argument, bind, next }: Extract<Step, { kind: "call" }>,
  { expression, variables }: Script,
  types: StepTypes | undefined,
): Assign | undefined {
  if (!expression || !types || bind === undefined) return undefined;
  const partOf = (...names: readonly string[]): Expression => simplify(member(argument, ...names));
  const replacements = new Map<string, Expression>(
    variables.length === 0
      ? [["params", argument]]
      : [["params", partOf("params")], ...variables.map((name) => [name, partOf("variables", name)] as const)],
  );
  const resolve = (each: Expression): Expression => simplify(substitute(each, replacements));
  if (truthOf(inferType(resolve(expression.when), types)) !== "always") return undefined;
  const value = resolve(expression.value);
  if (unsupportedParts(value).length > 0) return undefined;
  return { kind: "assign", id, origin, span, values: [{ variable: bind, value }], next };
}
