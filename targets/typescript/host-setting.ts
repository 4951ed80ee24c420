import { isObject } from "../../src/json.ts";
import type { Schema } from "../../src/target/contract.ts";
import type { Host } from "./host.ts";

/** Adds hosts to the values that a schema of settings accepts for `host`. */
export function withHosts({ validate, schema }: Schema, more: readonly Host[]): Schema {
  if (more.length === 0) return { validate, schema };
  const names = more.map(({ name }) => name);
  return {
    validate(value) {
      if (!isObject(value)) return validate(value);
      const { host, ...others } = value;
      return validate(typeof host === "string" && names.includes(host) ? others : value);
    },
    schema: () =>
      JSON.parse(JSON.stringify(schema()), (key, value) =>
        key === "host" && isObject(value) && Array.isArray(value["enum"])
          ? { ...value, enum: [...value["enum"], ...names] }
          : value,
      ),
  };
}
