import type { Document } from "../../documents/index.ts";
import { binary, call, literal, object, variable } from "../../expressions/index.ts";
import type { Composition, State } from "../../generated/composer-fsm-definition.ts";
import { workflowNames } from "../../ir/names.ts";
import { stepsOf } from "../../ir/walk.ts";
import type { Assign, End, Handler, Step, Workflow } from "../../ir/workflow.ts";
import { type JsonObject, own } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { ReadContext } from "../shared/properties.ts";
import { checkReached, checkStacks, checkStates } from "./checks.ts";
import { memberOf, params, rejectedError } from "./context.ts";
import { uncheckedVisits } from "./error-flow.ts";
import { checkNames, checkSymbols, type FunctionBody, hasFunction, readFunction } from "./functions.ts";
import { lowerVisits } from "./states.ts";
import { missingAction } from "./tasks.ts";
import { findVisits, type Visit, type Visits } from "./visits.ts";

/** Lowers a valid composition; otherwise reports all errors. */
export function lower(document: Document, { report, options: chosen, stem }: LowerContext): Workflow | undefined {
  const composition = document.value as unknown as Composition;
  let isSound = true;
  const watch: Report = (diagnostic) => {
    isSound &&= diagnostic.severity !== "error";
    report(diagnostic);
  };
  const reading: ReadContext = { document, report: watch };
  const visits = findVisits(composition);
  const functions = checkComposition(composition, visits, reading, {
    allowsAny: own(chosen, "globals") === "any",
    isSound: () => isSound,
  });
  if (!isSound) return undefined;
  const missingAction = own(chosen, "missingAction") === "catch" ? "catch" : "reject";
  const lowered = lowerVisits({
    ...reading,
    composition,
    visits,
    unchecked: uncheckedVisits(visits),
    functions,
    catchesMissing: missingAction === "catch",
  });
  const span = document.start;
  const { functions: called, ...body } = lowered;
  return removeReserved({
    kind: "workflow",
    id: stem,
    name: stem,
    version: "1.0",
    language: "composer-fsm",
    start: { span },
    input: params,
    body: { ...body, span },
    functions: called,
    events: [],
    native: {
      format: "openwhisk-composition",
      value: { definition: document.value as JsonObject, missingAction, reserved: reservedParameters },
    },
    unnamedErrors: true,
    span,
  });
}

/** The parameters of the original conductor, which removes them from the input. */
const reservedParameters = ["$config", "$activationId", "$invoke", "$sessionId", "$state", "$stack", "$blocking"];

/** Removes reserved parameters from the input, in the first step. */
function removeReserved(workflow: Workflow): Workflow {
  const { body } = workflow;
  const { entry, steps, span } = body;
  const { origin } = steps.find(({ id }) => id === entry.name)!;
  const first: Assign = {
    kind: "assign",
    id: workflowNames(workflow).steps.fresh(`${entry.name}/input`),
    origin: { ...origin, entry: false, part: "input" },
    span,
    values: [
      {
        variable: params,
        value: call("delpaths", variable(params), literal(reservedParameters.map((name) => [name]))),
      },
    ],
    next: entry,
  };
  return { ...workflow, body: { ...body, entry: { name: first.id, span }, steps: [first, ...steps] } };
}

function checkComposition(
  composition: Composition,
  visits: Visits,
  reading: ReadContext,
  { allowsAny, isSound }: { readonly allowsAny: boolean; readonly isSound: () => boolean },
): ReadonlyMap<State, FunctionBody> {
  checkStates(composition, visits, reading);
  const isWhole = isSound() && !Object.values(composition.States).some((state) => Object.hasOwn(state, "x-unread"));
  if (isWhole) checkStacks(composition, visits, reading);
  if (isWhole && isSound()) checkReached(composition, visits, reading);
  return readFunctions(visits, reading, allowsAny, isWhole && isSound());
}

function readFunctions(
  { all, byState }: Visits,
  reading: ReadContext,
  allowsAny: boolean,
  hasStacks: boolean,
): ReadonlyMap<State, FunctionBody> {
  const found = new Map<State, FunctionBody>();
  for (const visits of byState.values()) {
    const [{ state }] = visits as [Visit];
    const body = hasFunction(state) ? readFunction(state, reading, allowsAny) : undefined;
    if (!body) continue;
    found.set(state, body);
    if (hasStacks) checkNames(body, visits, reading, allowsAny);
  }
  if (hasStacks) checkSymbols(all, reading);
  return found;
}

/** Adapts compositions to callers that wait. */
export function link(
  compositions: readonly Workflow[],
  _report: Report,
  program: readonly Workflow[],
): readonly Workflow[] {
  const awaited = new Set(
    program.flatMap(stepsOf).flatMap((step) => (step.kind === "invoke" && step.wait ? [step.workflow.name] : [])),
  );
  return compositions.map((workflow) => (awaited.has(workflow.id) ? withoutNames(workflow) : workflow));
}

function withoutNames(workflow: Workflow): Workflow {
  const { body, functions, native } = workflow;
  const scripts = new Set(functions.flatMap(({ name, protocol }) => (protocol?.kind === "script" ? [name] : [])));
  const isOpen = (step: Step) => step.kind === "call" && step.handlers.length === 0 && !scripts.has(step.function.name);
  const first = body.steps.find(isOpen);
  if (!first) return workflow;
  const names = workflowNames(workflow);
  const { origin, span } = first;
  const thrown = names.variables.fresh("thrown");
  const end = (what: string, value: End["value"]): End => {
    const id = names.steps.fresh(`${first.id}/${what}`);
    return {
      id,
      origin: { ...origin, entry: false, part: what },
      span,
      kind: "end",
      outcome: "fail",
      extent: "scope",
      value,
    };
  };
  const message = memberOf(variable(thrown), "message");
  const failed = end("unnamed", object([...nameless, ["message", message]]));
  const missing = end("missing", rejectedError);
  const to = ({ id }: End) => ({ name: id, span });
  const taking: Handler = { when: literal(true), bind: thrown, next: to(failed), span };
  const isMissing = binary("==", memberOf(variable("error"), "name"), literal(missingAction));
  const rejects = native?.value["missingAction"] !== "catch";
  const handlers = rejects ? [{ when: isMissing, next: to(missing), span }, taking] : [taking];
  const steps = body.steps.map((step) => (isOpen(step) ? ({ ...step, handlers } as Step) : step));
  const variables = [...body.variables, { name: thrown }];
  return { ...workflow, body: { ...body, variables, steps: [...steps, failed, ...(rejects ? [missing] : [])] } };
}

const nameless = [
  ["origin", literal("function")],
  ["name", literal("ApplicationError")],
] as const;
