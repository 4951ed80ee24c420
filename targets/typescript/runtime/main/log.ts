import type { LogEntry } from "../engine.ts";
import type { Terminal } from "./terminal.ts";

/** The levels of the log, the most severe first. */
export const levels = ["error", "warn", "info", "debug"] as const;

/** Logs entries up to a level: one JSON object per line, or readable lines on a terminal. */
export function logOf(
  terminal: Terminal,
  most: LogEntry["level"],
  now: () => Date = () => new Date(),
): (entry: LogEntry) => void {
  const logged: readonly LogEntry["level"][] = levels.slice(0, levels.indexOf(most) + 1);
  const write = terminal.isInteractive ? readable : structured;
  return (entry) => {
    if (logged.includes(entry.level)) terminal.err(`${write(entry, now())}\n`);
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

/** Replaces control characters, which could control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, "�");
