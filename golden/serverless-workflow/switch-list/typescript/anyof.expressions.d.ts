import type { Json } from "./runtime/index.ts";

export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function stock(v1: Json): Json;
export declare function stockValue(v1: Json): Json;
