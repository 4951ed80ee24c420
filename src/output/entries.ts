import type { Release } from "../target/contract.ts";

/** The outputs in a folder by target. */
export type Manifest = ReadonlyMap<string, TargetEntry>;

/** The outputs of one target. */
export interface TargetEntry {
  /** By workflow ID. */
  readonly workflows: ReadonlyMap<string, WorkflowEntry>;
  /** Files of the whole program. */
  readonly files: Hashes;
  /** Previous versions by workflow ID, newest first. */
  readonly previous: ReadonlyMap<string, readonly PreviousVersion[]>;
}

/** A previous version of a workflow, for unfinished runs. */
export interface PreviousVersion {
  readonly version: string;
  readonly files: Hashes;
}

/** The outputs of a workflow. */
export interface WorkflowEntry {
  /** The definition, relative to the output folder; undefined for standard input. */
  readonly source?: string | undefined;
  /** Separately compiled workflows that it starts. */
  readonly starts: readonly string[];
  readonly files: Hashes;
  readonly release?: Release | undefined;
}

/** Hashes of files by path, when written; separated by spaces if a merge left several. */
export type Hashes = ReadonlyMap<string, string>;
