/**
 * An AWS budget: `-c budget_usd=20 -c alarm_email=ops@example.org`. It covers the monthly cost of the whole account, because a
 * budget for one stack needs a cost allocation tag, which an operator must activate in the billing console.
 */
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Construct } from "constructs";
import type { Settings } from "./chosen-settings.ts";

interface Budget {
  readonly usd: number;
  readonly email: string;
}

/** @returns undefined without `budget_usd`. @throws Error for a budget without an email address. */
export function readBudget(settings: Settings): Budget | undefined {
  const usd = settings.get("budget_usd");
  if (usd === undefined) return undefined;
  const email = settings.get("alarm_email");
  if (email === undefined)
    throw new Error("The context key budget_usd requires alarm_email, the address that AWS Budgets notifies");
  return { usd, email };
}

/** AWS Budgets notifies at 80 % and 100 % of the budget, and when the month's forecast exceeds it. */
const NOTIFICATIONS = [
  { type: "ACTUAL", percent: 80 },
  { type: "ACTUAL", percent: 100 },
  { type: "FORECASTED", percent: 100 },
] as const;

export class BudgetAlarm extends Construct {
  constructor(scope: Construct, id: string, { usd, email }: Budget) {
    super(scope, id);
    new CfnBudget(this, "Budget", {
      budget: {
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: usd, unit: "USD" },
      },
      notificationsWithSubscribers: NOTIFICATIONS.map(({ type, percent }) => ({
        notification: {
          notificationType: type,
          comparisonOperator: "GREATER_THAN",
          threshold: percent,
          thresholdType: "PERCENTAGE",
        },
        subscribers: [{ subscriptionType: "EMAIL", address: email }],
      })),
    });
  }
}
