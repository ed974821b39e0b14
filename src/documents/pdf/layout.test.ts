import { describe, expect, it } from 'vitest'
import { layOut } from './layout.ts'
import type { RawPage, Run } from './shapes.ts'

const run = (text: string, left: number, right: number, top: number): Run => ({
  ...{ text, left, right, top, bottom: top + 12, size: 12 },
  ...{ isBold: false, isItalic: false, isMono: false },
})

function markdownOf(runs: Run[]): string {
  const page: RawPage = {
    ...{ pageNumber: 1, width: 600, height: 800, runs, tables: [], rules: [], source: 'text' },
  }
  return layOut([page])[0]?.markdown ?? ''
}

/** Form with names and values. The second value continues on two more lines. */
const form: [string, string[]][] = [
  ['name', ['first']],
  ['place', ['second, which is', 'longer than what', 'one line holds']],
  ['year', ['third']],
  ['owner', ['fourth']],
  ['guard', ['fifth']],
  ['oil', ['sixth']],
]

const letters = 'אבגדהוזחטיכלמנסעפצקרשת'
const hebrew = (text: string) => text.replace(/[a-z]/g, (letter) => letters[letter.charCodeAt(0) % 22] ?? '')

function formRuns(write: (text: string) => string, nameAt: number, valueAt: number): Run[] {
  let top = 200
  return form.flatMap(([name, values]) => {
    const runs = values.map((value, at) => run(write(value), valueAt, valueAt + 110, top + at * 14))
    const nameRun = run(write(name), nameAt, nameAt + name.length * 6, top)
    top += values.length * 14 + 8
    return [nameRun, ...runs]
  })
}

describe('a form of names and values', () => {
  const findOffsets = (markdown: string, texts: string[]) => texts.map((text) => markdown.indexOf(text))

  it('is read row by row', () => {
    const offsets = findOffsets(markdownOf(formRuns((text) => text, 60, 300)), [
      'name',
      'first',
      'place',
      'second',
    ])
    expect(offsets).not.toContain(-1)
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
  })

  it('is read from the right if its letters are Hebrew', () => {
    const texts = ['name', 'first', 'place', 'year', 'third'].map(hebrew)
    const offsets = findOffsets(markdownOf(formRuns(hebrew, 420, 80)), texts)
    expect(offsets).not.toContain(-1)
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
  })
})

it('writes letters of scripts without spaces next to each other, and columns one after the other', () => {
  const line = (start: string, left: number, at: number) =>
    [...`${start}常熟银行发布半年报上半年公司实现营业收入`].map((character, index) =>
      run(character, left + index * 12, left + index * 12 + 10, 100 + at * 16),
    )
  const rows = Array.from({ length: 6 }, (_, at) => [...line('左', 40, at), ...line('右', 320, at)])
  const markdown = markdownOf(rows.flat())
  expect(markdown).toMatch(/^左常熟银行发布/)
  expect(markdown.lastIndexOf('左')).toBeLessThan(markdown.indexOf('右'))
})
