export { type DataFlow, inferDataFlow, proveDataFlow, takesObjects } from "./flow.ts";
export { type SightingGroup, sightingsIn } from "./sightings.ts";
export type { TypeEnvironment } from "./variables.ts";
