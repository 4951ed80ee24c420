export { writeDefinition } from "./write.ts";
