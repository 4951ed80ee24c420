import { picker } from "./arbitraries.ts";
import type { CaseGenerator, EquivalenceCase } from "./case.ts";
import { differences } from "./compare.ts";
import { type CaseFailure, type ExaminationTools, examine, runReference } from "./examine.ts";
import { isAborted, type Observation } from "./observe.ts";

/**
 * Applies a meaning-preserving change and compares the results on the reference, for every fourth case on the targets
 * too.
 */
export async function failuresOfChange(
  original: EquivalenceCase,
  expected: readonly Observation[],
  { changes }: CaseGenerator,
  seed: number,
  tools: ExaminationTools,
): Promise<readonly CaseFailure[]> {
  if (expected.length === 0 || changes.length === 0) return [];
  const { name, change, renamesErrors = false } = changes[seed % changes.length]!;
  const silent = { ...tools, note: (stage: string) => tools.note(`${name}: ${stage}`) };
  const other = change(original, picker(seed));
  if (!other) return [];
  const failures: CaseFailure[] = [];
  const { found, expected: actual } =
    Math.floor(seed / changes.length) % 4 === 0
      ? await examineChanged(other, silent, failures)
      : await runReference(other, silent, failures);
  const at = failures.map((failure) => ({ ...failure, on: `${name}, ${failure.on}` }));
  if (!found?.program) {
    const errors = (found?.diagnostics ?? []).filter(({ severity }) => severity === "error");
    return [
      ...at,
      { on: name, kind: "change", message: `refused: ${errors.map(({ code }) => code).join()}`, differences: [] },
    ];
  }
  const changed = expected.flatMap((seen, scenario): readonly CaseFailure[] => {
    if (isAborted(seen) || !actual[scenario]) return [];
    const different = differences(seen, actual[scenario], false).filter(
      ({ aspect }) => !renamesErrors || !/\berror$/.test(aspect),
    );
    return different.length > 0 ? [{ on: name, kind: "change", message: "", scenario, differences: different }] : [];
  });
  return [...at, ...changed];
}

async function examineChanged(other: EquivalenceCase, tools: ExaminationTools, failures: CaseFailure[]) {
  const { program, diagnostics, expected, failures: found } = await examine(other, tools);
  failures.push(...found);
  return { found: { program, diagnostics }, expected };
}
