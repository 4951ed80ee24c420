import type { EquivalenceCase } from "./case.ts";
import type { CaseFailure } from "./examine.ts";

/** The work of one child process. */
export interface CampaignJob {
  /** Random programs or mutants by seed, extreme cases by name, or cases read from files. */
  readonly kind: "random" | "mutants" | "large" | "files";
  readonly language: string;
  /** Whether programs have no ties and every difference counts. */
  readonly isStrict?: boolean | undefined;
  /** Seeds, names or paths. */
  readonly names: readonly string[];
  /** The maximum number of attempts at shrinking a finding. */
  readonly trials: number;
  /** The folder for output; undefined: output is discarded. */
  readonly emitted?: string | undefined;
  /** Precedes the names of programs in that folder. */
  readonly prefix?: string | undefined;
  /** The file that holds the current stage. */
  readonly progress: string;
  /** The file for reports, one JSON object per line. */
  readonly results: string;
}

/** The results of one case. */
export interface CaseReport {
  readonly name: string;
  readonly scenarios: number;
  /** The number of scenarios that were not compared because actions of theirs happen at one instant. */
  readonly tied: number;
  /** The status of each run on the reference. */
  readonly status: readonly string[];
  /** `reference` and the targets that accept the program. */
  readonly accepted: readonly string[];
  readonly codes: readonly string[];
  readonly kinds: readonly string[];
  readonly fields: readonly string[];
  readonly failures: readonly CaseFailure[];
  /** The shrunk case that shows the first failure. */
  readonly smallest?: EquivalenceCase | undefined;
}
