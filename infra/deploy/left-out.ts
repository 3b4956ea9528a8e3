/**
 * Settings that protect a deployed stack and that a new deployment leaves out. Their defaults would change how callers sign in, re-encrypt
 * the data, or remove the firewall, the alarms or an address of the service.
 */

import type { Settings } from "../chosen-settings.ts";
import { hasAlarms } from "../has-alarms.ts";
import { GUARDED, type SettingKey, settingOf } from "../settings.ts";

export interface Difference {
  readonly key: SettingKey;
  /** What would change, as `sign-in`. */
  readonly guards: string;
  /** Undefined if the deployed stack has no value. */
  readonly deployed: string | undefined;
  readonly next: string | undefined;
}

/** A setting that counts only with a value of another one. */
const PARENTS: Readonly<Partial<Record<SettingKey, readonly [key: SettingKey, value: unknown]>>> = {
  jwt_issuer: ["auth", "jwt"],
  jwt_audience: ["auth", "jwt"],
  jwt_user_claim: ["auth", "jwt"],
  jwt_role_claim: ["auth", "jwt"],
  iam_role: ["auth", "iam"],
  waf_rate: ["waf", true],
};

/** Returns the settings that `next` leaves out, and whose deployed values its defaults would replace. */
export function differences(deployed: Settings, next: Settings): Difference[] {
  return GUARDED.flatMap((key) => {
    const [before, after] = [inEffect(deployed, key), inEffect(next, key)];
    if (before === after || next.given(key) !== undefined || follows(key, deployed, next)) return [];
    return [{ key, guards: settingOf(key).guards!, deployed: before, next: after }];
  });
}

/** Whether the setting changes because another one, on which it depends, was set to a new value. */
function follows(key: SettingKey, deployed: Settings, next: Settings): boolean {
  const [parent] = PARENTS[key] ?? [];
  return (
    parent !== undefined && next.given(parent) !== undefined && next.get(parent) !== deployed.get(parent)
  );
}

/** Returns undefined for a setting that does not count. */
function inEffect(settings: Settings, key: SettingKey): string | undefined {
  const [parent, needed] = PARENTS[key] ?? [];
  if (parent !== undefined && settings.get(parent) !== needed) return undefined;
  const value = key === "alarms" ? hasAlarms(settings) : settings.get(key);
  return value === undefined ? undefined : String(value);
}

/** @param permitted keys that the operator lets change. @throws Error for a permitted key that no check holds. */
export function describeRefusal(
  stackName: string,
  found: readonly Difference[],
  permitted: readonly string[],
): string | undefined {
  const unknown = permitted.find((key) => !GUARDED.includes(key as SettingKey));
  if (unknown !== undefined) throw new Error(`--change ${unknown}: it must be ${GUARDED.join(", ")}`);
  const refused = found.filter(({ key }) => !permitted.includes(key));
  if (refused.length === 0) return undefined;
  const kept = refused.filter(({ deployed }) => deployed !== undefined);
  return [
    `This deployment leaves out settings of the stack ${stackName}, and their defaults would change it:`,
    ...refused.map(
      ({ key, guards, deployed = "none", next = "none" }) =>
        `  ${guards}: ${key} from ${deployed} to ${next}`,
    ),
    `To keep them, add them to wirelab.config.ts or to the command: ${kept.map(({ key, deployed }) => `-c ${key}=${deployed}`).join(" ")}`,
    `To change them: ${refused.map(({ key }) => `--change ${key}`).join(" ")}`,
  ].join("\n");
}
