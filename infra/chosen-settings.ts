/** The settings of one stack, checked and typed by the table in settings.ts. Constructs get them as a property. */
import { suggest } from "./nearest.ts";
import { type GivenValue, SETTING_KEYS, type SettingKey, settingOf, type ValueOf } from "./settings.ts";

export class Settings {
  readonly #texts: ReadonlyMap<string, string>;

  /**
   * Values from the command line are text; a file may also have numbers and booleans. An empty text and undefined are no value.
   * @param given values of keys in the table: refuseUnknown refuses other keys.
   * @param source begins the message of a refused value.
   * @throws Error for a value that the setting does not allow.
   */
  constructor(given: Readonly<Record<string, unknown>> = {}, source = "The context key") {
    this.#texts = new Map(
      Object.entries(given).flatMap(([key, value]) => {
        const text = textOf(value);
        if (text === "") return [];
        const { accepts, allowed, choices = [] } = settingOf(key as SettingKey).kind;
        if (typeof value !== "object" && accepts(text)) return [[key, text]];
        throw new Error(`${source} ${key} is ${text}; it must be ${allowed}${suggest(text, choices)}`);
      }),
    );
  }

  /** Returns the given value, else the default. */
  get<Key extends SettingKey>(key: Key): ValueOf<Key> {
    const { kind, default: usual } = settingOf(key);
    const text = this.#texts.get(key) ?? usual;
    return (text === undefined ? undefined : kind.parse(String(text))) as ValueOf<Key>;
  }

  /** Returns the given value, and undefined where the default holds. */
  given<Key extends SettingKey>(key: Key): GivenValue<Key> | undefined {
    return this.#texts.has(key) ? (this.get(key) as GivenValue<Key>) : undefined;
  }

  /** Returns the environment variables of functions that read these settings; without a value they use their defaults. */
  variables(keys: readonly SettingKey[]): Record<string, string> {
    return Object.fromEntries(
      keys.flatMap((key) => {
        const text = this.#texts.get(key);
        return text === undefined ? [] : [[key.toUpperCase(), text]];
      }),
    );
  }

  /** Returns all given values as text. */
  texts(): Record<string, string> {
    return Object.fromEntries(this.#texts);
  }
}

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");

/** @throws Error for keys that are not in the table: with a mistyped key, the setting would silently have its default. */
export function refuseUnknown(keys: readonly string[], describe: (key: string) => string): void {
  const unknown = keys.filter((key) => !SETTING_KEYS.has(key));
  if (unknown.length === 0) return;
  const lines = unknown.map((key) => `${describe(key)}${suggest(key, SETTING_KEYS)}`);
  throw new Error(`${lines.join("\n")}\ndocs/settings.md has all keys.`);
}
