import type {
  CallByGRPC,
  CallByHTTP,
  ContainerCall,
  DatabaseQuery,
  FunctionCall,
} from "../../generated/yawl-definition.ts";
import type { Database, Protocol } from "../../ir/protocols.ts";
import type { IntegrationKind, IntegrationStep } from "./step-kinds.ts";

/** The protocol of a step, unless the configuration defines it. */
export function protocolOf(kind: IntegrationKind, step: IntegrationStep): Protocol | undefined {
  switch (kind) {
    case "httpCall":
      return { kind: "http", failure: "HTTP_CALL_", authorized: (step as CallByHTTP).useServiceAccount };
    case "grpcCall":
      return { kind: "grpc", failure: "GRPC_CALL_", authorized: (step as CallByGRPC).useServiceAccount };
    case "functionCall": {
      const { functionId: id, tag } = step as FunctionCall;
      return { kind: "cloudFunction", provider: "yandex", type: "function", id, tag, invalid: invalidResponse };
    }
    case "containerCall": {
      const { containerId: id } = step as ContainerCall;
      return { kind: "cloudFunction", provider: "yandex", type: "container", id, failure: "CONTAINER_CALL_" };
    }
    case "databaseQuery":
      return databaseOf(step as DatabaseQuery);
    default:
      return undefined;
  }
}

const invalidResponse = "FUNCTION_CALL_INVALID_RESPONSE";

function databaseOf({ connection, dsn, mode }: DatabaseQuery): Database | undefined {
  const common = { kind: "database", answer: mode === "QUERY" ? "rows" : "count", failure: "DATABASE_QUERY_" } as const;
  const [, scheme] = /^(postgres|mysql)(?:ql)?:\/\/(?:(?!\\\(|\{\{).)*$/.exec(dsn ?? "") ?? [];
  if (scheme !== undefined) return { ...common, dialect: scheme as Database["dialect"], address: dsn };
  if (connection?.type !== "POSTGRES" && connection?.type !== "MYSQL") return undefined;
  const { host, port, database, ssl, simple } = connection;
  const dialect = connection.type === "POSTGRES" ? "postgres" : "mysql";
  if (!simple) return { ...common, dialect };
  const place = `${dialect}://${host}${port === undefined ? "" : `:${port}`}/${encodeURIComponent((database ?? "").toWellFormed())}`;
  return { ...common, dialect, address: URL.canParse(place) ? place : undefined, encrypted: ssl };
}
