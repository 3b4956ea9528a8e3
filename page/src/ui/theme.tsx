/** Dark and light: the system's choice, until the user switches. */
import { effect, signal } from "@preact/signals";

const KEY = "wirelab.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const isDark = signal(
  localStorage.getItem(KEY) === null ? system.matches : localStorage.getItem(KEY) === "dark",
);
system.addEventListener("change", ({ matches }) => {
  if (localStorage.getItem(KEY) === null) isDark.value = matches;
});
effect(() => {
  document.documentElement.dataset.theme = isDark.value ? "dark" : "light";
});

function switchTheme(): void {
  isDark.value = !isDark.value;
  localStorage.setItem(KEY, isDark.value ? "dark" : "light");
}

export const ThemeSwitch = () => (
  <button
    type="button"
    class="quiet"
    onClick={switchTheme}
    aria-label={isDark.value ? "Use light colours" : "Use dark colours"}
  >
    {isDark.value ? "☀" : "☾"}
  </button>
);
