/** Text in a fence that nothing inside it can close. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text as code within a line. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

/** Code in a table cell, where a span cannot hold a pipe behind a backslash. */
export function cellCode(text: string): string {
  if (!text.includes('\\|')) return codeSpan(text)
  return `<code>${text.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`
}

function longestBacktickRun(text: string): number {
  if (!text.includes('`')) return 0
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
