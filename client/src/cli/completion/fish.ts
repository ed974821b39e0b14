import type { Command, Option } from '../command.ts'
import { flatten } from './bash.ts'

/** A completion script for fish. */
export function fishCompletion(commands: readonly Command[], general: readonly Option[]): string {
  const entries = flatten(commands)
  return `# Completion of winnow for fish: winnow completion fish | source
function __winnow_at
    set -l words (commandline -opc)
    set -l path
    for word in $words[2..-1]
        string match -q -- '-*' $word; and continue
        if contains -- (string join ' ' -- $path $word) ${entries.map(({ path }) => quoted(path)).join(' ')}
            set path $path $word
        end
    end
    test "$path" = "$argv[1]"
end
complete -c winnow -f
${general.map((option) => `complete -c winnow ${optionWords(option)}`).join('\n')}
${entries
  .map(({ path, command }) => {
    const parent = path.split(' ').slice(0, -1).join(' ')
    return `complete -c winnow -n "__winnow_at '${parent}'" -a ${command.name} -d ${quoted(command.summary)}`
  })
  .join('\n')}
${entries
  .flatMap(({ path, command }) => {
    const at = `complete -c winnow -n "__winnow_at '${path}'"`
    const argument = command.arguments?.find((each) => each.completes || each.choices)
    return [
      ...(command.options ?? []).map((option) => `${at} ${optionWords(option)}`),
      ...(argument?.choices
        ? [`${at} -a ${quoted(argument.choices.join(' '))}`]
        : argument
          ? [`${at} -F`]
          : []),
    ]
  })
  .join('\n')}
`
}

function optionWords({ name, short, kind, description, choices, completes }: Option): string {
  const values = choices ? ` -x -a ${quoted(choices.join(' '))}` : completes ? ' -r -F' : ' -x'
  return `-l ${name}${short ? ` -s ${short}` : ''} -d ${quoted(description)}${kind === 'flag' ? '' : values}`
}

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
