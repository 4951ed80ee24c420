import { Document, isScalar, Scalar, visit } from "yaml";
import type { JsonObject } from "../../src/json.ts";
import { layOut } from "./jsonata/format.ts";

/** JSONata that is longer stands over several lines. */
const longest = 88;

/**
 * A definition as YAML: JSONata that is too long for a line stands in a block, laid out. `isForeign`: whether a text has something in it that must not look
 * like a substitution; such texts are in quotes, where that can be written.
 */
export function yamlText(definition: JsonObject, isForeign: (text: string) => boolean): string {
  const document = new Document(definition, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== "string") return;
      if (isForeign(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (isLong(node)) {
        node.value = `{%\n${layOut(node.value.slice(2, -2).trim(), longest)}\n%}`;
        node.type = Scalar.BLOCK_LITERAL;
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}

const isLong = (node: Scalar): node is Scalar<string> =>
  isScalar(node) && typeof node.value === "string" && /^\{%.*%\}$/.test(node.value) && node.value.length > longest;
