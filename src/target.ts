import type { Workflow } from "./ir/workflow.ts";
import type { Json } from "./json.ts";
import type { Program } from "./program.ts";
import type { Report } from "./text/diagnostics.ts";
import type { World } from "./world.ts";

/** A back end: one place where workflows run. It knows the IR and nothing of the source languages. */
export interface Target {
  /** As given to `--target` and `--on`. */
  readonly name: string;
  readonly summary: string;
  /** Reports what the target cannot express exactly. Runs before `emit`, which runs only if nothing is an error. */
  check(program: Program, report: Report): void | Promise<void>;
  /** Pure and total: the same program gives the same files, on any machine. */
  emit(program: Program): readonly OutputFile[] | Promise<readonly OutputFile[]>;
  /** Executes what was emitted, locally and on virtual time; absent when the target cannot run scenarios yet. */
  run?(request: RunRequest): Promise<Outcome>;
  /** Loads the code that `run` needs. Awaited before scenarios are run: virtual time does not wait for the disk. */
  load?(): Promise<unknown>;
}

/** A file to write. */
export interface OutputFile {
  /** Relative to the output folder, with `/`; safe on every file system. */
  readonly path: string;
  readonly text: string;
}

/** One run of one workflow of a program. */
export interface RunRequest {
  readonly program: Program;
  readonly workflow: Workflow;
  /** What `emit` gave for the program. */
  readonly files: readonly OutputFile[];
  /** What the run is called with; absent: it is started by events. */
  readonly input?: Json | undefined;
  readonly world: World;
}

/** How a run ended. A run that never ends, or never starts, is noticed by the world, not told here. */
export type Outcome =
  | { readonly status: "succeeded"; readonly output: Json }
  | {
      readonly status: "failed";
      readonly error: { readonly name: string; readonly message: string; readonly data?: Json | undefined };
    };
