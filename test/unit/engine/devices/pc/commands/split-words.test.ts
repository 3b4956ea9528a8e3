import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitWords } from "../../../../../../packages/engine/devices/pc/commands/split-words.ts";

describe("the words of a line", () => {
  test.each([
    ["ip 10.0.0.1/24", ["ip", "10.0.0.1", "24"]],
    ["ip 10.0.0.1 24", ["ip", "10.0.0.1", "24"]],
    ["ip 10.0.0.1=24", ["ip", "10.0.0.1", "24"]],
    ["\tshow \t arp  ", ["show", "arp"]],
    ["", []],
    [" / = ", []],
  ])("%j is %j: space, tab, slash and equals sign separate them", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test.each([
    ['save "a/b c"', ["save", "a/b c"]],
    ['save lab"/ 1".vpc', ["save", 'lab"', '1".vpc']],
    ['save "lab 1".vpc', ["save", "lab 1", ".vpc"]],
    ['echo a "not closed', ["echo", "a"]],
    ['echo "" x', ["echo", "x"]],
  ])("%j is %j: text in double quotes is not separated", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test("words after the twentieth are dropped", () => {
    const words = Array.from({ length: 25 }, (_, index) => `w${index}`);
    expect(splitWords(words.join(" "))).toEqual(words.slice(0, 20));
  });

  test("words without separators and quotes survive joining and splitting", () => {
    const word = fc.stringMatching(/^[!#-.0-<>-~]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        expect(splitWords(words.join(" "))).toEqual(words);
      }),
    );
  });
});
