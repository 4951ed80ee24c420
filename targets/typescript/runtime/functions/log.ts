import type { Json } from "../json.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";

/** The severity of a line in the log. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** A function that writes its argument to the standard error as a line of JSON, and returns null. */
export const logLine = (level: LogLevel): Call =>
  local(async (argument, { key }) => {
    const message = typeof argument === "string" ? argument : JSON.stringify(argument as Json);
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, key });
    process.stderr.write(`${line}\n`);
    return null as never;
  });
