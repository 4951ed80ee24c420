export { provenTypes, type Types, typesOf, type Variables } from "./flow.ts";
export { type Sighted, sightingsIn } from "./sightings.ts";
