/** The client of Step Functions and its commands. executions.ts loads this module on first use, because few requests need it. */
import { SFNClient } from "@aws-sdk/client-sfn";
import { clientSettings } from "./client-settings.ts";

export {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";

const TIMEOUT_MS = 6_000;

export const stepFunctions = new SFNClient(clientSettings(TIMEOUT_MS));
