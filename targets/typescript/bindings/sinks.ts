import type { EventBinding } from "./configured.ts";
import { headersText, objectText, settingText } from "./text.ts";

/** The object of the sinks of emitted events, by their types; undefined where none is configured. */
export function sinksText(
  types: ReadonlyMap<string, string>,
  bindings: ReadonlyMap<string, EventBinding>,
): string | undefined {
  const sinks = new Map(
    [...types].flatMap(([name, type]) => {
      const binding = bindings.get(name);
      if (!binding) return [];
      const { sink, headers, timeout } = binding;
      const members = [
        ["url", settingText(sink)],
        ["headers", headersText(headers)],
        ["timeout", timeout?.toString()],
      ] as const;
      return [[type, objectText(members)] as const];
    }),
  );
  return sinks.size === 0 ? undefined : objectText([...sinks]);
}
