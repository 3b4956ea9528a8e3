/** `wirelab completion`: prints a script that completes commands, options and files in a shell. */
import { CommandLineError, type LoadHelps, parseCommandLine, type Surroundings } from "./command-line.ts";

export const help = `Usage: wirelab completion bash|zsh|fish

Prints a script that completes commands, options and file names. To use it in each new shell:
  bash   wirelab completion bash >> ~/.bashrc
  zsh    wirelab completion zsh >> ~/.zshrc
  fish   wirelab completion fish > ~/.config/fish/completions/wirelab.fish
Exit status: 0 done, 2 wrong usage.
`;

/** The names of commands, and their options such as `--seed`. */
type Words = ReadonlyMap<string, readonly string[]>;

const cases = (words: Words): string =>
  [...words].map(([name, options]) => `    ${name}) options="${options.join(" ")}" ;;\n`).join("");

const bash = (words: Words): string => `_wirelab() {
  local options="" word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${[...words.keys()].join(" ")}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases(words)}  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _wirelab wirelab
`;

const zsh = (words: Words): string => `_wirelab() {
  local options=""
  if (( CURRENT == 2 )); then
    compadd -- ${[...words.keys()].join(" ")}
    return
  fi
  case "\${words[2]}" in
${cases(words)}  esac
  case "\${words[CURRENT]}" in
    -*) compadd -- \${=options} ;;
    *) _files ;;
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _wirelab wirelab
`;

const fish = (words: Words): string =>
  [...words]
    .map(([name, options]) =>
      [
        `complete -c wirelab -f -n __fish_use_subcommand -a ${name}\n`,
        ...options.map(
          (option) =>
            `complete -c wirelab -n "__fish_seen_subcommand_from ${name}" -l ${option.replace(/^--/, "")}\n`,
        ),
      ].join(""),
    )
    .join("");

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

export async function run(args: string[], { stdout }: Surroundings, loadHelps: LoadHelps): Promise<void> {
  const shell = parseCommandLine(args, { options: {}, positionals: ["bash|zsh|fish"] }).positionals[0]!;
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined)
    throw new CommandLineError(`${JSON.stringify(shell)} is none of ${Object.keys(SHELLS).join(", ")}`);
  const helps = await loadHelps();
  stdout.write(script(new Map([...helps].map(([name, text]) => [name, optionsIn(text)]))));
}

/** The options that a command's help lists, in order, each once. */
const optionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option)),
];
