import type { Document } from "../../documents/index.ts";
import { type Expression, variable } from "../../expressions/index.ts";
import type { Workflow as Definition } from "../../generated/serverless-workflow-1.0-definition.ts";
import { createNames, identifierStyle } from "../../ir/names.ts";
import { narrowTimeouts } from "../../ir/narrow-timeouts.ts";
import type { Reference, Scope, Workflow } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import {
  assign,
  complete,
  createStepIds,
  end,
  noSteps,
  type StepFragment,
  type StepWriter,
  sequence,
  stepsIn,
} from "../shared/steps.ts";
import { checkVersions, type OtherVersion, separateVersions } from "../shared/subflow-versions.ts";
import { workflowInputRow, workflowOutputRow } from "./arguments.ts";
import { builtInFunction } from "./built-in.ts";
import {
  type Context,
  contextName,
  createPartWriter,
  dataName,
  type Frame,
  type RunFact,
  settingsOf,
  type TaskScope,
} from "./context.ts";
import { builtInCall, workflowInputCheck, workflowInputFilter, workflowOutputSteps } from "./data-flow.ts";
import { otherVersion } from "./diagnostics/references.ts";
import { raisedError } from "./errors.ts";
import { checkIdentity } from "./identity.ts";
import { lowerTasks } from "./lists.ts";
import { readNames } from "./names.ts";
import { checkReplacedData } from "./replaced-data.ts";
import { lowerSchedule, receiveStart } from "./schedule.ts";
import { typeOf } from "./schemas.ts";
import { runLimitOf } from "./timeouts.ts";

/** Lowers a valid definition; reports all errors. */
export function lower(document: Document, lowering: LowerContext): Workflow {
  const definition = document.value as unknown as Definition;
  const { name, namespace, version, summary } = definition.document;
  const context: Context = {
    document,
    report: lowering.report,
    definition,
    lowering,
    settings: settingsOf(lowering.options),
    ids: createStepIds(),
    functions: [],
    calledFunctions: new Set(),
    budget: { tasks: maxTasks },
    events: [],
    ...readNames(definition as unknown as Json),
    facts: new Set(),
    documents: new Map(),
    replacements: new Map(),
    hasExports: /"export":/.test(JSON.stringify(definition)),
  };
  checkIdentity(context);
  const body = lowerBody(context, name);
  const span = spanOf(context, definition.document, "name");
  const workflow: Workflow = {
    kind: "workflow",
    id: `${namespace}.${name}`,
    name,
    version,
    description: summary,
    language: "serverless-workflow-1.0",
    start: lowerSchedule(context),
    input: dataName,
    anyInput: true,
    inputType:
      definition.input?.schema && !definition.schedule?.on ? typeOf(context, definition.input.schema) : undefined,
    body,
    functions: context.functions,
    events: context.events,
    errorNames: { expression: "expression", timeout: "timeout" },
    raisedError,
    detailedErrors: true,
    timeout: runLimitOf(context),
    metadata: definition.document.metadata,
    span,
  };
  checkReplacedData(context, workflow);
  return narrowTimeouts(workflow);
}

/** Separates versions of a workflow, and checks those of subflows. */
export function link(
  workflows: readonly Workflow[],
  report: Report,
  program: readonly Workflow[],
): readonly Workflow[] {
  const reportOther = (span: Span, other: OtherVersion) => report(otherVersion(span, other));
  const separate = separateVersions(workflows, reportOther);
  checkVersions(separate, program, reportOther);
  return separate;
}

/** With functions inlined and extensions applied. */
const maxTasks = 50_000;

/** The steps of a run: the check of its input, facts, `input.from`, tasks, output. */
function lowerBody(context: Context, name: string): Scope {
  const { definition, ids } = context;
  const span = spanOf(context, definition, "do", "key");
  const variables = new Map<string, Expression | undefined>([
    [dataName, undefined],
    ...(context.hasExports ? [[contextName, undefined] as const] : []),
  ]);
  const names = createNames([...variables.keys(), ...facts, "event", "run", "error"], identifierStyle);
  const frame: Frame = { variables, names, isBranch: false };
  const around = (): StepWriter =>
    createPartWriter({ noun: "workflow", name, span, pointer: "" }, name, ids, { slots: [], variables });
  const [before, body, after] = [around(), [] as StepWriter["slots"], around()];
  let ending: Reference | undefined;
  const finish = (): Reference => {
    ending ??= complete(
      sequence(
        workflowOutputSteps(context, after, workflowOutputRow),
        end(after, "end", span, { outcome: "leave", extent: "scope", value: variable(dataName) }),
      ),
      span,
    );
    return ending;
  };
  const scope: TaskScope = {
    frame,
    slots: body,
    path: [],
    bindings: new Map(),
    functions: [],
    end: finish,
  };
  const started = receiveStart(context, before, scope);
  const check = workflowInputCheck(context, before);
  const filter = workflowInputFilter(context, before, workflowInputRow);
  const list = { owner: definition, key: "do", pointer: "/do", role: "list" as const };
  const tasks = lowerTasks(context, scope, list)(finish());
  const entry = sequence(started, check, factSteps(context, before), filter)(tasks);
  const steps = [before, { slots: body }, after].flatMap(stepsIn);
  const declared = [...variables].map(([variableName, initial]) => ({ name: variableName, initial }));
  return { entry, variables: declared, steps, span };
}

const facts: readonly RunFact[] = ["workflowInput", "runId", "startedAt"];

/** Records what expressions read of the run. */
function factSteps(context: Context, writer: StepWriter): StepFragment {
  const { span } = writer.construct;
  const steps = facts.map((fact): StepFragment => {
    if (!context.facts.has(fact)) return noSteps;
    writer.variables.set(fact, undefined);
    if (fact === "workflowInput") return assign(writer, "input", span, { variable: fact, value: variable(dataName) });
    const kind = fact === "runId" ? "run" : "clock";
    return builtInCall(writer, kind, builtInFunction(context, kind, span), fact, span);
  });
  return sequence(...steps);
}
