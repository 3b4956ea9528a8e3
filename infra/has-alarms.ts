/** Whether a stack has alarms. */
import type { Settings } from "./chosen-settings.ts";

/** `alarm_email` enables them, unless the settings have `alarms=false`. */
export const hasAlarms = (settings: Settings): boolean =>
  settings.given("alarms") ?? settings.get("alarm_email") !== undefined;
