import type { LogEntry } from "../engine.ts";
import type { Terminal } from "./terminal.ts";

/** How much the log tells, from least to most. */
export const levels = ["error", "warn", "info", "debug"] as const;

/** Writes what is worth knowing: one JSON object a line, or a line for people on a terminal. */
export function logOf(
  terminal: Terminal,
  most: LogEntry["level"],
  now: () => Date = () => new Date(),
): (entry: LogEntry) => void {
  const told: readonly LogEntry["level"][] = levels.slice(0, levels.indexOf(most) + 1);
  const write = terminal.isInteractive ? readable : structured;
  return (entry) => {
    if (told.includes(entry.level)) terminal.err(`${write(entry, now())}\n`);
  };
}

function structured({ level, message, ...details }: LogEntry, time: Date): string {
  return JSON.stringify({ time: time.toISOString(), level, message, ...details });
}

function readable({ level, message, ...details }: LogEntry, time: Date): string {
  const more = Object.entries(details).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${name}=${typeof value === "string" && /^[\w.:/#@+-]+$/.test(value) ? value : JSON.stringify(value)}`];
  });
  return `${time.toTimeString().slice(0, 8)} ${level.padEnd(5)} ${[printable(message), ...more].join("  ")}`;
}

/** A text without characters that would steer the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, "�");
