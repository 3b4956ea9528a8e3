/**
 * Holds a template to the schemas of CloudFormation's resources: properties, types, ranges, patterns, attributes, references, cycles, and
 * the quotas of a template but for its size. AWS's own validator does that; aws-cdk-lib brings it.
 */
import { createRequire } from "node:module";
import type { Problem, StackTemplate } from "./template.ts";

interface Diagnostic {
  readonly ruleId: string;
  readonly message: string;
  readonly entity?: { readonly logicalId: string };
  readonly propertyPath?: string;
  readonly suggestedFix?: string;
}

interface Validator {
  readonly CompositeEngine: new () => {
    validateTemplate(
      template: unknown,
      config: object,
    ): { readonly status: string; readonly diagnostics: readonly Diagnostic[] };
  };
  readonly TemplateContent: new (text: string, name: string) => unknown;
}

/**
 * Matters of style, which AWS accepts: W3005 a superfluous DependsOn, W1020 a superfluous Fn::Sub, W4011 and W4012 descriptions in metadata,
 * W9002 and W9013 written ARNs and accounts.
 */
const STYLE = ["W3005", "W1020", "W4011", "W4012", "W9002", "W9013"];

let loaded: { validator: Validator; engine: InstanceType<Validator["CompositeEngine"]> } | undefined;

/** The engine compiles all schemas, which takes seconds. */
function load() {
  if (loaded) return loaded;
  const ofCdk = createRequire(createRequire(import.meta.url).resolve("aws-cdk-lib"));
  const validator: Validator = ofCdk("@aws/cloudformation-validate");
  loaded = { validator, engine: new validator.CompositeEngine() };
  return loaded;
}

export function checkSchemas({ text }: StackTemplate): readonly Problem[] {
  const { validator, engine } = load();
  const { status, diagnostics } = engine.validateTemplate(new validator.TemplateContent(text, "template"), {
    severityLevel: "WARN",
    detailLevel: "STANDARD",
    exclude: { ids: STYLE },
  });
  if (status !== "OK" && diagnostics.length === 0)
    return [{ logicalId: "", text: `the validator of CloudFormation's schemas ends with ${status}` }];
  return diagnostics.map(({ ruleId, message, entity, propertyPath, suggestedFix }) => ({
    logicalId: entity?.logicalId ?? "",
    text: [
      `${propertyPath === undefined ? "" : `${propertyPath.replace(/^Properties\./, "")}: `}${message} (${ruleId})`,
      suggestedFix,
    ]
      .filter(Boolean)
      .join(". "),
  }));
}
