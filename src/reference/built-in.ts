import type { SimulatedEnvironment } from "../environment/environment.ts";
import { FunctionFailure } from "../environment/errors.ts";
import type { BuiltIn } from "../ir/protocols.ts";
import { assertNever, isObject, type Json, own } from "../json.ts";

/** Calls a built-in function. Throws a `FunctionFailure` if it has no result. */
export function callBuiltIn({ kind }: BuiltIn, argument: Json, environment: SimulatedEnvironment): Json {
  switch (kind) {
    case "clock":
      return environment.now() / 1000;
    case "random":
      return environment.random();
    case "id":
      return environment.id();
    case "run":
      return environment.runId;
    case "secret":
      return secretOf(argument, environment);
    default:
      return assertNever(kind);
  }
}

function secretOf(argument: Json, environment: SimulatedEnvironment): string {
  const [id, key] = ["id", "key"].map((name) => (isObject(argument) ? own(argument, name) : undefined));
  const text = typeof id === "string" && typeof key === "string" ? environment.secret(id, key) : undefined;
  if (text !== undefined) return text;
  throw new FunctionFailure("SecretNotFound", `There is no secret ${shown(id)} with a key ${shown(key)}.`);
}

const shown = (value: Json | undefined): string => (typeof value === "string" ? value : "of no name");
