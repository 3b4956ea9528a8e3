/** The colours of the map. */

export interface Colours {
  readonly text: string;
  readonly halo: string;
  readonly line: string;
  readonly accent: string;
  readonly amber: string;
  readonly red: string;
}

const LIGHT: Colours = {
  text: "#1c2a33",
  halo: "#f6f8f9",
  line: "#7d8f9a",
  accent: "#0b6e93",
  amber: "#a86500",
  red: "#c2332b",
};
const DARK: Colours = {
  text: "#dfe8ed",
  halo: "#12191e",
  line: "#6d808c",
  accent: "#56bfe5",
  amber: "#e2a33c",
  red: "#ff7a70",
};

export const coloursOf = (isDark: boolean): Colours => (isDark ? DARK : LIGHT);
