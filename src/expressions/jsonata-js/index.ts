export { printStatesProgram } from "./program.ts";
