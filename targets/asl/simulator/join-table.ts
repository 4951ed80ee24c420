import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { createDynamoDB, type Operation } from "./dynamodb/index.ts";
import { StateError, type TaskRequest } from "./environment.ts";

/** The DynamoDB table that counts branches and records failed iterations. */
export interface SimulatedJoinTable {
  /** Answers a Task; undefined if it does not query the table. Throws a `StateError`. */
  query(request: Pick<TaskRequest, "resource" | "arguments">): Json | undefined;
}

/** The operations of the integration of Step Functions with DynamoDB that machines use. */
const operations = ["getItem", "putItem", "updateItem"] satisfies Operation[];

/** Creates an empty table. */
export function createJoinTable(): SimulatedJoinTable {
  const dynamodb = createDynamoDB();
  return {
    query({ resource, arguments: given }) {
      const action = /^arn:[\w-]+:states:::dynamodb:(\w+)$/.exec(resource)?.[1];
      if (action === undefined || !isObject(given) || typeof given["TableName"] !== "string") return undefined;
      const operation = operations.find((each) => each === action);
      if (operation === undefined) throw dynamoError(`Not an action that is known: ${action}`);
      try {
        return dynamodb.perform(operation, given) as JsonObject;
      } catch (error) {
        throw stateError(error as Error);
      }
    },
  };
}

/** The error names of the integration start with the service; invalid requests share one name. */
const stateError = ({ name, message }: Error): StateError =>
  name === "ConditionalCheckFailedException" ? new StateError(`DynamoDB.${name}`, message) : dynamoError(message);

const dynamoError = (cause: string): StateError => new StateError("DynamoDB.AmazonDynamoDBException", cause);
