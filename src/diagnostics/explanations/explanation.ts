/** What `waybill explain` prints about a code, beside the one-sentence summary of its kind. */
export interface Explanation {
  /** What the diagnostic says, in a few sentences, for somebody who meets it for the first time. */
  readonly means: string;
  /** Why Waybill says it instead of going on. */
  readonly why: string;
  readonly example: Example;
}

/** A text that gives the code, and the same text mended. A test compiles both. */
export interface Example {
  /** The file's name, such as `workflow.yaml`; its ending decides how it is read. */
  readonly file: string;
  readonly bad: string;
  readonly good: string;
  /** Files that the example refers to, by their paths. */
  readonly beside?: { readonly [path: string]: string } | undefined;
  /** The target that the diagnostic needs; absent when checking the definition suffices. */
  readonly target?: string | undefined;
  /** The language that the bad text is said to be in, as after `--from`. */
  readonly from?: string | undefined;
  /** Other choices the diagnostic needs, as after `--option`. */
  readonly options?: { readonly [name: string]: string } | undefined;
  /** The limit of the text's size that the example needs, as after `--max-bytes`. */
  readonly maximumBytes?: number | undefined;
}

/** Explanations by code. */
export interface Explanations {
  readonly [code: string]: Explanation;
}
