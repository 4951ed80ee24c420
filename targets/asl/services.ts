import { severalPlaces } from "../../src/diagnostics/configuration.ts";
import { collect, comma, type Expression, effectsOf, literal, object } from "../../src/expressions/index.ts";
import { createNames, type NameStyle } from "../../src/ir/names.ts";
import type { Program } from "../../src/ir/program.ts";
import { scriptModule } from "../../src/ir/scripts.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Call, Workflow } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Binding, Settings, TargetConfiguration } from "../../src/target/contract.ts";
import { truncate } from "../../src/text/clip.ts";
import type { Note, Report } from "../../src/text/diagnostics.ts";
import type { Type } from "../../src/types/index.ts";
import { aslAlreadyBound, aslInexact, aslInexactBinding } from "./diagnostics/kinds.ts";

/** What a Task state calls for a function: the resource, and what is made of the function's argument and of the response. */
export interface Service {
  readonly kind: (typeof kinds)[number];
  readonly resource: string;
  /** `Arguments`, where `hole` stands for the function's argument; absent: the argument is all of it. */
  readonly argumentsTemplate?: JsonObject | undefined;
  /** The member of the response that is the function's answer; absent: all of it. */
  readonly resultMember?: string | undefined;
  /** What the machine's role has to allow for an integration: actions of IAM where they are said, and the ARN of what they act on. */
  readonly actions?: readonly string[] | undefined;
  readonly actsOn?: string | undefined;
  /** How the machine itself asks it, which is then none of the definition's functions. */
  readonly query?: MachineQuery | undefined;
}

/** What a machine asks of its own accord. */
export interface MachineQuery {
  /** What of the response is the answer. */
  readonly result: Expression;
  /** The error that is an answer too; after any other it is asked again. */
  readonly finalError?: string | undefined;
  /** What is known of variables where it is asked. */
  readonly variableTypes: readonly (readonly [string, Type])[];
}

/** What a substitution stands for: a function or a workflow of the definition, a function that is made with the machine, or what the configuration means by it. */
export type SubstitutionTarget =
  | { readonly kind: "function" | "workflow"; readonly name: string }
  | { readonly kind: "own"; readonly what: "expressions" | "functions" | "wait" | "table" }
  | { readonly kind: "configured" };

/**
 * Retries of a Task that may be asked again, whatever it broke off with: but for `answers`, and for what would fail again in the same way, as
 * `States.TaskFailed` stands for these too. Who has been told of an event that is too much must not wait for another.
 */
export const idempotentRetries = (answers: readonly string[] = []): readonly Json[] => [
  { ErrorEquals: [...answers, "States.DataLimitExceeded", "States.QueryEvaluationError"], MaxAttempts: 0 },
  { ErrorEquals: ["States.TaskFailed"], IntervalSeconds: 1, MaxAttempts: 5, BackoffRate: 2 },
];

/** Functions that may be asked again, as those do that are made with a machine, are where the service has failed and not they. */
export const lambdaServiceRetry: Json = {
  ErrorEquals: [
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
  ],
  IntervalSeconds: 1,
  MaxAttempts: 5,
  BackoffRate: 2,
};

/** Where functions, subflows and events of a workflow are found: as the definition says by an ARN, or the configuration; else by a named substitution that the deployment fills in. */
export interface Services {
  /** What a function is. */
  serviceOf(name: string): Service;
  /** The `Resource` of the function that computes expressions. */
  readonly expressionFunction: string;
  /** The `Resource` of the function that runs the functions whose texts the definition has. */
  readonly scriptFunction: string;
  /** The name or ARN of the function that states which wait for events call. */
  readonly waitFunction: string;
  /** The name or ARN of the table in which branches are counted. */
  readonly joinTable: string;
  /** The `StateMachineArn` of a workflow. */
  machineOf(id: string): string;
  /** The `Resource` of an action of an AWS service, such as `events:putEvents`. */
  actionOf(action: string): string;
  /** The bus that an event is put on; undefined for the account's own. */
  busOf(event: string): string | undefined;
  /** All substitutions that a deployment is to fill in, by their names: nothing else in a machine is one. */
  readonly substitutions: ReadonlyMap<string, SubstitutionTarget>;
  /** Stands for `$` in front of a substitution until a machine is written: texts of users may look like one. */
  readonly mark: string;
  /** The form in which the machine is written. */
  readonly format: "json" | "yaml";
  /** Whether loops of which more than forty iterations may run at once are Distributed Maps. */
  readonly distributes: boolean;
}

/** What the configuration says for machines: the services of functions by their names, and the buses of events by those of their definitions. */
export interface AslBindings {
  readonly functions: ReadonlyMap<string, Service>;
  readonly buses: ReadonlyMap<string, string>;
  /** The partition of AWS that the machines run in. */
  readonly partition: string;
  /** The form in which machines are written. */
  readonly format: "json" | "yaml";
  /** Whether loops of which more than forty iterations may run at once are Distributed Maps. */
  readonly distributes: boolean;
}

/**
 * The services of a workflow. Substitutions are named `${ChargeCardFunctionArn}`, `${ArchiveStateMachineArn}`: different names get different ones, and none
 * that the configuration has, or that stands in the definition as a text like any other. They are those of one machine, as a deployment fills them in:
 * what else is compiled with it has no say.
 */
export function servicesOf(workflow: Workflow, bindings: AslBindings): Services {
  const written = JSON.stringify([[...bindings.functions], [...bindings.buses]]);
  const mark = unusedMark(workflow.span.source.text + written);
  const marked = JSON.parse(written.replace(/\$(?=\{[A-Za-z0-9]+\})/g, mark)) as MarkedBindings;
  const [functionsBound, buses] = [new Map(marked[0]), new Map(marked[1])];
  const { all, functions, machines, made } = substitutionsOf(workflow, bindings, substitutionNamesIn(written), mark);
  const ownScripts = new Set(scriptModule(workflow.functions).names.keys());
  return {
    serviceOf(name) {
      const resource = definedArn(workflow, name);
      if (resource !== undefined) return { kind: kindOf(resource), resource };
      if (ownScripts.has(name))
        return {
          kind: "lambda",
          resource: made.functions,
          argumentsTemplate: { function: name, argument: argumentPlaceholder },
        };
      return functionsBound.get(name) ?? { kind: "lambda", resource: functions.get(name)! };
    },
    expressionFunction: made.expressions,
    scriptFunction: made.functions,
    waitFunction: made.wait,
    joinTable: made.table,
    machineOf: (id) => machines.get(id)!,
    actionOf: (action) => `arn:${bindings.partition}:states:::${action}`,
    busOf: (event) => buses.get(event),
    format: bindings.format,
    distributes: bindings.distributes,
    substitutions: all,
    mark,
  };
}

/** The substitutions of a machine: all of them by their names, and how those of functions, of machines and of what is made with it are written. */
function substitutionsOf(
  workflow: Workflow,
  { functions: bound }: AslBindings,
  configured: readonly string[],
  mark: string,
) {
  const names = createNames([...configured, ...substitutionNamesIn(workflow.span.source.text)], style);
  const all = new Map<string, SubstitutionTarget>(configured.map((name) => [name, { kind: "configured" }]));
  const substitution = (wanted: string, stands: SubstitutionTarget): string => {
    const name = names.fresh(wanted);
    all.set(name, stands);
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
  const elsewhere = workflow.functions.filter(
    ({ name, protocol }) => definedArn(workflow, name) === undefined && !bound.has(name) && protocol?.kind !== "script",
  );
  const started = stepsOf(workflow).flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : []));
  return {
    all,
    functions: each(
      "function",
      elsewhere.map(({ name }) => name),
    ),
    machines: each("workflow", [workflow.id, ...started]),
    made: {
      expressions: own("expressions"),
      functions: own("functions"),
      wait: own("wait"),
      table: substitution(joinTableName, { kind: "own", what: "table" }),
    },
  };
}

/** What the table is called by whose items branches are counted in. */
const joinTableName = "EventsTableName";

type MarkedBindings = readonly [Iterable<readonly [string, Service]>, Iterable<readonly [string, string]>];

/** A character of nobody's that stands in no text that becomes part of a machine, nor by its number. */
function unusedMark(texts: string): string {
  const folded = texts.toLowerCase();
  let code = 0xe000;
  while (folded.includes(String.fromCharCode(code)) || folded.includes(code.toString(16))) code += 1;
  return String.fromCharCode(code);
}

/** The names of the substitutions in what a person wrote. */
const substitutionNamesIn = (written: string): readonly string[] =>
  [...written.matchAll(/\$\{([A-Za-z0-9]+)\}/g)].map(([, name]) => name!);

/** A name like `ChargeCardFunctionArn`, with its kind once. */
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

/** What is told apart only by case or signs gets a number: `ChargeCard2FunctionArn`. */
const style: NameStyle = {
  number: (wanted, count) => wanted.replace(/(?:Function|StateMachine)Arn$/, `${count}$&`),
  fold: (name) => name.toLowerCase(),
};

/** What a Task state calls where a definition says that by itself: a Lambda function, an activity, or an action of a service. */
function definedArn({ functions }: Workflow, name: string): string | undefined {
  const { resource, protocol } = functions.find((definition) => definition.name === name) ?? {};
  return resource !== undefined && !protocol && arn.test(resource) ? resource : undefined;
}

const kindOf = (resource: string): Service["kind"] =>
  resource.includes(":activity:") ? "activity" : resource.includes(":states:::") ? "integration" : "lambda";

/** What AWS takes as the `Resource` of a Task, as the schema of bindings has it. */
const arn =
  /^arn:aws[a-z-]*:(?:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+(?::[\w$-]+)?|states:[a-z0-9-]+:\d{12}:activity:[\w-]+|states:::[a-z0-9-]+(?::[A-Za-z0-9]+)+(?:\.[A-Za-z]+(?::2)?)?)$/;

/** Reads the bindings of each workflow. What has no exact form, and what a definition says itself, is reported and left out. */
export function bindingsOf(
  { workflows }: Program,
  { configurationOf: configured }: Settings,
  report: Report,
): (workflow: Workflow) => AslBindings {
  const alike = Map.groupBy(workflows, configured);
  const read = new Map<Workflow, AslBindings>();
  for (const [each, owners] of alike) {
    const bindings = readBindings(each, owners, report);
    for (const workflow of owners) read.set(workflow, bindings);
  }
  return (workflow) => read.get(workflow)!;
}

/** The bindings in one configuration, for the workflows that it is for. */
function readBindings(
  { functions, events, values }: TargetConfiguration,
  workflows: readonly Workflow[],
  report: Report,
): AslBindings {
  const partition = String(own(values, "partition") ?? "aws");
  const bound = [...functions].flatMap(([name, binding]) => {
    const service = boundService(binding, workflows, partition, report);
    return service ? [[name, service] as const] : [];
  });
  const buses = [...events].map(([name, { value }]) => [name, own(value, "bus") as string] as const);
  return {
    functions: new Map(bound),
    buses: new Map(buses),
    partition,
    format: own(values, "format") === "yaml" ? "yaml" : "json",
    distributes: own(values, "foreach") === "distributed",
  };
}

const kinds = ["lambda", "http", "activity", "integration"] as const;

/** The service that a binding names; undefined where it cannot be used, which is reported. */
function boundService(
  { name: { name }, value, document, key }: Binding,
  workflows: readonly Workflow[],
  partition: string,
  report: Report,
): Service | undefined {
  const [kind, ...more] = kinds.filter((known) => Object.hasOwn(value, known));
  for (const second of more) report(severalPlaces(document.spanOf(value, second, "key"), { first: kind!, second }));
  if (more.length > 0) return undefined;
  const span = kind ? document.spanOf(value, kind) : key;
  const calling = workflows.filter((workflow) => callsOf(workflow, name).length > 0);
  const open = calling.filter((workflow) => definedArn(workflow, name) === undefined);
  for (const workflow of calling) {
    const resource = definedArn(workflow, name);
    const elsewhere = open.length > 0 ? workflow.id : undefined;
    if (resource !== undefined) report(aslAlreadyBound(span, { name, resource, workflow: elsewhere }));
    if (resource !== undefined && !elsewhere) return undefined;
  }
  const service = kind ? services[kind](value, partition) : { reason: "it says nothing of what a Task state calls" };
  const calls = open.flatMap((workflow) => callsOf(workflow, name));
  const fault = "reason" in service ? service : mismatchOf(service, calls);
  if (fault) report(aslInexactBinding(span, { name, reason: fault.reason }, notesOf(fault)));
  return fault ? undefined : (service as Service);
}

const callsOf = (workflow: Workflow, name: string): readonly Call[] =>
  stepsOf(workflow).filter((step): step is Call => step.kind === "call" && step.function.name === name);

const notesOf = ({ call }: Mismatch): readonly Note[] =>
  call ? [{ message: "It is called here.", span: call.span }] : [];

/** Why a service cannot be called exactly, as the end of a sentence about it, and by which call. */
interface Mismatch {
  readonly reason: string;
  readonly call?: Call | undefined;
}

const services: {
  readonly [kind in (typeof kinds)[number]]: (binding: JsonObject, partition: string) => Service | Mismatch;
} = {
  lambda: (binding) => ({ kind: "lambda", resource: stringMember(binding, "lambda") }),
  activity: (binding) => ({ kind: "activity", resource: stringMember(binding, "activity") }),
  http(binding, partition) {
    const [method = "", address = ""] = stringMember(binding, "http").split(" ");
    if (!/^(?:POST|PUT|PATCH)$/.test(method))
      return {
        reason: `a request by ${method} has no body, and not every argument has a form as the query of an HTTP Task`,
      };
    if (/[{}]/.test(address)) return { reason: "an HTTP Task does not put parts of the argument into the address" };
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
    const { arguments: around, actions, actsOn } = binding;
    const service = {
      kind: "integration",
      resource: stringMember(binding, "integration"),
      ...(actions !== undefined && { actions: actions as readonly string[] }),
      ...(actsOn !== undefined && { actsOn: actsOn as string }),
    } as const;
    if (!isObject(around)) return service;
    return argumentPointer(around) === undefined
      ? { reason: `\`${argumentPlaceholder}\` stands nowhere in its \`arguments\`, so the argument would be lost` }
      : { ...service, argumentsTemplate: around };
  },
};

const stringMember = (binding: JsonObject, member: string): string => String(own(binding, member));

/** Why a service cannot be what is called. */
function mismatchOf(
  { resource, argumentsTemplate, resultMember }: Omit<Service, "kind">,
  calls: readonly Call[],
): Mismatch | undefined {
  const isIntegration = /^arn:aws[\w-]*:states:::/.test(resource);
  if (isIntegration && resource.endsWith(".waitForTaskToken"))
    return { reason: "nothing would hand the token of the task to whoever is to answer" };
  const takesObject = resultMember !== undefined || (argumentsTemplate === undefined && isIntegration);
  const other = takesObject && calls.find(({ argument }) => effectsOf(argument).type !== "object");
  return other ? { reason: "it takes an object, and the argument may be another value", call: other } : undefined;
}

/** Reports the functions that a workflow calls though the service that their definitions name cannot be called exactly. */
export function checkOwnServices(workflow: Workflow, report: Report): void {
  for (const { name, span } of workflow.functions) {
    const resource = definedArn(workflow, name);
    const calls = callsOf(workflow, name);
    const fault = resource === undefined || calls.length === 0 ? undefined : mismatchOf({ resource }, calls);
    if (!fault) continue;
    const construct = `calling \`${truncate(name)}\` by the ARN of its definition: ${fault.reason}`;
    report(aslInexact(span, { construct }, notesOf(fault)));
  }
}

/** A text that stands for the argument of a function in what is written around it. */
const argumentPlaceholder = "{argument}";

/** Where the argument stands in what is around it, as a JSON Pointer; undefined where it does not. */
export function argumentPointer(around: Json): string | undefined {
  if (around === argumentPlaceholder) return "";
  if (typeof around !== "object" || around === null) return undefined;
  for (const [key, value] of Object.entries(around)) {
    const rest = argumentPointer(value as Json);
    if (rest !== undefined) return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${rest}`;
  }
  return undefined;
}

/** What a service is called with: `{ Url: "…", Body: "{argument}" }` and `$x` give `{ Url: "…", Body: $x }`. */
export function argumentsOf({ argumentsTemplate: around }: Service, argument: Expression): Expression {
  return around === undefined ? argument : fillTemplate(around, argument);
}

function fillTemplate(around: Json, argument: Expression): Expression {
  if (around === argumentPlaceholder) return argument;
  if (argumentPointer(around) === undefined) return literal(around);
  if (Array.isArray(around)) return collect(comma(...around.map((item: Json) => fillTemplate(item, argument))));
  return object(
    Object.entries(around as JsonObject).map(([key, value]) => [key, fillTemplate(value, argument)] as const),
  );
}
