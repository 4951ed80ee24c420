import type { Document } from "../../documents/index.ts";
import type { Machine } from "../../generated/asl-definition.ts";
import { createNames } from "../../ir/names.ts";
import type { Workflow } from "../../ir/workflow.ts";
import type { JsonObject } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { Report } from "../../text/diagnostics.ts";
import { spanOf } from "../shared/properties.ts";
import { createStepIds } from "../shared/steps.ts";
import { checkMachine } from "./checks.ts";
import { fieldsByState, fieldsOfMachine } from "./constructs.ts";
import { type Context, inputName, type StatesOwner } from "./context.ts";
import { hasNullErrors, runtimeError, timeoutError } from "./failures.ts";
import { innerOwners } from "./graph.ts";
import { withRunFacts } from "./run-facts.ts";
import { lowerMachine } from "./scopes.ts";

const namesIn = ({ States }: StatesOwner): readonly string[] =>
  Object.entries(States).flatMap(([name, state]) => [name, ...innerOwners(state).flatMap(namesIn)]);

/** Lowers a valid machine; otherwise reports all errors. */
export function lower(document: Document, { report, stem }: LowerContext): Workflow | undefined {
  const machine = document.value as unknown as Machine;
  let isSound = true;
  const watch: Report = (diagnostic) => {
    isSound &&= diagnostic.severity !== "error";
    report(diagnostic);
  };
  checkMachine(machine, { document, report: watch });
  if (!isSound) return undefined;
  const id = stem.replace(/\.asl$/, "");
  const context: Context = {
    document,
    report,
    machine,
    id,
    ids: createStepIds(() => true),
    functions: [],
    functionNames: createNames(namesIn(machine)),
    builtIns: new Map(),
    hasNullErrors: hasNullErrors(machine),
    programs: { count: 0 },
  };
  const { start } = document;
  const limit = machine.TimeoutSeconds;
  return withRunFacts({
    kind: "workflow",
    id,
    name: id,
    version: machine.Version ?? "1.0",
    description: machine.Comment,
    language: "asl",
    start: { span: start },
    input: inputName,
    anyInput: true,
    statesAllRetries: true,
    native: {
      format: "asl",
      value: document.value as JsonObject,
      fields: { whole: fieldsOfMachine(machine), constructs: fieldsByState(machine) },
    },
    body: lowerMachine(context, { span: start }),
    functions: context.functions,
    events: [],
    errorNames: { expression: runtimeError, timeout: timeoutError },
    timeout:
      limit === undefined
        ? undefined
        : {
            seconds: limit,
            error: { origin: "timeout", name: timeoutError, message: `The execution took more than ${limit} seconds.` },
            span: spanOf({ document }, machine, "TimeoutSeconds"),
          },
    span: start,
  });
}
