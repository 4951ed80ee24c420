import type { ContextBackend } from "./context.ts";

/** The projects of a folder, which only Node.js can read. */
export const openDisk = async (): Promise<ContextBackend> => {
  throw new TypeError("`createContext` requires a `host` here: only Node.js reads projects from disk.");
};
