import { binary, variable } from "../../../src/expressions/index.ts";
import { anyObject, string } from "../../../src/types/index.ts";
import { intrinsics } from "../intrinsics.ts";
import type { MachineQuery, Service, Services } from "../services.ts";
import type { FailureTable } from "./distribute-loops.ts";
import type { TokenQueries } from "./query-tokens.ts";
import { conditionalCheckFailed, type JoinTable } from "./quorums.ts";

/** The functions for the machine's own queries. */
export interface MachineQueries {
  readonly joinTable?: JoinTable | undefined;
  readonly failureTable?: FailureTable | undefined;
  readonly tokens?: TokenQueries | undefined;
}

/** Adds the machine's own queries to services. */
export function withMachineQueries(services: Services, { joinTable, failureTable, tokens }: MachineQueries): Services {
  const added = new Map<string, Service>();
  const add = (name: string, action: string, query: MachineQuery): void => {
    added.set(name, { kind: "integration", resource: services.actionOf(action), query });
  };
  const write: MachineQuery = {
    result: variable(intrinsics.result),
    finalError: conditionalCheckFailed,
    variableTypes: [],
  };
  if (joinTable) {
    const { count, read, join, lastResult } = joinTable;
    add(count, "dynamodb:updateItem", write);
    add(read, "dynamodb:getItem", {
      result: binary("+", variable(intrinsics.noted), variable(lastResult)),
      variableTypes: [
        [join, string],
        [lastResult, anyObject],
      ],
    });
  }
  if (failureTable) {
    const { note, read, query } = failureTable;
    add(note, "dynamodb:putItem", write);
    add(read, "dynamodb:getItem", { result: variable(intrinsics.notedFailure), variableTypes: [] });
    add(query, "dynamodb:getItem", { result: variable(intrinsics.hasFailed), variableTypes: [] });
  }
  if (tokens) add(tokens.query, "lambda:invoke", { result: variable(intrinsics.askedToken), variableTypes: [] });
  return added.size === 0
    ? services
    : { ...services, serviceOf: (name) => added.get(name) ?? services.serviceOf(name) };
}
