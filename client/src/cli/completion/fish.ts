import type { Command, Option } from '../command.ts'
import { flatten } from './bash.ts'

/** Returns a completion script for fish. */
export function fishCompletion(commands: readonly Command[], general: readonly Option[]): string {
  const entries = flatten(commands)
  return `# Completion of winnow for fish: winnow completion fish | source
function __winnow_at
    set -l words (commandline -opc)
    set -l path
    for word in $words[2..-1]
        string match -q -- '-*' $word; and continue
        if contains -- (string join ' ' -- $path $word) ${entries.map(({ path }) => quote(path)).join(' ')}
            set path $path $word
        end
    end
    test "$path" = "$argv[1]"
end
complete -c winnow -f
${general.map((option) => `complete -c winnow ${formatOption(option)}`).join('\n')}
${entries
  .map(({ path, command }) => {
    const parent = path.split(' ').slice(0, -1).join(' ')
    return `complete -c winnow -n "__winnow_at '${parent}'" -a ${command.name} -d ${quote(command.summary)}`
  })
  .join('\n')}
${entries
  .flatMap(({ path, command }) => {
    const prefix = `complete -c winnow -n "__winnow_at '${path}'"`
    const argument = command.arguments?.find((item) => item.completes || item.choices)
    return [
      ...(command.options ?? []).map((option) => `${prefix} ${formatOption(option)}`),
      ...(argument?.choices
        ? [`${prefix} -a ${quote(argument.choices.join(' '))}`]
        : argument
          ? [`${prefix} -F`]
          : []),
    ]
  })
  .join('\n')}
`
}

function formatOption({ name, short, kind, description, choices, completes }: Option): string {
  const values = choices ? ` -x -a ${quote(choices.join(' '))}` : completes ? ' -r -F' : ' -x'
  return `-l ${name}${short ? ` -s ${short}` : ''} -d ${quote(description)}${kind === 'flag' ? '' : values}`
}

const quote = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
