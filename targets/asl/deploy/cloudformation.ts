import { Document, isMap, isSeq, Scalar, visit, type YAMLMap } from "yaml";
import type { JsonObject } from "../../../src/json.ts";

// Values of a template are JSON with functions of CloudFormation in their long form, `{ Ref: "Orders" }`: names of users are never keys.

/** What a resource is known by, or the value of a parameter: `!Ref Orders`. */
export const ref = (name: string): JsonObject => ({ Ref: name });

/** An attribute of a resource: `!GetAtt Orders.Arn`. */
export const getAtt = (name: string, of: string): JsonObject => ({ "Fn::GetAtt": [name, of] });

/** A text of ours with `${…}` in it: `!Sub '${AWS::StackName}-Orders'`. No text of a user stands in one. */
export const sub = (text: string): JsonObject => ({ "Fn::Sub": text });

/** An ARN in the account and the region of the stack: `states` and `stateMachine:x`. */
export const stackArn = (service: string, resource: string): JsonObject =>
  sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);

/** A part of an ARN that a parameter has: the seventh is the name of a machine, a function or a bus. */
export const arnPart = (name: string, index: number): JsonObject => ({
  "Fn::Select": [index, { "Fn::Split": [":", ref(name)] }],
});

/** `{ Value: { Ref: "Orders" } }` is `Value: !Ref Orders`, in YAML 1.1, which is what CloudFormation reads. */
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

/** A function of CloudFormation in its short form; any other map as it is. */
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
