import { severalPlaces } from "../../src/diagnostics/configuration.ts";
import { collect, comma, type Expression, factsOf, literal, object } from "../../src/expressions/index.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Call, Workflow } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Program } from "../../src/program.ts";
import type { Binding, Settings } from "../../src/target.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { aslAlreadyBound, aslInexactBinding } from "./diagnostics/kinds.ts";

/** What a Task state calls for a function: the resource, and what is made of the function's argument and of the response. */
export interface Service {
  readonly resource: string;
  /** `Arguments`, where `hole` stands for the function's argument; absent: the argument is all of it. */
  readonly around?: JsonObject | undefined;
  /** The member of the response that is the function's answer; absent: all of it. */
  readonly answer?: string | undefined;
}

/** What the configuration says for machines: the services of functions by their names, and the buses of events by those of their definitions. */
export interface Bindings {
  readonly functions: ReadonlyMap<string, Service>;
  readonly buses: ReadonlyMap<string, string>;
  /** The partition of AWS that the machines run in. */
  readonly partition: string;
}

/** A text that stands for the argument of a function in what is written around it. */
export const hole = "{argument}";

/** Whether a definition says by itself what Step Functions calls. */
export const isArn = (resource: string | undefined): resource is string =>
  resource !== undefined && /^arn:aws[\w-]*:(lambda|states):[\w:/.*$-]+$/.test(resource);

/** Reads the bindings for a program. What has no exact form, and what a definition says itself, is reported and left out. */
export function bindingsOf(program: Program, { functions, events, values }: Settings, report: Report): Bindings {
  const partition = String(own(values, "partition") ?? "aws");
  const bound = [...functions].flatMap(([name, binding]) => {
    const service = serviceOf(binding, program, partition, report);
    return service ? [[name, service] as const] : [];
  });
  const buses = [...events].map(([name, { value }]) => [name, own(value, "bus") as string] as const);
  return { functions: new Map(bound), buses: new Map(buses), partition };
}

const kinds = ["lambda", "http", "activity", "integration"] as const;

/** The service that a binding names; undefined where it cannot be used, which is reported. */
function serviceOf(binding: Binding, program: Program, partition: string, report: Report): Service | undefined {
  const { value, document, key } = binding;
  const { name } = binding.name;
  const [kind, ...more] = kinds.filter((known) => Object.hasOwn(value, known));
  for (const second of more) report(severalPlaces(document.spanOf(value, second, "key"), { first: kind!, second }));
  if (more.length > 0) return undefined;
  const span = kind ? document.spanOf(value, kind) : key;
  const defined = program.workflows.filter(({ functions }) => functions.some((each) => each.name === name));
  const said = defined.filter((workflow) => isArn(arnIn(workflow, name)));
  for (const workflow of said) {
    const elsewhere = said.length < defined.length ? workflow.id : undefined;
    report(aslAlreadyBound(span, { name, resource: arnIn(workflow, name)!, workflow: elsewhere }));
    if (elsewhere === undefined) return undefined;
  }
  const service = kind ? services[kind](value, partition) : { reason: "it says nothing of what a Task state calls" };
  if ("reason" in service) {
    report(aslInexactBinding(span, { name, reason: service.reason }));
    return undefined;
  }
  const call =
    needsObject(service) && callsOf(name, program).find(({ argument }) => factsOf(argument).type !== "object");
  if (!call) return service;
  const reason = "it takes an object, and the argument may be another value";
  report(aslInexactBinding(span, { name, reason }, [{ message: "It is called here.", span: call.span }]));
  return undefined;
}

const arnIn = ({ functions }: Workflow, name: string): string | undefined =>
  functions.find((definition) => definition.name === name)?.resource;

/** Why a binding has no exact form, as the end of a sentence about it. */
interface Inexact {
  readonly reason: string;
}

const services: {
  readonly [kind in (typeof kinds)[number]]: (binding: JsonObject, partition: string) => Service | Inexact;
} = {
  lambda: (binding) => ({ resource: text(binding, "lambda") }),
  activity: (binding) => ({ resource: text(binding, "activity") }),
  http(binding, partition) {
    const [method = "", address = ""] = text(binding, "http").split(" ");
    if (!/^(?:POST|PUT|PATCH)$/.test(method))
      return {
        reason: `a request by ${method} has no body, and not every argument has a form as the query of an HTTP Task`,
      };
    if (/[{}]/.test(address)) return { reason: "an HTTP Task does not put parts of the argument into the address" };
    return {
      resource: `arn:${partition}:states:::http:invoke`,
      around: {
        ApiEndpoint: address,
        Method: method,
        Authentication: { ConnectionArn: text(binding, "connection") },
        RequestBody: hole,
      },
      answer: "ResponseBody",
    };
  },
  integration(binding) {
    const resource = text(binding, "integration");
    if (resource.endsWith(".waitForTaskToken"))
      return { reason: "nothing would hand the token of the task to whoever is to answer" };
    const around = own(binding, "arguments");
    if (!isObject(around)) return { resource };
    return pathToHole(around) === undefined
      ? { reason: `\`${hole}\` stands nowhere in its \`arguments\`, so the argument would be lost` }
      : { resource, around };
  },
};

const text = (binding: JsonObject, member: string): string => String(own(binding, member));

/** Whether a service takes nothing but an object: as the body of a request, or as all that an integration is called with. */
const needsObject = ({ resource, around, answer }: Service): boolean =>
  answer !== undefined || (around === undefined && /^arn:aws[\w-]*:states:::/.test(resource));

const callsOf = (name: string, { workflows }: Program): readonly Call[] =>
  workflows.flatMap(stepsOf).filter((step): step is Call => step.kind === "call" && step.function.name === name);

/** Where the argument stands in what is around it, as a JSON Pointer; undefined where it does not. */
export function pathToHole(around: Json): string | undefined {
  if (around === hole) return "";
  if (typeof around !== "object" || around === null) return undefined;
  for (const [key, value] of Object.entries(around)) {
    const rest = pathToHole(value as Json);
    if (rest !== undefined) return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${rest}`;
  }
  return undefined;
}

/** What a service is called with: `{ Url: "…", Body: "{argument}" }` and `$x` give `{ Url: "…", Body: $x }`. */
export function argumentsOf({ around }: Service, argument: Expression): Expression {
  return around === undefined ? argument : filled(around, argument);
}

function filled(around: Json, argument: Expression): Expression {
  if (around === hole) return argument;
  if (pathToHole(around) === undefined) return literal(around);
  if (Array.isArray(around)) return collect(comma(...around.map((item: Json) => filled(item, argument))));
  return object(Object.entries(around as JsonObject).map(([key, value]) => [key, filled(value, argument)] as const));
}
