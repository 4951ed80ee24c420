export { readDefinition } from "./read.ts";
