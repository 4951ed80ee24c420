import type { Setting } from "../configured.ts";
import { type Body, bodyOf } from "./body.ts";
import type { OpenapiDocument } from "./document.ts";
import { type FoundOperation, type FoundParameter, parametersOf, serverOf } from "./operations.ts";
import { styleOf } from "./styles.ts";

/** An operation with all that it takes to call it. */
export interface Callable {
  readonly found: FoundOperation;
  readonly parameters: readonly FoundParameter[];
  readonly body: Body | undefined;
  readonly server: Setting;
}

/** Why an operation cannot be called, as the end of a sentence. */
export interface Obstacle {
  readonly reason: string;
  readonly hint?: string | undefined;
}

/** An operation as it is called: at the server of the binding, else at that of the document. */
export function callableOf(
  found: FoundOperation,
  document: OpenapiDocument,
  bound: Setting | undefined,
): Callable | Obstacle {
  const parameters = parametersOf(document, found);
  if (!parameters) return { reason: "one of its parameters has no name or no place" };
  const body = bodyOf(document, found, parameters);
  const server = bound ?? serverOf(document, found);
  const obstacle = parameterObstacle(found, parameters, document) ?? bodyObstacle(found, body);
  if (obstacle) return obstacle;
  if (server === undefined || (typeof server === "string" && !/^https?:\/\/[^\s"<>\\^`|{}]+$/i.test(server))) {
    return { reason: "its document does not say on which server it is", hint: "`server` beside `openapi` says it." };
  }
  return { found, parameters, body: body === "unknown" ? undefined : body, server };
}

function parameterObstacle(
  { path }: FoundOperation,
  parameters: readonly FoundParameter[],
  document: OpenapiDocument,
): Obstacle | undefined {
  const unknown = parameters.find((parameter) => styleOf(document, parameter) === undefined);
  if (unknown) return { reason: `its parameter \`${unknown.name}\` is written in a way that is not supported` };
  const names = new Set(parameters.flatMap(({ place, name }) => (place === "path" ? [name] : [])));
  const missing = [...path.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !names.has(name!));
  return missing && { reason: `its path has \`${missing[0]}\`, which is no parameter` };
}

function bodyObstacle({ method }: FoundOperation, body: ReturnType<typeof bodyOf>): Obstacle | undefined {
  if (body === "unknown") return { reason: "its body is not JSON" };
  return body && /^(?:GET|HEAD)$/.test(method) ? { reason: `requests by ${method} have no body` } : undefined;
}
