/** Orders names with numbers as people do: eth2 before eth10. */
export const natural = (a: string, b: string): number => {
  const [textA, numberA] = partsOf(a);
  const [textB, numberB] = partsOf(b);
  return textA === textB ? numberA - numberB : textA < textB ? -1 : 1;
};

function partsOf(name: string): readonly [string, number] {
  const digits = /[0-9]*$/.exec(name)![0];
  return [name.slice(0, name.length - digits.length), Number(digits)];
}
