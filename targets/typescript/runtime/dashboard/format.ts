import { h, setText } from "./dom.ts";

const units = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** How long ago an instant is, such as `5 min ago`; a date if it is more than 30 days. */
export function ago(instant: string, now: number = Date.now()): string {
  const seconds = Math.round((now - Date.parse(instant)) / 1000);
  if (Math.abs(seconds) > 30 * 86_400) return instant.slice(0, 10);
  if (Math.abs(seconds) < 1) return "now";
  const [size, unit] = units.find(([least]) => Math.abs(seconds) >= least)!;
  const count = Math.floor(Math.abs(seconds) / size);
  return seconds < 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`;
}

/** An instant in the time zone of the reader, with seconds. */
export const absolute = (instant: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" }).format(new Date(instant));

/** A duration, such as `420 ms`, `3.2 s`, `4 min 10 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  const [big, small] = seconds < 3600 ? [60, 1] : seconds < 86_400 ? [3600, 60] : [86_400, 3600];
  const unitOf = (size: number) => units.find(([each]) => each === size)![1];
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)} ${unitOf(big)}${rest > 0 ? ` ${rest} ${unitOf(small)}` : ""}`;
}

/** A number of bytes, such as `12 kB`. */
export const bytes = (count: number): string =>
  count < 1000
    ? `${count} B`
    : count < 1e6
      ? `${(count / 1000).toFixed(count < 1e4 ? 1 : 0)} kB`
      : `${(count / 1e6).toFixed(1)} MB`;

/** A number with separators of thousands. */
export const count = (number: number): string => number.toLocaleString("en");

/** A relative time whose title is the instant. */
export function time(instant: string): HTMLTimeElement {
  const element = h("time");
  setTime(element, instant);
  return element;
}

/** Changes the instant of a `time` element, and its text. */
export function setTime(element: HTMLTimeElement, instant: string): void {
  if (element.dateTime !== instant) {
    element.dateTime = instant;
    element.title = absolute(instant);
  }
  setText(element, ago(instant));
}

/** Updates all relative times below an element. */
export function updateTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll("time")) setText(element, ago(element.dateTime));
}
