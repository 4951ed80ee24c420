import type { Json } from "./runtime/index.ts";

export declare function comparesNodes(left: readonly Json[], operator: string, right: readonly Json[]): boolean;
export declare function itemsOf(value: Json | undefined): readonly any[];
export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function present(value: Json | undefined): Json[];
