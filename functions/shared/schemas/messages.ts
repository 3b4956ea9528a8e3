/** Validation messages in English: zod's small variant has no built-in locale. */
import { config } from "zod/mini";
import english from "zod/v4/locales/en.js";

const { localeError } = english();

config({
  // Replaces zod's "Invalid input: expected string, received undefined" by wording for users of the API.
  localeError: (issue) =>
    issue.code === "invalid_type" && issue.input === undefined ? "is missing" : localeError(issue),
});
