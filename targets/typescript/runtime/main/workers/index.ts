import type { LogEntry } from "../../engine.ts";
import { neverAborted } from "../../flow/abort.ts";
import type { Step } from "../../flow.ts";
import { limitedLike, ungated } from "../../functions/limited.ts";
import { isLocal } from "../../functions/local.ts";
import type { Json } from "../../json.ts";
import { ownFunctions, withOwn } from "../../workflow.ts";
import type { Program } from "../program.ts";
import { CommandFailure } from "../terminal.ts";
import { FunctionWorkers } from "./pool.ts";

/** A program whose functions are called in worker threads, and the threads. */
export interface WorkedProgram {
  readonly program: Program;
  readonly workers: FunctionWorkers;
}

/**
 * Starts worker threads for the functions of a program, which load its module. Functions of the runtime, such as
 * `http`, stay in the main thread, and so do the limits of functions.
 */
export async function startWorkers(
  program: Program,
  count: number,
  log: (entry: LogEntry) => void,
): Promise<WorkedProgram> {
  const { location, functions } = program;
  if (location === undefined) throw new CommandFailure("--workers needs the location of the program.");
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const workers = new FunctionWorkers((workerData) => new Worker(new URL(location), { workerData }), log);
  try {
    await workers.open(count);
  } catch (reason) {
    await workers.close();
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new CommandFailure(`The functions cannot be loaded in a worker thread: ${why}`);
  }
  return { program: { ...program, functions: remoteFunctions(functions, workers) }, workers };
}

/** For programs that pass no step to a function. */
const noStep: Step = { key: "", attempt: 1, position: [], signal: neverAborted };

function remoteFunctions(functions: unknown, workers: FunctionWorkers): object {
  const remote = (own: object, workflow?: string): object =>
    Object.fromEntries(
      Object.entries(own).map(([name, call]) => {
        if (typeof call !== "function" || isLocal(ungated(call))) return [name, call];
        const inWorker = (argument: Json, step: Step = noStep) => workers.call({ workflow, name }, argument, step);
        return [name, limitedLike(call, inWorker)];
      }),
    );
  const others = [...ownFunctions(functions)].map(([id, own]) => [id, remote(own, id)]);
  return withOwn(remote(Object(functions)), Object.fromEntries(others));
}
