import type { Json } from "./runtime/index.ts";

export declare function absorb<T extends Json>(target: T, value: Json, key: string): T;
export declare function assignValue(v1: Json): Json;
export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function notifyNotify(v1: Json): Json;
export declare function place<T extends Json>(target: T, path: readonly string[], value: Json): T;
export declare function present(value: Json | undefined): Json[];
export declare function satisfies(values: readonly Json[], operator: string, operand: Json): boolean;
export declare function sort(v1: Json): Json;
