import type { JsonObject } from "../json.ts";
import type { Options } from "../options.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { Target } from "../target/contract.ts";
import type { Source } from "../text/source.ts";
import type { Host } from "./host.ts";

/** The targets of Waybill. */
export type TargetName = "asl" | "openwhisk" | "typescript";

/** Where scenarios run: on the reference interpreter, on one target, or on the reference and all targets. */
export type RunnerName = "reference" | "all" | TargetName | Target;

/** What all functions accept that read definitions. */
export interface ProgramOptions {
  /**
   * The content of a `waybill.config.yaml`, or an object with its keys. Relative paths start from the folder of its
   * `path`.
   */
  readonly config?: Source | JsonObject;
  /** Reads the other files that definitions and the configuration name. If omitted, no such file exists. */
  readonly host?: Host;
  /** Additional languages and targets. */
  readonly plugins?: readonly Plugin[];
  /** Rejects with the reason of the signal. It is checked between steps, since a step is synchronous. */
  readonly signal?: AbortSignal;
}

/** What to check. */
export interface CheckOptions extends ProgramOptions {
  readonly sources: readonly Source[];
  /** The name of the source language; if omitted, it is detected. */
  readonly from?: string;
  /**
   * Options of languages, such as `{ timeout: "fail" }`, or for one language `{ "serverless-workflow": { timeout:
   * "fail" } }`. They override those of `config`.
   */
  readonly options?: Options;
  /** The names of the definitions to read of files with several, such as templates; if omitted, all. */
  readonly pick?: readonly string[];
  /** The values of placeholders such as `${Stage}`, by name. They override those of `config`. */
  readonly placeholders?: { readonly [name: string]: string };
  /** Also checks the limits of a target. */
  readonly target?: TargetName | Target;
}

/** What to compile. */
export interface CompileOptions extends CheckOptions {
  readonly target: TargetName | Target;
}

/** The scenarios to run. */
export interface ScenarioOptions extends ProgramOptions {
  /** The scenario files. */
  readonly scenarios: readonly Source[];
  /** The definitions that they name; others are read by `host`. */
  readonly sources?: readonly Source[];
  /** The definition to test of files with several, for scenario files that pick none. */
  readonly pick?: readonly string[];
  /** Default: `reference`. */
  readonly on?: RunnerName;
}
