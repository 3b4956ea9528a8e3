/** The commands of lists and route maps. The lines of an entry belong to the mode `route-map`. */
import type { Clause } from "../../../../routing/policy/clauses.ts";
import { LIST_TYPE_NAMES, LIST_TYPES, type ListType } from "../../../../routing/policy/lists.ts";
import { MATCHES } from "../../../../routing/policy/matches.ts";
import { SETS } from "../../../../routing/policy/sets.ts";
import type { ConfigureCommands, Configuring } from "../base/configuring.ts";
import { changing } from "../base/edit.ts";
import { addRule, byNumber, removeRule } from "./edit-lists.ts";
import {
  type EntryEdit,
  type EntryName,
  editEntry,
  removeClause,
  removeText,
  setClause,
  setText,
  withoutEntry,
} from "./edit-maps.ts";

const LIST_WORDS = {
  permit: "Routes that the rule matches are permitted",
  deny: "Routes that the rule matches are denied",
  seq: "Number of the rule",
  ge: "Least prefix length",
  le: "Greatest prefix length",
  any: "Every prefix of the family",
  description: "What the list is for",
  standard: "Rules with communities",
  expanded: "Rules with regular expressions",
};

const listCommands = (type: ListType): ConfigureCommands => {
  const { syntax, about } = LIST_TYPES[type];
  const isPrefixes = type.endsWith("prefix-list");
  return [
    {
      head: type,
      syntax: `NAME [seq SEQ] permit|deny ${syntax}`,
      meaning: about,
      run: changing(addRule(type)),
      words: LIST_WORDS,
    },
    {
      head: `no ${type}`,
      syntax: `NAME [seq SEQ] [permit|deny ${syntax}]`,
      meaning: "remove a rule, or the list",
      run: changing(removeRule(type)),
      words: LIST_WORDS,
      unlisted: true,
    },
    ...(isPrefixes
      ? ([
          {
            head: type,
            syntax: "NAME description TEXT...",
            meaning: "say what a list is for",
            run: changing(addRule(type)),
            words: LIST_WORDS,
            unlisted: true,
          },
          {
            head: `no ${type}`,
            syntax: "NAME description [TEXT]...",
            meaning: "say it no longer",
            run: changing(removeRule(type)),
            words: LIST_WORDS,
            unlisted: true,
          },
        ] satisfies ConfigureCommands)
      : []),
  ];
};

const numberedCommands = (base: "bgp community-list" | "bgp large-community-list"): ConfigureCommands => [
  {
    head: base,
    syntax: "NUMBER [seq SEQ] permit|deny REGEX...",
    meaning: "the same by number: 1 to 99 is a standard list, 100 to 500 an expanded one",
    run: changing(byNumber(base, addRule)),
    checksWords: true,
    words: LIST_WORDS,
  },
  {
    head: `no ${base}`,
    syntax: "NUMBER [seq SEQ] [permit|deny REGEX...]",
    meaning: "remove a rule, or the list",
    run: changing(byNumber(base, removeRule)),
    words: LIST_WORDS,
    unlisted: true,
  },
];

export const ROUTE_POLICY_CONFIGURE: ConfigureCommands = [
  ...LIST_TYPE_NAMES.flatMap(listCommands),
  ...numberedCommands("bgp community-list"),
  ...numberedCommands("bgp large-community-list"),
  {
    head: "no route-map",
    syntax: "NAME [permit|deny SEQ]",
    meaning: "remove a route map, or an entry of it",
    run: changing(withoutEntry),
    words: { permit: "The entry permits routes", deny: "The entry denies routes" },
  },
];

/** What the commands of a block need: the entry that it is of. */
export interface InEntry extends Configuring {
  readonly session: { readonly mode: { readonly kind: string } | undefined };
}

const inEntry =
  (edit: EntryEdit) =>
  (parts: InEntry, words: readonly string[]): readonly string[] => {
    const entry = parts.session.mode as { readonly kind: string } & EntryName;
    return parts.change((properties) => editEntry(properties, entry, edit, words));
  };

const withSyntax = (syntax: string | undefined): { readonly syntax?: string } =>
  syntax === undefined ? {} : { syntax };

const clauseCommands = (verb: "match" | "set", rows: readonly Clause<never>[]): ConfigureCommands<InEntry> =>
  rows.flatMap(({ head, syntax, about }) => [
    {
      head: `${verb} ${head}`,
      ...withSyntax(syntax),
      meaning: about,
      run: inEntry(setClause(verb, head)),
    },
    {
      head: `no ${verb} ${head}`,
      ...withSyntax(syntax && `[${syntax}]`),
      meaning: `without ${verb} ${head}`,
      run: inEntry(removeClause(verb, head)),
      unlisted: true as const,
    },
  ]);

/** The lines in the block of an entry. */
export const ROUTE_MAP_LINES: ConfigureCommands<InEntry> = [
  ...clauseCommands("match", MATCHES as readonly Clause<never>[]),
  ...clauseCommands("set", SETS as readonly Clause<never>[]),
  {
    head: "description",
    syntax: "TEXT...",
    meaning: "say what the entry is for",
    run: inEntry(setText("description")),
  },
  {
    head: "no description",
    syntax: "[TEXT]...",
    meaning: "say it no longer",
    run: inEntry(removeText("description")),
    unlisted: true,
  },
  {
    head: "call",
    syntax: "NAME",
    meaning: "let another map judge what this entry permits",
    run: inEntry(setText("call")),
  },
  {
    head: "no call",
    syntax: "[NAME]",
    meaning: "call no map",
    run: inEntry(removeText("call")),
    unlisted: true,
  },
  {
    head: "on-match next",
    meaning: "after a match, go on with the next entry",
    run: inEntry(setText("on_match", ["next"])),
  },
  {
    head: "on-match goto",
    syntax: "SEQ",
    meaning: "after a match, go on with this entry",
    run: inEntry(setText("on_match", ["goto"])),
  },
  {
    head: "no on-match next",
    meaning: "a match is the verdict",
    run: inEntry(removeText("on_match")),
    unlisted: true,
  },
  {
    head: "no on-match goto",
    syntax: "[SEQ]",
    meaning: "a match is the verdict",
    run: inEntry(removeText("on_match")),
    unlisted: true,
  },
  {
    head: "continue",
    syntax: "SEQ",
    meaning: "the same as on-match goto",
    run: inEntry(setText("on_match", ["goto"])),
  },
  {
    head: "no continue",
    syntax: "[SEQ]",
    meaning: "a match is the verdict",
    run: inEntry(removeText("on_match")),
    unlisted: true,
  },
];
