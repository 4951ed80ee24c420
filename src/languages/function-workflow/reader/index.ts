import { jsonSyntax, yamlSyntax } from "../../../diagnostics/reading.ts";
import type { ReadText } from "../../../documents/index.ts";
import { documentOf } from "../../../documents/places.ts";
import type { Source } from "../../../text/source.ts";
import { type Reader, Unrepairable } from "./scan.ts";
import { readWhole } from "./structure.ts";

/**
 * Reads a text that is nearly JSON, as the examples of the specification are: without quotes or in curly ones, with commas too many and too few, with
 * comments, without braces or in brackets instead. Each repair is a warning at its place, which knows what to write there; everything else has its place in the
 * text as it is. Of a text that cannot be repaired one fault is told.
 */
export function readTolerantly(source: Source): ReadText {
  const reader: Reader = { source, text: source.text, at: 0, depth: 0, places: new Map(), diagnostics: [] };
  try {
    const whole = readWhole(reader);
    return { documents: [documentOf(source, { ...whole, places: reader.places })], diagnostics: reader.diagnostics };
  } catch (error) {
    if (error instanceof Unrepairable) return { documents: [], diagnostics: [error.diagnostic] };
    throw error;
  }
}

/** Whether a text looks like JSON and is none: by what was found when it was read as JSON or YAML, or by what YAML takes for something else. */
export function isNearlyJson({ path, text }: Source, { diagnostics }: ReadText): boolean {
  const isYaml = /\.ya?ml$/i.test(path);
  if (!(isYaml ? /^[\s\ufeff]*\{/ : /^(?:[\s\ufeff]|(?:\/\/|#|--)[^\n]*\n|\/\*[\s\S]*?\*\/)*["“{]/).test(text))
    return false;
  const isBroken = diagnostics.some(({ code }) => code === jsonSyntax.code || code === yamlSyntax.code);
  return isBroken || /[“”„]/.test(text) || /\[\s*"[^"\n]*"\s*:/.test(text);
}
