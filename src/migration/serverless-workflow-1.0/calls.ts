import { assumption, changedName, noForm, similarForm } from "../../diagnostics/migration.ts";
import type { Json } from "../../json.ts";
import { mapTemplate, pipe, unwrapped, wrapped } from "../jq-text.ts";
import type { Action, FunctionCall, FunctionDefinition, SubflowCall } from "../model.ts";
import type { Task, WriterContext } from "./context.ts";
import { documentName, semanticVersion } from "./names.ts";

/** The task that calls the function of an action. */
export function callTask(context: WriterContext, action: Action, call: FunctionCall): Task {
  const { type, operation } = call.function;
  const argument = call.argument === undefined ? undefined : inData(action, call.argument);
  const [document, ...fragment] = operation.split("#");
  switch (type) {
    case "expression":
      return { set: wrapped(pipe(action.from, operation)) };
    case "rest":
      return openapiTask(document!, fragment.join("#"), argument ?? wrapped(action.from ?? "."));
    case "rpc":
      return grpcTask(context, call, argument);
    case "asyncapi":
      return {
        call: "asyncapi",
        with: {
          document: { endpoint: document! },
          operation: fragment.join("#"),
          message: { payload: argument ?? wrapped(action.from ?? ".") },
        },
      };
    case "graphql":
    case "odata":
      context.tell(similarForm, call.function.place, {
        construct: `A function of type \`${type}\``,
        form: "`call: http`",
        difference: "write the request in its body",
      });
      return {
        call: "http",
        with: { method: "post", endpoint: document!, body: argument ?? wrapped(action.from ?? ".") },
      };
    default:
      return customTask(context, action, call, argument);
  }
}

const openapiTask = (document: string, operationId: string, parameters: Json): Task => ({
  call: "openapi",
  with: { document: { endpoint: document }, operationId, parameters },
});

function grpcTask(
  context: WriterContext,
  { function: { operation, place } }: FunctionCall,
  argument: Json | undefined,
): Task {
  const [proto, service, method] = operation.split("#");
  context.tell(similarForm, place, {
    construct: "An `rpc` function",
    form: "`call: grpc`",
    difference: "1.0 requires the host of the service; replace `localhost`",
  });
  return {
    call: "grpc",
    with: {
      proto: { endpoint: proto! },
      service: { name: service ?? "", host: "localhost" },
      method: method ?? "",
      ...(argument === undefined ? {} : { arguments: argument }),
    },
  };
}

/** SonataFlow's `rest:METHOD:URI`; other operations have no form, so they are described by an OpenAPI document. */
function customTask(context: WriterContext, action: Action, call: FunctionCall, argument: Json | undefined): Task {
  const { name, operation, place } = call.function;
  const [, method, address] = /^rest:(\w+):(.*)$/.exec(operation) ?? [];
  if (method !== undefined && /^https?:\/\//.test(address!)) {
    context.tell(assumption, place, {
      expression: "call: http",
      assumed: `scenarios expect the request as the argument of \`${name}\``,
      otherwise: "In scenarios that list `calls`, write `{ method, url }`, with `query` or `body` for other arguments.",
    });
    return httpTask(method.toLowerCase(), address!, argument, action);
  }
  if (isLog(call.function)) {
    context.tell(similarForm, place, {
      construct: `The function \`${operation}\``,
      form: "a `set` whose value is dropped",
      difference: "it logs nothing, and scenarios list no call of it",
    });
    return { set: argument ?? wrapped(action.from ?? ".") };
  }
  context.tell(assumption, place, {
    expression: `operationId: ${name}`,
    assumed: `\`${openapiFile}\` describes the function`,
    otherwise: "Write this OpenAPI document, or bind the function in the configuration.",
  });
  return openapiTask(openapiFile, name, argument ?? wrapped(action.from ?? "."));
}

/** SonataFlow's logging returns nothing. */
export const isLog = ({ type, operation }: FunctionDefinition): boolean =>
  type === "custom" && /^sysout(?::(?:trace|debug|info|warn|error))?$/i.test(operation);

const openapiFile = "functions.openapi.yaml";

function httpTask(method: string, address: string, argument: Json | undefined, action: Action): Task {
  const values =
    typeof argument === "object" && argument !== null && !Array.isArray(argument) ? Object.entries(argument) : [];
  const inPath = values.filter(([name]) => address.includes(`{${name}}`));
  const others = values.filter(([name]) => !address.includes(`{${name}}`));
  const rest = others.length === 0 ? undefined : Object.fromEntries(others);
  const body = argument === undefined ? wrapped(action.from ?? ".") : rest;
  return {
    call: "http",
    with: {
      method,
      endpoint: inPath.length === 0 ? address : endpointOf(address, inPath),
      ...(method === "get" ? (rest ? { query: rest } : {}) : body === undefined ? {} : { body }),
    },
  };
}

/** An address with the values of its parameters. */
function endpointOf(address: string, values: readonly (readonly [name: string, value: Json])[]): string {
  let text = JSON.stringify(address).slice(1, -1);
  for (const [name, value] of values) {
    const jq = typeof value === "string" ? (unwrapped(value) ?? JSON.stringify(value)) : JSON.stringify(value);
    text = text.replaceAll(`{${name}}`, () => `\\(${jq} | @uri)`);
  }
  return wrapped(`"${text}"`);
}

/** A template over the data of an action. */
const inData = (action: Action, template: Json): Json => mapTemplate(template, (jq) => pipe(action.from, jq));

/** The task that runs a subflow. */
export function subflowTask(context: WriterContext, action: Action, call: SubflowCall): Task {
  const version = call.version === undefined ? "latest" : semanticVersion(call.version);
  const created = `${context.namespace}.${documentName(call.id)}`;
  context.tell(changedName, action.place, { what: "The workflow", name: call.id, created });
  const input = action.from === undefined ? {} : { input: wrapped(action.from) };
  if (!call.isAwaited && action.results !== undefined)
    context.tell(noForm, action.place, {
      construct: "the result of a workflow that is not awaited",
      hint: "Remove the filter.",
    });
  return {
    run: {
      workflow: { namespace: context.namespace, name: documentName(call.id), version, ...input },
      ...(call.isAwaited ? {} : { await: false }),
    },
  };
}
