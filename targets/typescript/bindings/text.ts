import type { CallSettings, Setting } from "./configured.ts";

/** A text as a literal of TypeScript. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

/** A name as the key of a member: as it is where that can be, else quoted. `__proto__` is computed, so that it is a member like any other. */
export function keyText(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A text as the words of a comment: nothing in it ends the comment or steers what shows it. */
export const commentText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, " ")
    .replaceAll("*/", "*\\/")
    .trim();

/** An object with members that are texts of TypeScript; undefined ones are left out. On one line where it is short. */
export function objectText(members: readonly (readonly [name: string, text: string | undefined])[]): string {
  const items = members.flatMap(([name, text]) => (text === undefined ? [] : [`${keyText(name)}: ${text}`]));
  return enclosed("{ ", items, " }");
}

/** A list of texts of TypeScript. */
export const listText = (items: readonly string[]): string => enclosed("[", items, "]");

function enclosed(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return open.trim() + close.trim();
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= 100 && !line.includes("\n")) return line;
  return `${open.trim()}\n${items.map((item) => `  ${indented(item)},\n`).join("")}${close.trim()}`;
}

/** A text whose lines after the first are moved to the right. */
export const indented = (text: string): string => text.replaceAll("\n", "\n  ");

/** A setting, as the runtime takes it. */
export function settingText(setting: Setting): string {
  if (typeof setting === "string") return quoted(setting);
  const { env, prefix } = setting;
  return objectText([
    ["env", quoted(env)],
    ["prefix", prefix === undefined || prefix === "" ? undefined : quoted(prefix)],
  ]);
}

/** Headers, as the runtime takes them; undefined where there are none. */
export function headersText(headers: ReadonlyMap<string, Setting>): string | undefined {
  if (headers.size === 0) return undefined;
  return objectText([...headers].map(([name, value]) => [name, settingText(value)]));
}

/** The options of calls, as the runtime takes them; undefined where there are none. */
export function callOptions(settings: CallSettings | undefined): string | undefined {
  const headers = headersText(settings?.headers ?? new Map());
  const timeout = settings?.timeout;
  if (headers === undefined && timeout === undefined) return undefined;
  return objectText([
    ["headers", headers],
    ["timeout", timeout === undefined ? undefined : String(timeout)],
  ]);
}
