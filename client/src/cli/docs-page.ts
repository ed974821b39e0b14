import type { Command, Option } from './command.ts'
import { flatten } from './completion/bash.ts'
import { optionMeaning, optionSyntax, usage } from './help.ts'
import { generalOptions } from './options.ts'
import { commands } from './table.ts'

const startMarker = '<!-- commands: made from the table in client/src/cli -->\n'
const endMarker = '<!-- end of the commands -->\n'

/** Returns the text of docs/cli.md with an updated command reference. */
export function commandsPage(page: string): string {
  const startIndex = page.indexOf(startMarker)
  const endIndex = page.indexOf(endMarker)
  if (startIndex < 0 || endIndex < startIndex) throw new Error('docs/cli.md has no place for the commands.')
  const sections = flatten(commands)
    .filter(({ command }) => command.load)
    .map(({ path, command }) => formatSection(`winnow ${path}`, command))
  const general = `### General options\n\n${formatOptionTable(generalOptions)}`
  return `${page.slice(0, startIndex)}${startMarker}\n${[...sections, general].join('\n')}\n${page.slice(endIndex)}`
}

function formatSection(name: string, command: Command): string {
  const summary = command.summary.charAt(0).toUpperCase() + command.summary.slice(1)
  const examples = command.examples?.length ? `\n\`\`\`sh\n${command.examples.join('\n')}\n\`\`\`\n` : ''
  const options = command.options?.length ? `\n${formatOptionTable(command.options)}` : ''
  return `### ${name}\n\n${summary}: \`${usage(name, command)}\`\n${examples}${options}`
}

/** Formats a Markdown table with aligned columns, as the formatter of this repository requires. */
function formatOptionTable(options: readonly Option[]): string {
  const escapeCell = (text: string) => text.replaceAll('|', '\\|')
  const rows = [
    ['Option', 'Meaning'],
    ...options.map((option) => [
      `\`${escapeCell(optionSyntax(option))}\``,
      escapeCell(optionMeaning(option)),
    ]),
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const formatRow = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const [head = [], ...body] = rows
  return [formatRow(head), formatRow(widths.map((width) => '-'.repeat(width))), ...body.map(formatRow)].join(
    '',
  )
}
