import type { Json } from "./runtime/index.ts";

export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function place<T extends Json>(target: T, path: readonly string[], value: Json): T;
