import type { SimulatedEnvironment } from "../environment/environment.ts";
import type { ErrorValue } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { OutputFile } from "./contract.ts";

/** Executes emitted files locally and on virtual time. What it loads is kept until it is closed. */
export interface Simulator {
  /** Executes one run from the files and nothing else, so that what is tested is what is deployed. */
  run(files: readonly OutputFile[], request: RunRequest): Promise<Outcome>;
  close(): void;
}

/** One run of one workflow. */
export interface RunRequest {
  /** The id of the workflow. */
  readonly workflow: string;
  /** The input; if omitted, events start the run. */
  readonly input?: Json | undefined;
  /** The index of the workflow's timer that creates the run, with the input that its deployment gives. */
  readonly timer?: number | undefined;
  readonly environment: SimulatedEnvironment;
}

/** How a run ended. The environment detects runs that never start or never end. */
export type Outcome =
  | { readonly status: "succeeded"; readonly output: Json }
  | {
      readonly status: "failed";
      readonly error: {
        readonly name: string;
        readonly message: string;
        readonly data?: Json | undefined;
        /** Where the error comes from, if the platform reports it. */
        readonly origin?: ErrorValue["origin"] | undefined;
      };
    };
