/** Colours of a terminal. */
type Paint = (text: string) => string;

export interface Colours {
  readonly good: Paint;
  readonly bad: Paint;
  readonly unsure: Paint;
  readonly quiet: Paint;
  readonly strong: Paint;
}

const paint =
  (code: number, end: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[${end}m`;
const plain: Paint = (text) => text;

/** @param isOn false without a terminal, or with NO_COLOR (https://no-color.org). */
export const makeColours = (isOn: boolean): Colours =>
  isOn
    ? {
        good: paint(32, 39),
        bad: paint(31, 39),
        unsure: paint(33, 39),
        quiet: paint(2, 22),
        strong: paint(1, 22),
      }
    : { good: plain, bad: plain, unsure: plain, quiet: plain, strong: plain };
