/** Executes a parsed template. */
import { type Spot, TemplateFault } from "./fault.ts";
import type { Functions } from "./functions.ts";
import type { Templates } from "./parse-template.ts";
import type { Command, Node, Operand, Pipe } from "./tree.ts";
import {
  isFields,
  isList,
  isTrue,
  isWhole,
  kindOf,
  MOST_ELEMENTS,
  sortedNames,
  textOf,
  type Value,
} from "./values.ts";
import type { WrittenText } from "./written-text.ts";

/** A template can have loops in loops; each step is an action or a turn of a loop. */
const MOST_STEPS = 1_000_000;
/** Templates that call each other. */
const MOST_LEVELS = 100;

type End = "break" | "continue" | undefined;

interface Variable {
  readonly name: string;
  value: Value;
}

/** @throws TemplateFault with its place. */
export class Execution {
  readonly #templates: Templates;
  readonly #functions: Functions;
  readonly #written: WrittenText;
  readonly #file: string;
  readonly #variablesFile: string;
  #variables: Variable[] = [];
  #steps = 0;
  /** The calls of templates that are being executed. */
  readonly #calls: Spot[] = [];

  /** @param file whose places the written text has. @param variablesFile where the user can add variables. */
  constructor(
    templates: Templates,
    functions: Functions,
    written: WrittenText,
    file: string,
    variablesFile: string,
  ) {
    this.#variablesFile = variablesFile;
    this.#templates = templates;
    this.#functions = functions;
    this.#written = written;
    this.#file = file;
  }

  /** Executes a template with its data. */
  run(name: string, dot: Value): void {
    const outer = this.#variables;
    this.#variables = [{ name: "$", value: dot }];
    this.#list(this.#templates.get(name) ?? [], dot);
    this.#variables = outer;
  }

  #list(nodes: readonly Node[], dot: Value): End {
    const count = this.#variables.length;
    for (const node of nodes) {
      const end = this.#node(node, dot);
      if (end !== undefined) {
        this.#variables.length = count;
        return end;
      }
    }
    this.#variables.length = count;
    return undefined;
  }

  #node(node: Node, dot: Value): End {
    switch (node.kind) {
      case "text":
        this.#at(node.spot, () => this.#written.copy(node.text, this.#placeOf(node.spot)));
        return undefined;
      case "print":
        this.#print(node.pipe, dot);
        return undefined;
      case "break":
      case "continue":
        return node.kind;
      case "template":
        this.#template(node, dot);
        return undefined;
      case "range":
        return this.#range(node, dot);
      case "if":
      case "with": {
        const count = this.#variables.length;
        const value = this.#pipe(node.pipe, dot);
        const body = isTrue(value) ? node.body : node.otherwise;
        const end = this.#list(body, node.kind === "with" && isTrue(value) ? value : dot);
        this.#variables.length = count;
        return end;
      }
    }
  }

  #print(pipe: Pipe, dot: Value): void {
    const value = this.#pipe(pipe, dot);
    if (pipe.variables.length > 0) return;
    const { spot } = pipe;
    if (value === undefined)
      throw new TemplateFault(`has no value: correct the name, or add it to ${this.#variablesFile}.`, spot);
    this.#at(spot, () => this.#written.print(textOf(value), this.#placeOf(spot)));
  }

  /** A template of another file counts as the action that names it. */
  #placeOf(spot: Spot): Spot {
    if (spot.file === this.#file) return spot;
    return this.#calls.findLast(({ file }) => file === this.#file) ?? spot;
  }

  #template({ name, pipe, spot }: Extract<Node, { kind: "template" }>, dot: Value): void {
    if (!this.#templates.has(name))
      throw new TemplateFault(`names no template: ${JSON.stringify(name)}.`, spot);
    if (this.#calls.length === MOST_LEVELS)
      throw new TemplateFault(`is called by templates more than ${MOST_LEVELS} levels deep.`, spot);
    this.#calls.push(spot);
    this.run(name, pipe && this.#pipe(pipe, dot));
    this.#calls.pop();
  }

  #range({ pipe, body, otherwise }: Extract<Node, { kind: "if" | "with" | "range" }>, dot: Value): End {
    const count = this.#variables.length;
    const value = this.#commands(pipe, dot);
    const turns = this.#turns(value, pipe);
    let end: End;
    for (const [key, element] of turns) {
      this.#step(pipe.spot);
      this.#variables.length = count;
      const values = pipe.variables.length > 1 ? [key, element] : [element];
      for (const [index, name] of pipe.variables.entries()) this.#set(name, values[index], pipe.assigns);
      if (this.#list(body, element) === "break") break;
    }
    if (turns.length === 0) end = this.#list(otherwise, dot);
    this.#variables.length = count;
    return end;
  }

  #turns(value: Value, { spot, variables }: Pipe): (readonly [key: Value, element: Value])[] {
    if (value === undefined) return [];
    if (isList(value)) return value.map((element, index) => [BigInt(index), element]);
    if (isFields(value))
      return sortedNames(value).map((name) => [isWhole(name) ? BigInt(name) : name, value[name]]);
    if (typeof value !== "bigint" || variables.length > 1)
      throw new TemplateFault(`goes through ${kindOf(value)}; needs a list or a map.`, spot);
    if (value > BigInt(MOST_ELEMENTS))
      throw new TemplateFault(`goes through ${value} numbers; the limit is ${MOST_ELEMENTS}.`, spot);
    return Array.from({ length: Math.max(0, Number(value)) }, (_, index) => [undefined, BigInt(index)]);
  }

  /** Evaluates, and sets the variables. */
  #pipe(pipe: Pipe, dot: Value): Value {
    const value = this.#commands(pipe, dot);
    for (const name of pipe.variables) this.#set(name, value, pipe.assigns);
    return value;
  }

  #commands({ commands, spot }: Pipe, dot: Value): Value {
    this.#step(spot);
    let passed: readonly Value[] = [];
    for (const command of commands) passed = [this.#command(command, passed, dot)];
    return passed[0];
  }

  #set(name: string, value: Value, assigns: boolean): void {
    if (!assigns) {
      this.#variables.push({ name, value });
      return;
    }
    const variable = this.#variables.findLast((each) => each.name === name);
    if (variable !== undefined) variable.value = value;
  }

  /** @param passed what the command before the sign | gave. */
  #command({ operands: [first, ...others] }: Command, passed: readonly Value[], dot: Value): Value {
    if (first.kind === "function") return this.#call(first, others, passed, dot);
    const given = others[0];
    if (given !== undefined || passed.length > 0)
      throw new TemplateFault("gives a value to what is no function.", given?.spot ?? first.spot);
    return this.#operand(first, dot);
  }

  #call(
    { name, spot }: Extract<Operand, { kind: "function" }>,
    operands: readonly Operand[],
    passed: readonly Value[],
    dot: Value,
  ): Value {
    // `and` and `or` do not evaluate what follows the value that decides.
    if (name === "and" || name === "or") return this.#choose(name, spot, operands, passed, dot);
    const values = [...operands.map((operand) => this.#operand(operand, dot)), ...passed];
    return this.#at(spot, () => this.#functions[name]!(values), `${name}: `);
  }

  #choose(
    name: "and" | "or",
    spot: Spot,
    operands: readonly Operand[],
    passed: readonly Value[],
    dot: Value,
  ): Value {
    const [last] = passed;
    let value: Value;
    for (const operand of operands) {
      value = this.#operand(operand, dot);
      if (isTrue(value) === (name === "or")) return value;
    }
    if (operands.length + passed.length === 0) throw new TemplateFault(`${name}: needs a value.`, spot);
    return passed.length > 0 ? last : value;
  }

  #operand(operand: Operand, dot: Value): Value {
    switch (operand.kind) {
      case "constant":
        return operand.value;
      case "dot":
        return dot;
      case "variable":
        return this.#variables.findLast(({ name }) => name === operand.name)?.value;
      case "function":
        return this.#call(operand, [], [], dot);
      case "pipe":
        return this.#pipe(operand.pipe, dot);
      case "fields":
        return operand.names.reduce(
          (value, name) => fieldOf(value, name, operand.spot),
          this.#operand(operand.of, dot),
        );
    }
  }

  #step(spot: Spot): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new TemplateFault(`takes more than ${MOST_STEPS} steps.`, spot);
  }

  /** Adds the place to a fault that has none. */
  #at<Result>(spot: Spot, work: () => Result, before = ""): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof TemplateFault && error.spot === undefined)
        throw new TemplateFault(`${before}${error.message}`, spot);
      throw error;
    }
  }
}

function fieldOf(value: Value, name: string, spot: Spot): Value {
  if (value === undefined) return undefined;
  if (!isFields(value)) throw new TemplateFault(`asks for .${name} of ${kindOf(value)}.`, spot);
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
