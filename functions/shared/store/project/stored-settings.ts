/**
 * How a project's settings are stored. They may be large and seldom change, so they have their own item. The project's item
 * changes with every run, so it stays small: it holds only the settings that decide about requests and runs.
 *
 *     META       owner, counters, clock, and values derived from the settings: `FromSettings`
 *     SETTINGS   the settings, and the revision of META with which they were stored
 *
 * An earlier release stored the settings in META. Such a project is readable as it is; the next change of its settings, or the
 * sweeper, stores it in the new form.
 */
import { createHash } from "node:crypto";
import type { Project, ProjectSettings } from "../../schemas/project.ts";

type ShareRole = Project["shared_with"][number]["role"];

export interface FromSettings {
  /** The roles of the users with whom the project is shared, by `shareId`, because a name may be long. */
  readonly shares?: Readonly<Record<string, ShareRole>> | undefined;
  readonly expires_at?: string | undefined;
  /** Values of the variables `seed` and `clock`. */
  readonly seed?: string | undefined;
  readonly pinned_clock?: string | undefined;
}

/** Absent in projects that were created before these settings existed. */
type Later = "shared_with" | "expires_at";

/** The settings of a project as an earlier release stored them. */
export type EarlierSettings = Omit<ProjectSettings, Later> & Partial<Pick<ProjectSettings, Later>>;

/** 128 bits of a digest, so two users practically never have the same. */
export const shareId = (user: string): string =>
  createHash("sha256").update(user).digest().toString("base64url", 0, 16);

export function fromSettings({ shared_with = [], expires_at, variables }: EarlierSettings): FromSettings {
  const valueFor = (name: string): string | undefined =>
    variables?.find((variable) => variable.name === name)?.value || undefined;
  const shares = shared_with.map(({ user, role }) => [shareId(user), role] as const);
  return {
    shares: shares.length > 0 ? Object.fromEntries(shares) : undefined,
    expires_at: expires_at ?? undefined,
    seed: valueFor("seed"),
    pinned_clock: valueFor("clock"),
  };
}

/** Returns the project's item as this release stores it, without the settings in it. */
export const upToDate = <P extends FromSettings & { readonly settings?: EarlierSettings | undefined }>(
  stored: P,
): P => (stored.settings === undefined ? stored : { ...stored, ...fromSettings(stored.settings) });
