/** The driver's messages contain page text, and a log whose last lines are the most useful. */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the driver colours its messages for terminals
  const lines = text.replaceAll(/\u001b\[\d+m/g, '').split('\n')
  return [...new Set([lines[0], ...lines.slice(-3)])].join('\n').slice(0, 600)
}
