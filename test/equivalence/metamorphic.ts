import type { Case, Generator } from "./case.ts";
import { differences } from "./compare.ts";
import { examine, type Fault, type Tools, understood } from "./examine.ts";
import { isBrokenOff, type Seen } from "./observe.ts";
import { picker } from "./picker.ts";

/**
 * Applies a meaning-preserving change and compares the results on the reference, for every fourth case on the targets
 * too.
 */
export async function changeFaults(
  original: Case,
  meant: readonly Seen[],
  { changes }: Generator,
  seed: number,
  tools: Tools,
): Promise<readonly Fault[]> {
  if (meant.length === 0 || changes.length === 0) return [];
  const { name, change } = changes[seed % changes.length]!;
  const silent = { ...tools, note: (stage: string) => tools.note(`${name}: ${stage}`) };
  const other = change(original, picker(seed));
  if (!other) return [];
  const faults: Fault[] = [];
  const { found, meant: got } =
    Math.floor(seed / changes.length) % 4 === 0
      ? await examined(other, silent, faults)
      : await understood(other, silent, faults);
  const at = faults.map((fault) => ({ ...fault, on: `${name}, ${fault.on}` }));
  if (!found?.program) {
    const errors = (found?.diagnostics ?? []).filter(({ severity }) => severity === "error");
    return [
      ...at,
      { on: name, kind: "change", message: `refused: ${errors.map(({ code }) => code).join()}`, differences: [] },
    ];
  }
  const changed = meant.flatMap((seen, scenario): readonly Fault[] => {
    if (isBrokenOff(seen) || !got[scenario]) return [];
    const different = differences(seen, got[scenario], false);
    return different.length > 0 ? [{ on: name, kind: "change", message: "", scenario, differences: different }] : [];
  });
  return [...at, ...changed];
}

async function examined(other: Case, tools: Tools, faults: Fault[]) {
  const { program, diagnostics, meant, faults: found } = await examine(other, tools);
  faults.push(...found);
  return { found: { program, diagnostics }, meant };
}
