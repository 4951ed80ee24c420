import type { Json } from "../json.ts";
import type { Firing, Scenario } from "./model.ts";
import type { SimulatedRun } from "./simulation.ts";

/** A run of a scenario, with the firing that creates it, if one does. */
export type PlannedRun = Omit<SimulatedRun, "run"> & {
  readonly input?: Json | undefined;
  readonly fired?: Firing | undefined;
};

/** The runs of a scenario: its own, those under `runs`, and those of firings that are not listed there. */
export function plannedRuns({ input, fires, runs }: Scenario): readonly PlannedRun[] {
  const listed = runs.map(({ id, at, startedBy, input, firing }) => {
    return { id, at, startedBy, input, fired: firing === undefined ? undefined : fires[firing] };
  });
  const unlisted = fires.slice(1).filter((firing) => !listed.some(({ fired }) => fired === firing));
  return [
    { id: "run", at: 0, input, fired: fires[0] },
    ...listed,
    ...unlisted.map((fired, i) => ({ id: `run-of-timer-${i + 1}`, at: 0, fired, isCountedAsFirst: true as const })),
  ];
}
