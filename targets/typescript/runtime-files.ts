import { runtimeScript, runtimeTypes } from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target/contract.ts";
import type { Host } from "./host.ts";

/** The runtime that all programs import. */
export const runtimeFiles = (): readonly OutputFile[] => [
  { path: "runtime.js", text: runtimeScript() },
  { path: "runtime.d.ts", text: runtimeTypes() },
];

/** The module of a host. */
export const hostFiles = ({ name, module }: Host): readonly OutputFile[] =>
  module === undefined
    ? []
    : [
        { path: `${name}.js`, text: module.script() },
        { path: `${name}.d.ts`, text: module.types },
      ];
