import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { StateError, type TaskRequest } from "./environment.ts";

/** The DynamoDB table that counts branches and records failed iterations. */
export interface SimulatedJoinTable {
  /** Answers a Task; undefined if it does not query the table. Throws a `StateError`. */
  query(request: Pick<TaskRequest, "resource" | "arguments">): Json | undefined;
}

/** DynamoDB's limit on the size of an item. */
const maxItemBytes = 409_600;

/** Creates an empty table that supports exactly the requests that machines make. */
export function createJoinTable(): SimulatedJoinTable {
  const items = new Map<string, JoinItem>();
  return {
    query({ resource, arguments: given }) {
      const action = /^arn:[\w-]+:states:::dynamodb:(\w+)$/.exec(resource)?.[1];
      if (action === undefined || !isObject(given) || typeof given["TableName"] !== "string") return undefined;
      const key = (given["Key"] ?? given["Item"]) as JsonObject;
      const place = JSON.stringify([given["TableName"], key["pk"], key["sk"]]);
      const item = items.get(place);
      switch (action) {
        case "getItem":
          allowFields(given, ["TableName", "Key", "ConsistentRead"]);
          return item ? { Item: { ...key, ...item } as JsonObject } : {};
        case "updateItem":
          allowFields(given, ["TableName", "Key", ...updateFields]);
          items.set(place, updatedItem(item ?? {}, given));
          return {};
        case "putItem":
          allowFields(given, ["TableName", "Item", "ConditionExpression"]);
          items.set(place, newItem(item, given));
          return {};
        default:
          throw dynamoError(`Not an action that is known: ${action}`);
      }
    },
  };
}

type JoinAttribute = { readonly S: string } | { readonly N: string } | { readonly SS: readonly string[] };

interface JoinItem {
  readonly [name: string]: JoinAttribute;
}

const updateFields = [
  "UpdateExpression",
  "ConditionExpression",
  "ExpressionAttributeNames",
  "ExpressionAttributeValues",
];

function newItem(item: JoinItem | undefined, { Item: given, ConditionExpression: condition }: JsonObject): JoinItem {
  if (condition !== "attribute_not_exists(pk)")
    throw dynamoError(`Not a condition that is known: ${String(condition)}`);
  if (item) throw conditionFailed();
  const attributes = given as unknown as JoinItem;
  for (const attribute of Object.values(attributes)) validAttribute(attribute);
  if (Buffer.byteLength(JSON.stringify(attributes)) > maxItemBytes)
    throw dynamoError("Item size has exceeded the maximum allowed size");
  return attributes;
}

/** Applies `ADD sets SET name = value` if the condition holds. */
function updatedItem(item: JoinItem, given: JsonObject): JoinItem {
  const [expression, condition] = [String(given["UpdateExpression"]), String(given["ConditionExpression"])];
  const names = given["ExpressionAttributeNames"] as { readonly [name: string]: string };
  const values = given["ExpressionAttributeValues"] as unknown as JoinItem;
  const used = new Set(`${expression} ${condition}`.match(/[:#]\w+/g));
  for (const name of [...Object.keys(names), ...Object.keys(values)])
    if (!used.delete(name)) throw dynamoError(`${name} is not used.`);
  for (const name of used) throw dynamoError(`${name} is not there.`);
  const [, added, set, by] = /^ADD (.+) SET (#\w+) = (:\w+)$/.exec(expression) ?? [];
  if (added === undefined) throw dynamoError(`Not an update that is known: ${expression}`);
  if (!holds(condition, item, values)) throw conditionFailed();
  const result: { [name: string]: JoinAttribute } = { ...item, [names[set!]!]: validAttribute(values[by!]!) };
  for (const each of added.split(", ")) {
    const [name, value] = each.split(" ");
    result[name!] = { SS: [...new Set([...setOf(item[name!]), ...setOf(validAttribute(values[value!]!))])] };
  }
  if (Buffer.byteLength(JSON.stringify(result)) > maxItemBytes)
    throw dynamoError("Item size to update has exceeded the maximum allowed size");
  return result;
}

/** Evaluates `attribute_not_exists(set) OR contains(set, :name) OR size(set) <= :most`. */
function holds(condition: string, item: JoinItem, values: JoinItem): boolean {
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
        throw dynamoError(`Not a condition that is known: ${part}`);
    }
  });
}

const setOf = (attribute: JoinAttribute | undefined): readonly string[] =>
  attribute === undefined ? [] : (attribute as { readonly SS: readonly string[] }).SS;

/** Validates an attribute: one type, numbers as strings, and no empty sets. */
function validAttribute(attribute: JoinAttribute): JoinAttribute {
  const [[type, value] = ["", undefined], ...more] = Object.entries(attribute) as [string, Json][];
  const isText = (text: Json): boolean => typeof text === "string";
  const isSet = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isText);
  const fits =
    type === "SS" ? isSet : isText(value!) && (type === "S" || (type === "N" && /^-?\d+$/.test(String(value))));
  if (!fits || more.length > 0) throw dynamoError(`Not an attribute: ${JSON.stringify(attribute)}`);
  return attribute;
}

function allowFields(given: JsonObject, known: readonly string[]): void {
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other !== undefined) throw dynamoError(`The field ${other} is not supported by Step Functions`);
}

const conditionFailed = (): StateError =>
  new StateError("DynamoDB.ConditionalCheckFailedException", "The conditional request failed");

const dynamoError = (cause: string): StateError => new StateError("DynamoDB.AmazonDynamoDBException", cause);
