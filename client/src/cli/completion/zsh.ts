import type { Argument, Command, Option } from '../command.ts'
import { flatten } from './bash.ts'

/** Returns a completion script for zsh, with descriptions, values and files. */
export function zshCompletion(commands: readonly Command[], general: readonly Option[]): string {
  return `#compdef winnow
# Completion of winnow for zsh: source <(winnow completion zsh)
_winnow() {
  local context state line
  local -a general=(
${general.map((option) => `    ${formatOption(option)}`).join('\n')}
  )
  _arguments -C $general '1:command:_winnow_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
${commands.map((command) => `    ${command.name}) _winnow_${command.name} ;;`).join('\n')}
  esac
}
${describe('_winnow_commands', commands)}
${flatten(commands)
  .map(({ path, command }) => formatFunction(`_winnow_${path.replaceAll(' ', '_')}`, command))
  .join('\n')}
compdef _winnow winnow
`
}

function describe(name: string, commands: readonly Command[]): string {
  const rows = commands.map((command) => `    ${quote(`${command.name}:${command.summary}`)}`)
  return `${name}() {
  local -a list=(
${rows.join('\n')}
  )
  _describe command list
}`
}

function formatFunction(name: string, command: Command): string {
  if (command.commands) {
    return `${describe(`${name}_commands`, command.commands)}
${name}() {
  local state line
  _arguments -C $general '1:command:${name}_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
${command.commands.map((subcommand) => `    ${subcommand.name}) ${name}_${subcommand.name} ;;`).join('\n')}
  esac
}`
  }
  const parts = [
    ...(command.options ?? []).map(formatOption),
    ...(command.arguments ?? []).map(formatArgument),
  ]
  return `${name}() { _arguments $general ${parts.join(' ')}; }`
}

function formatOption({ name, short, kind, description, choices, completes, value }: Option): string {
  const descriptionSpec = `[${escapeText(description)}]`
  const values = choices
    ? `(${choices.join(' ')})`
    : completes
      ? completes === 'folder'
        ? '_files -/'
        : '_files'
      : ' '
  const valueSpec = kind === 'flag' ? '' : `:${escapeText(value ?? 'value')}:${values}`
  const repeatPrefix = kind === 'list' ? '*' : ''
  const long = quote(`${repeatPrefix}--${name}${descriptionSpec}${valueSpec}`)
  return short === undefined
    ? long
    : `${long} ${quote(`${repeatPrefix}-${short}${descriptionSpec}${valueSpec}`)}`
}

function formatArgument({ name, isRepeated, completes, choices }: Argument): string {
  const values = choices ? `(${choices.join(' ')})` : completes ? '_files' : ' '
  return quote(`${isRepeated ? '*' : ''}:${escapeText(name)}:${values}`)
}

const escapeText = (text: string) => text.replaceAll(/[\\:[\]]/g, '\\$&')
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
