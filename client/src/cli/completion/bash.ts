import type { Argument, Command, Option } from '../command.ts'

/** Words that stand between a command and its group in the patterns of the script. */
interface Entry {
  path: string
  command: Command
}

/** A completion script for bash 3.2 and newer, without other packages. */
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
${entries.map(({ path, command }) => `        '${path}') ${reply(flags([...(command.options ?? []), ...general]))} ;;`).join('\n')}
        *) ${reply(flags(general))} ;;
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

export function flatten(commands: readonly Command[], before = ''): Entry[] {
  return commands.flatMap((command) => {
    const path = before === '' ? command.name : `${before} ${command.name}`
    return [{ path, command }, ...flatten(command.commands ?? [], path)]
  })
}

function flags(options: readonly Option[]): string[] {
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
  const argument: Argument | undefined = command.arguments?.find((each) => each.completes || each.choices)
  if (!argument) return []
  const how = argument.choices ? reply(argument.choices) : files
  return [`    '${path}') ${how} ;;`]
}
