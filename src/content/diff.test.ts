import { applyPatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { isSameText, unifiedDiff, valueChanges, writeValues } from './diff.ts'

const numbered = (count: number, write = (index: number) => `line ${index}`) =>
  Array.from({ length: count }, (_, index) => write(index + 1)).join('\n')

describe('comparing two versions', () => {
  it.each([
    ['the same text', 'a b', 'a b', true],
    ['lines wrapped elsewhere', 'a b\nc', 'a\nb c', true],
    ['another indent and other ends of lines', '- a\n  - b', '- a\r\n\t- b\r\n', true],
    ['space where there was none', '|a|b|', '| a | b |', true],
    ['another word', 'one price', 'two price', false],
    ['the same lines in another order', 'a\n\nb', 'b\n\na', false],
    ['the same letters in another order', 'listen', 'silent', false],
  ])('judges %s', (_, previous, current, isSame) => {
    expect(isSameText(previous, current)).toBe(isSame)
  })
})

describe('the unified diff', () => {
  it('shows what changed with three lines around it', () => {
    const { text } = unifiedDiff(numbered(9), numbered(9).replace('line 5', 'line five'))
    expect(text.split('\n')).toEqual([
      ...['--- previous', '+++ current', '@@ -2,7 +2,7 @@'],
      ...[' line 2', ' line 3', ' line 4', '-line 5', '+line five', ' line 6', ' line 7', ' line 8', ''],
    ])
  })

  it('has a chunk of its own for each place that changed', () => {
    const current = numbered(40).replace('line 3\n', 'third\n').replace('line 30', 'thirtieth')
    expect(unifiedDiff(numbered(40), current).files[0]?.chunks.map((chunk) => chunk.content)).toEqual([
      '@@ -1,6 +1,6 @@',
      '@@ -27,7 +27,7 @@',
    ])
  })

  it('tells the same in parts, with the number of each line in its version', () => {
    const { files } = unifiedDiff('a\nb\nc', 'a\nB\nB2\nc')
    expect(files).toEqual([
      {
        from: 'previous',
        to: 'current',
        chunks: [
          {
            content: '@@ -1,3 +1,4 @@',
            changes: [
              { type: 'normal', normal: true, ln1: 1, ln2: 1, content: 'a' },
              { type: 'del', del: true, ln: 2, content: 'b' },
              { type: 'add', add: true, ln: 2, content: 'B' },
              { type: 'add', add: true, ln: 3, content: 'B2' },
              { type: 'normal', normal: true, ln1: 3, ln2: 4, content: 'c' },
            ],
          },
        ],
      },
    ])
  })

  it.each([
    ['a line in the middle', numbered(50), numbered(50).replace('line 25', 'new')],
    ['lines at both ends', numbered(50), `first\n${numbered(49)}`],
    ['text where there was none', '', 'a\nb'],
    ['nothing where there was text', 'a\nb', ''],
    ['lines that look like a diff', 'a\n-- b\n++ c\n@@ d', 'a\n--- b\n+++ c\n\\ d'],
    ['repeated lines', 'a\na\nb\na\na', 'a\na\na\nb\na'],
  ])('leads from one version to the other: %s', (_, previous, current) => {
    const { text } = unifiedDiff(previous, current)
    const ended = (version: string) => (version === '' ? '' : `${version}\n`)
    expect(applyPatch(ended(previous), text) === ended(current)).toBe(true)
  })

  it('keeps quiet about ends of lines', () => {
    expect(unifiedDiff('a\r\nb\r\nc', 'a\nb\nC\n\n').text).toBe(
      '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n a\n b\n-c\n+C\n',
    )
  })
})

const written = async (
  values: Record<string, unknown>,
  fields: string[] = Object.keys(values),
  added: Record<string, unknown> = {},
) => String(await writeValues({ fields, values: JSON.stringify(values), added }))

const nothing = { changes: {}, isChanged: false, lost: [], found: [], onlyBefore: [], onlyNow: [] }

describe('values of two versions', () => {
  it('are the same where nothing differs, whatever the order in objects', async () => {
    const before = await written({ title: 'Lamp', sizes: [{ name: 's', width: 1 }] })
    const now = await written({ sizes: [{ width: 1, name: 's' }], title: 'Lamp' })
    expect(valueChanges(before, now)).toEqual(nothing)
  })

  it('differ field by field', async () => {
    const before = await written({ title: 'Lamp', 'offers.price': 10, tags: ['a', 'b'] })
    const now = await written({ title: 'Lamp', 'offers.price': 12, tags: ['a'] })
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      isChanged: true,
      changes: {
        'offers.price': { previous: 10, current: 12 },
        tags: { previous: ['a', 'b'], current: ['a'] },
      },
    })
  })

  it('are not changed by a field that one of them could not read, which is named', async () => {
    const fields = ['price', 'stock']
    const [before, now] = [await written({ price: 10 }, fields), await written({ stock: 3 }, fields)]
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      changes: { price: { previous: 10, current: null }, stock: { previous: null, current: 3 } },
      lost: ['price'],
      found: ['stock'],
    })
  })

  it('are compared in the fields that both were asked for', async () => {
    const before = await written({ price: 10, title: 'Lamp' }, ['price', 'title', 'weight'])
    const now = await written({ price: 12, colour: 'red' }, ['price', 'colour'])
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      isChanged: true,
      changes: { price: { previous: 10, current: 12 } },
      onlyBefore: ['title', 'weight'],
      onlyNow: ['colour'],
    })
  })

  it('have what was added to those that were read, and names of any kind', async () => {
    const before = await written(JSON.parse('{"__proto__":1}'), ['__proto__', 'city'], { city: 'Lund' })
    const now = await written(JSON.parse('{"__proto__":2}'), ['__proto__', 'city'], { city: 'Lund' })
    const { changes } = valueChanges(before, now)
    expect(Object.entries(changes)).toEqual([['__proto__', { previous: 1, current: 2 }]])
  })

  it('are kept as bytes where they were read as bytes', async () => {
    const values = new TextEncoder().encode('{"price":10}')
    const bytes = await writeValues({ fields: ['price'], values, added: {} })
    expect(new TextDecoder().decode(bytes as Uint8Array)).toBe(await written({ price: 10 }))
  })
})
