import type { Json } from "./runtime/index.ts";

export declare function absorb<T extends Json>(target: T, value: Json, key: string): T;
export declare function comparesNodes(left: readonly Json[], operator: string, right: readonly Json[]): boolean;
export declare function greetGreetValue(v1: Json): Json;
export declare function itemsOf(value: Json | undefined): readonly any[];
export declare function memberOf(value: Json | undefined, name: string): Json | undefined;
export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function packItem(v1: Json): Json;
export declare function place<T extends Json>(target: T, path: readonly string[], value: Json): T;
export declare function present(value: Json | undefined): Json[];
export declare function satisfies(values: readonly Json[], operator: string, operand: Json): boolean;
