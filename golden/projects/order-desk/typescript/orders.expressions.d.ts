import type { Json } from "./runtime/index.ts";

export declare function memberOf(value: Json | undefined, name: string): Json | undefined;
export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function mergeResult<T extends Json>(target: T, value: Json, key: string): T;
export declare function place<T extends Json>(target: T, path: readonly string[], value: Json): T;
export declare function present(value: Json | undefined): Json[];
export declare function raise(value: Json): never;
export declare function switchCondition(values: readonly Json[], operator: string, operand: Json): boolean;
