import type { Expression } from "./ast.ts";
import { binary, bind, call, literal, object, variable } from "./build.ts";

/** `{ iso8601, epoch: { seconds, milliseconds } }` of seconds since 1970, which may have a fraction. */
export const dateDescriptor = (seconds: Expression): Expression =>
  bind(
    "seconds",
    seconds,
    object([
      ["iso8601", call("instant", variable("seconds"))],
      [
        "epoch",
        object([
          ["seconds", call("floor", variable("seconds"))],
          ["milliseconds", call("floor", binary("*", variable("seconds"), literal(1000)))],
        ]),
      ],
    ]),
  );
