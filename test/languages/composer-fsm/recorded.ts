import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../../src/json.ts";

/** A composition with an input, and the recorded run of Composer's conductor. */
export interface Recorded {
  readonly id: string;
  readonly composition: JsonObject;
  /** The sources of the actions, each with a function `main`. */
  readonly actions: { readonly [name: string]: string };
  readonly input: Json;
  readonly expected: { readonly status: "success" | "application error"; readonly result: JsonObject };
  /** The called actions with their arguments. */
  readonly trace: readonly { readonly action: string; readonly input: Json }[];
  /** The entered states. */
  readonly states: readonly string[];
  /** Whether the error message comes from the engine. */
  readonly engineText?: boolean;
}

const folder = join(import.meta.dirname, "../../../../shared/cases");
const files = ["fsm-docs.json", "fsm-suite.json"].map((name) => join(folder, name));

/** Whether the recordings are available. */
export const hasRecorded = files.every((path) => existsSync(path));

/** All recordings. */
export const recorded = (): readonly Recorded[] =>
  files.flatMap((path) => (JSON.parse(readFileSync(path, "utf8")) as { readonly cases: readonly Recorded[] }).cases);
