import type { Json } from "./runtime/index.ts";

export declare function isTrue(value: Json): boolean;
export declare function itemsOf(value: Json | undefined): readonly any[];
export declare function merge<T extends Json>(target: T, value: Json): T;
