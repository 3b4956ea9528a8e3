/** Holds the state machines of a template to the Amazon States Language, which Step Functions checks when it creates them. */
import validate from "asl-validator";
import { type CfnResources, makeResolver } from "../local/intrinsics.ts";
import { LocalProblem } from "../local/problem.ts";
import { nameResources, ofType } from "../local/template/resources.ts";
import type { Problem, StackTemplate } from "./template.ts";

/** The rule: faultsOfMachines() with the logical id apart. */
export function checkMachines({ resources }: StackTemplate): readonly Problem[] {
  try {
    return faultsOfMachines(resources).map((fault) => {
      const end = fault.indexOf(": ");
      return { logicalId: fault.slice(0, end), text: fault.slice(end + 2) };
    });
  } catch (error) {
    if (!(error instanceof LocalProblem)) throw error;
    return [{ logicalId: "", text: error.message }];
  }
}

/**
 * Returns what is wrong with each state machine: `logical id: fault`.
 * A reference to a resource that has no local counterpart throws a LocalProblem.
 */
export function faultsOfMachines(resources: CfnResources): string[] {
  const resolve = makeResolver(resources, nameResources(resources));
  return ofType(resources, "AWS::StepFunctions::StateMachine").flatMap(([id, { Properties = {} }]) => {
    const text = String(resolve(Properties.DefinitionString, `${id}.DefinitionString`));
    return faultsOf(text).map((fault) => `${id}: ${fault}`);
  });
}

/** @param definition in JSON, with ARNs in place of references. */
function faultsOf(definition: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(definition);
  } catch (error) {
    return [`the definition is not JSON: ${(error as Error).message}`];
  }
  if (typeof parsed !== "object" || parsed === null) return ["the definition is not an object"];
  return validate(parsed).errors.map(describe);
}

const describe = ({ "Error code": code, Message, schemaError }: validate.Fault): string =>
  [code, schemaError?.instancePath, Message ?? schemaError?.schemaPath].filter(Boolean).join(" ");
