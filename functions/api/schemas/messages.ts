/** What zod says of a wrong value, in English: its small variant has no language of its own. */
import { config } from "zod/mini";
import english from "zod/v4/locales/en.js";

config(english());
