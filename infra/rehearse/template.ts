/** What the rules read: a synthesized template with the name of its stack, and what they report. */
import type { CfnResource } from "../local/intrinsics.ts";

export interface StackTemplate {
  readonly stackName: string;
  readonly resources: Readonly<
    Record<string, CfnResource & { readonly DependsOn?: string | readonly string[] }>
  >;
  readonly outputs: Readonly<Record<string, { readonly Export?: { readonly Name: unknown } }>>;
  /** The template as it is uploaded. */
  readonly text: string;
}

/** What AWS would refuse, with the way out. `logicalId` is empty for the whole template. */
export interface Problem {
  readonly logicalId: string;
  readonly text: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** @throws SyntaxError for a text that is not JSON. */
export function readStackTemplate(stackName: string, text: string): StackTemplate {
  const { Resources = {}, Outputs = {} } = JSON.parse(text);
  return { stackName, resources: Resources, outputs: Outputs, text };
}

/** Logical ids and properties of the resources of a type. */
export const ofType = ({ resources }: StackTemplate, type: string): [id: string, properties: Json][] =>
  Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) =>
    Type === type ? [[id, Properties]] : [],
  );

export const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());
