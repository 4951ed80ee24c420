import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { StateError, type TaskRequest } from "./environment.ts";

/** The table in which the branches of Parallel states are counted, and failures of iterations noted, as far as machines use one by themselves. */
export interface JoinTable {
  /** What a Task gets of it, at once; undefined where it asks something else. Throws a `StateError`. */
  ask(request: Pick<TaskRequest, "resource" | "arguments">): Json | undefined;
}

/** The most bytes that an item may have. */
const longestItem = 409_600;

/** A table of DynamoDB that has no items. It takes what a Task may ask it literally, and nothing that it does not know. */
export function createJoinTable(): JoinTable {
  const items = new Map<string, Attributes>();
  return {
    ask({ resource, arguments: given }) {
      const action = /^arn:[\w-]+:states:::dynamodb:(\w+)$/.exec(resource)?.[1];
      if (action === undefined || !isObject(given) || typeof given["TableName"] !== "string") return undefined;
      const key = (given["Key"] ?? given["Item"]) as JsonObject;
      const place = JSON.stringify([given["TableName"], key["pk"], key["sk"]]);
      const item = items.get(place);
      switch (action) {
        case "getItem":
          only(given, ["TableName", "Key", "ConsistentRead"]);
          return item ? { Item: { ...key, ...item } as JsonObject } : {};
        case "updateItem":
          only(given, ["TableName", "Key", ...updating]);
          items.set(place, updated(item ?? {}, given));
          return {};
        case "putItem":
          only(given, ["TableName", "Item", "ConditionExpression"]);
          items.set(place, put(item, given));
          return {};
        default:
          throw refused(`Not an action that is known: ${action}`);
      }
    },
  };
}

/** An attribute in the JSON of DynamoDB: a text, a number, or a set of texts. */
type Attribute = { readonly S: string } | { readonly N: string } | { readonly SS: readonly string[] };

interface Attributes {
  readonly [name: string]: Attribute;
}

const updating = ["UpdateExpression", "ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"];

/** A new item, where the condition holds that there is none. */
function put(item: Attributes | undefined, { Item: given, ConditionExpression: condition }: JsonObject): Attributes {
  if (condition !== "attribute_not_exists(pk)") throw refused(`Not a condition that is known: ${String(condition)}`);
  if (item) throw conditionFailed();
  const attributes = given as unknown as Attributes;
  for (const attribute of Object.values(attributes)) checked(attribute);
  if (Buffer.byteLength(JSON.stringify(attributes)) > longestItem)
    throw refused("Item size has exceeded the maximum allowed size");
  return attributes;
}

/** The item after `ADD sets SET name = value`, where the condition holds. */
function updated(item: Attributes, given: JsonObject): Attributes {
  const [expression, condition] = [String(given["UpdateExpression"]), String(given["ConditionExpression"])];
  const names = given["ExpressionAttributeNames"] as { readonly [name: string]: string };
  const values = given["ExpressionAttributeValues"] as unknown as Attributes;
  const used = new Set(`${expression} ${condition}`.match(/[:#]\w+/g));
  for (const name of [...Object.keys(names), ...Object.keys(values)])
    if (!used.delete(name)) throw refused(`${name} is not used.`);
  for (const name of used) throw refused(`${name} is not there.`);
  const [, added, set, by] = /^ADD (.+) SET (#\w+) = (:\w+)$/.exec(expression) ?? [];
  if (added === undefined) throw refused(`Not an update that is known: ${expression}`);
  if (!holds(condition, item, values)) throw conditionFailed();
  const result: { [name: string]: Attribute } = { ...item, [names[set!]!]: checked(values[by!]!) };
  for (const each of added.split(", ")) {
    const [name, value] = each.split(" ");
    result[name!] = { SS: [...new Set([...setOf(item[name!]), ...setOf(checked(values[value!]!))])] };
  }
  if (Buffer.byteLength(JSON.stringify(result)) > longestItem)
    throw refused("Item size to update has exceeded the maximum allowed size");
  return result;
}

/** Whether `attribute_not_exists(set) OR contains(set, :name) OR size(set) <= :most` holds. */
function holds(condition: string, item: Attributes, values: Attributes): boolean {
  return condition.split(" OR ").some((part) => {
    const [, of, name, value] =
      /^(attribute_not_exists|contains|size)\((\w+)(?:\)| ?,) ?(?:<= )?(:\w+)?\)?$/.exec(part) ?? [];
    const attribute = item[name!];
    switch (of) {
      case "attribute_not_exists":
        return attribute === undefined;
      case "contains":
        return setOf(attribute).includes((values[value!] as { readonly S: string }).S);
      case "size":
        return (
          attribute !== undefined && setOf(attribute).length <= Number((values[value!] as { readonly N: string }).N)
        );
      default:
        throw refused(`Not a condition that is known: ${part}`);
    }
  });
}

const setOf = (attribute: Attribute | undefined): readonly string[] =>
  attribute === undefined ? [] : (attribute as { readonly SS: readonly string[] }).SS;

/** An attribute of one type, that type being the JSON's: a number is a text too, and sets are not empty. */
function checked(attribute: Attribute): Attribute {
  const [[type, value] = ["", undefined], ...more] = Object.entries(attribute) as [string, Json][];
  const isText = (text: Json): boolean => typeof text === "string";
  const isSet = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isText);
  const fits =
    type === "SS" ? isSet : isText(value!) && (type === "S" || (type === "N" && /^-?\d+$/.test(String(value))));
  if (!fits || more.length > 0) throw refused(`Not an attribute: ${JSON.stringify(attribute)}`);
  return attribute;
}

function only(given: JsonObject, known: readonly string[]): void {
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other !== undefined) throw refused(`The field ${other} is not supported by Step Functions`);
}

const conditionFailed = (): StateError =>
  new StateError("DynamoDB.ConditionalCheckFailedException", "The conditional request failed");

const refused = (cause: string): StateError => new StateError("DynamoDB.AmazonDynamoDBException", cause);
