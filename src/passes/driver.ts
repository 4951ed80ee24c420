import type { VerifyRewrite } from "../ir/verify.ts";
import type { Workflow } from "../ir/workflow.ts";
import { type Program, programOf } from "../ir/workflow.ts";

/** A named rewrite of a workflow, a program, or a workflow with what earlier passes learned. */
export interface Pass<Subject, Info = void> {
  /** Unique among the passes of a target; the value of `--after`. */
  readonly name: string;
  readonly run: (subject: Subject, info: Info) => Subject;
}

/** Anything that contains workflows. */
export type PassSubject = Workflow | Program | { readonly workflow: Workflow };

/** One run of a pass. */
export interface PassRun {
  readonly pass: string;
  readonly workflows: readonly Workflow[];
  readonly milliseconds: number;
}

/** Called by the driver after each pass. */
export interface PassHooks {
  /** Throws if a pass left a workflow malformed. */
  readonly verify?: VerifyRewrite | undefined;
  readonly afterPass?: ((run: PassRun) => void) | undefined;
}

/** Runs passes in order. */
export function runPasses<Subject extends PassSubject, Info>(
  passes: readonly Pass<Subject, Info>[],
  subject: Subject,
  info: Info,
  { verify, afterPass }: PassHooks,
): Subject {
  let current = subject;
  for (const { name, run } of passes) {
    const start = performance.now();
    current = run(current, info);
    const milliseconds = performance.now() - start;
    const workflows = workflowsIn(current);
    if (verify) for (const workflow of workflows) verify(workflow, name);
    afterPass?.({ pass: name, workflows, milliseconds });
  }
  return current;
}

function workflowsIn(subject: PassSubject): readonly Workflow[] {
  if ("workflows" in subject) return subject.workflows;
  return ["workflow" in subject ? subject.workflow : subject];
}

/** The same pass for each workflow of a program. */
export const forEachWorkflow = <Info>({ name, run }: Pass<Workflow, Info>): Pass<Program, Info> => ({
  name,
  run: (program, info) => programOf(program.workflows.map((workflow) => run(workflow, info))),
});

/** The same pass for the workflow in a subject. */
export const forWorkflow = <Subject extends { readonly workflow: Workflow }, Info>({
  name,
  run,
}: Pass<Subject["workflow"], Info>): Pass<Subject, Info> => ({
  name,
  run: (subject, info) => ({ ...subject, workflow: run(subject.workflow, info) }),
});

/** The same pass under another name, for a list that contains it twice. */
export const renamed = <Subject, Info>(pass: Pass<Subject, Info>, name: string): Pass<Subject, Info> => ({
  ...pass,
  name,
});
