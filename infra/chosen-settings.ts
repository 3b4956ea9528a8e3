/** The settings of one stack, checked and typed by the table in settings.ts. Constructs get them as a property. */
import { type GivenValue, type SettingKey, settingOf, type ValueOf } from "./settings.ts";

export class Settings {
  readonly #texts = new Map<string, string>();

  /**
   * Values from the command line are text; a file may also have numbers and booleans. An empty text and undefined are no value.
   * @param given values of keys in the table; known-context.ts refuses other keys.
   * @throws Error for a value that the setting does not allow.
   */
  constructor(given: Readonly<Record<string, unknown>> = {}) {
    for (const [key, value] of Object.entries(given)) {
      const text = String(value ?? "");
      if (text === "") continue;
      const { accepts, allowed } = settingOf(key as SettingKey).kind;
      if (!accepts(text)) throw new Error(`The context key ${key} is ${text}; it must be ${allowed}`);
      this.#texts.set(key, text);
    }
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
}
