import { parsers } from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";

/** A TypeScript module with its lines, indentation and line breaks as most programs have them; as it is where it is nested deeper than the library can follow. */
export async function laidOut(text: string): Promise<string> {
  try {
    return await format(text, { parser: "babel-ts", plugins: [{ parsers }, estree], printWidth: 100 });
  } catch (error) {
    if (error instanceof RangeError) return text;
    throw error;
  }
}
