import type { Program } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { emptySettings, type OutputFile, type Target } from "../../src/target/contract.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { EquivalenceCase } from "./case.ts";
import { differences, type RunDifference } from "./compare.ts";
import {
  type CheckedCase,
  checkCase,
  generateFor,
  isAborted,
  type Observation,
  onReference,
  onTarget,
  type TargetRunner,
} from "./observe.ts";
import { hasTies } from "./strict.ts";
import {
  alternativesOnAsl,
  alternativesOnOpenWhisk,
  type ProgramScenario,
  significantOnAsl,
  significantOnOpenWhisk,
} from "./unspecified.ts";
import { wrapSome } from "./wrapping.ts";

/** The results of one case. */
export interface Examination {
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The reference's observation of each scenario; empty if the definitions have errors. */
  readonly expected: readonly Observation[];
  /** The output of each target that accepts the program. */
  readonly files: ReadonlyMap<string, readonly OutputFile[]>;
  readonly failures: readonly CaseFailure[];
  /** The scenarios that the strict mode does not compare. */
  readonly tied: ReadonlySet<number>;
}

/** One failure that a case shows. */
export interface CaseFailure {
  /** The target, `reference`, or the name of a change. */
  readonly on: string;
  /**
   * `crash`: an exception. `disagreement`: a run differs from the reference. `change`: a meaning-preserving change
   * alters the reference's result. `invalid`: a validator rejects the output. `hang`, `memory`: the process was killed.
   */
  readonly kind: "crash" | "disagreement" | "change" | "invalid" | "hang" | "memory";
  readonly message: string;
  /** The index of the failing scenario. */
  readonly scenario?: number | undefined;
  readonly differences: readonly RunDifference[];
}

/** Reports the next stage, to attribute a kill to it. */
export type StageListener = (stage: string) => void;

export interface ExaminationTools {
  readonly runners: readonly TargetRunner[];
  readonly computer: Computer;
  readonly note: StageListener;
  /** Whether every difference counts, in scenarios without ties only. */
  readonly isStrict?: boolean | undefined;
}

/** Compiles a case for all targets and compares their runs with the reference. */
export async function examine(
  original: EquivalenceCase,
  { runners, computer, note, isStrict = false }: ExaminationTools,
): Promise<Examination> {
  const files = new Map<string, readonly OutputFile[]>();
  const failures: CaseFailure[] = [];
  const { found, expected } = await runReference(original, { runners, computer, note }, failures);
  const diagnostics = [...(found?.diagnostics ?? [])];
  const tied = new Set(expected.flatMap((seen, i) => (isStrict && hasTies(found!.program!, seen) ? [i] : [])));
  const result = { program: found?.program, diagnostics, expected, files, failures, tied };
  if (!found?.program || expected.length === 0) return result;
  const program = original.computed === undefined ? found.program : wrapSome(found.program, original.computed, 20);
  for (const { runner, name, values } of runners.flatMap((each) => variantsOf(each, program))) {
    const { target } = runner;
    if (original.notOn?.includes(target.name)) continue;
    note(`${name}: compile`);
    const output = await generateFor(program, target, values).catch(
      (error: unknown) => void failures.push(crashOf(name, error)),
    );
    if (name === target.name) diagnostics.push(...(output?.diagnostics ?? []));
    if (!output || output.files.length === 0) continue;
    if (name === target.name) files.set(name, output.files);
    for (const [index, seen] of expected.entries()) {
      const scenario = found.scenarios[index]!;
      if (tied.has(index) || (startsOnlyByEvents(target, program, values) && hasInput(scenario))) continue;
      note(`${name}: run ${index + 1}`);
      const actual =
        isAborted(seen) && seen.isByHarness ? seen : await onTarget(runner, output.files, program, scenario, computer);
      const context = { program, scenario, computer };
      const different = isStrict ? differences(seen, actual) : await differencesOn(target.name, seen, actual, context);
      if (different.length > 0)
        failures.push({ on: name, kind: "disagreement", message: "", scenario: index, differences: different });
    }
  }
  return result;
}

/** A target with settings. */
interface TargetVariant {
  readonly runner: TargetRunner;
  /** Ends with the name of the target. */
  readonly name: string;
  readonly values: JsonObject;
}

/** A target with its default settings, and with the others that change what it emits for a program. */
function variantsOf(runner: TargetRunner, program: Program): readonly TargetVariant[] {
  const { name } = runner.target;
  const others = startsOnlyByEvents(runner.target, program, byEvents)
    ? [{ runner, name: `start: events, ${name}`, values: byEvents }]
    : [];
  return [{ runner, name, values: {} }, ...others];
}

const byEvents: JsonObject = { start: "events" };

const startsOnlyByEvents = (target: Target, { workflows }: Program, values: JsonObject): boolean =>
  target.startsOnlyByEvents?.(workflows[0]!, { ...emptySettings, values }) ?? false;

const hasInput = ({ input, runs }: Scenario): boolean =>
  input !== undefined || runs.some((run) => run.input !== undefined);

/** Drops the differences that the platform's documentation permits. */
async function differencesOn(
  target: string,
  expected: Observation,
  actual: Observation,
  context: ComparisonContext,
): Promise<readonly RunDifference[]> {
  switch (target) {
    case "asl":
      return significantDifferences(significantOnAsl, alternativesOnAsl, expected, actual, context);
    case "openwhisk":
      return significantDifferences(significantOnOpenWhisk, alternativesOnOpenWhisk, expected, actual, context);
    default:
      return differences(expected, actual);
  }
}

interface ComparisonContext extends ProgramScenario {
  readonly computer: Computer;
}

/** Compares with the reference, then with each alternative order that the platform permits. */
async function significantDifferences(
  significant: typeof significantOnAsl,
  alternatives: typeof alternativesOnAsl,
  expected: Observation,
  actual: Observation,
  { computer, ...context }: ComparisonContext,
): Promise<readonly RunDifference[]> {
  const found = significant(differences(expected, actual), context, expected);
  for (const alternative of found.length > 0 ? alternatives(context) : []) {
    const seen = await onReference(alternative.program, alternative.scenario, computer);
    if (significant(differences(seen, actual), alternative, seen).length === 0) return [];
  }
  return found;
}

/** Runs a case on the reference. */
export async function runReference(
  original: EquivalenceCase,
  { computer, note }: ExaminationTools,
  failures: CaseFailure[],
): Promise<{ readonly found: CheckedCase | undefined; readonly expected: readonly Observation[] }> {
  note("reference: check");
  try {
    const found = checkCase(original);
    const expected: Observation[] = [];
    for (const [i, scenario] of (found.program ? found.scenarios : []).entries()) {
      note(`reference: run ${i + 1}`);
      const seen = await onReference(found.program!, scenario, computer);
      expected.push(seen);
      if (isAborted(seen) && !seen.isByHarness) failures.push({ ...crashOf("reference", seen.reason), scenario: i });
    }
    return { found, expected };
  } catch (error) {
    failures.push(crashOf("reference", error));
    return { found: undefined, expected: [] };
  }
}

/** Describes an exception. */
export const crashOf = (on: string, error: unknown): CaseFailure => ({
  on,
  kind: "crash",
  message: error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 5).join("\n") : String(error),
  differences: [],
});

/** Whether two failures look alike. Shrinking must not drift to another failure. */
export const isSameFailure = (one: CaseFailure, other: CaseFailure): boolean =>
  one.on === other.on &&
  one.kind === other.kind &&
  normalizedMessage(one) === normalizedMessage(other) &&
  (one.differences.length === 0 ||
    other.differences.some(({ aspect }) => one.differences.some((difference) => difference.aspect === aspect)));

/** The message without program-specific parts. */
const normalizedMessage = ({ message }: CaseFailure): string =>
  message.split("\n")[0]!.replaceAll(/[`'"].*?[`'"]|\d+/g, "…");
