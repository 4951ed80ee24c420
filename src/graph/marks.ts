/** What a picture shows of a run, or of several: classes of nodes and edges, by their ids. */
export interface Marks {
  readonly taken?: ReadonlySet<string> | undefined;
  readonly current?: ReadonlySet<string> | undefined;
  readonly failed?: ReadonlySet<string> | undefined;
  /** Reached by any scenario; if given, all others are marked as unreached. */
  readonly covered?: ReadonlySet<string> | undefined;
}
