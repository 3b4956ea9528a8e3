/**
 * Decides what the janitor deletes. Pure: from a picture of the account to a list with reasons.
 *
 * The rule is proof. A stack is this project's own by its tag and its description, expired by its tag. Everything else belongs to an
 * ephemeral stack that CloudFormation remembers as deleted, for 90 days: its functions, its name, its template. What has no such proof is
 * not in the plan.
 */
import { EPHEMERAL_TAG, EXPIRES_TAG } from "../ephemeral-tags.ts";

/** As in infra/app.ts. */
const DESCRIPTION = /^Wirelab\b/;

export interface AccountStack {
  readonly id: string;
  readonly name: string;
  /** CloudFormation's, such as CREATE_COMPLETE. */
  readonly status: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdMs: number;
  /** Of a stack that was deleted. */
  readonly deletedMs?: number | undefined;
  readonly isNested: boolean;
  readonly isProtected: boolean;
}

/** What CloudFormation remembers of a deleted stack. */
export interface Remembered {
  /** Physical names of its functions, those of custom resources included. */
  readonly functions: readonly string[];
  readonly restApis: readonly string[];
  /** Keys of the bootstrap bucket that its template names. */
  readonly assets: readonly string[];
}

interface Stored {
  readonly createdMs: number;
}
export interface LogGroup extends Stored {
  readonly name: string;
}
export interface StoredSecret extends Stored {
  readonly arn: string;
  readonly name: string;
}
export interface Asset {
  readonly key: string;
  readonly modifiedMs: number;
}

export interface Account {
  readonly nowMs: number;
  /** Also those that were deleted. */
  readonly stacks: readonly AccountStack[];
  /** By the id of a deleted ephemeral stack. */
  readonly remembered: ReadonlyMap<string, Remembered>;
  readonly logGroups: readonly LogGroup[];
  readonly secrets: readonly StoredSecret[];
  /** Undefined unless assets are asked for, because all templates are then read. */
  readonly assets?:
    | {
        readonly bucket: string;
        readonly stored: readonly Asset[];
        /** Keys that a template of any stack names that is not deleted, of this project or another. */
        readonly used: ReadonlySet<string>;
      }
    | undefined;
}

export type Removal =
  | { readonly kind: "stack"; readonly id: string; readonly name: string; readonly why: string }
  | { readonly kind: "log group"; readonly name: string; readonly why: string }
  | { readonly kind: "secret"; readonly arn: string; readonly name: string; readonly why: string }
  | { readonly kind: "asset"; readonly bucket: string; readonly name: string; readonly why: string };

interface Kept {
  readonly name: string;
  readonly why: string;
}

export interface Plan {
  readonly removals: readonly Removal[];
  /** Ephemeral stacks that stay, and why. */
  readonly kept: readonly Kept[];
}

const DAY_MS = 86_400_000;
/** A deployment that has found its asset in the bucket refers to it soon after. */
const ASSET_DAYS = 7;

export const isEphemeral = ({ tags, description, isNested }: AccountStack): boolean =>
  !isNested && tags[EPHEMERAL_TAG.key] === EPHEMERAL_TAG.value && DESCRIPTION.test(description);

export const isDeleted = ({ status }: AccountStack): boolean => status === "DELETE_COMPLETE";

const isInProgress = ({ status }: AccountStack): boolean =>
  status.endsWith("_IN_PROGRESS") && status !== "REVIEW_IN_PROGRESS";

export function planRemovals(account: Account): Plan {
  const ephemeral = account.stacks.filter(isEphemeral);
  const standing = ephemeral.filter((stack) => !isDeleted(stack));
  const judged = standing.map((stack) => ({ stack, keeps: whyKept(stack, account.nowMs) }));
  const gone = ephemeral.filter(isDeleted);
  return {
    removals: [
      ...judged.filter(({ keeps }) => keeps === undefined).map(({ stack }) => removalOf(stack)),
      ...logGroupsOf(gone, account),
      ...secretsOf(gone, account),
      ...assetsOf(gone, account),
    ],
    kept: judged.flatMap(({ stack, keeps }) =>
      keeps === undefined ? [] : [{ name: stack.name, why: keeps }],
    ),
  };
}

function whyKept(stack: AccountStack, nowMs: number): string | undefined {
  const expires = stack.tags[EXPIRES_TAG];
  if (expires === undefined) return `it has no tag ${EXPIRES_TAG}`;
  const expiresMs = /^\d{4}-\d\d-\d\dT.*Z$/.test(expires) ? Date.parse(expires) : Number.NaN;
  if (Number.isNaN(expiresMs))
    return `its tag ${EXPIRES_TAG} is ${JSON.stringify(expires)}, which is no time in UTC`;
  if (expiresMs > nowMs) return `it expires at ${expires}`;
  if (stack.isProtected) return "it has termination protection";
  if (isInProgress(stack))
    return `CloudFormation is at work on it (${stack.status}); the next call looks again`;
  return undefined;
}

const removalOf = ({ id, name, tags }: AccountStack): Removal => ({
  kind: "stack",
  id,
  name,
  why: `it expired at ${tags[EXPIRES_TAG]}`,
});

/** Functions and APIs have names that AWS made, which no later resource gets. */
function logGroupsOf(gone: readonly AccountStack[], { remembered, logGroups }: Account): Removal[] {
  const owners = new Map<string, AccountStack>();
  for (const stack of gone) {
    const { functions = [], restApis = [] } = remembered.get(stack.id) ?? {};
    for (const name of functions) owners.set(`/aws/lambda/${name}`, stack);
    for (const id of restApis) owners.set(`API-Gateway-Execution-Logs_${id}`, stack);
  }
  return logGroups.flatMap(({ name }): Removal[] => {
    const owner =
      owners.get(name) ?? owners.get(name.replace(/^(API-Gateway-Execution-Logs_\w+)\/\w+$/, "$1"));
    return owner === undefined ? [] : [{ kind: "log group", name, why: leftBy(owner) }];
  });
}

/** A name can be that of a later stack, so a secret is also of the time in which the deleted stack stood. */
function secretsOf(gone: readonly AccountStack[], { stacks, secrets }: Account): Removal[] {
  const standing = new Set(stacks.filter((stack) => !isDeleted(stack)).map(({ name }) => name));
  return secrets.flatMap(({ arn, name, createdMs }): Removal[] => {
    const owner = gone.find(
      (stack) =>
        name.startsWith(`${stack.name}/computes/`) &&
        !standing.has(stack.name) &&
        stack.createdMs <= createdMs &&
        createdMs <= (stack.deletedMs ?? Number.NEGATIVE_INFINITY),
    );
    return owner === undefined ? [] : [{ kind: "secret", arn, name, why: leftBy(owner) }];
  });
}

function assetsOf(gone: readonly AccountStack[], { stacks, assets, remembered, nowMs }: Account): Removal[] {
  // The template of a stack that is being deployed may not be readable yet, and may name an asset.
  if (assets === undefined || stacks.some(({ status }) => status.endsWith("_IN_PROGRESS"))) return [];
  const owners = new Map<string, AccountStack>();
  for (const stack of gone) for (const key of remembered.get(stack.id)?.assets ?? []) owners.set(key, stack);
  return assets.stored.flatMap(({ key, modifiedMs }): Removal[] => {
    const owner = owners.get(key);
    const isOld = modifiedMs <= nowMs - ASSET_DAYS * DAY_MS;
    if (owner === undefined || assets.used.has(key) || !isOld) return [];
    return [
      { kind: "asset", bucket: assets.bucket, name: key, why: `${leftBy(owner)}, and no stack refers to it` },
    ];
  });
}

const leftBy = ({ name, deletedMs }: AccountStack): string =>
  `the ephemeral stack ${name} left it, which was deleted${deletedMs === undefined ? "" : ` at ${new Date(deletedMs).toISOString()}`}`;
