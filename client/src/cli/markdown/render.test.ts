import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './render.ts'

const shown = (markdown: string, columns = 60) =>
  stripVTControlCharacters(renderMarkdown(markdown, { columns, hasLinks: false })).trimEnd()

/** Styles, and links to addresses without a sign that could end them. */
const start = String.fromCharCode(27)
const ours = new RegExp(`${start}\\[[\\d;]+m|${start}\\]8;;[!-~]*${start}\\\\`, 'g')

describe('Markdown in a terminal', () => {
  it('shows headings, lists, quotes and code', () => {
    expect(shown('# One\n\n- a\n- b\n  1. c\n\n> said\n\n```js\nlet a = "**"\n```')).toBe(
      ['One', '━━━', '', '• a', '• b', '  1. c', '', '│ said', '', '  let a = "**"'].join('\n'),
    )
  })

  it('breaks lines at words, by what signs take in a terminal', () => {
    expect(shown('日本語 日本語 日本語', 20)).toBe('日本語 日本語 日本語')
    expect(shown('日本語 日本語 日本語', 19)).toBe('日本語 日本語\n日本語')
  })

  it('shares the width among the columns of a table', () => {
    const lines = shown(
      '| Name | About |\n|---|---|\n| Lamp | It stands on a desk and gives light |',
      24,
    ).split('\n')
    expect(lines.map((line) => line.slice(0, 7))).toEqual([
      'Name │ ',
      '─────┼─',
      'Lamp │ ',
      '     │ ',
      '     │ ',
    ])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(24)
  })

  it('leaves what is no markup as it is', () => {
    expect(shown('snake_case_name, 2 * 3 * 4, [open, `tick, \\*star\\*')).toBe(
      'snake_case_name, 2 * 3 * 4, [open, `tick, *star*',
    )
  })

  it('shows where links lead', () => {
    expect(shown('[a page](https://a.example/x_(y) "Title")')).toBe('a page <https://a.example/x_(y)>')
  })

  it('shows where a link leads that looks like another, also in terminals that make links', () => {
    const text = renderMarkdown('[https://bank.example](https://evil.example/)', {
      columns: 80,
      hasLinks: true,
    })
    expect(text).toContain('<https://evil.example/>')
  })

  it('lets no code of the text through, also not in addresses', () => {
    const markdown =
      'a\u001b[2J [b](https://a.example/\u001b]8;;x\u0007) [c](<https://a.example/\u001b\\>) \u009b31m `\u001b[1m`'
    for (const hasLinks of [true, false]) {
      const text = renderMarkdown(markdown, { columns: 80, hasLinks })
      expect(text.replaceAll(ours, '')).not.toMatch(/(?![\n\t])\p{Cc}/u)
    }
  })

  it.each(['[', '[]((', '`a``', '*a **b _c ', '> ', '- a\n\n', '  - a\n', '|a', '<http://', 'a\\'])(
    'does not go on for minutes about %j, however often it comes',
    (part) => {
      const text = part.repeat(200_000 / part.length)
      expect(shown(`${text}\nend`)).toContain('end')
    },
  )
})
