import { Option } from "commander";

/** An option that may be given several times. Its value is the array of the given ones. */
export const repeatable = (flags: string, description: string, fallback?: string): Option =>
  new Option(flags, `${description}; repeatable${fallback === undefined ? "" : ` (default: ${fallback})`}`).argParser(
    (value: string, before: readonly string[] = []): readonly string[] => [...before, value],
  );
