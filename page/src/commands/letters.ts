/** Whether keys of one character call commands: users can switch them off. */
import { signal } from "@preact/signals";

const KEY = "wirelab.letters";

export const areLettersKeys = signal(localStorage.getItem(KEY) !== "off");

export function switchLetters(): void {
  areLettersKeys.value = !areLettersKeys.value;
  localStorage.setItem(KEY, areLettersKeys.value ? "on" : "off");
}
