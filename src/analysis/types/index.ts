export { provenTypes, type Types, typesOf } from "./flow.ts";
export { type Sighted, sightingsIn } from "./sightings.ts";
export type { Variables } from "./variables.ts";
