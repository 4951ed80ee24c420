import { literal } from "../../../expressions/index.ts";
import { spanOf } from "../context.ts";
import { secondsAt } from "../data/durations.ts";
import type { DelayState } from "../definition.ts";
import { type Fragment, step } from "../fragments.ts";
import type { Writer } from "../writer.ts";

/** A delay state waits; its data stays as it is. */
export function delay(writer: Writer, state: DelayState): Fragment {
  const seconds = literal(secondsAt(writer.context, state, "timeDelay") ?? 0);
  const span = spanOf(writer.context, state, "timeDelay");
  return step(writer, "delay", span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds },
    next,
  }));
}
