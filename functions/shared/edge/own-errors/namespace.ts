import { define, type Facts } from "../error-definition.ts";

export const NAMESPACE_ERRORS = {
  "namespace.not-found": define(404, (f: Facts<"name">) => `Namespace ${f.name} doesn't exist`),
  "namespace.no-passwords": define(
    409,
    () => "This stack does not check passwords, so it has no namespaces; deploy it with auth=basic",
  ),
} as const;
