import { applyPatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { createUnifiedDiff, isSameText, valueChanges, writeValues } from './diff.ts'

const numbered = (count: number, write = (index: number) => `line ${index}`) =>
  Array.from({ length: count }, (_, index) => write(index + 1)).join('\n')

describe('isSameText', () => {
  it.each([
    ['the same text', 'a b', 'a b', true],
    ['lines wrapped elsewhere', 'a b\nc', 'a\nb c', true],
    ['another indent and other ends of lines', '- a\n  - b', '- a\r\n\t- b\r\n', true],
    ['space where there was none', '|a|b|', '| a | b |', true],
    ['another word', 'one price', 'two price', false],
    ['the same lines in another order', 'a\n\nb', 'b\n\na', false],
    ['the same letters in another order', 'listen', 'silent', false],
  ])('compares %s', (_, previous, current, isSame) => {
    expect(isSameText(previous, current)).toBe(isSame)
  })
})

describe('unifiedDiff', () => {
  it('returns changed lines with three lines of context', () => {
    const { text } = createUnifiedDiff(numbered(9), numbered(9).replace('line 5', 'line five'))
    expect(text.split('\n')).toEqual([
      ...['--- previous', '+++ current', '@@ -2,7 +2,7 @@'],
      ...[' line 2', ' line 3', ' line 4', '-line 5', '+line five', ' line 6', ' line 7', ' line 8', ''],
    ])
  })

  it('returns a separate chunk for each changed position', () => {
    const current = numbered(40).replace('line 3\n', 'third\n').replace('line 30', 'thirtieth')
    expect(createUnifiedDiff(numbered(40), current).files[0]?.chunks.map((chunk) => chunk.content)).toEqual([
      '@@ -1,6 +1,6 @@',
      '@@ -27,7 +27,7 @@',
    ])
  })

  it('returns parsed parts with the line numbers of each version', () => {
    const { files } = createUnifiedDiff('a\nb\nc', 'a\nB\nB2\nc')
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
  ])('returns a patch from one version to the other: %s', (_, previous, current) => {
    const { text } = createUnifiedDiff(previous, current)
    const ended = (version: string) => (version === '' ? '' : `${version}\n`)
    expect(applyPatch(ended(previous), text) === ended(current)).toBe(true)
  })

  it('ignores line endings', () => {
    expect(createUnifiedDiff('a\r\nb\r\nc', 'a\nb\nC\n\n').text).toBe(
      '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n a\n b\n-c\n+C\n',
    )
  })
})

const writeSample = async (
  values: Record<string, unknown>,
  fields: string[] = Object.keys(values),
  added: Record<string, unknown> = {},
) => String(await writeValues({ fields, values: JSON.stringify(values), added }))

const nothing = { changes: {}, isChanged: false, lost: [], found: [], onlyBefore: [], onlyNow: [] }

describe('valueChanges', () => {
  it('returns no changes for equal values, whatever the order of object keys', async () => {
    const before = await writeSample({ title: 'Lamp', sizes: [{ name: 's', width: 1 }] })
    const now = await writeSample({ sizes: [{ width: 1, name: 's' }], title: 'Lamp' })
    expect(valueChanges(before, now)).toEqual(nothing)
  })

  it('compares field by field', async () => {
    const before = await writeSample({ title: 'Lamp', 'offers.price': 10, tags: ['a', 'b'] })
    const now = await writeSample({ title: 'Lamp', 'offers.price': 12, tags: ['a'] })
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      isChanged: true,
      changes: {
        'offers.price': { previous: 10, current: 12 },
        tags: { previous: ['a', 'b'], current: ['a'] },
      },
    })
  })

  it('lists a field that only one version has as lost or found, not as changed', async () => {
    const fields = ['price', 'stock']
    const [before, now] = [await writeSample({ price: 10 }, fields), await writeSample({ stock: 3 }, fields)]
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      changes: { price: { previous: 10, current: null }, stock: { previous: null, current: 3 } },
      lost: ['price'],
      found: ['stock'],
    })
  })

  it('compares only the fields that were requested for both versions', async () => {
    const before = await writeSample({ price: 10, title: 'Lamp' }, ['price', 'title', 'weight'])
    const now = await writeSample({ price: 12, colour: 'red' }, ['price', 'colour'])
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      isChanged: true,
      changes: { price: { previous: 10, current: 12 } },
      onlyBefore: ['title', 'weight'],
      onlyNow: ['colour'],
    })
  })

  it('includes added values and accepts any field name', async () => {
    const before = await writeSample(JSON.parse('{"__proto__":1}'), ['__proto__', 'city'], { city: 'Lund' })
    const now = await writeSample(JSON.parse('{"__proto__":2}'), ['__proto__', 'city'], { city: 'Lund' })
    const { changes } = valueChanges(before, now)
    expect(Object.entries(changes)).toEqual([['__proto__', { previous: 1, current: 2 }]])
  })

  it('keeps values as bytes if they were extracted as bytes', async () => {
    const values = new TextEncoder().encode('{"price":10}')
    const bytes = await writeValues({ fields: ['price'], values, added: {} })
    expect(new TextDecoder().decode(bytes as Uint8Array)).toBe(await writeSample({ price: 10 }))
  })
})
