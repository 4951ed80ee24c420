export { type DataFlow, inferDataFlow, proveDataFlow, takesObjects } from "./flow.ts";
export { type SightingGroup, sightingsIn } from "./sightings.ts";
export type { StepTypes } from "./variables.ts";
