import { parsers } from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";

/** Formats a module, unless it is nested too deeply for the formatter. */
export async function formatTypeScript(code: string): Promise<string> {
  try {
    return await format(code, { parser: "babel-ts", plugins: [{ parsers }, estree], printWidth: 100 });
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** Makes a string safe for a single-line comment, truncated with an ellipsis. */
export function oneLine(text: string, maxLength = 120): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : characters.join("");
}
