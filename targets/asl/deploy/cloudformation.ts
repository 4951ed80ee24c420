import { Document, isMap, isSeq, Scalar, visit, type YAMLMap } from "yaml";
import type { JsonObject } from "../../../src/json.ts";

/** A resource or parameter value: `!Ref Orders`. */
export const ref = (name: string): JsonObject => ({ Ref: name });

/** A resource attribute: `!GetAtt Orders.Arn`. */
export const getAtt = (name: string, of: string): JsonObject => ({ "Fn::GetAtt": [name, of] });

/** Substitution in a constant: `!Sub '${AWS::StackName}-Orders'`. Never used for strings of users. */
export const sub = (text: string): JsonObject => ({ "Fn::Sub": text });

/** An ARN in the stack's account and region, for example of `states` and `stateMachine:x`. */
export const stackArn = (service: string, resource: string): JsonObject =>
  sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);

/** A part of a parameter's ARN; part 6 is the name of a machine, function or bus. */
export const arnPart = (name: string, index: number): JsonObject => ({
  "Fn::Select": [index, { "Fn::Split": [":", ref(name)] }],
});

/**
 * Prints a template as YAML 1.1, CloudFormation's version, with functions in short form: `{ Value: { Ref: "Orders" } }`
 * → `Value: !Ref Orders`.
 */
export function printTemplate(template: JsonObject): string {
  const document = new Document(template, { version: "1.1", aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_, pair) => {
      if (isMap(pair.value)) pair.value = shortForm(pair.value);
    },
    Seq: (_, list) => {
      list.items = list.items.map((item) => (isMap(item) ? shortForm(item) : item));
      const flat = list.items.every((item) => !isMap(item) && !isSeq(item));
      if (flat && list.items.length < 3) list.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq: false });
}

function shortForm(map: YAMLMap): unknown {
  const [pair, ...others] = map.items;
  const name = pair?.key instanceof Scalar ? String(pair.key.value) : "";
  if (others.length > 0 || !pair) return map;
  if (name === "Fn::GetAtt") {
    const value = new Scalar((map.toJSON() as Record<string, string[]>)[name]!.join("."));
    value.tag = "!GetAtt";
    return value;
  }
  if (name !== "Ref" && !name.startsWith("Fn::")) return map;
  const value = pair.value as Scalar;
  value.tag = `!${name.replace("Fn::", "")}`;
  return value;
}
