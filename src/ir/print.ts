import { printExpression } from "../expressions/index.ts";
import { printJson } from "../json.ts";
import { printDefinitions, printType } from "../types/index.ts";
import { indent, printAlternative, printName, printSeconds, stepLines } from "./print-steps.ts";
import { printProtocol } from "./protocols.ts";
import { printTimer } from "./timers.ts";
import type {
  ErrorNames,
  EventDefinition,
  FunctionDefinition,
  Program,
  Scope,
  Start,
  Window,
  Workflow,
} from "./workflow.ts";

/** Prints a program for `--emit ir`. */
export function printProgram(program: Program): string {
  return program.workflows.map(printWorkflow).join("\n");
}

/** Prints one workflow. */
export function printWorkflow(workflow: Workflow): string {
  const { id, name: title, version, language } = workflow;
  const lines = [
    `workflow ${printName(id)} ${printJson(title)} ${printJson(version)} from ${language}`,
    ...indent(headerLines(workflow)),
  ];
  return `${[...lines, ...indent(scopeLines(workflow.body))].join("\n")}\n`;
}

function headerLines(workflow: Workflow): readonly string[] {
  const { description, inputSchema, outputSchema, correlation, errorNames, raisedError } = workflow;
  return [
    ...(description === undefined ? [] : [`description ${printJson(description)}`]),
    ...startLines(workflow.start),
    ...(workflow.timeout ? [`runs at most ${printSeconds(workflow.timeout.seconds)}`] : []),
    `input ${printName(workflow.input)}`,
    ...(inputSchema === undefined ? [] : [`input schema ${printJson(inputSchema)}`]),
    ...(outputSchema === undefined ? [] : [`output schema ${printJson(outputSchema)}`]),
    ...typeLines(workflow),
    ...(correlation ? [`correlation ${printExpression(correlation)}`] : []),
    ...(errorNames ? [`errors: ${printErrorNames(errorNames)}`] : []),
    ...(raisedError ? [`errors become ${printExpression(raisedError)}`] : []),
    ...workflow.functions.map(functionLine),
    ...workflow.events.map(eventLine),
  ];
}

function printErrorNames({ calls, ...others }: ErrorNames): string {
  return Object.entries({ ...others, ...calls })
    .map(([error, called]) => `${error} ${printName(called)}`)
    .join(", ");
}

function typeLines({ inputType, outputType }: Workflow): readonly string[] {
  return [
    ...(inputType ? [`input type ${printType(inputType)}`] : []),
    ...(outputType ? [`output type ${printType(outputType)}`] : []),
    ...printDefinitions(...[inputType, outputType].filter((type) => type !== undefined)).map((line) => `type ${line}`),
  ];
}

function scopeLines(scope: Scope): readonly string[] {
  const { variables, window, entry, steps } = scope;
  return [
    ...variables.map(
      (variable) =>
        `var ${printName(variable.name)}${variable.initial ? ` = ${printExpression(variable.initial)}` : ""}`,
    ),
    ...(window ? [windowLine(window)] : []),
    ...(entry.name === steps[0]?.id ? [] : [`begin at ${printName(entry.name)}`]),
    ...steps.flatMap((step, i) => stepLines(step, steps[i + 1]?.id, scopeLines)),
  ];
}

function startLines({ on = [], create, gap, window, timers = [] }: Start): readonly string[] {
  return [
    ...(on.length > 0
      ? [
          `started by the ${create === "complete" ? "complete events" : "first event"} of`,
          ...indent(on.map(printAlternative)),
        ]
      : []),
    ...(gap === undefined ? [] : [`at most ${gap} s between arrivals`]),
    ...timers.map((timer) => `started ${printTimer(timer)}`),
    ...(window ? [windowLine(window)] : []),
  ];
}

function windowLine({ from, until }: Window): string {
  return `active${from === undefined ? "" : ` from ${from}`}${until === undefined ? "" : ` until ${until}`}`;
}

function functionLine({ name: called, resource, protocol, stepKind, type = stepKind }: FunctionDefinition): string {
  return `function ${printName(called)}${type === undefined ? "" : ` (${printJson(type)})`}${resource === undefined ? "" : ` = ${printJson(resource)}`}${protocol ? ` by ${printProtocol(protocol)}` : ""}`;
}

function eventLine(event: EventDefinition): string {
  const attributes = (["type", "source", "subject"] as const).flatMap((key) =>
    event[key] === undefined ? [] : [`${key} ${printJson(event[key])}`],
  );
  return [
    `event ${printName(event.name)}`,
    ...attributes,
    ...(event.foldCase ? ["in any case"] : []),
    ...(event.correlation ? [`correlated by ${printExpression(event.correlation)}`] : []),
    ...(event.correlationKey === undefined ? [] : [`as ${printName(event.correlationKey)}`]),
    ...(event.correlationAttribute === undefined ? [] : [`carrying ${printName(event.correlationAttribute)}`]),
  ].join(" ");
}
