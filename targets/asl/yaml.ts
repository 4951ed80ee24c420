import { Document, isScalar, Scalar, visit } from "yaml";
import type { JsonObject } from "../../src/json.ts";
import { formatJsonata } from "./jsonata/format.ts";

const maxLineLength = 88;

/** Arrays of scalars that are shorter as JSON are on one line. */
const maxFlowLength = 70;

/**
 * Prints a definition as YAML, with long JSONata formatted in blocks. Strings for which `isForeign` holds are quoted if
 * possible, since what introduces substitutions must be escaped in them.
 */
export function yamlText(definition: JsonObject, isForeign: (text: string) => boolean): string {
  const document = new Document(definition, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, node) {
      const isShort = JSON.stringify(node).length < maxFlowLength;
      if (isShort && node.items.every((item) => isScalar(item) && !isExpression(item))) node.flow = true;
    },
    Scalar(_, node) {
      if (typeof node.value !== "string") return;
      if (isForeign(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (isLong(node)) {
        node.value = `{%\n${formatJsonata(node.value.slice(2, -2).trim(), maxLineLength)}\n%}`;
        node.type = Scalar.BLOCK_LITERAL;
      }
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

const isExpression = ({ value }: Scalar): boolean => typeof value === "string" && /^\{%.*%\}$/.test(value);

const isLong = (node: Scalar): node is Scalar<string> =>
  isExpression(node) && String(node.value).length > maxLineLength;
