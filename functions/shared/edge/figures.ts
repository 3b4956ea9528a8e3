/**
 * The figures among the stack's settings that functions read, with their defaults. The stack sets the environment variable, which is the
 * name of the setting in capitals, when the context has a value (infra/settings.ts, which has all settings and their bounds).
 */

/** Settings of the functions that create resources with a quota. */
export const QUOTAS = {
  runs_per_minute: 300,
  quota_nodes: 1_200,
  quota_links: 2_000,
  quota_captures: 1_000,
  quota_drawings: 500,
  quota_snapshots: 100,
  quota_files: 1_000,
  quota_stored_bytes: 5_368_709_120,
  quota_projects: 1_000,
  quota_user_stored_bytes: 53_687_091_200,
  quota_templates: 500,
  quota_symbols: 1_000,
  quota_symbol_bytes: 268_435_456,
  quota_user_symbols: 250,
  quota_user_symbol_bytes: 67_108_864,
  quota_followed_captures: 3,
  quota_followed_events: 10,
  quota_kept_answer_bytes: 67_108_864,
};

/** Settings of the functions that run labs. */
export const RUN_LIMITS = {
  run_max_events: 5_000_000,
  run_max_packets: 1_000_000,
  run_max_cpu_seconds: 15,
  run_max_captured_bytes: 67_108_864,
  run_max_bytes_in_flight: 268_435_456,
  run_max_output_characters: 1_000_000,
  run_max_lab_seconds: 7 * 86_400,
};

/** Settings of the function that runs labs with Linux nodes. Its other limits are those of all runs. */
export const GUEST_LIMITS = {
  linux_max_guests: 8,
  linux_max_memory_mb: 1_536,
  linux_max_state_mb: 384,
  linux_max_lab_seconds: 600,
};

/**
 * Part of the function's time that is reserved for the commit and the response: a run that has not ended by then is rolled back. The
 * context cannot set a computing limit above the rest (infra/settings.ts).
 */
export const RESERVE_MS = 6_000;

/** Settings of the helper machine. */
export const HELPER = { helper_idle_minutes: 30 };

/** Settings of the sweeper. */
export const SWEEPS = { abandoned_capture_days: 30 };

/** The bounds of a sweep of a lab file, which bound what it costs: docs/limits.md. `caseCpuSeconds` is processor time, of cases without Linux nodes. */
export const LAB_SWEEPS = {
  cases: 2_000,
  guestCases: 200,
  caseCpuSeconds: 5,
  seconds: 1_800,
  batchesAtOnce: 8,
};

/** @throws Error when the variable is set to anything but a number from 0 up. */
export function figure<Name extends string>(defaults: Readonly<Record<Name, number>>, name: Name): number {
  const variable = name.toUpperCase();
  const text = process.env[variable];
  if (!text) return defaults[name];
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`${variable} must be a number from 0 up, got ${text}`);
  return value;
}
