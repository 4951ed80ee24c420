import type { Case } from "./case.ts";
import type { Fault } from "./examine.ts";

/** What a worker is to do. */
export interface Job {
  /** Random programs, or mutants, by seeds; what is large, by name; or cases that stand in files. */
  readonly kind: "random" | "mutants" | "large" | "given";
  readonly language: string;
  /** The seeds, or the paths. */
  readonly names: readonly string[];
  /** How many trials there are for making a finding smaller. */
  readonly trials: number;
  /** The folder for what is emitted; absent: it is not kept. */
  readonly emitted?: string | undefined;
  /** The file that says what is being done. */
  readonly progress: string;
  /** The file for what came of it, a line each. */
  readonly results: string;
}

/** What came of one case. */
export interface Report {
  readonly name: string;
  readonly scenarios: number;
  /** How each run of each scenario ended on the reference. */
  readonly status: readonly string[];
  /** The reference and the targets that accept the program. */
  readonly accepted: readonly string[];
  /** The codes of all diagnostics. */
  readonly codes: readonly string[];
  /** The kinds of its steps. */
  readonly kinds: readonly string[];
  /** The fields of the schema that it has. */
  readonly fields: readonly string[];
  readonly faults: readonly Fault[];
  /** A smaller case that shows the first of them. */
  readonly smallest?: Case | undefined;
}
