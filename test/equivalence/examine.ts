import type { Program } from "../../src/ir/program.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { Case } from "./case.ts";
import { type Difference, differences } from "./compare.ts";
import { withWrapped } from "./computed.ts";
import {
  type Checked,
  checked,
  emitted,
  isBrokenOff,
  onReference,
  onTarget,
  type Runner,
  type Seen,
} from "./observe.ts";
import { type Asked, othersOnAsl, othersOnOpenWhisk, toldOnAsl, toldOnOpenWhisk } from "./untold.ts";

/** The results of one case. */
export interface Examined {
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The reference's observation of each scenario; empty if the definitions have errors. */
  readonly meant: readonly Seen[];
  /** The output of each target that accepts the program. */
  readonly files: ReadonlyMap<string, readonly OutputFile[]>;
  readonly faults: readonly Fault[];
}

/** One failure that a case shows. */
export interface Fault {
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
  readonly differences: readonly Difference[];
}

/** Reports the next stage, to attribute a kill to it. */
export type Note = (stage: string) => void;

export interface Tools {
  readonly runners: readonly Runner[];
  readonly computer: Computer;
  readonly note: Note;
}

/** Compiles a case for all targets and compares their runs with the reference. */
export async function examine(original: Case, { runners, computer, note }: Tools): Promise<Examined> {
  const files = new Map<string, readonly OutputFile[]>();
  const faults: Fault[] = [];
  const { found, meant } = await understood(original, { runners, computer, note }, faults);
  const diagnostics = [...(found?.diagnostics ?? [])];
  const result = { program: found?.program, diagnostics, meant, files, faults };
  if (!found?.program || meant.length === 0) return result;
  const program = original.computed === undefined ? found.program : withWrapped(found.program, original.computed, 20);
  for (const runner of runners) {
    const { name } = runner.target;
    if (original.notOn?.includes(name)) continue;
    note(`${name}: compile`);
    const made = await emitted(program, runner.target).catch((error: unknown) => void faults.push(crash(name, error)));
    diagnostics.push(...(made?.diagnostics ?? []));
    if (!made || made.files.length === 0) continue;
    files.set(name, made.files);
    for (const [scenario, seen] of meant.entries()) {
      note(`${name}: run ${scenario + 1}`);
      const got =
        isBrokenOff(seen) && seen.isOurs
          ? seen
          : await onTarget(runner, made.files, program, found.scenarios[scenario]!, computer);
      const asked = { program, scenario: found.scenarios[scenario]!, computer };
      const different = await differencesOn(name, seen, got, asked);
      if (different.length > 0)
        faults.push({ on: name, kind: "disagreement", message: "", scenario, differences: different });
    }
  }
  return result;
}

/** Drops the differences that the platform's documentation permits. */
async function differencesOn(target: string, meant: Seen, got: Seen, asked: Asking): Promise<readonly Difference[]> {
  switch (target) {
    case "asl":
      return toldOf(toldOnAsl, othersOnAsl, meant, got, asked);
    case "openwhisk":
      return toldOf(toldOnOpenWhisk, othersOnOpenWhisk, meant, got, asked);
    default:
      return differences(meant, got);
  }
}

interface Asking extends Asked {
  readonly computer: Computer;
}

/** Compares with the reference, then with each alternative order that the platform permits. */
async function toldOf(
  told: typeof toldOnAsl,
  others: typeof othersOnAsl,
  meant: Seen,
  got: Seen,
  { computer, ...asked }: Asking,
): Promise<readonly Difference[]> {
  const found = told(differences(meant, got), asked, meant);
  for (const other of found.length > 0 ? others(asked) : []) {
    const seen = await onReference(other.program, other.scenario, computer);
    if (told(differences(seen, got), other, seen).length === 0) return [];
  }
  return found;
}

/** Runs a case on the reference. */
export async function understood(
  original: Case,
  { computer, note }: Tools,
  faults: Fault[],
): Promise<{ readonly found: Checked | undefined; readonly meant: readonly Seen[] }> {
  note("reference: check");
  try {
    const found = checked(original);
    const meant: Seen[] = [];
    for (const [i, scenario] of (found.program ? found.scenarios : []).entries()) {
      note(`reference: run ${i + 1}`);
      const seen = await onReference(found.program!, scenario, computer);
      meant.push(seen);
      if (isBrokenOff(seen) && !seen.isOurs) faults.push({ ...crash("reference", seen.brokenOff), scenario: i });
    }
    return { found, meant };
  } catch (error) {
    faults.push(crash("reference", error));
    return { found: undefined, meant: [] };
  }
}

/** Describes an exception. */
export const crash = (on: string, error: unknown): Fault => ({
  on,
  kind: "crash",
  message: error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 5).join("\n") : String(error),
  differences: [],
});

/** Whether two failures look alike. Shrinking must not drift to another failure. */
export const isSameFault = (one: Fault, other: Fault): boolean =>
  one.on === other.on &&
  one.kind === other.kind &&
  wordsOf(one) === wordsOf(other) &&
  (one.differences.length === 0 ||
    other.differences.some(({ what }) => one.differences.some((difference) => difference.what === what)));

/** The message without program-specific parts. */
const wordsOf = ({ message }: Fault): string => message.split("\n")[0]!.replaceAll(/[`'"].*?[`'"]|\d+/g, "…");
