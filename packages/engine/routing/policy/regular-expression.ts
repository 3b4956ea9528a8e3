/**
 * Extended regular expressions of POSIX, as FRR has them in lists: searched anywhere in a text, in time that grows with the lengths of
 * expression and text alone (Thompson 1968). `_` is the beginning, the end, or a character between two numbers.
 *
 *     ^65001_(65002|65003)_.*$
 */
const MOST_STEPS = 4_096;
const MOST_REPEATS = 255;
const CHARACTERS = 128;

type Step =
  | { readonly kind: "one-of"; readonly members: Uint8Array }
  | { readonly kind: "start" | "end" | "found" }
  | { readonly kind: "fork"; readonly to: readonly number[] };

type Node =
  | { readonly kind: "one-of"; readonly members: Uint8Array }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "any"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly of: Node; readonly least: number; readonly most: number };

export interface RegularExpression {
  /** Whether a part of the text matches. */
  isIn(text: string): boolean;
}

class ExpressionError extends Error {}

/** @returns what is wrong as text. */
export function parseExpression(text: string): RegularExpression | string {
  try {
    const parser = new Parser(text);
    const steps: Step[] = [];
    emit(parser.parse(), steps);
    add(steps, { kind: "found" });
    return { isIn: (subject) => isIn(steps, subject) };
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

const DELIMITERS = ",{}() ";

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Node {
    const node = this.#alternatives();
    if (this.#at < this.#text.length) throw new ExpressionError("the expression has a ) without a (");
    return node;
  }

  #alternatives(): Node {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: "any", parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && this.#next !== "|" && this.#next !== ")")
      parts.push(this.#repeated(this.#atom()));
    return { kind: "all", parts };
  }

  get #next(): string | undefined {
    return this.#text[this.#at];
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #repeated(atom: Node): Node {
    let node = atom;
    for (;;) {
      if (this.#take("*")) node = { kind: "repeat", of: node, least: 0, most: Number.POSITIVE_INFINITY };
      else if (this.#take("+")) node = { kind: "repeat", of: node, least: 1, most: Number.POSITIVE_INFINITY };
      else if (this.#take("?")) node = { kind: "repeat", of: node, least: 0, most: 1 };
      else if (this.#next === "{") node = this.#counted(node);
      else return node;
    }
  }

  #counted(of: Node): Node {
    const [whole, from, comma, to] =
      /^\{(\d{1,3})(?:(,)(\d{1,3})?)?\}/.exec(this.#text.slice(this.#at)) ?? [];
    if (whole === undefined) throw new ExpressionError("a { begins a count, like {2} or {1,3}");
    const least = Number(from);
    const most = comma === undefined ? least : to === undefined ? Number.POSITIVE_INFINITY : Number(to);
    if (least > MOST_REPEATS || (most > MOST_REPEATS && most !== Number.POSITIVE_INFINITY) || least > most)
      throw new ExpressionError(`the count ${whole} is not 0 to ${MOST_REPEATS}, the lower number first`);
    this.#at += whole.length;
    return { kind: "repeat", of, least, most };
  }

  #atom(): Node {
    const character = this.#text[this.#at++]!;
    if (character === "(") return this.#group();
    if (character === "[") return { kind: "one-of", members: this.#bracket() };
    if (character === "^") return { kind: "start" };
    if (character === "$") return { kind: "end" };
    if (character === "_")
      return {
        kind: "any",
        parts: [{ kind: "start" }, { kind: "one-of", members: membersOf(DELIMITERS) }, { kind: "end" }],
      };
    if (character === ".") return { kind: "one-of", members: new Uint8Array(CHARACTERS).fill(1) };
    if ("*+?{".includes(character)) throw new ExpressionError(`nothing stands before ${character}`);
    if (character !== "\\") return { kind: "one-of", members: membersOf(character) };
    const escaped = this.#text[this.#at++];
    if (escaped === undefined) throw new ExpressionError("the expression ends with \\");
    return { kind: "one-of", members: membersOf(escaped) };
  }

  #group(): Node {
    this.#depth += 1;
    if (this.#depth > MOST_REPEATS)
      throw new ExpressionError(`the expression has more than ${MOST_REPEATS} ( inside each other`);
    const inner = this.#alternatives();
    if (!this.#take(")")) throw new ExpressionError("the expression has a ( without a )");
    this.#depth -= 1;
    return inner;
  }

  #bracket(): Uint8Array {
    const isOther = this.#take("^");
    const members = new Uint8Array(CHARACTERS);
    for (let isFirst = true; isFirst || this.#next !== "]"; isFirst = false) {
      const [whole, name] = /^\[:([a-z]+):\]/.exec(this.#text.slice(this.#at, this.#at + 12)) ?? [];
      if (whole !== undefined) {
        const pattern = CLASSES.get(name!);
        if (pattern === undefined) throw new ExpressionError(`there is no class of characters ${whole}`);
        for (let code = 0; code < CHARACTERS; code++)
          if (pattern.test(String.fromCharCode(code))) members[code] = 1;
        this.#at += whole.length;
        continue;
      }
      const from = this.#code();
      const isRange = this.#next === "-" && this.#text[this.#at + 1] !== "]";
      if (isRange) this.#at += 1;
      const to = isRange ? this.#code() : from;
      if (from > to) throw new ExpressionError("a range of characters ends before it begins");
      members.fill(1, from, to + 1);
    }
    this.#at += 1;
    return isOther ? members.map((each) => 1 - each) : members;
  }

  #code(): number {
    const code = this.#text.charCodeAt(this.#at++);
    if (Number.isNaN(code)) throw new ExpressionError("the expression has a [ without a ]");
    if (code >= CHARACTERS) throw new ExpressionError("the expression has characters beyond ASCII");
    return code;
  }
}

const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["digit", /\d/],
  ["alpha", /[a-z]/i],
  ["alnum", /[a-z\d]/i],
  ["space", /\s/],
  ["lower", /[a-z]/],
  ["upper", /[A-Z]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["xdigit", /[\da-f]/i],
]);

function membersOf(characters: string): Uint8Array {
  const members = new Uint8Array(CHARACTERS);
  for (const character of characters) {
    const code = character.codePointAt(0)!;
    if (code >= CHARACTERS) throw new ExpressionError("the expression has characters beyond ASCII");
    members[code] = 1;
  }
  return members;
}

function add(steps: Step[], step: Step): number {
  if (steps.length >= MOST_STEPS)
    throw new ExpressionError(`the expression has more than ${MOST_STEPS} steps, its counts multiplied`);
  return steps.push(step) - 1;
}

/** Appends the steps of a node; each goes on to the one behind it, but for forks. */
function emit(node: Node, steps: Step[]): void {
  // Even nothing takes a step, so that the counts of nested repetitions end.
  if (node.kind === "all") {
    if (node.parts.length === 0) add(steps, { kind: "fork", to: [steps.length + 1] });
    for (const part of node.parts) emit(part, steps);
  } else if (node.kind === "any") emitAny(node.parts, steps);
  else if (node.kind === "repeat") emitRepeat(node, steps);
  else add(steps, node);
}

function emitAny(parts: readonly Node[], steps: Step[]): void {
  const starts: number[] = [];
  add(steps, { kind: "fork", to: starts });
  const ends = parts.map((part) => {
    starts.push(steps.length);
    emit(part, steps);
    return add(steps, { kind: "fork", to: [] });
  });
  for (const end of ends) steps[end] = { kind: "fork", to: [steps.length] };
}

function emitRepeat({ of, least, most }: Extract<Node, { kind: "repeat" }>, steps: Step[]): void {
  for (let count = 0; count < least; count++) emit(of, steps);
  if (most === Number.POSITIVE_INFINITY) {
    const fork = add(steps, { kind: "fork", to: [] });
    emit(of, steps);
    add(steps, { kind: "fork", to: [fork] });
    steps[fork] = { kind: "fork", to: [fork + 1, steps.length] };
    return;
  }
  const forks: number[] = [];
  for (let count = least; count < most; count++) {
    forks.push(add(steps, { kind: "fork", to: [] }));
    emit(of, steps);
  }
  for (const fork of forks) steps[fork] = { kind: "fork", to: [fork + 1, steps.length] };
}

function isIn(steps: readonly Step[], text: string): boolean {
  let present = new Set<number>();
  for (let at = 0; at <= text.length; at++) {
    // A match may begin at each character.
    if (enter(steps, 0, at, text.length, present)) return true;
    const code = text.charCodeAt(at);
    const after = new Set<number>();
    for (const index of present) {
      const step = steps[index]!;
      if (step.kind !== "one-of" || step.members[code] !== 1) continue;
      if (enter(steps, index + 1, at + 1, text.length, after)) return true;
    }
    present = after;
  }
  return false;
}

/** Adds the steps that are reached without a character. @returns whether the end of the expression is among them. */
function enter(
  steps: readonly Step[],
  first: number,
  at: number,
  length: number,
  into: Set<number>,
): boolean {
  const waiting = [first];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (into.has(index)) continue;
    into.add(index);
    const step = steps[index]!;
    if (step.kind === "found") return true;
    if (step.kind === "fork") waiting.push(...step.to);
    else if ((step.kind === "start" && at === 0) || (step.kind === "end" && at === length))
      waiting.push(index + 1);
  }
  return false;
}
