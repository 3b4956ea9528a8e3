/** The settings of a stack, read from its template. */
import { Settings } from "../chosen-settings.ts";

/** The entry of a template's metadata in which infra/stack.ts records what was given. */
export const RECORD = "Wirelab";

export interface Template {
  readonly Metadata?: { readonly [RECORD]?: { readonly settings?: Readonly<Record<string, string>> } };
  readonly Resources?: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates of earlier releases
  readonly Properties?: any;
}

/** @returns undefined for a template that is not of this service. */
export function settingsOfTemplate(template: Template): Settings | undefined {
  const recorded = template.Metadata?.[RECORD]?.settings;
  if (recorded !== undefined) return new Settings(recorded);
  const derived = derive(Object.values(template.Resources ?? {}));
  return derived.auth === undefined ? undefined : new Settings(derived);
}

/** Stacks of earlier releases have no record: their settings follow from their resources. */
function derive(resources: readonly Resource[]): Record<string, unknown> {
  const first = (type: string) => resources.find(({ Type }) => Type === type)?.Properties;
  const has = (type: string): boolean => resources.some(({ Type }) => Type === type);
  const variables: Record<string, string> = Object.assign(
    {},
    ...resources.map(({ Properties }) => Properties?.Environment?.Variables ?? {}),
  );
  return {
    auth: variables.AUTH_MODE,
    iam_role: variables.IAM_ROLE,
    jwt_issuer: variables.JWT_ISSUER,
    jwt_audience: variables.JWT_AUDIENCE,
    jwt_user_claim: variables.JWT_USER_CLAIM,
    jwt_role_claim: variables.JWT_ROLE_CLAIM,
    customer_key: has("AWS::KMS::Key"),
    edge: has("AWS::CloudFront::Distribution"),
    waf: has("AWS::WAFv2::WebACL"),
    waf_rate: first("AWS::WAFv2::WebACL")?.Rules?.[0]?.Statement?.RateBasedStatement?.Limit,
    alarms: has("AWS::CloudWatch::Alarm"),
    alarm_email: resources.find(
      ({ Type, Properties }) => Type === "AWS::SNS::Subscription" && Properties?.Protocol === "email",
    )?.Properties.Endpoint,
    budget_usd: first("AWS::Budgets::Budget")?.Budget?.BudgetLimit?.Amount,
  };
}
