/** What a picture shows of a run, or of several: classes of nodes and edges, by their ids. */
export interface Marks {
  readonly taken?: ReadonlySet<string> | undefined;
  readonly current?: ReadonlySet<string> | undefined;
  readonly failed?: ReadonlySet<string> | undefined;
  /** Reached by any scenario; if given, all others are marked as unreached. */
  readonly covered?: ReadonlySet<string> | undefined;
  /** Of two versions of a workflow: what only one has, and what differs. Only `renderMermaid` shows them. */
  readonly added?: ReadonlySet<string> | undefined;
  readonly removed?: ReadonlySet<string> | undefined;
  readonly changed?: ReadonlySet<string> | undefined;
}
