/** What zod says of a wrong value, in English: its small variant has no language of its own. */
import { config } from "zod/mini";
import english from "zod/v4/locales/en.js";

const { localeError } = english();

config({
  // "Invalid input: expected string, received undefined" is how a program says it.
  localeError: (issue) =>
    issue.code === "invalid_type" && issue.input === undefined ? "is missing" : localeError(issue),
});
