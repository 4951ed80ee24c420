import { constants } from "node:os";
import { WorkflowError } from "../errors.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { memberOf, membersOf, plainText } from "./address.ts";
import { clockFor } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";

/** The fixed options of the processes of a function. */
export interface ProcessOptions {
  /** The timeout of a process in seconds; by default, that of its step, or else 300. */
  readonly timeout?: number;
  /** The maximum length of each output in bytes; 10 MiB by default. */
  readonly maximumBytes?: number;
}

/**
 * A function that runs a command of the shell: `{ command, arguments, environment, stdin }`. Arguments are passed as
 * they are, after those of the command. Returns `{ code, stdout, stderr }`.
 */
export const shell = (options: ProcessOptions = {}): Call =>
  local(async (argument, step) => {
    const command = textIn(argument as Json, "command");
    const values = argumentsIn(argument as Json);
    const line = values.length === 0 ? command : withArguments(command);
    return (await run("/bin/sh", ["-c", line, "sh", ...values], argument as Json, step, options)) as never;
  });

/** A command to which the shell adds its arguments, of which none may become a command of its own or be lost. */
function withArguments(command: string): string {
  const trimmed = command.trim();
  const last = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  if (trimmed === "" || /(?<!\\)(?:\\\\)*[;&|]$|\\$|(?:^|[\s;&|()])#/.test(last) || trimmed.includes("<<"))
    throw new WorkflowError(
      "ArgumentError",
      "The command has arguments, but ends with an operator or a comment, or reads a here-document.",
    );
  return `${trimmed} "$@"`;
}

/**
 * A function that runs a program of JavaScript in a process of Node.js: `{ code, arguments, environment, stdin }`. Named
 * arguments are global variables. Returns `{ code, stdout, stderr }`.
 */
export const javascript = (options: ProcessOptions = {}): Call =>
  local(async (argument, step) => {
    const code = textIn(argument as Json, "code");
    const given = memberOf(argument as Json, "arguments") ?? null;
    const named = isObject(given)
      ? `Object.assign(globalThis, JSON.parse(${JSON.stringify(JSON.stringify(given))}));\n`
      : "";
    const values = argumentsIn(argument as Json);
    return (await run(
      process.execPath,
      ["-e", named + code, "--", ...values],
      argument as Json,
      step,
      options,
    )) as never;
  });

function textIn(argument: Json, name: string): string {
  const value = memberOf(argument, name) ?? null;
  if (typeof value === "string") return value;
  throw new WorkflowError("ArgumentError", `The argument has no ${name}.`);
}

function argumentsIn(argument: Json): readonly string[] {
  const given: Json = memberOf(argument, "arguments") ?? null;
  return Array.isArray(given) ? given.map((each: Json) => plainText(each)) : [];
}

/** The variables that a process inherits; the others of the program may be secrets. */
const inherited = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];

function environmentIn(argument: Json): { readonly [name: string]: string | undefined } {
  const given: Json = memberOf(argument, "environment") ?? null;
  const own = isObject(given) ? membersOf(given as JsonObject).map(([name, value]) => [name, plainText(value)]) : [];
  return { ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])), ...Object.fromEntries(own) };
}

async function run(
  file: string,
  values: readonly string[],
  argument: Json,
  step: Parameters<typeof clockFor>[0],
  { timeout, maximumBytes = 10 * 1024 * 1024 }: ProcessOptions,
): Promise<Json> {
  if (values.some((value) => value.includes("\0")))
    throw new WorkflowError("ArgumentError", "The argument of a process has a NUL character.");
  const { spawn } = process.getBuiltinModule("node:child_process");
  const clock = clockFor(step, timeout);
  const child = started(() => spawn(file, values, { env: environmentIn(argument), detached: true, stdio: "pipe" }));
  // The process leads a group, so that its own processes end with it, also those that outlive it. One that has left the
  // group may keep the outputs open.
  const stop = () => {
    if (child.pid !== undefined) killGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
  };
  clock.signal.addEventListener("abort", stop);
  try {
    if (clock.signal.aborted) stop();
    const stdin: Json = memberOf(argument, "stdin") ?? null;
    child.stdin.on("error", () => undefined).end(stdin === null ? undefined : plainText(stdin));
    const [stdout, stderr, code] = await Promise.all([
      outputOf(child.stdout, maximumBytes, stop),
      outputOf(child.stderr, maximumBytes, stop),
      new Promise<number>((resolve, reject) => {
        child.on("error", reject);
        child.on("exit", (exit, signal) => resolve(exit ?? 128 + (signal ? constants.signals[signal] : 0)));
      }),
    ]);
    const late = clock.failure();
    if (late !== undefined) throw late;
    return { code, stdout, stderr };
  } catch (thrown) {
    stop();
    throw clock.failure() ?? failureOf(thrown);
  } finally {
    clock.signal.removeEventListener("abort", stop);
  }
}

/** A process. The system may refuse to start one, such as for arguments that are too long. */
function started<Process>(start: () => Process): Process {
  try {
    return start();
  } catch (thrown) {
    throw failureOf(thrown);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

const failureOf = (thrown: unknown): WorkflowError =>
  thrown instanceof WorkflowError
    ? thrown
    : new WorkflowError("ProcessError", thrown instanceof Error ? thrown.message : String(thrown));

async function outputOf(stream: AsyncIterable<Uint8Array>, most: number, stop: () => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) {
      stop();
      throw new WorkflowError("ProcessError", `The output of the process is longer than ${most} bytes.`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
