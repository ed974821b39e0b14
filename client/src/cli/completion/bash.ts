import type { Argument, Command, Option } from '../command.ts'

/** Command with its full path, such as `browser open`. */
interface Entry {
  path: string
  command: Command
}

/** Returns a completion script for bash 3.2 and newer that requires no other packages. */
export function bashCompletion(commands: readonly Command[], general: readonly Option[]): string {
  const entries = flatten(commands)
  const groups = entries.filter(({ command }) => command.commands)
  return `# Completion of winnow for bash: source <(winnow completion bash)
_winnow() {
  local current previous word path= index
  current=\${COMP_WORDS[COMP_CWORD]}
  previous=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case "$path $word" in
${entries.map(({ path }) => `      ' ${path}'|'${path}') path='${path}' ;;`).join('\n')}
    esac
  done
  case "$path:$previous" in
${entries.flatMap((entry) => valueCases(entry, general)).join('\n')}
  esac
  case "$current" in
    -*)
      case "$path" in
${entries.map(({ path, command }) => `        '${path}') ${reply(flagNames([...(command.options ?? []), ...general]))} ;;`).join('\n')}
        *) ${reply(flagNames(general))} ;;
      esac
      return ;;
  esac
  case "$path" in
    '') ${reply([...commands.map(({ name }) => name), 'help'])} ;;
${groups.map(({ path, command }) => `    '${path}') ${reply((command.commands ?? []).map(({ name }) => name))} ;;`).join('\n')}
${entries.flatMap(argumentCase).join('\n')}
  esac
}
complete -F _winnow winnow
`
}

export function flatten(commands: readonly Command[], parentPath = ''): Entry[] {
  return commands.flatMap((command) => {
    const path = parentPath === '' ? command.name : `${parentPath} ${command.name}`
    return [{ path, command }, ...flatten(command.commands ?? [], path)]
  })
}

function flagNames(options: readonly Option[]): string[] {
  return options.map(({ name }) => `--${name}`)
}

const reply = (words: readonly string[]) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current"))`
const files = `COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null`
const folders = `COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null`

function valueCases({ path, command }: Entry, general: readonly Option[]): string[] {
  return [...(command.options ?? []), ...general]
    .filter(({ kind }) => kind !== 'flag')
    .map((option) => {
      const names = [`'${path}:--${option.name}'`, ...(option.short ? [`'${path}:-${option.short}'`] : [])]
      return `    ${names.join('|')}) ${valueReply(option)} return ;;`
    })
}

function valueReply({ choices, completes }: Option): string {
  if (choices) return `${reply(choices)};`
  if (completes === 'file') return `${files};`
  return completes === 'folder' ? `${folders};` : ''
}

function argumentCase({ path, command }: Entry): string[] {
  const argument: Argument | undefined = command.arguments?.find((item) => item.completes || item.choices)
  if (!argument) return []
  const completion = argument.choices ? reply(argument.choices) : files
  return [`    '${path}') ${completion} ;;`]
}
