/** The service that a construct belongs to: an app may have several, also in one stack. */
import { Stack } from "aws-cdk-lib";
import type { Construct, IConstruct } from "constructs";

const SERVICES = new WeakSet<IConstruct>();

/** Marks the construct whose children are a service. */
export const markService = (scope: Construct): void => {
  SERVICES.add(scope);
};

/** Returns the service around a construct, also around one in a nested stack. @throws Error outside a service. */
export function serviceOf(scope: IConstruct): Construct {
  const service = scope.node.scopes.findLast((each) => SERVICES.has(each));
  if (service === undefined) throw new Error(`${scope.node.path} is in no service`);
  return service as Construct;
}

/** The CDK leaves out this id where it makes names: the service of a stack of its own is called as the stack. */
export const WHOLE_STACK = "Default";

/** Returns the name of the service, which is unique in the account and region: the stack's, and the ids of the constructs in it. */
export function serviceNameOf(scope: IConstruct): string {
  const service = serviceOf(scope);
  let stack = Stack.of(service);
  while (stack.nestedStackParent) stack = stack.nestedStackParent;
  const ids = service.node.scopes.slice(stack.node.scopes.length).map(({ node }) => node.id);
  const own = ids.filter((id) => id !== WHOLE_STACK).map((id) => id.replaceAll(/[^\w-]/g, ""));
  return [stack.stackName, ...own].join("-");
}
