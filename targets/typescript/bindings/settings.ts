import { type Expression, js, type ObjectLiteral } from "../../../src/code/index.ts";
import type { CallSettings, EventBinding, Setting } from "./configured.ts";

/** A setting, as the runtime takes it: `"text"`, `{ env: "NAME", prefix: "Bearer " }`. */
export function settingCode(setting: Setting): Expression {
  if (typeof setting === "string") return js.literal(setting);
  const { env, prefix } = setting;
  return js.record({
    env: js.literal(env),
    prefix: prefix === undefined || prefix === "" ? undefined : js.literal(prefix),
  });
}

/** Headers, as the runtime takes them; undefined where there are none. */
export function headersCode(headers: ReadonlyMap<string, Setting>): Expression | undefined {
  if (headers.size === 0) return undefined;
  return js.object(Array.from(headers, ([name, value]) => js.property(name, settingCode(value))));
}

/** The options of calls, as the last argument of what calls; none where nothing is set. */
export function callOptions(settings: CallSettings | undefined): readonly Expression[] {
  const headers = headersCode(settings?.headers ?? new Map());
  const timeout = secondsCode(settings?.timeout);
  return headers === undefined && timeout === undefined ? [] : [js.record({ headers, timeout })];
}

/** Seconds, as the runtime takes them. */
export const secondsCode = (seconds: number | undefined): Expression | undefined =>
  seconds === undefined ? undefined : js.literal(seconds);

/** The object of the sinks of emitted events, by their types; undefined where none is configured. */
export function sinksCode(
  types: ReadonlyMap<string, string>,
  bindings: ReadonlyMap<string, EventBinding>,
): ObjectLiteral | undefined {
  const sinks = new Map<string, Expression>();
  for (const [name, type] of types) {
    const binding = bindings.get(name);
    if (!binding) continue;
    const { sink, headers, timeout } = binding;
    sinks.set(
      type,
      js.record({ url: settingCode(sink), headers: headersCode(headers), timeout: secondsCode(timeout) }),
    );
  }
  if (sinks.size === 0) return undefined;
  return js.object(Array.from(sinks, ([type, sink]) => js.property(type, sink)));
}
