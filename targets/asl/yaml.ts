import { Document, isScalar, Scalar, visit } from "yaml";
import type { JsonObject } from "../../src/json.ts";
import { formatJsonata } from "./jsonata/format.ts";

const maxLineLength = 88;

/**
 * Prints a definition as YAML, with long JSONata formatted in blocks. Strings for which `isForeign` holds are quoted if
 * possible, since what introduces substitutions must be escaped in them.
 */
export function yamlText(definition: JsonObject, isForeign: (text: string) => boolean): string {
  const document = new Document(definition, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== "string") return;
      if (isForeign(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (isLong(node)) {
        node.value = `{%\n${formatJsonata(node.value.slice(2, -2).trim(), maxLineLength)}\n%}`;
        node.type = Scalar.BLOCK_LITERAL;
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}

const isLong = (node: Scalar): node is Scalar<string> =>
  isScalar(node) &&
  typeof node.value === "string" &&
  /^\{%.*%\}$/.test(node.value) &&
  node.value.length > maxLineLength;
