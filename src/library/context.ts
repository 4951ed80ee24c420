import { openDisk } from "#disk";
import type { JsonObject } from "../json.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { OutputFile, Target } from "../target/contract.ts";
import type { Source } from "../text/source.ts";
import { booleanRule, checkOptions, hostRule, pluginsRule, signalRule, stringRule, targetRule } from "./arguments.ts";
import type { CheckResult } from "./compile.ts";
import { type Host, untilAborted } from "./host.ts";
import { openHostProject } from "./host-project.ts";
import type { RunnerName, TargetName } from "./options.ts";
import type { ScenarioReport } from "./scenarios.ts";

/** Which projects a context is for: those of a folder on disk, or one whose files a host reads. */
export type ContextOptions = DiskContextOptions | HostContextOptions;

/** The projects of a folder, as the command finds them. Requires Node.js. */
export interface DiskContextOptions {
  /**
   * The folder, in which projects are searched for; if it contains none, in the folders above it. Paths are relative to
   * it. Default: the current one.
   */
  readonly cwd?: string;
  /** The path of the configuration of one project. */
  readonly config?: string;
  readonly plugins?: readonly Plugin[];
  readonly host?: undefined;
}

/** A project whose files a host reads. Nothing is written: results contain the generated files. */
export interface HostContextOptions {
  readonly host: Host;
  /**
   * The path of the configuration for the host, its content, or an object with its keys. Default:
   * `waybill.config.yaml`.
   */
  readonly config?: string | Source | JsonObject;
  readonly plugins?: readonly Plugin[];
  readonly cwd?: undefined;
}

/** Options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What to build. */
export interface BuildOptions extends CallOptions {
  /** Only outputs for this target. */
  readonly target?: TargetName | Target;
  /** Compares the outputs and writes nothing; a difference is an error. Requires a project on disk. */
  readonly check?: boolean;
  /** Overwrites files that were edited. */
  readonly force?: boolean;
}

/** What to test. */
export interface TestOptions extends CallOptions {
  /** Default: `reference`. */
  readonly on?: RunnerName;
}

/** The result of a build. */
export interface BuildResult extends CheckResult {
  /** Empty if a diagnostic is an error. */
  readonly outputs: readonly BuildOutput[];
}

/** One output of a project. */
export interface BuildOutput {
  readonly target: string;
  /** The folder, relative to `cwd`, or to the host's files. */
  readonly folder: string;
  /** The paths in the folder that were written or would be. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The generated files; omitted if they are on disk. */
  readonly files?: readonly OutputFile[] | undefined;
}

/**
 * Projects that are checked, built and tested several times. Configurations and definitions are read again by each
 * call.
 */
export interface Context {
  /** Checks the definitions, also against the limits of the targets of the outputs. */
  check(options?: CallOptions): Promise<CheckResult>;
  /** Builds the outputs. Calls of one context run one after another. */
  build(options?: BuildOptions): Promise<BuildResult>;
  /** Runs the scenarios. */
  test(options?: TestOptions): Promise<ScenarioReport>;
  /**
   * Builds at once and after each change, until the signal is aborted or the context disposed. Requires projects on
   * disk.
   */
  watch(options?: Omit<BuildOptions, "check">): AsyncIterable<BuildResult>;
  /** Ends `watch`, and rejects calls that have not ended. */
  dispose(): Promise<void>;
}

/** The projects behind a context. Signals are always given. */
export interface ContextBackend {
  check(options: { readonly signal: AbortSignal }): Promise<CheckResult>;
  build(options: BuildOptions & { readonly signal: AbortSignal }): Promise<BuildResult>;
  test(options: TestOptions & { readonly signal: AbortSignal }): Promise<ScenarioReport>;
  watch?(options: BuildOptions & { readonly signal: AbortSignal }): AsyncIterable<BuildResult>;
}

const callRules = { signal: signalRule };

const watchRules = { ...callRules, target: targetRule, force: booleanRule };

const rules = {
  cwd: stringRule,
  host: hostRule,
  config: { wanted: "a path", fits: (value: unknown) => typeof value === "string" || value instanceof Object },
  plugins: pluginsRule,
};

/** Opens projects. Rejects for invalid options; what is wrong with a configuration is a diagnostic of each call. */
export async function createContext(options: ContextOptions = {}): Promise<Context> {
  checkOptions(options, rules);
  if (options.host && options.cwd !== undefined) throw new TypeError("`cwd` and `host` exclude each other.");
  if (!options.host && typeof options.config === "object")
    throw new TypeError("`config` must be a path, unless there is a `host`.");
  const backend = options.host ? openHostProject(options) : await openDisk(options);
  return contextOf(backend);
}

/** Adds what all contexts have: the check of options, the order of calls, and disposal. */
function contextOf(backend: ContextBackend): Context {
  const disposal = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const signalOf = ({ signal }: CallOptions): AbortSignal => {
    disposal.signal.throwIfAborted();
    return signal ? AbortSignal.any([signal, disposal.signal]) : disposal.signal;
  };
  /** Runs a call after those before it. */
  const inTurn = <Result>(call: CallOptions, act: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const signal = signalOf(call);
    const result = last.then(() => {
      signal.throwIfAborted();
      return act(signal);
    });
    last = result.catch(() => undefined);
    return untilAborted(result, signal);
  };
  return {
    async check(options = {}) {
      checkOptions(options, callRules);
      return inTurn(options, (signal) => backend.check({ signal }));
    },
    async build(options = {}) {
      checkOptions(options, { ...watchRules, check: booleanRule });
      return inTurn(options, (signal) => backend.build({ ...options, signal }));
    },
    async test(options = {}) {
      checkOptions(options, { ...callRules, on: targetRule });
      return inTurn(options, (signal) => backend.test({ ...options, signal }));
    },
    async *watch(options = {}) {
      checkOptions(options, watchRules);
      if (!backend.watch) throw new TypeError("`watch` requires projects on disk, not a `host`.");
      yield* backend.watch({ ...options, signal: signalOf(options) });
    },
    async dispose() {
      disposal.abort(new Error("The context was disposed."));
      await last;
    },
  };
}
