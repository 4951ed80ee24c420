import { conflictingBindings } from "../../src/diagnostics/configuration.ts";
import { collect, comma, type Expression, effectsOf, literal, object } from "../../src/expressions/index.ts";
import { isActivity } from "../../src/ir/callbacks.ts";
import { createNames, type NameStyle } from "../../src/ir/names.ts";
import { scriptModule } from "../../src/ir/scripts.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Call, Program, Workflow } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Binding, Settings, TargetConfiguration, TargetSettings } from "../../src/target/contract.ts";
import type { Note, Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import type { Type } from "../../src/types/index.ts";
import { aslAlreadyBound, aslInexact, aslInexactBinding } from "./diagnostics/kinds.ts";
import { nativeMachine } from "./keep/machine.ts";
import { retriedErrors } from "./service-retries.ts";

/** What a Task calls for a function: its resource, and how argument and response are passed. */
export interface Service {
  readonly kind: (typeof kinds)[number];
  readonly resource: string;
  /** `Arguments` with `argumentPlaceholder` in it; default: the argument itself. */
  readonly argumentsTemplate?: JsonObject | undefined;
  /** The member of the response that is the function's result; default: all of it. */
  readonly resultMember?: string | undefined;
  /** The IAM permissions of an integration, if configured: actions, and the ARN that they apply to. */
  readonly actions?: readonly string[] | undefined;
  readonly actsOn?: string | undefined;
  /** Set if the machine queries the service for itself. */
  readonly query?: MachineQuery | undefined;
}

/** A query that a machine makes for itself. */
export interface MachineQuery {
  readonly result: Expression;
  /** The error that is a valid result; the query is retried after any other. */
  readonly finalError?: string | undefined;
  readonly variableTypes: readonly (readonly [string, Type])[];
}

/**
 * What a substitution stands for: a function or workflow of the definition, a generated resource, or a value named in
 * the configuration.
 */
export type SubstitutionTarget =
  | { readonly kind: "function" | "workflow"; readonly name: string }
  | { readonly kind: "own"; readonly what: "expressions" | "functions" | "wait" | "table" }
  | { readonly kind: "configured" };

/**
 * Retries for idempotent Tasks, except after `answers` and errors that would recur, which `States.TaskFailed` also
 * matches.
 */
export const idempotentRetries = (answers: readonly string[] = []): readonly Json[] => [
  { ErrorEquals: [...answers, "States.DataLimitExceeded", "States.QueryEvaluationError"], MaxAttempts: 0 },
  { ErrorEquals: ["States.TaskFailed"], IntervalSeconds: 1, MaxAttempts: 5, BackoffRate: 2 },
];

/** The location of functions, subflows and events: an ARN, or a substitution that the deployment fills in. */
export interface Services {
  serviceOf(name: string): Service;
  /** Whether the configuration binds a function. */
  isBound(name: string): boolean;
  readonly expressionFunction: string;
  /** Runs functions whose source the definition contains. */
  readonly scriptFunction: string;
  /** The function that waiting states call. */
  readonly waitFunction: string;
  /** The table that counts branches. */
  readonly joinTable: string;
  machineOf(id: string): string;
  /** The `Resource` of an AWS service action such as `events:putEvents`. */
  actionOf(action: string): string;
  /** The binding of an event; empty if it has none. */
  eventBinding(event: string): EventBinding;
  readonly substitutions: ReadonlyMap<string, SubstitutionTarget>;
  /** Replaces the `$` of substitutions until printing, because strings of users may contain `${`. */
  readonly mark: string;
  readonly format: "json" | "yaml";
  /** Whether loops with more than 40 concurrent iterations become Distributed Maps. */
  readonly distributes: boolean;
  /** The errors of the Lambda service that Tasks retry. */
  readonly retriedErrors: readonly string[];
  /** Whether loops continue in new executions before the history is full. */
  readonly continues: boolean;
  /** Whether executions are started by an alias of their machine. */
  readonly hasAlias: boolean;
  readonly spanOf: TargetSettings["spanOf"];
}

/** The binding of an event. */
export interface EventBinding {
  /** The bus that it is put on and received from. */
  readonly bus?: string | undefined;
  /** The only account from which it is received. */
  readonly account?: string | undefined;
  /** The only source of an EventBridge entry with which it is received. */
  readonly source?: string | undefined;
}

/** The configuration of machines: services of functions and bindings of events, by name. */
export interface AslBindings {
  readonly functions: ReadonlyMap<string, Service>;
  readonly events: ReadonlyMap<string, EventBinding>;
  readonly partition: string;
  readonly format: "json" | "yaml";
  readonly distributes: boolean;
  readonly retriedErrors: readonly string[];
  /** Whether loops continue in new executions before the history is full. */
  readonly continues: boolean;
  /** Whether executions are started by an alias of their machine. */
  readonly hasAlias: boolean;
  /** Whether the machines are Express Workflows. */
  readonly isExpress: boolean;
  readonly spanOf: TargetSettings["spanOf"];
}

/**
 * The services of a workflow. Substitutions such as `${ChargeCardFunctionArn}` differ from those in the configuration
 * and the definition's strings, and do not depend on other workflows.
 */
export function servicesOf(workflow: Workflow, bindings: AslBindings): Services {
  const written = JSON.stringify([[...bindings.functions], [...bindings.events]]);
  const mark = unusedMark(workflow.span.source.text + written);
  const marked = JSON.parse(written.replace(/\$(?=\{[A-Za-z0-9]+\})/g, mark)) as MarkedBindings;
  const [functionsBound, eventsBound] = [new Map(marked[0]), new Map(marked[1])];
  const { all, functions, machines, generated } = substitutionsOf(
    workflow,
    bindings,
    substitutionNamesIn(written),
    mark,
  );
  const ownScripts = new Set(scriptModule(workflow.functions).names.keys());
  return {
    serviceOf(name) {
      const resource = definedArn(workflow, name);
      if (resource !== undefined) return { kind: kindOf(resource), resource };
      if (ownScripts.has(name))
        return {
          kind: "lambda",
          resource: generated.functions,
          argumentsTemplate: { function: name, argument: argumentPlaceholder },
        };
      const kind = isActivity(workflow, name) ? "activity" : "lambda";
      return functionsBound.get(name) ?? { kind, resource: functions.get(name)! };
    },
    isBound: (name) => functionsBound.has(name),
    expressionFunction: generated.expressions,
    scriptFunction: generated.functions,
    waitFunction: generated.wait,
    joinTable: generated.table,
    machineOf: (id) => machines.get(id)!,
    actionOf: (action) => `arn:${bindings.partition}:states:::${action}`,
    eventBinding: (event) => eventsBound.get(event) ?? {},
    format: bindings.format,
    distributes: bindings.distributes,
    retriedErrors: bindings.retriedErrors,
    continues: bindings.continues,
    hasAlias: bindings.hasAlias,
    spanOf: bindings.spanOf,
    substitutions: all,
    mark,
  };
}

function substitutionsOf(
  workflow: Workflow,
  { functions: bound }: AslBindings,
  configured: readonly string[],
  mark: string,
) {
  const names = createNames([...configured, ...substitutionNamesIn(workflow.span.source.text)], style);
  const all = new Map<string, SubstitutionTarget>(configured.map((name) => [name, { kind: "configured" }]));
  const substitution = (wanted: string, target: SubstitutionTarget): string => {
    const name = names.fresh(wanted);
    all.set(name, target);
    return `${mark}{${name}}`;
  };
  const each = (kind: "function" | "workflow", wanted: readonly string[]): ReadonlyMap<string, string> => {
    const ending = kind === "function" ? "Function" : "StateMachine";
    return new Map(
      [...new Set(wanted)].map((name) => [name, substitution(arnSubstitutionName(name, ending), { kind, name })]),
    );
  };
  const own = (what: "expressions" | "functions" | "wait"): string =>
    substitution(arnSubstitutionName(`${workflow.id} ${what}`, "Function"), { kind: "own", what });
  const unbound = workflow.functions.filter(
    ({ name, protocol }) => definedArn(workflow, name) === undefined && !bound.has(name) && protocol?.kind !== "script",
  );
  const started = stepsOf(workflow).flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : []));
  return {
    all,
    functions: each(
      "function",
      unbound.map(({ name }) => name),
    ),
    machines: each("workflow", [workflow.id, ...started]),
    generated: {
      expressions: own("expressions"),
      functions: own("functions"),
      wait: own("wait"),
      table: substitution(joinTableName, { kind: "own", what: "table" }),
    },
  };
}

const joinTableName = "EventsTableName";

type MarkedBindings = readonly [Iterable<readonly [string, Service]>, Iterable<readonly [string, EventBinding]>];

/** A private-use character that occurs neither in the source nor, as an escape, by its number. */
function unusedMark(texts: string): string {
  const folded = texts.toLowerCase();
  let code = 0xe000;
  while (folded.includes(String.fromCharCode(code)) || folded.includes(code.toString(16))) code += 1;
  return String.fromCharCode(code);
}

const substitutionNamesIn = (written: string): readonly string[] =>
  [...written.matchAll(/\$\{([A-Za-z0-9]+)\}/g)].map(([, name]) => name!);

function arnSubstitutionName(name: string, kind: "Function" | "StateMachine"): string {
  const words = name
    .normalize("NFKD")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const base =
    words
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join("")
      .slice(0, 100) || "Unnamed";
  const stem = base.endsWith(kind) && base !== kind ? base.slice(0, -kind.length) : base;
  return `${stem}${kind}Arn`;
}

/** Names that differ only in case or punctuation are numbered: `ChargeCard2FunctionArn`. */
const style: NameStyle = {
  number: (wanted, count) => wanted.replace(/(?:Function|StateMachine)Arn$/, `${count}$&`),
  fold: (name) => name.toLowerCase(),
};

/** The ARN in a function's definition: a Lambda function, an activity or a service action. */
function definedArn({ functions }: Workflow, name: string): string | undefined {
  const { resource, protocol } = functions.find((definition) => definition.name === name) ?? {};
  const isPlain = !protocol || protocol.kind === "activity";
  return resource !== undefined && isPlain && arn.test(resource) ? resource : undefined;
}

/** Whether Step Functions gives a token to a Task with a resource, and waits for the callback. */
export const givesToken = (resource: string): boolean =>
  /\.(?:waitForTaskToken|sync(?::2)?)$|:activity:/.test(resource);

const kindOf = (resource: string): Service["kind"] =>
  resource.includes(":activity:") ? "activity" : resource.includes(":states:::") ? "integration" : "lambda";

const arn =
  /^arn:aws[a-z-]*:(?:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+(?::[\w$-]+)?|states:[a-z0-9-]+:\d{12}:activity:[\w-]+|states:::[a-z0-9-]+(?::[A-Za-z0-9]+)+(?:\.[A-Za-z]+(?::2)?)?)$/;

/** Reads the bindings of each workflow; reports and skips those that have no exact form or no effect. */
export function bindingsOf(
  { workflows }: Program,
  { configurationOf: configured }: Settings,
  report: Report,
): (workflow: Workflow) => AslBindings {
  const alike = Map.groupBy(workflows, configured);
  const read = new Map<Workflow, AslBindings>();
  for (const [each, owners] of alike) {
    const setting = own(each.values, "retryService");
    const added = retriedErrors(setting === "all" ? "all" : "throttled", workflows);
    const bindings = readBindings(each, owners, report);
    for (const workflow of owners) {
      const addsNone = setting === undefined && workflow.statesAllRetries;
      read.set(workflow, { ...bindings, retriedErrors: addsNone ? [] : added });
    }
  }
  return (workflow) => read.get(workflow)!;
}

function readBindings(
  { functions, events, values, spanOf }: TargetConfiguration,
  workflows: readonly Workflow[],
  report: Report,
): Omit<AslBindings, "retriedErrors"> {
  const partition = String(own(values, "partition") ?? "aws");
  const bound = [...functions].flatMap(([name, binding]) => {
    const service = boundService(binding, workflows, partition, report);
    return service ? [[name, service] as const] : [];
  });
  return {
    functions: new Map(bound),
    events: new Map([...events].map(([name, { value }]) => [name, value as EventBinding])),
    partition,
    format: own(values, "format") === "yaml" ? "yaml" : "json",
    distributes: own(values, "foreach") === "distributed",
    continues: own(values, "continue") === true && own(values, "type") !== "express",
    hasAlias: own(values, "alias") !== undefined,
    isExpress: own(values, "type") === "express",
    spanOf,
  };
}

const kinds = ["lambda", "http", "activity", "integration"] as const;

function boundService(
  { name: { name }, value, document, key }: Binding,
  workflows: readonly Workflow[],
  partition: string,
  report: Report,
): Service | undefined {
  const [kind, ...more] = kinds.filter((known) => Object.hasOwn(value, known));
  for (const second of more)
    report(conflictingBindings(document.spanOf(value, second, "key"), { first: kind!, second }));
  if (more.length > 0) return undefined;
  const span = kind ? document.spanOf(value, kind) : key;
  const calling = workflows.filter((workflow) => callsOf(workflow, name).length > 0);
  const open = calling.filter((workflow) => definedArn(workflow, name) === undefined);
  for (const workflow of calling) {
    const resource = definedArn(workflow, name);
    const overriding = open.length > 0 ? workflow.id : undefined;
    if (resource !== undefined) report(aslAlreadyBound(span, { name, resource, workflow: overriding }));
    if (resource !== undefined && !overriding) return undefined;
  }
  const service = kind ? services[kind](value, partition) : { reason: "it does not name a service" };
  const calls = open.flatMap((workflow) => callsOf(workflow, name));
  const fault = "reason" in service ? service : mismatchOf(service, calls);
  if (fault) report(aslInexactBinding(span, { name, reason: fault.reason }, notesOf(fault)));
  return fault ? undefined : (service as Service);
}

const callsOf = (workflow: Workflow, name: string): readonly Call[] =>
  stepsOf(workflow).filter((step): step is Call => step.kind === "call" && step.function.name === name);

const notesOf = ({ call }: ServiceMismatch): readonly Note[] =>
  call ? [{ message: "It is called here.", span: call.span }] : [];

interface ServiceMismatch {
  readonly reason: string;
  readonly call?: Call | undefined;
}

const services: {
  readonly [kind in (typeof kinds)[number]]: (binding: JsonObject, partition: string) => Service | ServiceMismatch;
} = {
  lambda: (binding) => ({ kind: "lambda", resource: stringMember(binding, "lambda") }),
  activity: (binding) => ({ kind: "activity", resource: stringMember(binding, "activity") }),
  http(binding, partition) {
    const [method = "", address = ""] = stringMember(binding, "http").split(" ");
    if (!/^(?:POST|PUT|PATCH)$/.test(method))
      return {
        reason: `a ${method} request has no body, and an HTTP Task cannot express every argument as a query`,
      };
    if (/[{}]/.test(address)) return { reason: "an HTTP Task cannot insert parts of the argument into the address" };
    return {
      kind: "http",
      resource: `arn:${partition}:states:::http:invoke`,
      argumentsTemplate: {
        ApiEndpoint: address,
        Method: method,
        Authentication: { ConnectionArn: stringMember(binding, "connection") },
        RequestBody: argumentPlaceholder,
      },
      resultMember: "ResponseBody",
    };
  },
  integration(binding) {
    const { arguments: template, actions, actsOn } = binding;
    const service = {
      kind: "integration",
      resource: stringMember(binding, "integration"),
      ...(actions !== undefined && { actions: actions as readonly string[] }),
      ...(actsOn !== undefined && { actsOn: actsOn as string }),
    } as const;
    if (!isObject(template)) return service;
    return argumentPointer(template) === undefined
      ? { reason: `its \`arguments\` do not contain \`${argumentPlaceholder}\`, so the argument would be lost` }
      : { ...service, argumentsTemplate: template };
  },
};

const stringMember = (binding: JsonObject, member: string): string => String(own(binding, member));

function mismatchOf(
  { resource, argumentsTemplate, resultMember }: Omit<Service, "kind">,
  calls: readonly Call[],
): ServiceMismatch | undefined {
  const isIntegration = /^arn:aws[\w-]*:states:::/.test(resource);
  const unawaited = resource.endsWith(".waitForTaskToken") && calls.find(({ callback }) => !callback);
  if (unawaited) return { reason: "nothing would pass the task token to the responder", call: unawaited };
  const takesObject = resultMember !== undefined || (argumentsTemplate === undefined && isIntegration);
  const other = takesObject && calls.find(({ argument }) => effectsOf(argument).type !== "object");
  return other ? { reason: "it requires an object, but the argument may be another value", call: other } : undefined;
}

/** Reports calls of a service named in the definition that cannot be exact. */
export function checkOwnServices(workflow: Workflow, report: Report): void {
  // A state machine that is read calls its resources with the arguments that it states.
  if (nativeMachine(workflow)) return;
  for (const { name, span } of workflow.functions) {
    const resource = definedArn(workflow, name);
    const calls = callsOf(workflow, name);
    const fault = resource === undefined || calls.length === 0 ? undefined : mismatchOf({ resource }, calls);
    if (!fault) continue;
    const construct = `calling \`${truncate(name)}\` through the ARN in its definition: ${fault.reason}`;
    report(aslInexact(span, { construct }, notesOf(fault)));
  }
}

const argumentPlaceholder = "{argument}";

/** JSON Pointer to the argument in a template; undefined if it is not there. */
export function argumentPointer(template: Json): string | undefined {
  if (template === argumentPlaceholder) return "";
  if (typeof template !== "object" || template === null) return undefined;
  for (const [key, value] of Object.entries(template)) {
    const rest = argumentPointer(value as Json);
    if (rest !== undefined) return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${rest}`;
  }
  return undefined;
}

/** The arguments for a service: `{ Url: "…", Body: "{argument}" }` and `$x` give `{ Url: "…", Body: $x }`. */
export function argumentsOf({ argumentsTemplate }: Service, argument: Expression): Expression {
  return argumentsTemplate === undefined ? argument : fillTemplate(argumentsTemplate, argument);
}

function fillTemplate(template: Json, argument: Expression): Expression {
  if (template === argumentPlaceholder) return argument;
  if (argumentPointer(template) === undefined) return literal(template);
  if (Array.isArray(template)) return collect(comma(...template.map((item: Json) => fillTemplate(item, argument))));
  return object(
    Object.entries(template as JsonObject).map(([key, value]) => [key, fillTemplate(value, argument)] as const),
  );
}
