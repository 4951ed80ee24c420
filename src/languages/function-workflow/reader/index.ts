import { jsonSyntax, yamlSyntax } from "../../../diagnostics/reading.ts";
import type { ReadResult } from "../../../documents/index.ts";
import { createDocument } from "../../../documents/positions.ts";
import type { Source } from "../../../text/source.ts";
import { type Reader, Unrepairable } from "./scan.ts";
import { readWhole } from "./structure.ts";

/** Reads near-JSON, as in the specification's examples. Each repair is a warning with a fix. */
export function readTolerantly(source: Source): ReadResult {
  const reader: Reader = { source, text: source.text, at: 0, depth: 0, places: new Map(), diagnostics: [] };
  try {
    const whole = readWhole(reader);
    return {
      documents: [createDocument(source, { ...whole, positions: reader.places })],
      diagnostics: reader.diagnostics,
    };
  } catch (error) {
    if (error instanceof Unrepairable) return { documents: [], diagnostics: [error.diagnostic] };
    throw error;
  }
}

/** Whether a source is meant as JSON but invalid. */
export function isNearlyJson({ path, text }: Source, { diagnostics }: ReadResult): boolean {
  const isYaml = /\.ya?ml$/i.test(path);
  if (!(isYaml ? /^[\s\ufeff]*\{/ : /^(?:[\s\ufeff]|(?:\/\/|#|--)[^\n]*\n|\/\*[\s\S]*?\*\/)*["“{]/).test(text))
    return false;
  const isBroken = diagnostics.some(({ code }) => code === jsonSyntax.code || code === yamlSyntax.code);
  return isBroken || /[“”„]/.test(text) || /\[\s*"[^"\n]*"\s*:/.test(text);
}
