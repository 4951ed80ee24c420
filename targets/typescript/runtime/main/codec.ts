import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Codec } from "../engine.ts";
import type { Common } from "./arguments.ts";
import type { Program } from "./program.ts";
import { CommandFailure, type Terminal } from "./terminal.ts";

/** The codec of a store: the module `--codec` or `WAYBILL_CODEC`, or else that of the program. */
export async function codecOf(
  program: Program,
  options: Common,
  { environment }: Terminal,
): Promise<Codec | undefined> {
  const path = options.codec ?? environment["WAYBILL_CODEC"];
  if (path === undefined) return program.codec;
  let module: Partial<Codec>;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (reason) {
    throw new CommandFailure(
      `The codec ${path} cannot be loaded: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  }
  const { encode, decode } = module;
  if (typeof encode !== "function" || typeof decode !== "function")
    throw new CommandFailure(`The codec ${path} does not export the functions encode and decode.`);
  return { encode, decode };
}
