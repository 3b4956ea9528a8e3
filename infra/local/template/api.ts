/** Reads the OpenAPI document of the REST API. */
import { type ApiDocument, BINARY_MEDIA_TYPES } from "../../api/document.ts";
import type { CfnResources, Resolve } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { single } from "./resources.ts";

export interface RestApi {
  /** With all intrinsic functions resolved. */
  readonly document: ApiDocument;
  /** The logical id of the resource, for error messages. */
  readonly id: string;
}

/** @throws LocalProblem for an API without a document in the template, and for references that have no local counterpart. */
export function readRestApi(resources: CfnResources, resolve: Resolve): RestApi {
  const [id, { Properties = {} }] = single(resources, "AWS::ApiGateway::RestApi");
  if (Properties.Body === undefined)
    throw new LocalProblem(`${id}.Body: only an API with a body runs locally`);
  return { id, document: resolve(Properties.Body, `${id}.Body`) as ApiDocument };
}

export const takesBinaryBodies = ({ document }: RestApi): boolean =>
  document[BINARY_MEDIA_TYPES]?.includes("*/*") ?? false;
