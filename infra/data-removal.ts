/** The removal policy of buckets and keys. */
import { RemovalPolicy } from "aws-cdk-lib";

/**
 * @returns a policy that keeps the resource, unless its stack is ephemeral or the deployment that creates it fails: then it is
 * empty, and a bucket or a key without a stack has no use.
 */
export const dataRemoval = ({ ephemeral }: { readonly ephemeral: boolean }): RemovalPolicy =>
  ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
