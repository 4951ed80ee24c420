import type { Json } from "../../../../json.ts";
import { simplify } from "../../../simplify/simplify.ts";
import type { Jq } from "../syntax.ts";
import { type Environment, type Lowering, refuse } from "./environment.ts";
import { lower } from "./query.ts";

/** The values of an argument that must be known before anything runs; signals a fault where they are not. `what` it is begins the sentence. */
export function constantsOf(argument: Jq, environment: Environment, lowering: Lowering, what: string): readonly Json[] {
  const value = simplify(lower(argument, environment, lowering));
  const items = value.kind === "comma" ? value.items : [value];
  return items.map((item) => {
    if (item.kind === "literal") return item.value;
    const message = `${what} that is only known when it runs is not supported.`;
    return refuse(
      "unsupported",
      argument,
      message,
      "Write it in the program as a string, without anything in it that is computed.",
    );
  });
}
