import { ts } from "ts-morph";

/** TypeScript's compiler, whose parser reads Composer's functions. In Node.js it is loaded by the first call. */
export const loadTypescript = (): typeof ts => ts;
