import type { Plugin } from "../../src/library/ir.ts";
import { recipes } from "./language.ts";
import { sheets } from "./target.ts";

/** The language and the target for tests as a plug-in. */
const toys: Plugin = { name: "toys", languages: [recipes], targets: [sheets] };

export default toys;
