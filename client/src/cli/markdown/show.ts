import type { Context } from '../context.ts'
import { safeText } from '../safe-text.ts'
import { renderMarkdown } from './render.ts'

/** Markdown with styles in a terminal, as it is in a pipe. */
export async function showMarkdown({ terminal, values }: Context, markdown: string): Promise<void> {
  if (!terminal.isStyled || values.flags.has('plain'))
    return terminal.print(`${safeText(markdown).trimEnd()}\n`)
  await terminal.print(
    renderMarkdown(markdown, { columns: terminal.columns, hasLinks: knowsLinks(process.env) }),
  )
}

/** Terminals that are known to make links of the codes for them; others may show the codes. */
function knowsLinks(environment: NodeJS.ProcessEnv): boolean {
  if (environment.TMUX || environment.STY) return false
  const program = environment.TERM_PROGRAM ?? ''
  return (
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper'].includes(program) ||
    Number(environment.VTE_VERSION ?? 0) >= 5000 ||
    [environment.KITTY_WINDOW_ID, environment.WT_SESSION, environment.KONSOLE_VERSION].some(Boolean)
  )
}
