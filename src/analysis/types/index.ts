export { provenTypes, type Types, takesObjects, typesOf } from "./flow.ts";
export { type Sighted, sightingsIn } from "./sightings.ts";
export type { Variables } from "./variables.ts";
