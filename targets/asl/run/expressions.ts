import { createContext, runInContext } from "node:vm";
import type { Json } from "../../../src/json.ts";
import { StateError } from "./environment.ts";

/** Calls a Lambda function: what it answers to an event. Rejects with a `StateError` when it fails. */
export type Lambda = (event: Json) => Promise<Json>;

/** How long the function may take, in milliseconds of real time; it takes none of the run's. */
const patience = 10_000;

/** The function of an emitted file, in a world of its own that has nothing but JavaScript. It is loaded when it is first called. */
export function lambdaOf(text: string): Lambda {
  let context: object | undefined;
  return async (event) => {
    try {
      context ??= loaded(text);
      const answer = runInContext(
        `handler(JSON.parse(${JSON.stringify(JSON.stringify(event))})).then(JSON.stringify)`,
        context,
        {
          timeout: patience,
        },
      );
      return JSON.parse((await answer) as string) as Json;
    } catch (error) {
      throw failureOf(error as Error);
    }
  };
}

/** The file as a script: it exports one thing and imports nothing. */
function loaded(text: string): object {
  const context = createContext({});
  runInContext(text.replace(/^export const handler = /m, "globalThis.handler = "), context, { timeout: patience });
  return context;
}

/** A function that throws, or takes too long, as Lambda tells it. */
function failureOf({ name, message }: Error): StateError {
  const type = message.includes("timed out") ? "Sandbox.Timedout" : name;
  return new StateError(type, JSON.stringify({ errorMessage: message, errorType: type }));
}
