import type { Argument, Command, Option } from '../command.ts'
import { flatten } from './bash.ts'

/** A completion script for zsh: descriptions, values and files. */
export function zshCompletion(commands: readonly Command[], general: readonly Option[]): string {
  return `#compdef winnow
# Completion of winnow for zsh: source <(winnow completion zsh)
_winnow() {
  local context state line
  local -a general=(
${general.map((option) => `    ${specification(option)}`).join('\n')}
  )
  _arguments -C $general '1:command:_winnow_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
${commands.map((command) => `    ${command.name}) _winnow_${command.name} ;;`).join('\n')}
  esac
}
${describe('_winnow_commands', commands)}
${flatten(commands)
  .map(({ path, command }) => functionOf(`_winnow_${path.replaceAll(' ', '_')}`, command))
  .join('\n')}
compdef _winnow winnow
`
}

function describe(name: string, commands: readonly Command[]): string {
  const rows = commands.map((each) => `    ${quoted(`${each.name}:${each.summary}`)}`)
  return `${name}() {
  local -a list=(
${rows.join('\n')}
  )
  _describe command list
}`
}

function functionOf(name: string, command: Command): string {
  if (command.commands) {
    return `${describe(`${name}_commands`, command.commands)}
${name}() {
  local state line
  _arguments -C $general '1:command:${name}_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
${command.commands.map((each) => `    ${each.name}) ${name}_${each.name} ;;`).join('\n')}
  esac
}`
  }
  const parts = [...(command.options ?? []).map(specification), ...(command.arguments ?? []).map(positional)]
  return `${name}() { _arguments $general ${parts.join(' ')}; }`
}

function specification({ name, short, kind, description, choices, completes, value }: Option): string {
  const about = `[${escaped(description)}]`
  const values = choices
    ? `(${choices.join(' ')})`
    : completes
      ? completes === 'folder'
        ? '_files -/'
        : '_files'
      : ' '
  const takes = kind === 'flag' ? '' : `:${escaped(value ?? 'value')}:${values}`
  const often = kind === 'list' ? '*' : ''
  const long = quoted(`${often}--${name}${about}${takes}`)
  return short === undefined ? long : `${long} ${quoted(`${often}-${short}${about}${takes}`)}`
}

function positional({ name, isRepeated, completes, choices }: Argument): string {
  const values = choices ? `(${choices.join(' ')})` : completes ? '_files' : ' '
  return quoted(`${isRepeated ? '*' : ''}:${escaped(name)}:${values}`)
}

const escaped = (text: string) => text.replaceAll(/[\\:[\]]/g, '\\$&')
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
